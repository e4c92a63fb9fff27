"""Whatever bytes are uploaded, the answer is a source or a refusal, never anything else."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.bots.archive import read_upload
from service.bots.unpacking import UploadLimits
from service.refusals import RefusedError
from tests.service.bots.zips import BOT, make_zip

WHOLE = make_zip(
    {"bot/main.py": BOT, "bot/lib/table.py": b"T = [1, 2, 3]\n" * 20, "bot/malice.toml": b"ladders = []\n"}
)
LIMITS = UploadLimits(packed=1 << 20, unpacked=1 << 16, files=20)


def settle(filename: str, data: bytes) -> None:
    """Read an upload; a refusal is as good an answer as a source."""
    try:
        source = read_upload(filename, data, limits=LIMITS)
    except RefusedError:
        return
    assert source.size <= LIMITS.unpacked
    assert read_upload("again.zip", source.archive, limits=LIMITS).digest == source.digest


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_a_zip_with_altered_bytes(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for position, value in changes:
        data[position] = value
    settle("bot.zip", bytes(data))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(WHOLE)), st.integers(0, len(WHOLE)))
def test_a_zip_with_a_piece_missing_or_doubled(start: int, end: int) -> None:
    settle("bot.zip", WHOLE[:start] + WHOLE[end:])


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=20), st.binary(max_size=200))
@example("main.py", b"PK\x03\x04")
@example("main.py", b"PK\x05\x06" + bytes(18))
@example("\ud800.py", b"x")
@example("", b"x")
def test_any_name_and_any_bytes(filename: str, data: bytes) -> None:
    settle(filename, data)
    settle(filename + ".py", data)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_as_a_manifest(manifest: str) -> None:
    settle("bot.zip", make_zip({"main.py": BOT, "malice.toml": manifest.encode("utf-8", "surrogatepass")}))
