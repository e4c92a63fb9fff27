"""`malice verify`: logs replayed on the engine, decision by decision."""

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import click

from engine.errors import LogError
from engine.replay import Replayed, replay
from service.cli.client import Client, ServerError, parse_server, segment
from service.cli.text import harmless, print_json, say

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
LARGEST_LOG = 256 << 20
"""Bytes; a leg of 20,000 decisions, the longest there is, takes a fortieth of it."""


@dataclass(frozen=True)
class Verdict:
    """What came of one log: what it proves, or the line where it stops proving anything."""

    file: str
    sha256: str | None
    replayed: Replayed | None = None
    line: int | None = None
    message: str = ""
    published: bool | None = None
    """Whether the server published this very log; None when it was not asked."""

    @property
    def good(self) -> bool:
        """Whether everything asked about this log was answered well."""
        return self.replayed is not None and self.published is not False

    def words(self) -> Iterable[str]:
        """Return what to tell a person, line by line."""
        if self.replayed is None:
            yield f"{self.file}: does not verify: {self.message}"
            return
        proof = self.replayed
        yield (
            f"{self.file}: replays. Fixture {proof.header.fixture}, leg {proof.header.leg}: "
            f"{proof.deals} deals, {proof.decisions} decisions, ended by {proof.reason}"
        )
        for seat, info in enumerate(proof.header.seats):
            faults = [f"{fault.kind}: {fault.evidence}" for fault in proof.faults if fault.seat == seat]
            line = f"  seat {seat}  version {info.version}  {proof.points[seat]} points  place {proof.places[seat]}"
            yield "  ".join([line, *faults])
        yield f"  sha256 {self.sha256}"
        if self.published is not None:
            yield f"  {self.message}"

    def document(self) -> dict[str, Any]:
        """Return the verdict for scripts."""
        proof = self.replayed
        return {
            "file": self.file,
            "ok": self.good,
            "sha256": self.sha256,
            "line": self.line,
            "message": self.message,
            "published": self.published,
            "fixture": proof.header.fixture if proof else None,
            "leg": proof.header.leg if proof else None,
            "points": list(proof.points) if proof else None,
            "places": list(proof.places) if proof else None,
            "reason": proof.reason if proof else None,
        }


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--server", metavar="URL", help="Also compare with the digest this server published.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
def verify(logs: tuple[str, ...], server: str | None, as_json: bool) -> None:
    """Check that logs replay to what they say.

    Every decision is made again on the engine; the first line that is wrong is named. LOG is a file as downloaded,
    plain or zstd, or - for stdin. The exit code is 1 if any of them does not verify.

    \b
    Examples:
      malice verify match.ndjson
      malice verify logs/*.ndjson --server http://127.0.0.1:8000
      curl -s http://127.0.0.1:8000/api/v1/matches/ID/log | malice verify -
    """
    client = Client(parse_server(server), token=None) if server else None
    verdicts = []
    for name in logs:
        verdict = judge(name)
        if client and verdict.replayed:
            verdict = compare(client, verdict, verdict.replayed)
        verdicts.append(verdict)
        if not as_json:
            for line in verdict.words():
                say(harmless(line))
    if as_json:
        print_json([verdict.document() for verdict in verdicts])
    if not all(verdict.good for verdict in verdicts):
        raise SystemExit(1)


def judge(name: str) -> Verdict:
    """Read one log and replay it."""
    sha256 = None
    try:
        data = read_bytes(name)
        sha256 = hashlib.sha256(data).hexdigest()
        return Verdict(name, sha256, replay(data))
    except LogError as error:
        return Verdict(name, sha256, line=error.line, message=str(error))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Verdict(name, sha256, message=f"cannot be read ({reason})")


def read_bytes(name: str) -> bytes:
    """Return a log's uncompressed bytes. Raises OSError, or LogError when it cannot be unpacked."""
    if name == "-":
        data = sys.stdin.buffer.read(LARGEST_LOG + 1)
    else:
        with open(name, "rb") as file:
            data = file.read(LARGEST_LOG + 1)
    if data.startswith(ZSTD_MAGIC):
        data = _unpack(data)
    if len(data) > LARGEST_LOG:
        raise LogError(0, f"the log is over {LARGEST_LOG >> 20} MiB, longer than any match's")
    return data


def _unpack(data: bytes) -> bytes:
    import zstandard

    try:
        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as reader:
            return reader.read(LARGEST_LOG + 1)
    except zstandard.ZstdError as error:
        raise LogError(0, f"the file is damaged: it does not unpack ({error})") from None


def compare(client: Client, verdict: Verdict, proof: Replayed) -> Verdict:
    """Compare a log that replays with the digest the server published for its leg."""
    fixture, leg = proof.header.fixture, proof.header.leg
    published, message = False, ""
    try:
        legs = client.get(f"/fixtures/{segment(fixture)}")["legs"]
        digest = next((one["sha256"] for number, one in enumerate(legs) if number == leg), None)
    except ServerError as error:
        digest, message = None, f"{client.server} knows no such fixture: {error.message}"
    if digest == verdict.sha256:
        published, message = True, f"as published by {client.server}"
    elif digest:
        message = f"NOT the log {client.server} published for this leg: that one is {digest}"
    elif not message:
        message = f"{client.server} has published no log for this leg"
    return Verdict(verdict.file, verdict.sha256, proof, message=message, published=published)
