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

LEFT_OUT = ("_tkinter", "_curses", "_test", "_ctypes_test", "_xx", "xx")
THREAD_EXIT = "libgcc_s.so.1"
"""The C library loads it when a thread is cancelled, and only then."""


class SharedObject(ctypes.Structure):
    """The start of `struct dl_phdr_info`."""

    _fields_ = (("address", ctypes.c_void_p), ("name", ctypes.c_char_p))


def compiled_modules(stdlib: str) -> str:
    """Return the folder of the compiled modules; the configured one is but a guess if an installation was moved."""
    folders = (os.path.join(stdlib, "lib-dynload"), sysconfig.get_config_var("DESTSHARED"))
    return next((folder for folder in folders if folder and os.path.isdir(folder)), stdlib)


def load_modules(folder: str) -> None:
    """Load what bots could load; what cannot be loaded here cannot be there either."""
    names = [name for name in sorted(os.listdir(folder)) if ".so" in name and not name.startswith(LEFT_OUT)]
    for path in (THREAD_EXIT, *(os.path.join(folder, name) for name in names)):
        try:
            ctypes.CDLL(path)
        except OSError:
            continue


def libraries(modules: str) -> list[str]:
    """Return the paths of all shared libraries in this process but the modules, the loader's among them."""
    found: list[str] = []

    def visit(library: "ctypes._Pointer[SharedObject]", size: int, data: object) -> int:
        name = os.fsdecode(library.contents.name or b"")
        if name.startswith("/") and os.path.dirname(name) != modules:
            found.append(name)
        return 0

    visitor = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(SharedObject), ctypes.c_size_t, ctypes.c_void_p)
    ctypes.CDLL(None).dl_iterate_phdr(visitor(visit), None)
    return found


def main() -> None:
    """Print one JSON object: `workers.sandbox.runtimes.Description`."""
    stdlib = sysconfig.get_path("stdlib")
    modules = compiled_modules(stdlib)
    load_modules(modules)
    description = {
        "version": platform.python_version(),
        "executable": os.path.realpath(sys.executable),
        "stdlib": stdlib,
        "dynload": modules,
        "home": f"{sys.platlibdir}/python{sys.version_info.major}.{sys.version_info.minor}",
        "libraries": libraries(modules),
    }
    json.dump(description, sys.stdout)


if __name__ == "__main__":
    main()
