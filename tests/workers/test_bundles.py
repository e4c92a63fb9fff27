"""Bundles staged on this host."""

import io
import os
import stat
import zipfile
from pathlib import Path

import pytest

from service.blobs import BlobDamagedError, BlobMissingError, FolderBlobs
from service.bots.archive import canonical_zip
from service.messages import TicketSeat
from workers.bundles import IN_USE_S, BundleCache, BundleError

FILES = {"main.py": b"import a.b\n", "a/b.py": b"", "data/table.txt": b"1 2 3\n"}


@pytest.fixture
def blobs(tmp_path: Path) -> FolderBlobs:
    return FolderBlobs(tmp_path / "blobs")


@pytest.fixture
def cache(blobs: FolderBlobs, tmp_path: Path) -> BundleCache:
    return BundleCache(blobs, tmp_path / "bundles", cap_bytes=250)


def zipped(name: str, data: bytes = b"x", mode: int = 0o100644) -> bytes:
    """A zip with one member of any name and kind."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        archive.writestr(info, data)
    return buffer.getvalue()


def test_a_bundle_is_unpacked_readable_by_all_and_writable_by_nobody_else(
    cache: BundleCache, blobs: FolderBlobs
) -> None:
    digest = blobs.put("bundle", canonical_zip(FILES))
    program = cache.program(TicketSeat("v", digest, "python", "main.py"))
    assert (program.runtime, program.entry) == ("python", "main.py")
    assert {
        str(p.relative_to(program.folder)): p.read_bytes() for p in program.folder.rglob("*") if p.is_file()
    } == FILES
    for path in (program.folder, *program.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o755 if path.is_dir() else 0o644)


def test_a_staged_bundle_needs_the_store_no_more(cache: BundleCache, blobs: FolderBlobs) -> None:
    digest = blobs.put("bundle", canonical_zip(FILES))
    first = cache.stage("bundle", digest, "python", "main.py")
    blobs.delete("bundle", digest)
    assert cache.stage("bundle", digest, "python", "main.py") == first


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("../out.py", 0o100644),
        ("/etc/out.py", 0o100644),
        ("a/../../out.py", 0o100644),
        ("link.py", 0o120777),
        ("device", 0o020666),
        ("folder/", 0o040755),
    ],
)
def test_a_bundle_that_reaches_outside_is_refused_and_leaves_nothing(
    cache: BundleCache, blobs: FolderBlobs, tmp_path: Path, name: str, mode: int
) -> None:
    digest = blobs.put("bundle", zipped(name, mode=mode))
    with pytest.raises(BundleError, match=r"is not a plain file inside the bundle"):
        cache.stage("bundle", digest, "python", "main.py")
    assert list((tmp_path / "bundles").iterdir()) == []
    assert not (tmp_path / "out.py").exists()


def test_what_is_no_zip_or_too_much_is_refused(cache: BundleCache, blobs: FolderBlobs) -> None:
    with pytest.raises(BundleError, match="cannot unpack"):
        cache.stage("bundle", blobs.put("bundle", b"not a zip"), "python", "main.py")
    many = canonical_zip({f"{n}.py": b"" for n in range(1_001)})
    with pytest.raises(BundleError, match="more than 1000 files"):
        cache.stage("bundle", blobs.put("bundle", many), "python", "main.py")


def test_a_missing_or_damaged_blob_is_said(cache: BundleCache, blobs: FolderBlobs) -> None:
    with pytest.raises(BlobMissingError):
        cache.stage("bundle", "0" * 64, "python", "main.py")
    digest = blobs.put("bundle", canonical_zip(FILES))
    blobs.path("bundle", digest).write_bytes(b"scribble")
    with pytest.raises(BlobDamagedError):
        cache.stage("bundle", digest, "python", "main.py")


def test_the_longest_unused_bundles_make_room_and_those_in_use_stay(
    cache: BundleCache, blobs: FolderBlobs, tmp_path: Path
) -> None:
    staged = []
    for number, age in enumerate((3 * IN_USE_S, 2 * IN_USE_S, IN_USE_S // 2)):
        digest = blobs.put("bundle", canonical_zip({"main.py": bytes([65 + number]) * 100}))
        program = cache.stage("bundle", digest, "python", "main.py")
        then = program.folder.stat().st_mtime - age
        os.utime(program.folder, (then, then))
        staged.append(program.folder)
    left_behind = tmp_path / "bundles" / ".new-abandoned"
    left_behind.mkdir()
    os.utime(left_behind, (0, 0))
    latest = blobs.put("bundle", canonical_zip({"main.py": b"Z" * 100}))
    cache.stage("bundle", latest, "python", "main.py")
    assert [folder.exists() for folder in staged] == [False, False, True]
    assert not left_behind.exists()
    assert (tmp_path / "bundles" / latest).exists()
