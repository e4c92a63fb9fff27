"""The blob store: immutable bytes under their digest, readable from every host.

Blobs are written before the database row that names them, so a row never points at nothing.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Protocol
from urllib.parse import urlsplit

import zstandard

BlobKind = Literal["source", "bundle", "log", "text"]
"""`text` is output: build logs and bots' stderr."""

ZSTD_LEVEL = 10


class BlobMissingError(LookupError):
    """The blob is not in the store (never written, or dropped to the disk budget)."""


class BlobDamagedError(ValueError):
    """The stored bytes do not have the digest they are stored under."""


class BlobStore(Protocol):
    """Content-addressed storage. The digest is the SHA-256 of the uncompressed bytes, lower-case hexadecimal."""

    def put(self, kind: BlobKind, data: bytes) -> str:
        """Store and return the digest; storing the same bytes again is harmless."""

    def get(self, kind: BlobKind, digest: str) -> bytes:
        """Return the bytes. Raises BlobMissingError or BlobDamagedError."""

    def delete(self, kind: BlobKind, digest: str) -> int:
        """Forget the blob and return the bytes it took up; forgetting what is not there is harmless."""

    def exists(self, kind: BlobKind, digest: str) -> bool:
        """Whether the blob is there."""

    def size(self, kind: BlobKind) -> int:
        """Bytes the blobs of this kind take up in the store."""

    def free(self) -> int | None:
        """Bytes that can still be stored; None where there is no such limit."""


def digest_of(data: bytes) -> str:
    """Return the digest blobs are stored under."""
    return hashlib.sha256(data).hexdigest()


class FolderBlobs:
    """Blobs as zstd files in a folder: `<kind>/<first two digits>/<digest>.zst`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, kind: BlobKind, data: bytes) -> str:
        """Store by writing a temporary file and renaming it, so that a reader never sees half a blob."""
        digest = digest_of(data)
        path = self.path(kind, digest)
        if path.exists():
            return digest
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(zstandard.ZstdCompressor(level=ZSTD_LEVEL).compress(data))
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return digest

    def get(self, kind: BlobKind, digest: str) -> bytes:
        """Read, decompress and compare with the digest."""
        try:
            packed = self.path(kind, digest).read_bytes()
        except FileNotFoundError:
            raise BlobMissingError(f"no {kind} {digest} in {self.root}") from None
        try:
            data = zstandard.ZstdDecompressor().decompress(packed)
        except zstandard.ZstdError as error:
            raise BlobDamagedError(f"{kind} {digest} in {self.root}: {error}") from None
        if digest_of(data) != digest:
            raise BlobDamagedError(f"{kind} {digest} in {self.root} holds other bytes than its digest says")
        return data

    def delete(self, kind: BlobKind, digest: str) -> int:
        """Remove the file; return its size, compressed."""
        path = self.path(kind, digest)
        try:
            size = path.stat().st_size
            path.unlink()
        except FileNotFoundError:
            return 0
        return size

    def exists(self, kind: BlobKind, digest: str) -> bool:
        """Whether the file is there."""
        return self.path(kind, digest).exists()

    def size(self, kind: BlobKind) -> int:
        """Sum of the files' sizes, compressed."""
        return sum(size for size in self._sizes(kind))

    def free(self) -> int:
        """Bytes free on the disk that holds the folder, or will."""
        folder = self.root.absolute()
        while not folder.exists():
            folder = folder.parent
        return shutil.disk_usage(folder).free

    def path(self, kind: BlobKind, digest: str) -> Path:
        """Where a blob lies. Raises ValueError when `digest` is not one, so that no path can be smuggled in."""
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise ValueError(f"{digest!r} is not a SHA-256 digest")
        return self.root / kind / digest[:2] / f"{digest}.zst"

    def _sizes(self, kind: BlobKind) -> Iterator[int]:
        for path in (self.root / kind).glob("??/*.zst"):
            try:
                yield path.stat().st_size
            except FileNotFoundError:
                continue


def open_blobs(url: str) -> BlobStore:
    """Open the store a URL or path names. Raises ValueError for a scheme there is no store for."""
    parts = urlsplit(url)
    if parts.scheme in ("", "file"):
        return FolderBlobs(Path(parts.path if parts.scheme else url))
    raise ValueError(f"{url!r}: blobs live in a folder; give a path or file:///path")
