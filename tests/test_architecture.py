"""Imports point one way, and hosts that run strangers' programs never load what reaches the database."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = frozenset({"engine", "bots", "workers", "service"})

IMPURE = frozenset(
    [
        "asyncio",
        "ctypes",
        "datetime",
        "glob",
        "importlib",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "pickle",
        "random",
        "requests",
        "select",
        "shutil",
        "signal",
        "socket",
        "sqlite3",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
    ]
)
"""What the engine must not touch: files, clocks, processes, the network, chance that is not keyed."""

LOADS_THE_ENGINE = {"engine": {"sys"}, "engine.loading": {"importlib", "os", "sys"}}
"""What decides at import whether the engine runs compiled has to look at files and the environment."""

PLAY_SIDE_MAY_USE = frozenset(
    {"service.messages", "service.queues", "service.settings", "service.blobs", "service.ids"}
)
TRUSTED_WORKERS = ("workers.apps.reports", "workers.apps.ledger", "workers.apps.beat")
DATABASE_LIBRARIES = ("sqlalchemy", "alembic", "psycopg", "flask")


def modules(package: str) -> list[Path]:
    """All modules of one of our packages."""
    return sorted((ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Everything a module imports anywhere in it, absolute, `from a import b` as both `a` and `a.b`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def reaches(imported: str, module: str) -> bool:
    return imported == module or imported.startswith(module + ".")


PROGRAMS = [path for path in modules("bots") if name_of(path) not in ("bots", "bots.house")]
"""Bots and what is packed beside them; `bots.house` only lists them."""


@pytest.mark.parametrize("path", modules("engine"), ids=name_of)
def test_the_engine_is_pure_and_depends_on_nothing_of_ours(path: Path) -> None:
    roots = {imported.split(".")[0] for imported in imports(path)}
    assert roots & (OURS - {"engine"}) == set()
    assert roots & IMPURE <= LOADS_THE_ENGINE.get(name_of(path), set())


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_a_bot_is_a_program_of_its_own(path: Path) -> None:
    roots = {imported.split(".")[0] for imported in imports(path)}
    beside_it = {program.stem for program in PROGRAMS}
    assert roots & OURS == set()
    assert roots <= sys.stdlib_module_names | beside_it


@pytest.mark.parametrize("path", modules("service"), ids=name_of)
def test_the_service_names_tasks_and_never_imports_workers(path: Path) -> None:
    in_command_line = reaches(name_of(path), "service.cli")
    for imported in imports(path):
        assert in_command_line or not reaches(imported, "workers")
        assert in_command_line or not reaches(imported, "service.cli")


@pytest.mark.parametrize("path", modules("workers"), ids=name_of)
def test_the_play_side_uses_of_the_service_only_what_travels(path: Path) -> None:
    trusted = name_of(path) in TRUSTED_WORKERS
    for imported in imports(path):
        assert not reaches(imported, "service.cli")
        if reaches(imported, "service") and imported != "service" and not trusted:
            assert any(reaches(imported, allowed) for allowed in PLAY_SIDE_MAY_USE), imported


@pytest.mark.parametrize("package", ["service", "workers"])
def test_nothing_of_ours_imports_tests_or_benchmarks(package: str) -> None:
    for path in modules(package):
        assert not any(
            reaches(imported, outside) for imported in imports(path) for outside in ("tests", "benchmarks")
        )


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("workers.apps.play", DATABASE_LIBRARIES),
        ("workers.referee.fixture", (*DATABASE_LIBRARIES, "celery")),
        ("workers.builder", DATABASE_LIBRARIES),
        ("service.cli.up", (*DATABASE_LIBRARIES, "celery", "httpx")),
        ("engine.replay", (*DATABASE_LIBRARIES, "celery", "service", "workers")),
    ],
)
def test_a_process_loads_nothing_it_has_no_business_with(module: str, forbidden: tuple[str, ...]) -> None:
    script = f"import sys, {module}; print(*[name for name in {forbidden!r} if name in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert loaded.stdout.split() == []


def test_settings_clients_and_environments_are_not_read_at_import() -> None:
    script = """
import os, pkgutil, sys, importlib
class Watched(dict):
    def __getitem__(self, name):
        assert name == "MALICE_ENGINE" or not str(name).startswith("MALICE_"), name
        return super().__getitem__(name)
    def get(self, name, default=None):
        assert name == "MALICE_ENGINE" or not str(name).startswith("MALICE_"), name
        return super().get(name, default)
os.environ = Watched(os.environ)
for package in ("engine", "service", "workers"):
    for found in pkgutil.walk_packages([package], package + "."):
        if not found.name.endswith("__main__") and ".migrations." not in found.name:
            importlib.import_module(found.name)
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)
