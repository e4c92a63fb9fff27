"""`malice up`: the table moves, a stranger's bot plays, and nothing that is killed loses or repeats a result.

The tests go through one installation's life in order: xdist must keep a file together (`--dist loadfile`).
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, select

from service.models import Fixture, Match
from service.storage.database import Database
from tests.conftest import BACKEND
from tests.servers import wait_until
from tests.system.conftest import Installation, descendants

ROOT = Path(__file__).parent.parent.parent
README_ADDRESS = "http://127.0.0.1:8000"
README_VERIFY = ".venv/bin/malice"

pytestmark = pytest.mark.skipif(
    BACKEND != "sqlite", reason="malice up brings SQLite along: the SQLite run tests it"
)


def test_the_first_start_says_where_it_is_and_gives_the_operator_a_token(installation: Installation) -> None:
    output = installation.output.read_text()
    assert f"Malice is at {installation.address}" in output
    assert "made the ladders classic-50" in output
    (token,) = re.findall(r"^ +(malice_\S+)$", output, re.MULTILINE)
    assert token


def test_the_table_moves_by_itself(installation: Installation) -> None:
    wait_until(lambda: any(row["fixtures"] for row in installation.standings()), 30, "the table moves")
    assert {row["bot"] for row in installation.standings()} >= {"uniform", "greedy", "planner"}


def test_a_second_start_on_the_same_home_refuses_and_says_who_runs(installation: Installation) -> None:
    second = installation.run("up", "--home", str(installation.home.root), "--port", "0")
    assert second.returncode == 1
    assert f"process {installation.process.pid} at {installation.address}" in second.stderr


def test_the_lines_of_the_readme_work_as_they_stand(installation: Installation) -> None:
    script = "set -eu\n" + readme_lines("## Your first bot")
    script = script.replace(README_ADDRESS, installation.address)
    script = script.replace(README_VERIFY, f"{sys.executable} -P -m service.cli")
    environment = installation.environment() | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    result = subprocess.run(
        ["sh", "-c", script],
        cwd=installation.folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "match.ndjson: replays." in result.stdout
    assert "as published by" in result.stdout
    assert any(row["bot"] == "first" for row in installation.standings())


def test_one_altered_byte_of_the_downloaded_log_is_found(installation: Installation) -> None:
    log = (installation.folder / "match.ndjson").read_bytes()
    altered = bytearray(log)
    place = len(log) // 2
    altered[place] ^= 1
    file = installation.folder / "altered.ndjson"
    file.write_bytes(altered)
    result = installation.run("verify", str(file), "--json")
    assert result.returncode == 1
    (verdict,) = json.loads(result.stdout)
    assert verdict["line"] == log[:place].count(b"\n") + 1


def test_whatever_is_killed_every_fixture_is_played_and_rated_once(installation: Installation) -> None:
    database = Database(f"sqlite:///{installation.home.root / 'malice.db'}")
    try:
        for kill in (kill_play, kill_reports, kill_ledger, kill_broker):
            wait_until(lambda: count(database, "running") > 0, 60, "a fixture is being played")
            kill(installation)
        with database.reading() as session:
            drawn = session.scalars(select(Fixture.id)).all()
        wait_until(lambda: unfinished(database, drawn) == 0, 90, "all fixtures drawn up before are done")
        with database.reading() as session:
            states = session.execute(select(Fixture.state, func.count()).group_by(Fixture.state)).all()
            legs = session.execute(
                select(Match.fixture_id, func.count())
                .where(Match.fixture_id.in_(drawn))
                .group_by(Match.fixture_id)
            ).all()
    finally:
        database.close()
    assert "void" not in {state for state, _ in states}
    assert {fixture for fixture, _ in legs} == set(drawn)
    assert {number for _, number in legs} == {2}


def test_ratings_rebuilt_from_results_are_identical_to_the_last_bit(installation: Installation) -> None:
    result = installation.run("admin", "--home", str(installation.home.root), "rebuild-ratings", "--json")
    assert result.returncode == 0, result.stdout + result.stderr
    found = json.loads(result.stdout)
    assert found["classic-50"]["fixtures"] > 0
    assert all(report["identical"] for report in found.values())


def test_what_was_killed_was_started_again_and_reported(installation: Installation) -> None:
    wait_until(lambda: installation.get("/readyz")["ready"], 60, "all is well again")
    output = installation.output.read_text()
    for name in ("play", "reports", "ledger", "broker"):
        assert f"{name} ended (killed by SIGKILL); starting it again" in output


def test_a_frozen_web_server_is_killed_and_started_again(installation: Installation) -> None:
    old = installation.pid("web", "--fd", web_fd(installation))
    os.kill(old, signal.SIGSTOP)
    wait_until(lambda: not Path(f"/proc/{old}").exists(), 60, "the frozen server is gone")
    wait_until(lambda: alive(installation), 60, "another one answers at the same address")
    assert "web gives no sign of life; killing it" in installation.output.read_text()


def test_ctrl_c_stops_it_cleanly_and_leaves_no_process(installation: Installation) -> None:
    below = descendants(installation.process.pid)
    assert installation.stop() == 0
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below), 10, "no process is left")
    assert installation.output.read_text().endswith("Malice has stopped.\n")


def test_the_next_start_goes_on_and_a_killed_supervisor_leaves_no_process(installation: Installation) -> None:
    before = installation.output.read_text().count("one-time") + installation.output.read_text().count(
        "malice_"
    )
    installation.start()
    assert installation.output.read_text().count("malice_") == before
    assert any(row["bot"] == "first" for row in installation.standings())
    below = descendants(installation.process.pid)
    installation.process.kill()
    installation.process.wait()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below), 20, "no process is left")


def readme_lines(heading: str) -> str:
    """The shell lines of one section of the README."""
    text = (ROOT / "README.md").read_text()
    section = text.split(heading, 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    assert len(blocks) >= 4
    return "\n".join(blocks)


def kill_play(installation: Installation) -> None:
    kill(installation.pid("worker", "play"))


def kill_reports(installation: Installation) -> None:
    kill(installation.pid("worker", "ledger", "--only", "reports"))


def kill_ledger(installation: Installation) -> None:
    kill(installation.pid("worker", "ledger", "--only", "ledger"))


def kill_broker(installation: Installation) -> None:
    kill(installation.broker_pid())


def kill(pid: int) -> None:
    """Kill a process without warning and wait until it is gone."""
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not Path(f"/proc/{pid}").exists(), 20, "it is gone")


def web_fd(installation: Installation) -> str:
    """The number of the listening socket, which ends the web server's command line."""
    for pid in descendants(installation.process.pid):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0").split("\0")
            if "--fd" in words:
                return words[-1]
    raise LookupError("no web server runs")


def alive(installation: Installation) -> bool:
    try:
        return bool(installation.get("/healthz")["ok"])
    except OSError:
        return False


def count(database: Database, state: str) -> int:
    with database.reading() as session:
        return session.scalars(select(func.count()).where(Fixture.state == state)).one()


def unfinished(database: Database, fixtures: object) -> int:
    with database.reading() as session:
        wanted = select(func.count()).where(Fixture.id.in_(fixtures), Fixture.state != "done")  # type: ignore[arg-type]
        return session.scalars(wanted).one()
