"""Whether the engine runs compiled or from its source. Decided once, when `engine` is first imported.

Where a C compiler is at hand, installing Malice compiles the engine's hot modules (`setup.py`); they then lie beside
their sources, which stay what counts: compiled modules are used only all together, and only when they were made
from exactly the sources that are there. Run as a program this file says which it is, and ends with status 1 when
compiling would change that.
"""

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from types import ModuleType

VARIABLE = "MALICE_ENGINE"
"""The environment variable; `source` asks for the plain engine even where there is a compiled one."""

SUFFIX = EXTENSION_SUFFIXES[0]
"""How the compiled modules of this very Python are named; those of another lie beside them unnoticed."""

LIBRARY = "engine__mypyc"
"""The library all compiled modules share; each of them imports it by this name."""

WRITTEN_IN_C = ("digests",)
"""Modules of which there is a twin in C beside the Python that says what it does."""

COMPILED_PACKAGES = ("spite", "parlett", "tricks")
COMPILED_ALONE = ("chance.py", "match.py", "playout.py")
STAY_PLAIN = frozenset({"__init__.py", "options.py", "profiles.py", "rules.py", "view.py"})
"""Of the compiled packages: structs that encode themselves, and what runs once per game."""

IN_USE = "compiled"
NONE = "plain: no compiled modules"
CHANGED = "plain: the sources have changed since they were compiled"
ASKED = "plain: asked for"


def sources(folder: str) -> list[str]:
    """Return the paths of the modules to compile with mypyc, relative to the engine's folder, in order."""
    found = [name for name in COMPILED_ALONE if os.path.exists(os.path.join(folder, name))]
    for package in COMPILED_PACKAGES:
        names = sorted(os.listdir(os.path.join(folder, package)))
        found += [f"{package}/{name}" for name in names if name.endswith(".py") and name not in STAY_PLAIN]
    return found


def digest(folder: str) -> str:
    """Return the sha256, hexadecimal, of all that compiled code depends on: every module of the engine by name.

    Modules that stay plain count, too: their constants are part of the compiled code.
    """
    total = hashlib.sha256()
    for path in _modules(folder):
        with open(os.path.join(folder, path), "rb") as file:
            content = file.read()
        total.update(f"{path} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def stamp(folder: str) -> str:
    """Return the path of the file that says what the compiled modules were made from; written last of all."""
    return os.path.join(folder, f"compiled{SUFFIX}.sha256")


def state(folder: str, asked: str | None) -> str:
    """Say how the engine in a folder is to be loaded, `IN_USE` or one of the reasons against it.

    `asked` is the value of `VARIABLE`. Raises ImportError when it means nothing.
    """
    if asked not in (None, "", "source"):
        raise ImportError(f"{VARIABLE}={asked!r} means nothing; the one value is 'source'")
    try:
        with open(stamp(folder), encoding="ascii") as file:
            made_from = file.read().strip()
    except FileNotFoundError:
        return ASKED if asked else NONE
    if asked:
        return ASKED
    return IN_USE if made_from == digest(folder) else CHANGED


def load(package: ModuleType) -> str:
    """Arrange for the package's modules to be found as its `state` says; return that."""
    folder = package.__path__[0]
    found = state(folder, os.environ.get(VARIABLE))
    if found == IN_USE:
        try:
            _load_library(package.__name__)
        except ImportError as error:
            found = f"plain: the compiled modules do not load: {error}"
    if found not in (IN_USE, NONE):
        sys.meta_path.insert(0, _Sources)
    return found


class _Sources:
    """Finds the engine's modules by their sources, passing over compiled ones beside them."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None or not name.startswith("engine."):
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name, target)
            if spec is not None:
                return spec
        return None


def _load_library(package: str) -> None:
    """Give the shared library the name its modules look for. It lies in the engine's folder, not beside it."""
    name = f"{package}.{LIBRARY}"
    __import__(name)
    sys.modules[LIBRARY] = sys.modules[name]


def _modules(folder: str) -> Iterator[str]:
    """Every source of the engine, in order; adapters to other libraries are not part of it."""
    for package in ("", *COMPILED_PACKAGES):
        for name in sorted(os.listdir(os.path.join(folder, package))):
            if name.endswith((".py", ".c")):
                yield f"{package}/{name}" if package else name


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    answer = state(here, None)
    print(answer)
    sys.exit(answer != IN_USE)
