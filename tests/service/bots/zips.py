"""Archives for tests, well formed and otherwise."""

import io
import stat
import zipfile
from collections.abc import Mapping

BOT = b"print('ready')\n"


def make_zip(files: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Pack files as any tool would."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def zip_with_mode(name: str, mode: int, data: bytes = b"/etc/passwd") -> bytes:
    """A zip with a sound `main.py` and one member of the given file mode."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("main.py", BOT)
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = mode << 16
        archive.writestr(info, data)
    return buffer.getvalue()


def zip_with_symlink() -> bytes:
    """A zip whose `secrets.py` is a link to a file outside."""
    return zip_with_mode("secrets.py", stat.S_IFLNK | 0o777)


def zip_with_flag(name: str, flag: int) -> bytes:
    """A zip whose member `name` has a general purpose flag set in both its headers."""
    data = bytearray(make_zip({"main.py": BOT, name: b"x"}))
    encoded = name.encode()
    for magic, offset, name_at in ((b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)):
        at = data.find(magic)
        while data[at + name_at : at + name_at + len(encoded)] != encoded:
            at = data.find(magic, at + 1)
        data[at + offset] |= flag
    return bytes(data)


def bomb(unpacked: int) -> bytes:
    """A small zip that unpacks to `unpacked` bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("main.py", BOT)
        with archive.open("zeros.bin", "w") as member:
            chunk = bytes(1 << 20)
            for _ in range(unpacked >> 20):
                member.write(chunk)
    return buffer.getvalue()
