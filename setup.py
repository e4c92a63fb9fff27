"""Compiles the engine's hot modules where it can be done; everything else is said in pyproject.toml.

Compiling is an improvement, never a condition: without a C compiler, Python's headers or mypy the same source runs
as it is, and one line says so. `MALICE_ENGINE=source` leaves it out on purpose.
"""

import contextlib
import importlib.util
import io
import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

ROOT = Path(__file__).resolve().parent
ENGINE = ROOT / "engine"
OPTIMISATION = "3"
FLAGS = ["-fvisibility=hidden"]
"""Everything but the modules' entries is seen inside the library alone, so that calls there can be made inline."""

_spec = importlib.util.spec_from_file_location("loading", ENGINE / "loading.py")
assert _spec is not None
assert _spec.loader is not None
loading = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(loading)


def obstacle() -> str | None:
    """Say what keeps us from compiling here; None when nothing does."""
    if os.environ.get(loading.VARIABLE) == "source":
        return "asked for"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"no C compiler ({compiler})"
    if not Path(sysconfig.get_paths()["include"], "Python.h").exists():
        return "no headers of this Python (python3-dev)"
    if importlib.util.find_spec("mypyc") is None:
        return "no mypy"
    return None


def say(words: str) -> None:
    """Tell whoever installs, on a stream that quiet installers leave alone."""
    print(f"malice: {words}", file=sys.stderr)


class BuildEngine(build_ext):
    """Compiles all modules of `engine.loading` as one group, or leaves no compiled module at all."""

    def run(self) -> None:
        """Compile; on any failure clear away what there is and go on with the plain source."""
        if not self.extensions:
            return
        say("compiling the engine (about a minute)")
        folders = {Path(self.build_lib, "engine"), *([ENGINE] if self.inplace else [])}
        for folder in folders:
            clear(folder)
        try:
            translated = {extension.name: extension for extension in generate(Path(self.build_temp, "c"))}
            for extension in self.extensions:
                vars(extension).update(vars(translated[extension.name]))
            super().run()
        except (BaseError, CCompilerError, OSError, SystemExit) as error:
            for folder in folders:
                clear(folder)
            self.extensions = []
            say(f"the engine could not be compiled and runs from its source, several times slower: {error}")
            return
        for folder in folders:
            Path(loading.stamp(str(folder))).write_text(loading.digest(str(ENGINE)) + "\n")


def clear(folder: Path) -> None:
    """Remove compiled modules of this Python from a folder, the stamp first, so that none is used meanwhile."""
    Path(loading.stamp(str(folder))).unlink(missing_ok=True)
    for path in folder.rglob(f"*{loading.SUFFIX}"):
        path.unlink()


def generate(target: Path) -> "list[Extension]":
    """Translate the modules to C; return what is left to compile. Raises SystemExit when mypy finds fault with them."""
    from mypyc.build import mypycify

    sources = [f"engine/{path}" for path in loading.sources(str(ENGINE))]
    target.mkdir(parents=True, exist_ok=True)
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        try:
            extensions = mypycify(
                ["--config-file=", "--ignore-missing-imports", *sources],
                opt_level=OPTIMISATION,
                target_dir=str(target),
                group_name="engine",
            )
        except SystemExit:
            raise SystemExit(told.getvalue().strip()) from None
    extensions += [extension_in_c(name) for name in loading.WRITTEN_IN_C]
    for extension in extensions:
        extension.extra_compile_args += FLAGS
        # The library all modules share belongs into the package, not beside it (engine.loading).
        if extension.name == loading.LIBRARY:
            extension.name = f"engine.{loading.LIBRARY}"
    return list(extensions)


def extension_in_c(name: str) -> "Extension":
    """Describe a module that has a twin in C."""
    return Extension(f"engine.{name}", [f"engine/{name}.c"], extra_compile_args=[f"-O{OPTIMISATION}"])


def announced() -> "list[Extension]":
    """Name what will be compiled without translating anything yet: every step of an installation runs this file."""
    names = [path.removesuffix(".py").replace("/", ".") for path in loading.sources(str(ENGINE))]
    return [
        Extension(f"engine.{name}", sources=[]) for name in (loading.LIBRARY, *loading.WRITTEN_IN_C, *names)
    ]


def main() -> None:
    """Run as setuptools and pip do."""
    os.chdir(ROOT)
    reason = obstacle()
    if reason is not None and "build_ext" in sys.argv:
        say(f"{reason}: the engine runs from its source, several times slower")
    setup(ext_modules=[] if reason else announced(), cmdclass={"build_ext": BuildEngine})


if __name__ == "__main__":
    main()
