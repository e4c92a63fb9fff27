"""The bots of a local fixture: house bots by name, one's own by path."""

from dataclasses import dataclass
from pathlib import Path

import bots
from service.blobs import BlobStore
from service.bots.archive import read_upload
from service.cli.packing import bot_name, read_source
from service.messages import BuildOrder, TicketSeat
from service.refusals import RefusedError
from workers.builder.build import build
from workers.bundles import BundleCache
from workers.programs import Sandbox


class RosterError(Exception):
    """A bot that cannot play, and why."""


@dataclass(frozen=True)
class Contender:
    """A bot ready to play, under the name it has in the results."""

    name: str
    seat: TicketSeat


def house_bots() -> dict[str, Path]:
    """Return the house bots' files by name."""
    folder = Path(bots.__file__).parent
    return {path.stem: path for path in sorted(folder.glob("*.py")) if path.stem != "__init__"}


def contender(
    word: str, name: str, *, sandbox: Sandbox, bundles: BundleCache, blobs: BlobStore, slot: int
) -> Contender:
    """Read and build a bot as the service would, and return it under `name`.

    `word` is a house bot's name, or the path of a source file, a folder or a zip. Raises RosterError.
    """
    try:
        source = read_upload(*read_source(_find(word)))
    except RefusedError as error:
        raise RosterError(f"{word}: {error.message}") from None
    order = BuildOrder(name, 0, blobs.put("source", source.archive), source.language, source.entry)
    report = build(order, sandbox=sandbox, bundles=bundles, blobs=blobs, worker="local", slot=slot)
    if report.bundle is None:
        raise RosterError(f"{word}: {report.reason}")
    return Contender(name, TicketSeat(name, report.bundle, report.runtime, source.entry))


def distinct(words: tuple[str, ...]) -> list[str]:
    """Return a name for each word, short and all different: `greedy`, `greedy#2`."""
    names: list[str] = []
    for word in words:
        base = bot_name(Path(word)) or "bot"
        same = sum(name == base or name.startswith(f"{base}#") for name in names)
        names.append(f"{base}#{same + 1}" if same else base)
    return names


def _find(word: str) -> Path:
    path = Path(word)
    if path.exists():
        return path
    house = house_bots()
    if word in house:
        return house[word]
    raise RosterError(
        f"{word}: no such file or folder, nor a house bot; the house bots are {', '.join(house)}"
    )
