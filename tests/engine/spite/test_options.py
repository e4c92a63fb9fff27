"""Rules documents of the family: what cannot be played is refused, what is the default leaves no trace."""

from typing import Any

import pytest

from engine.errors import RulesError
from engine.games import game_from_document, game_from_profile, profiles, rules_hash
from engine.spite.rules import SpiteGame


def document(game: str, players: int, **options: Any) -> dict[str, Any]:
    return {"game": game, "rules_version": 1, "players": players, "options": options}


COMMON = "spite-and-malice"


@pytest.mark.parametrize(
    ("name", "players", "digest"),
    [
        ("classic", 2, "8bec9634160125525a8253e6dd2145ad7c7c9a8ea4cbf1ab11abde6f79c39d35"),
        ("classic", 3, "20dbdaf2a6f698d5e05adf0de30149cf6f064353be95f57fcfd3f8de69236405"),
        ("classic", 4, "e16264c6caec4b178110ce3503008d6c6f557b220d28f19b0ad78ef55ddb6421"),
        ("short", 2, "e55e2afc9e8aac9838ce40487e403a58b39d44376a033d7bd499f51f105428a9"),
        ("two-pack", 2, "54d4e5d52657edbf9d6022167d50d845be1b9aeecff1023cf896327a0216adbe"),
    ],
)
def test_the_hashes_of_the_first_rule_sets_never_change(name: str, players: int, digest: str) -> None:
    assert rules_hash(game_from_profile(name, players).document()) == digest


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (document(COMMON, 5), "rules of spite-and-malice: Expected `int` <= 4 - at `$.players`"),
        (document(COMMON, 4, misery=True), "`misery` is for 2 or 3 players, not 4"),
        (
            document(COMMON, 2, misery=True, goal=13),
            "`misery` has two goal piles of 12 each, so `goal` may not be given",
        ),
        (
            document(COMMON, 2, misery=True, pack_per_player=True),
            "`misery` has a pack for every player, so `pack_per_player` may not be given",
        ),
        (
            document(COMMON, 2, misery=True, packs=2),
            "`misery` has a pack for every player, so `packs` may not be given",
        ),
        (
            document(COMMON, 2, pack_per_player=True, packs=2),
            "`pack_per_player` has a pack for every player, so `packs` may not be given",
        ),
        (
            document(COMMON, 2, jokers_to_king=True, jokers_wild=4),
            "`jokers_to_king` counts its jokers by `jokers_per_pack`, so `jokers_wild` may not be given",
        ),
        (
            document(COMMON, 2, jokers_per_pack=3),
            "`jokers_per_pack` goes with jokers_to_king and only with it",
        ),
        (
            document(COMMON, 2, centre="unlimited", recycle="immediate"),
            "with centre=unlimited completed piles stay until the stock has run out, so `recycle` must be lazy",
        ),
        (
            document(COMMON, 2, threshold=24),
            "`threshold` says how many dead cards are recycled, so it goes with recycle=threshold and only with it",
        ),
        (
            document(COMMON, 2, pack_per_player=True, goal=50),
            "2 goal piles of 50, the hands and one centre pile need 122 cards, the packs have 104; take more packs or "
            "fewer goal cards",
        ),
        (
            document(COMMON, 2, packs=1, goal=20, jokers_to_king=True),
            "2 goal piles of 20, the hands and one centre pile need 63 cards, the packs have 54; take more packs or "
            "fewer goal cards",
        ),
        (
            document(COMMON, 2, centre="five"),
            "rules of spite-and-malice: Invalid enum value 'five' - at `$.options.centre`",
        ),
        (document("skip-bo", 7), "rules of skip-bo: Expected `int` <= 6 - at `$.players`"),
        (
            document("skip-bo", 2, partners=True),
            "partners face each other, so they are 4 or 6 players, not 2",
        ),
        (
            document("skip-bo", 5, partners=True),
            "partners face each other, so they are 4 or 6 players, not 5",
        ),
        (
            document("skip-bo", 6, goal=21),
            "6 goal piles of 21, the hands and one centre pile need 168 cards, the packs have 162; take more packs or "
            "fewer goal cards",
        ),
        (
            document("skip-bo", 2, packs=2),
            "rules of skip-bo: Object contains unknown field `packs` - at `$.options`",
        ),
        (document("starturn", 5), "rules of starturn: Expected `int` <= 4 - at `$.players`"),
        (
            document("starturn", 2, goal=5),
            "rules of starturn: Object contains unknown field `goal` - at `$.options`",
        ),
        (
            document("starturn", 2, score="none"),
            "rules of starturn: Invalid enum value 'none' - at `$.options.score`",
        ),
    ],
)
def test_rules_that_cannot_be_played_are_refused_with_the_reason(rules: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesError) as refused:
        game_from_document(rules)
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("players", "goal", "left"),
    [(2, 30, {}), (4, 30, {}), (5, 20, {}), (2, 20, {"goal": 20}), (5, 19, {"goal": 19})],
)
def test_the_goal_of_skip_bo_at_its_default_leaves_no_trace(
    players: int, goal: int, left: dict[str, int]
) -> None:
    assert game_from_document(document("skip-bo", players, goal=goal)).document()["options"] == left


@pytest.mark.parametrize("name", ["unlimited-centre", "misery", "king-high", "skip-bo", "starturn"])
def test_documents_read_back_describe_the_same_game(name: str) -> None:
    for players in profiles()[name].players:
        rules = game_from_profile(name, players).document()
        assert game_from_document(rules).document() == rules
        assert rules["options"] == profiles()[name].options


@pytest.mark.parametrize(
    ("options", "height", "legal"),
    [
        ({}, 12, True),
        ({}, 10, False),
        ({"cover_wild": True}, 12, False),
        ({"cover_wild": True}, 5, True),
        ({"cover_wild": True}, 6, False),
        ({"natural_low_pairs": True}, 1, False),
        ({"natural_low_pairs": True}, 2, True),
    ],
)
def test_options_on_wilds_add_up(options: dict[str, Any], height: int, legal: bool) -> None:
    game = game_from_document(document(COMMON, 2, jokers_to_king=True, **options))
    assert isinstance(game, SpiteGame)
    assert game.plan.wild_at[height] is legal
