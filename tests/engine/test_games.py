"""The register: profiles, documents, hashes."""

import hashlib
from typing import Any

import pytest

from engine.errors import RulesError
from engine.games import game_from_document, game_from_profile, profiles, rules_hash

CLASSIC: dict[str, Any] = {"game": "spite-and-malice", "rules_version": 1, "players": 2, "options": {}}


@pytest.mark.parametrize("name", profiles())
def test_every_profile_can_be_played_by_every_number_of_players_it_names(name: str) -> None:
    for players in profiles()[name].players:
        game = game_from_profile(name, players)
        deal = game.deal(bytes(32), 0, 0)
        assert game.players == players
        assert game.name == profiles()[name].game
        assert deal.legal()


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [("classic", 2, {}), ("classic", 4, {}), ("short", 3, {"goal": 13}), ("two-pack", 2, {"packs": 2})],
)
def test_a_document_names_only_what_differs_from_the_defaults(
    name: str, players: int, options: dict[str, int]
) -> None:
    document = game_from_profile(name, players).document()
    assert document == {**CLASSIC, "players": players, "options": options}
    assert game_from_document(document).document() == document


def test_the_hash_is_that_of_the_canonical_document() -> None:
    text = '{"game":"spite-and-malice","options":{},"players":2,"rules_version":1}'
    assert rules_hash(CLASSIC) == hashlib.sha256(text.encode()).hexdigest()


def test_an_option_at_its_default_changes_neither_document_nor_hash() -> None:
    spelled_out = {**CLASSIC, "options": {"packs": 3, "goal": 26, "recycle": "lazy"}}
    assert game_from_document(spelled_out).document() == CLASSIC
    assert rules_hash(spelled_out) == rules_hash(CLASSIC)


def test_rules_that_differ_have_different_hashes() -> None:
    documents = [
        CLASSIC,
        {**CLASSIC, "players": 3},
        {**CLASSIC, "options": {"goal": 13}},
        {**CLASSIC, "options": {"packs": 2}},
        {**CLASSIC, "options": {"recycle": "immediate"}},
    ]
    assert len({rules_hash(document) for document in documents}) == len(documents)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "no game None; there are spite-and-malice"),
        ({**CLASSIC, "game": "whist"}, "no game 'whist'"),
        ({**CLASSIC, "game": ["whist"]}, "no game"),
        ({**CLASSIC, "rules_version": 2}, "rules of spite-and-malice: "),
        ({**CLASSIC, "players": 5}, r"<= 4 - at `\$.players`"),
        ({**CLASSIC, "players": 1}, ">= 2"),
        ({**CLASSIC, "players": True}, "Expected `int`"),
        ({**CLASSIC, "seats": 2}, "unknown field `seats`"),
        ({"game": "spite-and-malice", "rules_version": 1, "players": 2}, "missing required field `options`"),
        ({**CLASSIC, "options": {"pack": 2}}, "unknown field `pack`"),
        ({**CLASSIC, "options": {"packs": 2.5}}, "Expected `int`"),
        ({**CLASSIC, "options": {"packs": 9}}, "<= 8"),
        ({**CLASSIC, "options": {"first": "youngest"}}, "Invalid enum value 'youngest'"),
        ({**CLASSIC, "options": {"goal": 70}}, "need 162 cards, the packs have 156"),
        ({**CLASSIC, "options": {"recycle": "threshold"}}, "`threshold` says how many"),
        ({**CLASSIC, "options": {"threshold": 24}}, "`threshold` says how many"),
    ],
)
def test_a_document_that_cannot_be_played_is_refused_with_the_reason(
    document: dict[str, Any], message: str
) -> None:
    with pytest.raises(RulesError, match=message):
        game_from_document(document)


@pytest.mark.parametrize(
    ("name", "players", "message"),
    [
        ("clasic", 2, "no profile 'clasic'; there are classic, short, two-pack"),
        ("two-pack", 3, "two-pack is for 2 players, not 3"),
        ("classic", 5, "classic is for 2 or 3 or 4 players, not 5"),
    ],
)
def test_an_unknown_profile_or_number_of_players_is_refused(name: str, players: int, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        game_from_profile(name, players)


def test_a_deck_just_large_enough_is_accepted_and_one_card_less_is_not() -> None:
    # 52 cards: two goal piles of 15, two hands, one centre pile.
    game_from_document({**CLASSIC, "options": {"packs": 1, "goal": 15}})
    with pytest.raises(RulesError, match="need 54 cards, the packs have 52"):
        game_from_document({**CLASSIC, "options": {"packs": 1, "goal": 16}})
