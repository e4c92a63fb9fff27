"""The real sandbox of this host, and a table to play at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.playing import Table
from workers.places import Place, take_place
from workers.programs import Sandbox
from workers.sandbox import choose_sandbox


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    """The isolating sandbox: these tests need a host that can have one."""
    return choose_sandbox("S3")


@pytest.fixture(scope="session")
def place() -> Iterator[Place]:
    """A place on this host of this run's own."""
    place = take_place("local", 1)
    yield place
    place.release()


@pytest.fixture
def table(sandbox: Sandbox, place: Place, tmp_path: Path) -> Table:
    """A table with a blob store of the test's own."""
    return Table(sandbox, tmp_path / "blobs", place.bundles, place.slots[0])
