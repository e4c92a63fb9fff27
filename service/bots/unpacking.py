"""Reading a stranger's zip: member by member, in memory, within limits; nothing is ever written to disk.

Whatever could mean one thing here and another elsewhere (links, duplicate or odd names, other compressions) is
refused with the member's name.
"""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from service.refusals import InvalidError, TooLargeError

MIB = 1 << 20
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")

_END = struct.Struct("<4s4H2LH")
_END_MAGIC = b"PK\x05\x06"
_ZIP64_LOCATOR = b"PK\x06\x07"
_ZIP64_LOCATOR_BYTES = 20
_LONGEST_COMMENT = 0xFFFF
_LARGEST_DIRECTORY = MIB
"""Bytes of a zip's table of contents: bounds the memory its parsing takes, whatever it claims to hold."""
_LONGEST_NAME = 200


@dataclass(frozen=True)
class UploadLimits:
    """How large an upload may be, in bytes and files."""

    packed: int = 10 * MIB
    unpacked: int = 50 * MIB
    files: int = 1_000


def unpack(data: bytes, limits: UploadLimits) -> dict[str, bytes]:
    """Return the files of a zip by name, without folders, `__MACOSX` and `.DS_Store`, in its order.

    One folder that wraps all of them is stripped. Raises InvalidError or TooLargeError naming the member.
    """
    _check_directory(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info for info in archive.infolist() if _is_wanted(info)]
            _check_members(members, limits)
            files = _read(archive, members, limits)
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        UnicodeError,
        ValueError,
        EOFError,
        OSError,
        struct.error,
    ) as error:
        raise InvalidError(f"the zip cannot be read: {error}; pack it again", "file") from None
    return _without_wrapper(files)


def _check_directory(data: bytes) -> None:
    """Refuse a table of contents that would take much memory to parse, before it is parsed."""
    end = data.rfind(_END_MAGIC, max(0, len(data) - _END.size - _LONGEST_COMMENT))
    if end < 0 or len(data) < end + _END.size:
        raise InvalidError("not a whole zip archive: its end is missing; upload it again", "file")
    size = _END.unpack_from(data, end)[5]
    if size > _LARGEST_DIRECTORY or _ZIP64_LOCATOR in data[max(0, end - _ZIP64_LOCATOR_BYTES) : end]:
        raise TooLargeError(
            "the zip's table of contents is too large; leave out what the bot does not need", "file"
        )


def _is_wanted(info: zipfile.ZipInfo) -> bool:
    """Check a member's name and kind; False for what is left out."""
    name = info.orig_filename
    _check_name(name)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if stat.S_ISLNK(kind):
        raise InvalidError(f"{name!r} is a symbolic link; pack the file itself", "file")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InvalidError(f"{name!r} is a device, pipe or socket; pack plain files only", "file")
    if info.flag_bits & 0x1:
        raise InvalidError(f"{name!r} is encrypted; pack without a password", "file")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InvalidError(f"{name!r} is packed by a method this service does not read; use deflate", "file")
    parts = name.rstrip("/").split("/")
    return not name.endswith("/") and "__MACOSX" not in parts and parts[-1] != ".DS_Store"


def _check_name(name: str) -> None:
    """Refuse names that leave the archive's folder or that not every system reads alike."""
    parts = name.removesuffix("/").split("/")
    if name.startswith("/") or name[1:2] == ":":
        raise InvalidError(f"{name!r} is an absolute path; pack paths relative to the bot's folder", "file")
    if ".." in parts:
        raise InvalidError(f"{name!r} leads out of the archive; pack without '..'", "file")
    if "\\" in name or not name.isprintable() or "." in parts or "" in parts:
        raise InvalidError(
            f"{name!r} is not a plain file name; use letters, digits, '.', '_', '-' and '/'", "file"
        )
    if len(name.encode()) > _LONGEST_NAME:
        raise InvalidError(f"{name[:40]!r}… is longer than {_LONGEST_NAME} bytes; use shorter names", "file")


def _check_members(members: list[zipfile.ZipInfo], limits: UploadLimits) -> None:
    if len(members) > limits.files:
        raise TooLargeError(
            f"the zip holds {len(members):,} files; at most {limits.files:,} are taken", "file"
        )
    names: set[str] = set()
    for info in members:
        if info.filename in names:
            raise InvalidError(f"{info.filename!r} is in the zip twice; pack it once", "file")
        names.add(info.filename)
    for name in names:
        for folder in _folders(name):
            if folder in names:
                raise InvalidError(f"{folder!r} is both a file and a folder; rename one", "file")
    total = sum(info.file_size for info in members)
    if total > limits.unpacked:
        largest = max(members, key=lambda info: info.file_size)
        raise TooLargeError(
            f"the zip unpacks to {total:,} bytes ({largest.filename!r} alone to {largest.file_size:,});"
            f" at most {limits.unpacked:,} are taken",
            "file",
        )


def _folders(name: str) -> Iterable[str]:
    parts = name.split("/")[:-1]
    return ("/".join(parts[: depth + 1]) for depth in range(len(parts)))


def _read(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], limits: UploadLimits) -> dict[str, bytes]:
    """Read the members. No more than their claimed sizes is ever unpacked; a false claim fails its checksum."""
    files: dict[str, bytes] = {}
    for info in members:
        try:
            with archive.open(info) as member:
                data = member.read(info.file_size + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise InvalidError(
                f"{info.filename!r} in the zip is damaged: {error}; pack it again", "file"
            ) from None
        if len(data) != info.file_size:
            raise InvalidError(f"{info.filename!r} in the zip is cut short; pack it again", "file")
        _check_nested(info.filename, data, limits)
        files[info.filename] = data
    return files


def _check_nested(name: str, data: bytes, limits: UploadLimits) -> None:
    """Refuse an archive in the archive that claims to unpack beyond the limit."""
    if not data.startswith(ZIP_MAGIC):
        return
    try:
        _check_directory(data)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            total = sum(info.file_size for info in archive.infolist())
    except TooLargeError:
        total = limits.unpacked + 1
    except (
        InvalidError,
        zipfile.BadZipFile,
        NotImplementedError,
        UnicodeError,
        ValueError,
        OSError,
        struct.error,
    ):
        return  # Not an archive after all: a file like any other.
    if total > limits.unpacked:
        raise TooLargeError(
            f"{name!r} is an archive that unpacks to more than {limits.unpacked:,} bytes", "file"
        )


def _without_wrapper(files: dict[str, bytes]) -> dict[str, bytes]:
    tops = {name.split("/", 1)[0] for name in files}
    if len(tops) != 1 or any("/" not in name for name in files):
        return files
    return {name.split("/", 1)[1]: data for name, data in files.items()}
