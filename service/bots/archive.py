"""From an upload to a source archive: what was sent is read, checked and packed in one canonical way.

The same files give the same archive, and so the same digest, however they were packed.
"""

import io
import zipfile
from dataclasses import dataclass

from service.blobs import digest_of
from service.bots import languages
from service.bots.manifest import MANIFEST, Manifest, read_manifest
from service.bots.unpacking import ZIP_MAGIC, UploadLimits, unpack
from service.refusals import InvalidError, TooLargeError

_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
_OTHER_ARCHIVES = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!": "RAR",
    b"\x28\xb5\x2f\xfd": "zstd",
}


@dataclass(frozen=True)
class Source:
    """A checked upload, ready to be stored and built."""

    archive: bytes
    """The canonical zip: sorted names, fixed dates and modes, stored uncompressed."""
    digest: str
    """SHA-256 of `archive`."""
    language: str
    entry: str
    """The program's first file, relative to the archive's top folder."""
    ladders: tuple[str, ...]
    """What the manifest asks to enter; empty when it does not say."""
    files: int
    size: int
    """Bytes of all files together."""


def read_upload(
    filename: str, data: bytes, language: str | None = None, limits: UploadLimits | None = None
) -> Source:
    """Read a single source file of any name, or a zip.

    `language` overrides the manifest, which overrides the marker files. Raises InvalidError or TooLargeError,
    with what is wrong with which file and what to do.
    """
    limits = limits or UploadLimits()
    filename = filename.replace("\\", "/").rsplit("/", 1)[-1]
    if not data:
        raise InvalidError(f"{filename!r} is empty; send a source file or a zip", "file")
    if len(data) > limits.packed:
        raise TooLargeError(
            f"{filename!r} is {len(data):,} bytes; at most {limits.packed:,} are taken", "file"
        )
    if data.startswith(ZIP_MAGIC):
        return _from_files(unpack(data, limits), language)
    return _from_single_file(filename, data, language)


def canonical_zip(files: dict[str, bytes]) -> bytes:
    """Pack files so that equal files give equal bytes on every host (uncompressed: zlib's output varies)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _ZIP_EPOCH)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            archive.writestr(info, files[name])
    return buffer.getvalue()


def _from_single_file(filename: str, data: bytes, language: str | None) -> Source:
    for magic, title in _OTHER_ARCHIVES.items():
        if data.startswith(magic):
            raise InvalidError(f"{filename!r} is a {title} file; send a zip", "file")
    if filename.lower().endswith(".zip"):
        raise InvalidError(
            f"{filename!r} is not a zip archive, whatever its name says; pack it again", "file"
        )
    chosen = languages.named(language, "language") if language else languages.of_file(filename, data)
    languages.require_runnable(chosen)
    if b"\0" in data:
        raise InvalidError(f"{filename!r} holds binary data; send {chosen.title} source or a zip", "file")
    return _from_files({chosen.markers[0]: data}, chosen.name)


def _from_files(files: dict[str, bytes], language: str | None) -> Source:
    if not files:
        raise InvalidError("the zip holds no files; pack your bot's sources", "file")
    manifest = read_manifest(files[MANIFEST]) if MANIFEST in files else Manifest()
    chosen = _language(files, manifest, language)
    languages.require_runnable(chosen)
    archive = canonical_zip(files)
    return Source(
        archive=archive,
        digest=digest_of(archive),
        language=chosen.name,
        entry=_entry(files, manifest, chosen),
        ladders=tuple(dict.fromkeys(manifest.ladders)),
        files=len(files),
        size=sum(map(len, files.values())),
    )


def _language(files: dict[str, bytes], manifest: Manifest, language: str | None) -> languages.Language:
    if language:
        return languages.named(language, "language")
    if manifest.language:
        return languages.named(manifest.language, "file")
    return languages.of_archive([name for name in files if "/" not in name])


def _entry(files: dict[str, bytes], manifest: Manifest, language: languages.Language) -> str:
    if manifest.entry is not None:
        if manifest.entry not in files:
            raise InvalidError(f"{MANIFEST}: entry {manifest.entry!r} is not a file of the archive", "file")
        if not manifest.entry.endswith(language.endings):
            raise InvalidError(f"{MANIFEST}: entry {manifest.entry!r} is not a {language.title} file", "file")
        return manifest.entry
    for marker in language.markers:
        if marker in files:
            return marker
    raise InvalidError(
        f"no {' or '.join(language.markers)} in the archive's top folder, which a {language.title} bot starts from;"
        " add it or name another file as entry in malice.toml",
        "file",
    )
