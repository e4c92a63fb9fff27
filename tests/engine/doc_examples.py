"""The generated parts of docs/rules: examples from real deals, and tables the engine plays by.

`python -m tests.engine.doc_examples` writes them into the pages; `test_rules_docs.py` compares them.
"""

import hashlib
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from engine.game import Deal
from engine.games import game_from_profile, profiles
from engine.tricks.cards import SUITS, TEXTS, plain_upwards, trumps_upwards

RULES = Path(__file__).parents[2] / "docs" / "rules"
EXAMPLE = "An example"
RANKING = "How cards rank"
PROFILES = "Every profile"
PAGES = {
    "spite-and-malice": "common",
    "skip-bo": "skip-bo",
    "starturn": "starturn",
    "parlett": "parlett",
    "spoil-five": "spoil-five",
    "forty-five": "forty-five",
}
"""Which page tells which game's rules."""
SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
WIDTH = 110


@dataclass(frozen=True)
class Example:
    """A position worth showing: the first one, in deals by number, that `wanted` accepts; then `move` is made."""

    profile: str
    players: int
    intro: str
    wanted: Callable[[Deal], bool]
    move: Callable[[list[str]], str]


def _starts(*heads: str) -> Callable[[list[str]], str]:
    def first(legal: list[str]) -> str:
        return next(move for head in heads for move in legal if move.startswith(head))

    return first


def _view(deal: Deal) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.to_builtins(deal.view(deal.to_act or 0))
    return view


def _robber(deal: Deal) -> bool:
    legal = deal.legal()
    return len(legal) <= 14 and any(move.startswith("rob") and ">" in move for move in legal)


def _must_follow(deal: Deal) -> bool:
    view = _view(deal)
    return len(view["hand"]) == 3 and len(view["trick"]) == 2 and len(deal.legal()) == 2


def _wild_opens(deal: Deal) -> bool:
    legal, view = deal.legal(), _view(deal)
    opens = any(move.startswith("h*>c") and view["centre"][int(move[-1])] == 0 for move in legal)
    return opens and 4 < view["turn"] < 14 and len(legal) < 16


def _builds_high(deal: Deal) -> bool:
    view = _view(deal)
    return 4 < view["turn"] < 24 and max(view["centre"]) > 3 and any(m.startswith("g>") for m in deal.legal())


def _compelled(deal: Deal) -> bool:
    view = _view(deal)
    return (
        "end" not in deal.legal()
        and 4 < view["turn"] < 24
        and view["must"] is None
        and view["spent"]["*"] == 0
    )


EXAMPLES = {
    "skip-bo": Example("skip-bo", 2, "Two players. A wild may open a pile.", _wild_opens, _starts("h*>c")),
    "starturn": Example("starturn", 2, "Two players.", _builds_high, _starts("g>")),
    "parlett": Example(
        "parlett",
        2,
        "A card must be played, so there is neither a discard nor `end`; `must` is null all the same, as nobody was frozen.",
        _compelled,
        _starts("g>", "d", "h"),
    ),
    "spoil-five": Example(
        "spoil-five",
        5,
        "Five players. The seat to act holds the ace of trumps and has not played yet: each card may be played silently, or with"
        " the ace declared, or after robbing.",
        _robber,
        _starts("rob"),
    ),
    "forty-five": Example(
        "forty-five",
        4,
        "Two sides of two. The third trick has begun, and there is something to follow.",
        _must_follow,
        _starts(""),
    ),
}


def example_section(page: str) -> str:
    """Return the section that shows a page's example: the view, the legal moves, what one of them does."""
    example = EXAMPLES[page]
    deal = _position(example)
    seat = deal.to_act
    assert seat is not None
    legal = list(deal.legal())
    shown = _fields(msgspec.json.decode(msgspec.json.encode(deal.view(seat)), type=dict[str, msgspec.Raw]))
    move = example.move(legal)
    deal.take_events(seat)
    deal.apply(move)
    events = msgspec.json.encode(deal.take_events(seat)).decode()
    return (
        f"## {EXAMPLE}\n\n{example.intro} Seat {seat} is to act and sees this:\n\n"
        f"```json\n{{\n{shown}\n}}\n```\n\nIts legal moves:\n\n```json\n{_wrapped(legal)}\n```\n\n"
        f"It makes the move `{move}`, and hears of it in its next request:\n\n```json\n{_spaced(events)}\n```\n"
    )


def ranking_section() -> str:
    """Return the section that lists the cards of Spoil Five from the best to the lowest."""
    lines = [f"## {RANKING}\n"]
    for simple in (False, True):
        name = "simple" if simple else "traditional"
        lines.append(f"With `order={name}`, best first:\n\n| | |\n| --- | --- |")
        for suit, letter in enumerate(SUITS):
            lines.append(
                f"| {SUIT_NAMES[letter]} are trumps | {_down(trumps_upwards(suit, simple, False))} |"
            )
        for suit, letter in enumerate(SUITS):
            lines.append(f"| {SUIT_NAMES[letter]} are not | {_down(plain_upwards(suit, simple))} |")
        lines.append("")
    return "\n".join(lines)


def profiles_section() -> str:
    """Return the table of all profiles."""
    lines = [
        f"## {PROFILES}\n",
        "| profile | what it is | players | rules | options |",
        "| --- | --- | --- | --- | --- |",
    ]
    for profile in profiles().values():
        players = ", ".join(map(str, profile.players))
        options = ", ".join(
            f"`{name}={json.dumps(value).strip(chr(34))}`" for name, value in profile.options.items()
        )
        page = PAGES[profile.game]
        lines.append(f"| `{profile.name}` | {profile.title} | {players} | [{page}]({page}.md) | {options} |")
    return "\n".join(lines) + "\n"


def with_section(text: str, section: str) -> str:
    """Return a page with one section replaced, or added at its end."""
    heading = section.splitlines()[0]
    found = re.search(rf"^{re.escape(heading)}\n.*?(?=^## |\Z)", text, flags=re.DOTALL | re.MULTILINE)
    if found is None:
        return f"{text.rstrip()}\n\n{section}"
    rest = text[found.end() :]
    return text[: found.start()] + section.rstrip() + ("\n\n" if rest else "\n") + rest


def generated(page: str) -> str:
    """Return a page as it has to be."""
    text = (RULES / f"{page}.md").read_text(encoding="utf-8")
    if page == "index":
        return with_section(text, profiles_section())
    if page == "spoil-five":
        text = with_section(text, ranking_section())
    return with_section(text, example_section(page))


def _position(example: Example) -> Deal:
    game = game_from_profile(example.profile, example.players)
    rng = random.Random(0)
    for number in range(1_000):
        deal = game.deal(hashlib.sha256(b"docs/rules").digest(), number, number % example.players)
        while deal.to_act is not None:
            if example.wanted(deal):
                return deal
            legal = deal.legal()
            deal.apply(legal[0] if rng.random() < 0.6 else legal[int(rng.random() * len(legal))])
    raise LookupError(f"no such position of {example.profile}")


def _fields(view: dict[str, msgspec.Raw]) -> str:
    return ",\n".join(f'  "{name}": {_spaced(bytes(value).decode())}' for name, value in view.items())


def _spaced(text: str) -> str:
    return re.sub(r"([,:])(?! )", r"\1 ", text).replace("},{", "}, {")


def _wrapped(moves: list[str]) -> str:
    lines = ["["]
    for move in moves:
        quoted = f'"{move}"' + ("]" if move is moves[-1] else ", ")
        if len(lines[-1]) + len(quoted) > WIDTH:
            lines.append(" ")
        lines[-1] += quoted
    return "\n".join(line.rstrip() for line in lines)


def _down(cards: list[int]) -> str:
    return " ".join(TEXTS[card] for card in reversed(cards))


if __name__ == "__main__":
    for name in (*EXAMPLES, "index"):
        (RULES / f"{name}.md").write_text(generated(name), encoding="utf-8")
