"""Builds in the real sandbox: what an author is told, and that nothing of his runs outside."""

import os
import re
from pathlib import Path

import msgspec
import pytest

from engine.games import game_from_profile
from service.bots.archive import canonical_zip
from service.messages import BuildOrder, BuildReport
from tests.workers.playing import FIRST_MOVE, Table, bot, house
from workers.builder.build import build
from workers.programs import Limits, Program, SandboxError
from workers.referee.faults import InfraError


def order_for(source: str, entry: str = "main.py", profile: str = "classic", players: int = 2) -> BuildOrder:
    """The order to build a stored source, to be tried at a profile."""
    rules = game_from_profile(profile, players).document()
    return BuildOrder("version-1", 3, source, "python", entry, rules, 50)


def built(table: Table, files: dict[str, bytes], entry: str = "main.py") -> tuple[BuildReport, str]:
    """Build files as a version; return the report and the log its owner reads."""
    source = table.blobs.put("source", canonical_zip(files))
    order = order_for(source, entry)
    report = build(
        order, sandbox=table.sandbox, bundles=table.bundles, blobs=table.blobs, worker="test", slot=table.slot
    )
    assert (report.version, report.attempt, report.worker, report.runtime) == (
        "version-1",
        3,
        "test",
        "python",
    )
    assert report.log is not None
    return report, table.blobs.get("text", report.log).decode()


@pytest.mark.parametrize("name", ["uniform", "greedy", "planner", "starter"])
def test_the_house_bots_build(table: Table, name: str) -> None:
    report, log = built(table, {"main.py": house(name)})
    assert (report.reason, report.infra) == ("", False)
    assert report.bundle is not None
    assert table.blobs.get("bundle", report.bundle) == canonical_zip({"main.py": house(name)})
    assert "compiled main.py\nprotocol check: answered 12 requests of spite-and-malice, " in log
    assert log.endswith(f"built {report.bundle}\n")


def test_a_bot_of_several_modules_builds_and_finds_them(table: Table) -> None:
    files = {
        "main.py": FIRST_MOVE.replace(b"import json", b"import brain.cells, helper, json"),
        "helper.py": b"x = 1\n",
        "brain/__init__.py": b"",
        "brain/cells.py": b"from helper import x\n",
    }
    report, log = built(table, files)
    assert report.reason == ""
    assert log.startswith("compiled brain/__init__.py\n") or "compiled brain/__init__.py\n" in log


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"main.py": b"x = 1\n\ndef f(:\n"}, r"^main\.py, line 3: SyntaxError: invalid syntax$"),
        ({"main.py": FIRST_MOVE, "lib/bad.py": b"if 1:\nx"}, r"^lib/bad\.py, line 2: IndentationError: "),
        ({"main.py": b"\xff\xfe"}, r"^main\.py.*: SyntaxError: .*utf-8"),
        ({"main.py": b"x = 1\0"}, r"^main\.py.*: (SyntaxError|ValueError): .*null bytes"),
        ({"main.py": b"# coding: klingon\n"}, r"^main\.py.*: SyntaxError: .*klingon"),
        ({"main.py": b"(" * 10_000}, r"^main\.py.*: (SyntaxError|MemoryError|RecursionError)|^the compiler ended with"),
        ({"main.py": b"print(" + b"-" * 100_000 + b"1)"}, r"^main\.py.*Error|^the compiler ended with killed by SIGSEGV"),
        ({"other.py": FIRST_MOVE}, r"^there is no main\.py to start"),
        ({"main.py": b""}, r"^the protocol check, a few decisions of spite-and-malice, ended with a crash fault: exit status 0"),
        ({"main.py": b"import nothing_of_the_kind"}, r"a crash fault: exit status 1 .*ModuleNotFoundError"),
        ({"main.py": bot(hello='print("hello", flush=True)')}, r"a protocol fault: answered hello with 'hello'"),
        ({"main.py": bot(act='say({"act": "g>d0"})')}, r"ended with an illegal fault: request 0: "),
        ({"main.py": bot(act='say({"move": "g>c0"})')}, r"a protocol fault: .*unknown field `move`"),
        ({"main.py": bot(act='say({"act": 0}) if message["id"] < 5 else sys.exit(9)')}, r"crash fault: exit status 9"),
    ],
)  # fmt: skip
def test_what_does_not_build_says_why(table: Table, files: dict[str, bytes], reason: str) -> None:
    report, log = built(table, files)
    assert report.bundle is None
    assert not report.infra
    assert re.search(reason, report.reason), report.reason
    assert log.endswith(f"failed: {report.reason}\n")


@pytest.mark.parametrize(
    ("profile", "players"), [("spoil-five", 5), ("forty-five", 4), ("skip-bo", 2), ("parlett", 2)]
)
def test_a_bot_is_tried_at_the_game_it_is_for_and_at_no_other(
    table: Table, profile: str, players: int
) -> None:
    rules = game_from_profile(profile, players).document()
    knows_no_other = bot(hello=f'say({{"type": "ready"}}) if message["rules"] == {rules!r} else sys.exit(9)')
    source = table.blobs.put("source", canonical_zip({"main.py": knows_no_other}))
    reports = [
        build(
            order,
            sandbox=table.sandbox,
            bundles=table.bundles,
            blobs=table.blobs,
            worker="w",
            slot=table.slot,
        )
        for order in (order_for(source, profile=profile, players=players), order_for(source))
    ]
    assert reports[0].reason == ""
    assert reports[0].log is not None
    assert f"requests of {rules['game']}, " in table.blobs.get("text", reports[0].log).decode()
    assert "a few decisions of spite-and-malice, ended with a crash fault: exit status 9" in reports[1].reason


def test_rules_this_worker_does_not_know_are_our_failure(table: Table) -> None:
    source = table.blobs.put("source", canonical_zip({"main.py": FIRST_MOVE}))
    order = msgspec.structs.replace(order_for(source), rules={"game": "canasta"})
    report = build(
        order, sandbox=table.sandbox, bundles=table.bundles, blobs=table.blobs, worker="w", slot=table.slot
    )
    assert (report.infra, report.bundle) == (True, None)
    assert "no game 'canasta'" in report.reason


def test_an_owner_reads_what_his_bot_said_on_stderr(table: Table) -> None:
    report, log = built(table, {"main.py": bot(before='sys.stderr.write("thinking…\\n")', act="1 / 0")})
    assert "ZeroDivisionError" in report.reason
    assert "stderr of the protocol check:\nthinking…\nTraceback" in log


def test_compiling_runs_nothing_of_the_authors(table: Table, tmp_path: Path) -> None:
    """Neither a site hook, nor a module that shadows the standard library's, runs while files are compiled."""
    trap = b"raise SystemExit('sprung')\n"
    files = dict.fromkeys(
        ("sitecustomize.py", "usercustomize.py", "os.py", "encodings.py", "codecs.py"), trap
    )
    report, log = built(table, {"main.py": b"def f(:\n", **files})
    assert report.reason.startswith("main.py, line 1: SyntaxError")
    assert "sprung" not in log


def test_a_source_that_is_not_there_is_our_failure(table: Table) -> None:
    order = order_for(os.urandom(32).hex())
    report = build(
        order, sandbox=table.sandbox, bundles=table.bundles, blobs=table.blobs, worker="test", slot=table.slot
    )
    assert report.infra
    assert report.bundle is None
    assert "BlobMissingError" in report.reason


def test_a_sandbox_that_does_not_start_is_our_failure(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(program: Program, limits: Limits, slot: int) -> None:
        raise SandboxError("no room")

    monkeypatch.setattr(table.sandbox, "start", refuse)
    report, _ = built(table, {"main.py": FIRST_MOVE})
    assert (report.infra, report.bundle, report.reason) == (True, None, "SandboxError: no room")


def test_a_build_the_worker_has_no_time_for_is_our_failure(table: Table) -> None:
    def stopping() -> None:
        raise InfraError("the worker is stopping")

    source = table.blobs.put("source", canonical_zip({"main.py": FIRST_MOVE}))
    report = build(
        order_for(source),
        sandbox=table.sandbox,
        bundles=table.bundles,
        blobs=table.blobs,
        worker="test",
        slot=table.slot,
        pulse=stopping,
    )
    assert (report.infra, report.bundle, report.reason) == (True, None, "InfraError: the worker is stopping")
