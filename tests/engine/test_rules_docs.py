"""What docs/rules says of the games is what the engine does; examples and tables in it are the engine's own."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

from engine.game import DealResult
from engine.games import game_from_profile, profiles
from engine.parlett.options import Options as ParlettOptions
from engine.parlett.view import ParlettView
from engine.spite.options import Options, SkipBoOptions, StarturnOptions
from engine.spite.view import SpiteView
from engine.tricks.options import FortyFiveOptions, SpoilFiveOptions
from engine.tricks.view import TrickView
from tests.engine.doc_examples import EXAMPLES, PAGES, RULES, generated
from tests.engine.tricks.positions import dealt_hands, new_game

OPTIONS: Mapping[str, type[msgspec.Struct]] = {
    "common": Options,
    "skip-bo": SkipBoOptions,
    "starturn": StarturnOptions,
    "parlett": ParlettOptions,
    "spoil-five": SpoilFiveOptions,
    "forty-five": FortyFiveOptions,
}
VIEWS: Mapping[str, Sequence[type[msgspec.Struct]]] = {
    "common": [SpiteView],
    "parlett": [SpiteView, ParlettView],
    "spoil-five": [TrickView],
}
ITEMS = {
    "common": [
        *(f"A-STD-{n:02}" for n in range(1, 20)),
        "A-V1",
        *(f"A-V{n}" for n in ("2a", "2b", "2c", "2d", "3a", "3b", "3c", "4a", "4b", "4c", "5a", "5b", "5c")),
        "A-V7a",
        "A-V7b",
    ],
    "skip-bo": [f"A-SB-{n}" for n in range(1, 7)],
    "starturn": [f"A-ST-{n}" for n in range(1, 8)],
    "parlett": [f"A-PAR-{n:02}" for n in range(1, 17)],
    "spoil-five": [f"A-SF-{n:02}" for n in range(1, 18)],
    "forty-five": [f"A-45-{n}" for n in range(1, 8)],
}


def page(name: str) -> str:
    return (RULES / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*EXAMPLES, "index"])
def test_examples_and_tables_are_as_generated(name: str) -> None:
    assert generated(name) == page(name), "run `python -m tests.engine.doc_examples`"


@pytest.mark.parametrize("name", ITEMS)
def test_every_ambiguity_is_answered_once_and_in_order(name: str) -> None:
    assert re.findall(r"^\| (A-\w+(?:-\w+)?) \|", page(name), flags=re.MULTILINE) == ITEMS[name]


def test_every_ambiguity_is_tested_under_its_name() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.rglob("test_*.py"))
    tested = {
        name.lower().replace("_", "-") for name in re.findall(r"a_[a-z0-9]+(?:_[0-9]+)?", tests.lower())
    }
    tested |= {name.lower() for name in re.findall(r"A-[A-Z0-9]+(?:-[0-9]+)?[a-d]?", tests)}
    wanted = {item.lower() for items in ITEMS.values() for item in items}
    assert wanted - tested == set()


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_and_each_of_its_values_is_named(name: str) -> None:
    named = set(re.findall(r"`([\w-]+)(?:=\w+)?`", page(name))) | set(re.findall(r"`\w+=(\w+)`", page(name)))
    for field in msgspec.structs.fields(OPTIONS[name]):
        assert field.name in named
        kind = msgspec.inspect.type_info(field.type)
        if isinstance(kind, msgspec.inspect.LiteralType) and isinstance(kind.values[0], str):
            assert set(kind.values) <= named


@pytest.mark.parametrize("name", VIEWS)
def test_every_field_of_the_view_is_described(name: str) -> None:
    for view in VIEWS[name]:
        own = [
            field
            for field in msgspec.structs.fields(view)
            if name != "parlett" or field.name in ParlettView.__annotations__
        ]
        for field in own:
            assert re.search(rf"^\| (?:`\w+`, )*`{field.name}`", page(name), flags=re.MULTILINE), field.name


def test_the_deal_to_follow_can_be_followed() -> None:
    text = page("spoil-five")
    hands = dict(re.findall(r"^\| (West|North|East|South) \| (.*) \|$", text, flags=re.MULTILINE))
    tricks = re.findall(r"^\| \d \| (\w \w+(?:, \w \w+){3}) \| (\w) \|", text, flags=re.MULTILINE)
    seats = ["South", "West", "North", "East"]
    deal = dealt_hands([hands[seat] for seat in seats], "9D", new_game(players=4), dealer=0)
    for cards, winner in tricks:
        for played in cards.split(", "):
            seat, card = played.split()
            assert deal.to_act == "SWNE".index(seat)
            deal.apply(next(move for move in (f"rob 9C>{card}", card) if move in deal.legal()))
        assert deal.leader == "SWNE".index(winner)
    assert deal.result == DealResult((0, 3, 0, 0), "won")


def reasons_and_events(profile: str, players: int) -> Iterator[tuple[str, set[str]]]:
    """Yield the reason, and the kinds of events, of deals played by chance and by players who play nothing."""
    game = game_from_profile(profile, players)
    rng = random.Random(1)
    for number in range(12):
        deal = game.deal(bytes(32), number, 0)
        kinds: set[str] = set()
        while deal.to_act is not None:
            legal = deal.legal()
            deal.apply(deal.passive_move() if number % 4 == 0 else legal[int(rng.random() * len(legal))])
            kinds |= {event.e for event in deal.take_events(0)}
        assert deal.result is not None
        yield deal.result.reason, kinds


@pytest.mark.parametrize("profile", profiles())
def test_every_reason_and_event_that_occurs_is_named(profile: str) -> None:
    name = PAGES[profiles()[profile].game]
    text = page(name)
    for like in {"forty-five": ["spoil-five"], "common": []}.get(name, ["common"]):
        text += page(like)
    named = set(re.findall(r"`(\w+)`", text))
    for reason, kinds in reasons_and_events(profile, profiles()[profile].players[0]):
        assert reason in named
        assert kinds <= named
