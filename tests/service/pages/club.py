"""A small club for the pages to show: real fixtures with real logs, played in this process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from service.blobs import BlobStore, open_blobs
from service.fixtures.drawing import Kind, draw_fixture
from service.ledger import states
from service.ledger.recorder import Outcome, record
from service.ledger.tickets import make_ticket
from service.models import Entry, Ladder
from service.ratings.rater import rate
from service.settings import Settings
from service.storage.database import Database
from tests.service.ledger.factories import make_entry, make_ladder
from tests.service.ledger.playing import Mishap, Player, Style, idle


@dataclass
class Club:
    """A ladder and its entries, by the names of their bots."""

    database: Database
    blobs: BlobStore
    ladder_id: str
    entries: dict[str, Entry] = field(default_factory=dict)
    styles: dict[str, Style] = field(default_factory=dict)

    def join(
        self, name: str, *, style: Style | None = None, owner: str | None = None, number: int = 1
    ) -> None:
        """Let a bot's version become active, deciding eagerly unless a style is given."""
        with self.database.transaction() as session:
            ladder = session.get_one(Ladder, self.ladder_id)
            entry = make_entry(session, ladder, name, owner=owner, number=number)
        self.entries[name] = entry
        if style:
            self.styles[entry.version_id] = style

    def draw(self, *names: str, kind: Kind = "ladder") -> str:
        """Draw up a fixture and return its id."""
        with self.database.transaction() as session:
            ladder = session.get_one(Ladder, self.ladder_id)
            entries = [session.get_one(Entry, self.entries[name].id) for name in names]
            return draw_fixture(
                session,
                ladder=ladder,
                kind=kind,
                entries=entries,
                owner_id=entries[0].owner_id,
                round_number=1,
            ).id

    def play(self, *names: str, kind: Kind = "ladder", mishaps: Sequence[Mishap] = ()) -> str:
        """Draw up a fixture, play it, record it, rate it, and return its id."""
        fixture = self.draw(*names, kind=kind)
        self.finish(fixture, mishaps)
        return fixture

    def finish(self, fixture: str, mishaps: Sequence[Mishap] = ()) -> None:
        """Play a fixture that was drawn up, record it, and rate it."""
        with self.database.transaction() as session:
            states.claim(session, fixture)
            ticket = make_ticket(session, fixture)
        report = Player(self.blobs, styles=self.styles, mishaps=mishaps).play(ticket)
        assert record(self.database, self.blobs, report) is Outcome.RECORDED
        rate(self.database, self.ladder_id)


def found_club(
    database: Database,
    settings: Settings,
    *,
    slug: str = "short-5",
    target: int = 5,
    profile: str = "short",
    players: int = 2,
    options: Mapping[str, object] | None = None,
    suffix: str = "",
) -> Club:
    """A club with a bot for every side, of different minds, and no fixtures; `suffix` tells its bots from another's."""
    with database.transaction() as session:
        ladder = make_ladder(
            session, slug, profile=profile, players=players, target=target, priority=9, options=options
        )
        ladder_id, sides = ladder.id, ladder.sides
    club = Club(database, open_blobs(settings.resolved_blobs), ladder_id)
    club.join(f"eager{suffix}", owner="ada")
    club.join(f"idle{suffix}", owner="bob", style=idle)
    for number in range(2, sides):
        club.join(f"mixed-{number}{suffix}", style=_mixed(number))
    return club


def _mixed(step: int) -> Style:
    """A style that takes the moves by turns."""
    turns = count(step, step)
    return lambda legal: legal[next(turns) % len(legal)]
