"""The languages an upload may be written in, and how they are told apart."""

from collections.abc import Collection
from dataclasses import dataclass

from service.refusals import InvalidError


@dataclass(frozen=True)
class Language:
    """A language, the files at an archive's root that mark it, and the endings of its source files."""

    name: str
    title: str
    markers: tuple[str, ...]
    endings: tuple[str, ...]
    runs_here: bool = False


LANGUAGES = (
    Language("python", "Python", ("main.py",), (".py",), runs_here=True),
    Language("c", "C", ("main.c",), (".c",)),
    Language("cpp", "C++", ("main.cpp",), (".cpp", ".cc", ".cxx")),
    Language("rust", "Rust", ("Cargo.toml",), (".rs",)),
    Language("javascript", "JavaScript", ("main.js",), (".js", ".mjs")),
    Language("java", "Java", ("Main.java",), (".java",)),
    Language("wasm", "WebAssembly", ("main.wasm",), (".wasm",)),
    Language("go", "Go", ("go.mod",), (".go",)),
)

BY_NAME = {language.name: language for language in LANGUAGES}


def named(name: str, field: str) -> Language:
    """Return the language of this name. Raises InvalidError about `field` for an unknown one."""
    try:
        return BY_NAME[name]
    except KeyError:
        raise InvalidError(
            f"{name!r} is no language known here; known are {', '.join(BY_NAME)}", field
        ) from None


def of_archive(names: Collection[str]) -> Language:
    """Tell the language from the names of the files at an archive's root.

    Raises InvalidError when no marker is there, or markers of several languages.
    """
    found = [language for language in LANGUAGES if any(marker in names for marker in language.markers)]
    if len(found) == 1:
        return found[0]
    if found:
        marks = " and ".join(next(marker for marker in one.markers if marker in names) for one in found)
        raise InvalidError(f"the archive holds {marks}; say which language it is with language=", "language")
    markers = ", ".join(marker for language in LANGUAGES for marker in language.markers)
    raise InvalidError(
        f"the archive's top folder holds none of {markers}; name your program's first file main.py,"
        " or say language and entry in a malice.toml",
        "file",
    )


def of_file(name: str, data: bytes) -> Language:
    """Tell the language of a single source file from its ending or its `#!` line. Raises InvalidError."""
    for language in LANGUAGES:
        if name.lower().endswith(language.endings):
            return language
    if b"python" in data[:80].split(b"\n", 1)[0] and data.startswith(b"#!"):
        return BY_NAME["python"]
    raise InvalidError(
        f"cannot tell the language of {name!r}; name it main.py or send language=python", "language"
    )


def require_runnable(language: Language) -> None:
    """Raises InvalidError for a language that is recognised but has no runtime here."""
    if not language.runs_here:
        runnable = ", ".join(one.title for one in LANGUAGES if one.runs_here)
        raise InvalidError(
            f"this is {language.title}, which this service recognises but cannot run yet; send {runnable}",
            "language",
        )
