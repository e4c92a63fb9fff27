"""Run by an interpreter that is to be staged, never imported: prints what `workers.sandbox.runtimes` must know of it.

Loads the extension modules of its standard library, which shows what shared libraries they bring with them, and under
the very names the loader asks for.
"""

import ctypes
import json
import os
import platform
import sys
import sysconfig

STDLIB = sysconfig.get_path("stdlib")
# The configured folder is no more than a guess where an installation was moved.
DYNLOAD = next(
    (
        folder
        for folder in (os.path.join(STDLIB, "lib-dynload"), sysconfig.get_config_var("DESTSHARED"))
        if folder and os.path.isdir(folder)
    ),
    STDLIB,
)
LEFT_OUT = ("_tkinter", "_curses", "_test", "_ctypes_test", "_xx", "xx")
THREAD_EXIT = "libgcc_s.so.1"
"""The C library loads it when a thread is cancelled, and only then."""


class SharedObject(ctypes.Structure):
    """The start of `struct dl_phdr_info`."""

    _fields_ = (("address", ctypes.c_void_p), ("name", ctypes.c_char_p))


def load_extension_modules() -> None:
    """Load what bots could load; what cannot be loaded here cannot be there either."""
    names = [name for name in sorted(os.listdir(DYNLOAD)) if ".so" in name and not name.startswith(LEFT_OUT)]
    for path in (THREAD_EXIT, *(os.path.join(DYNLOAD, name) for name in names)):
        try:
            ctypes.CDLL(path)
        except OSError:
            continue


def loaded_libraries() -> list[str]:
    """Return the paths of all shared libraries in this process, the loader's among them."""
    found: list[str] = []

    def visit(library: "ctypes._Pointer[SharedObject]", size: int, data: object) -> int:
        name = os.fsdecode(library.contents.name or b"")
        if name.startswith("/") and os.path.dirname(name) != DYNLOAD:
            found.append(name)
        return 0

    visitor = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(SharedObject), ctypes.c_size_t, ctypes.c_void_p)
    ctypes.CDLL(None).dl_iterate_phdr(visitor(visit), None)
    return found


load_extension_modules()
json.dump(
    {
        "version": platform.python_version(),
        "executable": os.path.realpath(sys.executable),
        "stdlib": STDLIB,
        "dynload": DYNLOAD,
        "home": f"{sys.platlibdir}/python{sys.version_info.major}.{sys.version_info.minor}",
        "libraries": loaded_libraries(),
    },
    sys.stdout,
)
