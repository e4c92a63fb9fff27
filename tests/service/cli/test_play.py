"""`malice play`: what people see of fixtures played on their own machine."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.log import ActLine, read_log
from engine.replay import replay
from service.cli.local.roster import Contender, distinct
from service.cli.local.tally import Tally
from service.messages import Fault, LegReport, Report, TicketSeat
from tests.servers import wait_until
from tests.service.cli.conftest import Malice
from tests.workers.playing import FIRST_MOVE, bot


def test_a_better_bot_wins_and_the_table_says_so(malice: Malice) -> None:
    result = malice(
        "play", "uniform", "greedy", "--rules", "short", "--target", "10", "--fixtures", "3", "--seed", "x"
    )
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.output.splitlines() if line.strip()]
    assert lines[0] == ["3", "fixtures", "of", "short", "to", "10,", "seed", "x"]
    table = {line[0]: line[1:5] for line in lines[2:]}
    assert table["greedy"] == ["3", "0", "0", "100.0%"]
    assert table["uniform"] == ["0", "0", "3", "0.0%"]


def test_the_same_seed_gives_the_same_cards_and_moves_and_another_does_not(
    malice: Malice, tmp_path: Path
) -> None:
    def moves(run: str, seed: str) -> list[str]:
        folder = tmp_path / run
        options = (
            "--rules",
            "short",
            "--target",
            "1",
            "--fixtures",
            "1",
            "--seed",
            seed,
            "--log-dir",
            folder,
        )
        assert malice("play", "uniform", "greedy", *options).exit_code == 0
        lines = [line for log in sorted(folder.glob("*.ndjson")) for line in read_log(log.read_bytes())]
        return [line.move for line in lines if isinstance(line, ActLine)]

    first = moves("first", "monday")
    assert moves("again", "monday") == first
    assert moves("other", "tuesday") != first


def test_two_copies_draw_every_fixture(malice: Malice) -> None:
    result = malice(
        "play", "greedy", "greedy", "--rules", "short", "--target", "5", "--fixtures", "3", "--json"
    )
    found = json.loads(result.stdout)
    assert [(row["bot"], row["draws"], row["win_share"]) for row in found["bots"]] == [
        ("greedy", 3, 0.5),
        ("greedy#2", 3, 0.5),
    ]


def test_partners_are_one_bot_in_several_seats(malice: Malice, tmp_path: Path) -> None:
    options = ("--rules", "forty-five", "--players", "4", "--option", "scoring=trick")
    result = malice(
        *("play", "uniform", "uniform", *options, "--target", "10", "--fixtures", "2"),
        *("--log-dir", tmp_path, "--json"),
    )
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["game"], found["players"], found["sides"]) == ("forty-five", 4, 2)
    assert (found["target"], found["options"]) == (10, {"scoring": "trick"})
    assert [row["fixtures"] for row in found["bots"]] == [2, 2]
    proofs = [replay(log.read_bytes()) for log in sorted(tmp_path.glob("*.ndjson"))]
    assert [len(proof.points) for proof in proofs] == [4] * 4
    assert sum(sum(proof.points[:2]) for proof in proofs) == sum(row["points"] for row in found["bots"])
    assert sum(sum(proof.charges) for proof in proofs) == sum(row["used_us"] for row in found["bots"])


def test_a_match_of_a_fixed_number_of_deals_is_called_one(malice: Malice) -> None:
    options = ("--rules", "spoil-five", "--option", "scoring=pool", "--fixtures", "1", "--seed", "x")
    result = malice("play", *["uniform"] * 3, *options)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[0] == "1 fixture of spoil-five (scoring=pool) of 15 deals, seed x"


def test_logs_are_kept_and_replay_and_so_is_stderr(malice: Malice, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_bytes(bot(hello='sys.stderr.write("hello, owner"); say({"type": "ready"})'))
    folder = tmp_path / "logs"
    options = ("--rules", "short", "--target", "1", "--fixtures", "2", "--log-dir", folder)
    result = malice("play", mine, "greedy", *options)
    assert result.exit_code == 0, result.output
    logs = sorted(folder.glob("*.ndjson"))
    assert [log.name for log in logs] == [
        f"fixture-000{n}-leg-{leg}.ndjson" for n in (1, 2) for leg in (0, 1)
    ]
    assert {seat.version for log in logs for seat in replay(log.read_bytes()).header.seats} == {
        "mine",
        "greedy",
    }
    assert {path.read_text() for path in folder.glob("*.stderr")} == {"hello, owner"}
    assert malice("verify", *logs).exit_code == 0


def test_a_folder_and_a_zip_play_too(malice: Malice, tmp_path: Path) -> None:
    folder = tmp_path / "my bot"
    folder.mkdir()
    (folder / "main.py").write_bytes(FIRST_MOVE.replace(b"import json", b"import helper, json"))
    (folder / "helper.py").write_text("x = 1\n")
    result = malice(
        "play", folder, "greedy", "--rules", "short", "--target", "1", "--fixtures", "1", "--json"
    )
    assert result.exit_code == 0, result.output
    assert [row["bot"] for row in json.loads(result.stdout)["bots"]] == ["my-bot", "greedy"]


def test_faults_are_listed_with_their_evidence(malice: Malice, tmp_path: Path) -> None:
    crasher = tmp_path / "crasher.py"
    crasher.write_bytes(bot(act='say({"act": 0}) if message["id"] < 20 else sys.exit("\\x1b[31mred")'))
    result = malice("play", crasher, "greedy", "--rules", "short", "--target", "50", "--fixtures", "1")
    assert result.exit_code == 0, result.output
    assert (
        "crasher: crash: exit status 1 before the match was over; last on stderr: '\\x1b[31mred'"
        in result.output
    )
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["greedy"], 2, "it takes two bots at least"),
        (
            ["greedy", "nobody"],
            1,
            "nobody: no such file or folder, nor a house bot; the house bots are uniform, greedy, ",
        ),
        (
            ["greedy", "uniform", "--rules", "canasta"],
            2,
            "no rules 'canasta'; `malice rules` lists them all",
        ),
        (
            ["greedy", "spoiler"],
            1,
            "spoiler does not play spite-and-malice; of the house bots uniform, greedy, ",
        ),
        (
            ["uniform"] * 2 + ["--rules", "spoil-five", "--players", "5"],
            2,
            "for 5 players takes 5 bots, not 2",
        ),
        (["uniform"] * 2 + ["--option", "pack=2"], 2, "has no option 'pack' (did you mean 'packs'?)"),
        (
            ["uniform"] * 2 + ["--rules", "spoil-five", "--option", "scoring=pool", "--target", "5"],
            2,
            "leave out --target",
        ),
        (["greedy"] * 5, 2, "classic takes 2 or 3 or 4 bots, not 5"),
        (["greedy", "uniform", "--target", "0"], 2, "--target"),
        (["greedy", "uniform", "--fixtures", "0"], 2, "--fixtures"),
        (["greedy", "uniform", "--sandbox", "S2"], 1, "S2"),
        (["greedy", "{folder}/broken.py"], 1, "broken.py: main.py, line 1: SyntaxError"),
        (["greedy", "{folder}/empty.py"], 1, "empty.py: 'empty.py' is empty"),
        (
            ["greedy", "{folder}/silent.py"],
            1,
            "silent.py: the protocol check, a few decisions of spite-and-malice, ended with a crash fault: exit status 0",
        ),
        (["greedy", "{folder}/main.rs"], 1, "main.rs"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    malice: Malice, tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    (tmp_path / "broken.py").write_text("def (:\n")
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "silent.py").write_text("x = 1\n")
    (tmp_path / "main.rs").write_text("fn main() {}\n")
    result = malice("play", *[argument.format(folder=tmp_path) for argument in arguments])
    assert result.exit_code == code
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_bots_without_a_sandbox_are_announced(malice: Malice) -> None:
    result = malice(
        "play", "greedy", "greedy", "--rules", "short", "--target", "1", "--fixtures", "1", "--sandbox", "S0"
    )
    assert result.exit_code == 0, result.output
    assert "No sandbox: these bots run with your rights" in result.stderr


def test_an_interrupt_prints_what_was_played_and_leaves_nothing_behind(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    command = [
        "play",
        "greedy",
        "uniform",
        "--rules",
        "short",
        "--fixtures",
        "100000",
        "--json",
        "--log-dir",
        str(logs),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "service.cli", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    wait_until(
        lambda: len(list(logs.glob("*.ndjson"))) >= 2 or process.poll() is not None, 40, "a fixture is played"
    )
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    found = json.loads(out)
    assert process.returncode == 1
    assert found["interrupted"]
    assert found["fixtures"] >= 1
    assert sum(row["wins"] for row in found["bots"]) + found["bots"][0]["draws"] == found["fixtures"]
    assert f"interrupted after {found['fixtures']} of 100000 fixtures" in err.decode()
    assert list(tmp_path.glob("malice-play-*")) == []


def test_names_are_short_and_distinct() -> None:
    assert distinct(("greedy", "bots/greedy.py", "My_Bot.py", "other/my-bot.zip", "greedy")) == [
        "greedy",
        "greedy#2",
        "my-bot",
        "my-bot#2",
        "greedy#3",
    ]


def test_a_fault_costs_the_fixture_whatever_the_points() -> None:
    contenders = [Contender(name, TicketSeat(name, "", "python", "main.py")) for name in ("a", "b")]
    legs = [
        LegReport("", points, [1, 2], 1, "target", [None, None], used)
        for points, used in (([50, 0], [7, 1]), ([0, 50], [2, 5]))
    ]
    tally = Tally.of(contenders)
    tally.add(1, (1, 0), Report("f", 1, "w", legs, [Fault(1, 1, "crash", "exit status 1")]))
    first, second = tally.rows
    # In leg 1, seat 1 holds participant 0, which is b.
    assert (second.losses, second.points, second.faulted, second.used_us) == (1, 100, 1, 12)
    assert (first.wins, first.points, first.faulted, first.used_us) == (1, 0, 0, 3)
    assert [(fault.bot, fault.leg) for fault in tally.faults] == [("b", 1)]
