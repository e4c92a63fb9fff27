"""The rule sets that property tests of the family run over: every profile, and options mixed by hand or at random."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

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
    ("skip-bo", 3, {"goal": 10}),
    ("starturn", 3, {"continue_on_empty": True}),
    ("starturn", 2, {"score": "win"}),
]


def called(rules: tuple[str, int, dict[str, Any]]) -> str:
    game, players, options = rules
    return " ".join([game, str(players), *(f"{name}={value}" for name, value in options.items())])


def made(rules: tuple[str, int, Mapping[str, Any]]) -> Game:
    """Return the game; raises RulesError."""
    game, players, options = rules
    return game_from_document({"game": game, "rules_version": 1, "players": players, "options": options})


SWITCHES = ("hands_dealt_upfront", "forced_low", "cover_wild", "natural_low_pairs")
"""Options that go with all others."""


def any_options() -> st.SearchStrategy[dict[str, Any]]:
    """Options taken at random, most of which contradict each other somewhere."""
    switches = (*SWITCHES, "misery", "jokers_to_king", "pack_per_player")
    return st.fixed_dictionaries(
        {},
        optional={
            "packs": st.integers(1, 4),
            "goal": st.integers(1, 20),
            "jokers_wild": st.integers(0, 8),
            "jokers_per_pack": st.integers(1, 4),
            "first": st.sampled_from(["dealer", "eldest", "high_goal"]),
            "recycle": st.sampled_from(["lazy", "immediate", "threshold"]),
            "threshold": st.integers(0, 40),
            "exhaustion": st.sampled_from(["on_failed_draw", "on_short_draw", "play_on"]),
            "centre": st.sampled_from(["four", "unlimited"]),
            **{switch: st.booleans() for switch in switches},
        },
    )


def fitting_options() -> st.SearchStrategy[dict[str, Any]]:
    """Options that fit each other: something of every kind."""
    count, small = st.integers(12, 60), st.integers(1, 12)
    kinds = (
        st.sampled_from([{"misery": True}, {"pack_per_player": True, "goal": 9}])
        | st.builds(lambda packs, goal: {"packs": packs, "goal": goal}, st.integers(2, 4), small),
        st.sampled_from([{}, {"jokers_wild": 5}, {"jokers_to_king": True}])
        | st.just({"jokers_to_king": True, "jokers_per_pack": 4}),
        st.sampled_from([{}, {"centre": "unlimited"}, {"recycle": "immediate"}])
        | st.builds(lambda threshold: {"recycle": "threshold", "threshold": threshold}, count),
        st.builds(lambda first: {"first": first}, st.sampled_from(["dealer", "eldest", "high_goal"])),
        st.builds(
            lambda kind: {"exhaustion": kind}, st.sampled_from(["on_failed_draw", "on_short_draw", "play_on"])
        ),
        st.fixed_dictionaries({switch: st.booleans() for switch in SWITCHES}),
    )
    return st.tuples(*kinds).map(
        lambda parts: {name: value for part in parts for name, value in part.items()}
    )
