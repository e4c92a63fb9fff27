"""The rule sets that property tests of the family run over: every profile, and mixtures of options."""

from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.games import game_from_document, profiles

FAMILY = ("spite-and-malice", "skip-bo", "starturn")

RULES: list[tuple[str, int, dict[str, Any]]] = [
    *(
        (profile.game, players, profile.options)
        for profile in profiles().values()
        if profile.game in FAMILY
        for players in profile.players
    ),
    ("spite-and-malice", 2, {"goal": 5, "jokers_wild": 6, "recycle": "immediate"}),
    (
        "spite-and-malice",
        3,
        {"goal": 4, "recycle": "threshold", "threshold": 24, "exhaustion": "on_short_draw"},
    ),
    ("spite-and-malice", 2, {"packs": 1, "goal": 8, "exhaustion": "play_on", "first": "high_goal"}),
    ("spite-and-malice", 2, {"packs": 1, "goal": 6, "hands_dealt_upfront": True, "first": "eldest"}),
    ("spite-and-malice", 2, {"cover_wild": True, "natural_low_pairs": True, "jokers_wild": 4}),
    ("spite-and-malice", 2, {"cover_wild": True, "forced_low": True, "jokers_to_king": True}),
    ("spite-and-malice", 2, {"misery": True, "centre": "unlimited", "cover_wild": True, "forced_low": True}),
    ("skip-bo", 4, {"partners": True}),
    ("skip-bo", 6, {"partners": True}),
    ("starturn", 3, {"continue_on_empty": True}),
]


def called(rules: tuple[str, int, dict[str, Any]]) -> str:
    game, players, options = rules
    return " ".join([game, str(players), *(f"{name}={value}" for name, value in options.items())])


def made(rules: tuple[str, int, Mapping[str, Any]]) -> Game:
    """Return the game; raises RulesError."""
    game, players, options = rules
    return game_from_document({"game": game, "rules_version": 1, "players": players, "options": options})
