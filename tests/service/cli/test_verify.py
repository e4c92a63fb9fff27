"""`malice verify` says whether a log replays, and where it stops doing so."""

import hashlib
import json
from pathlib import Path

import pytest
import zstandard

from tests.service.cli.conftest import Malice
from tests.service.cli.logs import sample_log


@pytest.fixture(scope="module")
def log() -> bytes:
    return sample_log()


def test_a_log_that_replays_is_said_to(malice: Malice, tmp_path: Path, log: bytes) -> None:
    file = tmp_path / "match.ndjson"
    file.write_bytes(log)
    result = malice("verify", file)
    assert result.exit_code == 0, result.output
    assert "replays. Fixture f1, leg 0:" in result.output
    assert hashlib.sha256(log).hexdigest() in result.output


def test_a_packed_log_is_unpacked(malice: Malice, tmp_path: Path, log: bytes) -> None:
    file = tmp_path / "match.zst"
    file.write_bytes(zstandard.compress(log))
    result = malice("verify", file, "--json")
    assert result.exit_code == 0, result.output
    (verdict,) = json.loads(result.output)
    assert verdict["ok"] is True
    assert verdict["sha256"] == hashlib.sha256(log).hexdigest()


def test_a_log_may_come_from_stdin(malice: Malice, log: bytes) -> None:
    assert malice("verify", "-", stdin=log).exit_code == 0


@pytest.mark.parametrize("line", [1, 2, 7])
def test_one_altered_byte_is_found_and_its_line_named(
    malice: Malice, tmp_path: Path, log: bytes, line: int
) -> None:
    lines = log.split(b"\n")
    middle = len(lines[line - 1]) // 2
    lines[line - 1] = lines[line - 1][:middle] + b"#" + lines[line - 1][middle + 1 :]
    file = tmp_path / "match.ndjson"
    file.write_bytes(b"\n".join(lines))
    result = malice("verify", file)
    assert result.exit_code == 1
    assert f"does not verify: line {line}:" in result.output


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "does not verify"),
        (b"not a log", "does not verify: line 1"),
        (b"\x28\xb5\x2f\xfd then nothing sensible", "does not unpack"),
        (zstandard.compress(b"\0" * (257 << 20)), "over 256 MiB"),
    ],
    ids=["empty", "garbage", "broken zstd", "bomb"],
)
def test_what_is_no_log_is_refused_in_one_line(
    malice: Malice, tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "match.ndjson"
    file.write_bytes(content)
    result = malice("verify", file)
    assert result.exit_code == 1
    assert words in result.output
    assert len(result.output.splitlines()) == 1


def test_every_log_is_judged_and_one_bad_one_fails_the_whole(
    malice: Malice, tmp_path: Path, log: bytes
) -> None:
    good, missing = tmp_path / "good.ndjson", tmp_path / "missing.ndjson"
    good.write_bytes(log)
    result = malice("verify", missing, good)
    assert result.exit_code == 1
    assert f"{missing}: does not verify: cannot be read (no such file or directory)" in result.output
    assert f"{good}: replays" in result.output


def test_a_hostile_file_name_cannot_speak_to_the_terminal(malice: Malice) -> None:
    result = malice("verify", "\x1b]0;owned\x07")
    assert "\x1b" not in result.output
    assert "\\x1b]0;owned\\x07" in result.output


def test_no_log_at_all_is_wrong_usage(malice: Malice) -> None:
    assert malice("verify").exit_code == 2
