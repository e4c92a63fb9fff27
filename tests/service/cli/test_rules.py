"""`malice rules`, and games chosen on a command line."""

import json

import pytest

from engine.errors import RulesError
from engine.games import game_from_document, game_from_profile, profiles
from service.cli.local.rulebook import (
    OPTIONS,
    SETTLED_BY,
    TARGETS,
    USUAL,
    RulebookError,
    choose_game,
    find_profile,
    parse_options,
    target_of,
)
from service.narration.option_help import option_help
from tests.service.cli.conftest import Malice


def test_every_profile_is_listed_with_its_title(malice: Malice) -> None:
    result = malice("rules")
    assert result.exit_code == 0, result.output
    for profile in profiles().values():
        (line,) = [line for line in result.output.splitlines() if line.split()[:1] == [profile.name]]
        assert profile.title.split(",")[0] in line


def test_every_game_has_its_options_and_a_usual_target() -> None:
    games = {profile.game for profile in profiles().values()}
    assert games <= OPTIONS.keys()
    assert games <= TARGETS.keys()


@pytest.mark.parametrize("name", profiles())
def test_a_profiles_options_are_those_its_game_takes(malice: Malice, name: str) -> None:
    profile = profiles()[name]
    document = json.loads(malice("rules", name, "--json").stdout)
    assert document["changes"].keys() <= document["options"].keys()
    base = {"game": profile.game, "rules_version": 1, "players": profile.players[0]}
    for option, values in document["options"].items():
        if values[0] == USUAL:
            continue
        default = parse_options(profile, [f"{option}={values[0]}"])
        assert game_from_document({**base, "options": default}).document()["options"] == {}


def test_one_profile_says_how_it_can_be_changed(malice: Malice) -> None:
    output = malice("rules", "spoil-five-simple").output
    assert "spoil-five, 2 to 10 players, usually to 30 points" in output
    assert "the rules in full: docs/rules/spoil-five.md" in output
    assert ["order", "traditional,", "or", "simple", "simple", "How", "cards", "rank:"] in [
        line.split()[:8] for line in output.splitlines()
    ]


def test_a_numbers_limits_are_said_and_what_the_rules_settle_is_left_out(malice: Malice) -> None:
    classic = json.loads(malice("rules", "classic", "--json").stdout)
    assert classic["limits"]["packs"] == [1, 8]
    assert "3, or 1 to 8" in malice("rules", "classic").output
    misery = json.loads(malice("rules", "misery", "--json").stdout)
    assert classic["options"].keys() - misery["options"].keys() == {"packs", "goal", "pack_per_player"}
    for on, settled in SETTLED_BY.items():
        for option in settled:
            value = {"packs": 5, "goal": 5, "pack_per_player": True, "jokers_wild": 2}[option]
            with pytest.raises(RulesError):
                game_from_profile("classic", 2, {on: True, option: value})


@pytest.mark.parametrize("game", OPTIONS)
def test_every_option_is_explained(game: str) -> None:
    assert all(option_help(game, option) for option in OPTIONS[game].__struct_fields__)


def test_unknown_rules_name_the_nearest(malice: Malice) -> None:
    result = malice("rules", "clasic")
    assert result.exit_code == 1
    assert "no rules 'clasic' (did you mean 'classic'?)" in result.output


@pytest.mark.parametrize(
    ("profile", "bots", "players", "options", "seats"),
    [
        ("classic", 2, None, [], 2),
        ("classic", 4, None, [], 4),
        ("spoil-five", 5, None, [], 5),
        ("forty-five", 2, None, [], 2),
        ("forty-five", 2, 4, [], 4),
        ("forty-five", 2, 6, ["scoring=trick"], 6),
        ("skip-bo", 2, 4, ["partners=true"], 4),
        ("skip-bo", 3, None, ["partners=true"], 6),
        ("misery", 3, None, [], 3),
        ("classic", 2, None, ["goal=13", "hands-dealt-upfront=true"], 2),
    ],
)
def test_bots_players_and_options_make_a_game(
    profile: str, bots: int, players: int | None, options: list[str], seats: int
) -> None:
    found = find_profile(profile)
    game = choose_game(found, bots, players, parse_options(found, options))
    assert (game.players, game.sides) == (seats, bots)


@pytest.mark.parametrize(
    ("profile", "bots", "players", "options", "why"),
    [
        ("classic", 5, None, [], "classic takes 2 or 3 or 4 bots, not 5"),
        ("two-pack", 3, None, [], "two-pack for 2 players takes 2 bots, not 3"),
        ("spoil-five", 3, 5, [], "spoil-five for 5 players takes 5 bots, not 3"),
        ("spoil-five", 11, None, [], "spoil-five takes 2 to 10 bots, not 11"),
        ("forty-five", 4, 4, [], "forty-five for 4 players takes 2 bots, each in 2 seats, not 4"),
        ("forty-five", 2, 3, [], "forty-five is for 2 or 4 or 6 players, not 3"),
        ("classic", 2, None, ["pack=2"], r"spite-and-malice has no option 'pack' \(did you mean 'packs'\?\)"),
        ("classic", 2, None, ["packs"], "'packs' is no option: give name=value"),
        ("classic", 2, None, ["packs=many"], "packs wants a whole number, not 'many'"),
        ("classic", 2, None, ["goal=0"], "goal wants a whole number of at least 1, not 0"),
        ("skip-bo", 2, None, ["goal=99"], "goal wants a whole number of at most 75, not 99"),
        ("skip-bo", 2, None, ["goal=lots"], "goal wants a whole number, not 'lots'"),
        ("skip-bo", 2, 4, [], "takes 4 bots, not 2; for partners add --option partners=true"),
        ("classic", 2, None, ["packs=1"], "take more packs or fewer goal cards"),
        ("classic", 2, None, ["recycle=lazily"], r"recycle is lazy or .*, not 'lazily' \(did you mean 'lazy'\?\)"),
        ("classic", 2, None, ["hands_dealt_upfront=yes"], "hands_dealt_upfront is false or true, not 'yes'"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_says_why(
    profile: str, bots: int, players: int | None, options: list[str], why: str
) -> None:
    found = find_profile(profile)
    with pytest.raises(RulebookError, match=why):
        choose_game(found, bots, players, parse_options(found, options))


def test_a_target_is_the_usual_one_or_the_one_asked_for_or_none_at_all() -> None:
    spoil_five = find_profile("spoil-five")
    points = choose_game(spoil_five, 5, None, {})
    assert (target_of(points, None), target_of(points, 12)) == (30, 12)
    assert target_of(choose_game(find_profile("starturn"), 2, None, {}), None) == 25
    pool = choose_game(spoil_five, 5, None, {"scoring": "pool"})
    assert target_of(pool, None) == 25
    with pytest.raises(RulebookError, match="a match is 25 deals here, whatever the points"):
        target_of(pool, 12)
