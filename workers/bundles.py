"""Bundles on this host: fetched from the blob store by digest, checked, unpacked where sandboxes can read them."""

import io
import os
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from service.blobs import BlobKind, BlobStore
from service.messages import TicketSeat
from workers.programs import MIB, Program
from workers.sandbox.staging import FILE_MODE, FOLDER_MODE, discard, stage

CAP_BYTES = 1_024 * MIB
"""Unpacked bundles beyond this are removed, the longest unused first."""

IN_USE_S = 3_600
"""Never removed within this time of their last use: longer than a fixture lasts, so that no running bot loses its files."""

LARGEST_BUNDLE = 64 * MIB
MOST_FILES = 1_000
"""A bundle beyond these did not come out of a build."""


class BundleError(ValueError):
    """A bundle that cannot be unpacked; no build makes one, so the fault is ours."""


class BundleCache:
    """A folder of unpacked bundles under their digests. Several processes may share it.

    `folder` must lie where the sandboxes' users can read it, outside any home.
    """

    def __init__(self, blobs: BlobStore, folder: Path, cap_bytes: int = CAP_BYTES) -> None:
        self._blobs = blobs
        self._folder = folder
        self._cap_bytes = cap_bytes
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        folder.chmod(FOLDER_MODE)

    def program(self, seat: TicketSeat) -> Program:
        """Return a seat's program, ready to run: see `stage`."""
        return self.stage("bundle", seat.bundle, seat.runtime, seat.entry)

    def stage(self, kind: BlobKind, digest: str, runtime: str, entry: str) -> Program:
        """Unpack a zip from the blob store unless it is here, and read all its files.

        Reading them keeps them resident: how long a first read takes would tell one leg what an earlier one on this
        host had read. Raises BlobMissingError, BlobDamagedError or BundleError.
        """
        folder = self._folder / digest
        if not folder.is_dir():
            data = self._blobs.get(kind, digest)
            stage(self._folder, digest, lambda fresh: _extract(data, fresh))
            self._evict()
        os.utime(folder)
        for path in _files(folder):
            path.read_bytes()
        return Program(runtime=runtime, folder=folder, entry=entry)

    def _evict(self) -> None:
        """Remove what was not used for long, oldest first, until the rest fits the cap."""
        bundles = []
        for folder in self._folder.iterdir():
            try:
                used = folder.stat().st_mtime
                bundles.append((used, folder, sum(path.stat().st_size for path in _files(folder))))
            except FileNotFoundError:
                continue
        total = sum(size for _, _, size in bundles)
        idle_before = time.time() - IN_USE_S
        for used, folder, size in sorted(bundles):
            if used >= idle_before:
                break
            if total > self._cap_bytes or folder.name.startswith("."):
                # A name with a dot: left behind by a process that was killed while it unpacked.
                discard(folder)
                total -= size


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _extract(data: bytes, folder: Path) -> None:
    """Write a zip's members below `folder`. Raises BundleError for anything but plain files in plain places."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) > MOST_FILES or sum(member.file_size for member in members) > LARGEST_BUNDLE:
                raise BundleError(f"more than {MOST_FILES} files or {LARGEST_BUNDLE:,} bytes")
            for member in members:
                target = folder / _plain_place(member)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(member))
                target.chmod(FILE_MODE)
        for path in folder.rglob("*/"):
            path.chmod(FOLDER_MODE)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise BundleError(f"cannot unpack: {error}") from None


def _plain_place(member: zipfile.ZipInfo) -> PurePosixPath:
    path = PurePosixPath(member.filename)
    kind = member.external_attr >> 16 & 0o170000
    if (
        path.is_absolute()
        or ".." in path.parts
        or not path.parts
        or member.is_dir()
        or kind not in (0, 0o100000)
    ):
        raise BundleError(f"{member.filename!r} is not a plain file inside the bundle")
    return path
