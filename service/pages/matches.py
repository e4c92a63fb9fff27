"""A match as a person reads it: its deals, the moves of one of them, and the table after each move."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from flask import Blueprint, render_template

from engine.errors import LogError
from engine.log import ActLine, DealLine, DealOverLine, Header, Line, read_log
from engine.match import MAX_DEALS, MAX_DECISIONS
from engine.replay import Step, steps
from service.blobs import BlobDamagedError
from service.fixtures import matches
from service.fixtures.views import MatchView
from service.ladders.listing import ladder_view
from service.narration.narrators import Narrator, Table, narrator_for
from service.narration.reasons import reason_in_words
from service.narration.story import Action, Passage, Sentence
from service.pages.inputs import whole_number
from service.pages.wording import ending_in_words
from service.refusals import GoneError
from service.web.site import site

NOT_ASKED = -1


@dataclass(frozen=True)
class DealSummary:
    """A deal and how it ended; points and scores by side, None where the match ended first."""

    number: int
    dealer: int
    points: Sequence[int] | None
    scores: Sequence[int] | None
    reason: str
    """In words; empty where the match ended first."""


@dataclass(frozen=True)
class Scene:
    """The table at one moment of a deal."""

    shown: int
    """Decisions made before it."""
    last: int
    """Decisions of the whole deal."""
    action: Action | None
    """What led to it; None at the beginning."""
    outcomes: Sequence[Sentence]
    """What that decided, such as a trick and with it the deal; empty where play just goes on."""
    table: Table


@dataclass(frozen=True)
class Story:
    """What a match's log tells."""

    deals: Sequence[DealSummary]
    shown: int
    """Number of the deal that is told in full."""
    passages: Sequence[Passage]
    scene: Scene | None


def add_to(blueprint: Blueprint) -> None:
    """Add these pages."""
    blueprint.add_url_rule("/matches/<match>", "match", show_match)
    blueprint.add_url_rule("/matches/<match>/table", "match_table", show_match_table)


def show_match(match: str) -> str:
    """Show a match, and the moves of the deal that is asked for, else of its first, or of the one a fault ended.

    Legs, deals, seats and piles have the numbers they have in the log and in evidence, from 0.
    """
    return _page("match.html", match)


def show_match_table(match: str) -> str:
    """Show the table at one moment by itself, for those that step through a deal."""
    return _page("_scene.html", match)


def _page(template: str, match: str) -> str:
    asked = whole_number("deal", NOT_ASKED, 0, MAX_DEALS - 1)
    moment = whole_number("step", 0, 0, MAX_DECISIONS)
    with site().database.reading() as session:
        view = matches.match_view(session, match)
        ladder = ladder_view(session, view.ladder)
    shown = asked if asked != NOT_ASKED else view.deals - 1 if view.reason == "fault" else 0
    story, note = None, ""
    try:
        story = _story(view, shown, moment, ladder.sides)
    except GoneError as error:
        note = error.message
    except LogError as error:
        # A log of another engine version replays on that version only.
        note = f"this log cannot be replayed here: {error}"
    except BlobDamagedError:
        note = "the log is damaged where it is stored, so that its moves cannot be shown; tell the operator"
    return render_template(
        template,
        match=view,
        ladder=ladder,
        names=_names(view),
        ended=ending_in_words(view, ladder),
        story=story,
        note=note,
    )


def _names(view: MatchView) -> list[str]:
    """What the bots are called by seat, with the seat where one sits in several."""
    bots = [seat.bot for seat in view.seats]
    return [bot if bots.count(bot) == 1 else f"{bot} (seat {seat})" for seat, bot in enumerate(bots)]


def _story(view: MatchView, shown: int, moment: int, sides: int) -> Story:
    """Replay the log. Raises GoneError, LogError or BlobDamagedError."""
    data = matches.read_log(site().blobs, view.sha256)
    lines = read_log(data)
    header = lines[0]
    assert isinstance(header, Header)
    narrator = narrator_for(header.rules)
    # No further than the deal: what comes after it would be replayed, too, at every step of a reader.
    made = list(islice(steps(data, only_deal=shown), _decisions(lines, shown)))
    passages = narrator.tell(made)
    return Story(
        deals=_deals(lines, str(header.rules["game"]), sides),
        shown=shown,
        passages=passages,
        scene=_scene(narrator, made, passages, min(moment, len(made))),
    )


def _scene(
    narrator: Narrator, made: Sequence[Step], passages: Sequence[Passage], moment: int
) -> Scene | None:
    table = narrator.draw(made, moment) if made else None
    if table is None:
        return None
    action, outcomes = _led_to(passages, moment)
    return Scene(shown=moment, last=len(made), action=action, outcomes=outcomes, table=table)


def _led_to(passages: Sequence[Passage], moment: int) -> tuple[Action | None, Sequence[Sentence]]:
    """Return the decision before a moment, and what it decided."""
    for passage in passages:
        for action in passage.actions:
            if action.number == moment:
                decided = (passage.outcome, passage.ending) if action is passage.actions[-1] else ()
                return action, [sentence for sentence in decided if sentence]
    return None, ()


def _decisions(lines: Sequence[Line], deal: int) -> int:
    """Return how many decisions a deal took."""
    counts: list[int] = []
    for line in lines:
        if isinstance(line, DealLine):
            counts.append(0)
        elif isinstance(line, ActLine):
            counts[-1] += 1
    return counts[deal] if deal < len(counts) else 0


def _deals(lines: Sequence[Line], game: str, sides: int) -> list[DealSummary]:
    ends = {line.number: line for line in lines if isinstance(line, DealOverLine)}
    return [
        _summary(line, ends.get(line.number), game, sides) for line in lines if isinstance(line, DealLine)
    ]


def _summary(deal: DealLine, end: DealOverLine | None, game: str, sides: int) -> DealSummary:
    if end is None:
        return DealSummary(deal.number, deal.dealer, None, None, "")
    # Partners carry the same points: the first seats stand for all.
    return DealSummary(
        deal.number, deal.dealer, end.points[:sides], end.scores[:sides], reason_in_words(game, end.reason)
    )
