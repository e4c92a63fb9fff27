"""`malice replay`: what people see of a match in a terminal, of every game."""

import json
from pathlib import Path

import pytest
import zstandard

from engine.games import profiles
from engine.log import ActLine, DealOverLine, read_log
from service.cli.local.stepping import BACK, NEXT, NEXT_DEAL, PREVIOUS_DEAL, Stepper
from service.cli.local.story import LogStory
from tests.service.cli.conftest import Malice
from tests.service.cli.logs import sample_log

TABLES = [(name, number) for name, profile in profiles().items() for number in profile.players[:3]]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A short match of the common game."""
    path = tmp_path / "match.ndjson"
    path.write_bytes(sample_log())
    return path


@pytest.mark.parametrize(("profile", "players"), TABLES)
def test_a_listing_tells_every_decision_and_deal_of_every_game(
    malice: Malice, tmp_path: Path, profile: str, players: int
) -> None:
    path = tmp_path / "match.ndjson"
    data = sample_log(1, profile=profile, players=players)
    path.write_bytes(data)
    result = malice("replay", path, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    lines = read_log(data)
    moves = [(line.seat, line.move) for line in lines if isinstance(line, ActLine)]
    actions = [
        action for deal in told["deals"] for passage in deal["passages"] for action in passage["actions"]
    ]
    assert [(action["seat"], action["move"]) for action in actions] == moves
    ends = [line for line in lines if isinstance(line, DealOverLine)]
    assert [deal["points"] for deal in told["deals"]] == [end.points for end in ends]
    listed = malice("replay", path).stdout.splitlines()
    assert sum(line.startswith("deal ") for line in listed) == len(ends)
    for action in actions:
        assert any(action["text"] in line for line in listed)


def test_what_is_not_a_terminal_gets_a_listing_with_the_players_and_the_outcome(
    malice: Malice, log: Path
) -> None:
    lines = malice("replay", log).stdout.splitlines()
    assert lines[0] == "fixture f1, leg 0: spite-and-malice (goal=13), 2 players, target 10"
    assert lines[1] == "  seat 0  v0"
    assert "deal 0, dealt by v0" in lines
    assert "The match ends: the target was reached." in lines
    assert lines[-1].startswith("  seat 1  v1: ")


def test_one_deal_can_be_asked_for(malice: Malice, log: Path) -> None:
    told = malice("replay", log, "--deal", "0", "--list").stdout
    assert "deal 0, dealt by v0" in told
    assert "The match ends" not in told
    result = malice("replay", log, "--deal", "99")
    assert result.exit_code == 2
    assert "deals: 0 to " in result.output


def test_a_packed_log_is_unpacked_and_stdin_is_read(malice: Malice, log: Path) -> None:
    wanted = malice("replay", log).stdout
    packed = log.with_suffix(".zst")
    packed.write_bytes(zstandard.compress(log.read_bytes()))
    assert malice("replay", packed).stdout == wanted
    assert malice("replay", "-", stdin=log.read_bytes()).stdout == wanted


def test_a_damaged_log_says_where(malice: Malice, log: Path, tmp_path: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:5], lines[6]]))
    result = malice("replay", log)
    assert result.exit_code == 1
    assert "does not replay" in result.output
    result = malice("replay", tmp_path / "none")
    assert result.exit_code == 1
    assert "cannot be read (no such file or directory)" in result.output


def test_partners_are_told_apart(malice: Malice, tmp_path: Path) -> None:
    path = tmp_path / "partners.ndjson"
    path.write_bytes(sample_log(5, profile="forty-five", players=4))
    lines = malice("replay", path).stdout.splitlines()
    assert lines[1:5] == [
        "  seat 0  v0 (seat 0), side 0",
        "  seat 1  v1 (seat 1), side 1",
        "  seat 2  v0 (seat 2), side 0",
        "  seat 3  v1 (seat 3), side 1",
    ]
    assert "  The deal ends: the greater part of the tricks won; points 5 : 0; scores 5 : 0" in lines


def test_a_deal_of_tricks_begins_with_the_hands_and_ends_on_a_line_of_its_own(
    malice: Malice, tmp_path: Path
) -> None:
    path = tmp_path / "tricks.ndjson"
    data = sample_log(2, profile="spoil-five", players=3)
    path.write_bytes(data)
    lines = malice("replay", path, "--deal", "0").stdout.splitlines()
    hands = LogStory(data).deal(0).hands
    first = lines.index("deal 0, dealt by v0") + 1
    assert lines[first : first + 3] == [
        f"  v{seat} holds {' '.join(hand)}" for seat, hand in enumerate(hands)
    ]
    assert [len(hand) for hand in hands] == [5, 5, 5]
    assert lines[-1].startswith("  The deal ends: ")
    assert sum("The deal ends" in line for line in lines) == 1


def test_a_servers_ids_are_no_names_so_seats_are_called_by_number(malice: Malice, tmp_path: Path) -> None:
    path = tmp_path / "match.ndjson"
    versions = ["01kb3r2c9v0000000000000000", "01kb3r2c9v0000000000000001"]
    path.write_bytes(sample_log(versions=versions))
    lines = malice("replay", path).stdout.splitlines()
    assert lines[1:3] == [f"  seat {seat}  version {version}" for seat, version in enumerate(versions)]
    assert "deal 0, dealt by seat 0" in lines
    assert lines[-1].startswith("  seat 1: ")
    assert not any(versions[0] in line for line in lines[3:])
    table = Stepper(LogStory(path.read_bytes()), 0).lines()
    assert "> seat 0" in table
    assert "  seat 1" in table


def test_keys_lead_through_the_match_both_ways(log: Path) -> None:
    story = LogStory(log.read_bytes())
    stepper = Stepper(story, 0)
    length = len(story.steps(0))
    start = stepper.lines()
    for _ in range(length):
        stepper.press(min(NEXT))
    assert stepper.moment == length
    assert any(line.startswith("The deal ends: ") for line in stepper.lines())
    stepper.press(min(NEXT))
    assert stepper.lines()[1].startswith("deal 1 ")
    stepper.press(min(BACK))
    assert stepper.lines()[1] == f"deal 0 (0 to {story.deals - 1}), dealt by v0; move {length} of {length}"
    for _ in range(length + 3):
        stepper.press(min(BACK))
    assert stepper.lines() == start
    stepper.press(min(NEXT_DEAL))
    stepper.press(min(PREVIOUS_DEAL))
    stepper.press(min(PREVIOUS_DEAL))
    assert stepper.lines() == start
    for _ in range(story.deals):
        stepper.press(min(NEXT_DEAL))
    assert stepper.lines()[1].startswith(f"deal {story.deals - 1} ")


@pytest.mark.parametrize(("profile", "players"), TABLES)
def test_every_moment_of_every_game_can_be_shown(profile: str, players: int) -> None:
    story = LogStory(sample_log(1, profile=profile, players=players))
    stepper = Stepper(story, story.deals - 1)
    seen = set()
    for _ in story.steps(story.deals - 1):
        stepper.press(" ")
        seen.add("\n".join(stepper.lines()))
    assert len(seen) == len(story.steps(story.deals - 1))
    assert "The match ends: " in "\n".join(stepper.lines())


def test_a_terminal_steps_until_q_is_pressed(malice: Malice, log: Path) -> None:
    result = malice("replay", log, "--step", stdin="  bq")
    assert result.exit_code == 0, result.output
    places = [line for line in result.stdout.splitlines() if "; move " in line]
    assert [place.rsplit("; ", 1)[1].split(" of ")[0] for place in places] == [
        "move 0",
        "move 1",
        "move 2",
        "move 1",
    ]
