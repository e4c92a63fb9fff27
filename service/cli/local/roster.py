"""The bots of a local fixture: house bots and starters by name, one's own by path."""

from dataclasses import dataclass
from pathlib import Path

import bots
from bots.house import house_bots
from engine.game import Game
from service.blobs import BlobStore
from service.bots.archive import Source, canonical_zip, read_upload
from service.cli.packing import bot_name, read_source
from service.messages import BuildOrder, TicketSeat
from service.refusals import RefusedError
from workers.builder.build import build
from workers.bundles import BundleCache
from workers.programs import Sandbox

STARTERS = "starter*.py"


class RosterError(Exception):
    """A bot that cannot play, and why."""


@dataclass(frozen=True)
class Contender:
    """A bot ready to play, under the name it has in the results."""

    name: str
    seat: TicketSeat


def starters() -> dict[str, Path]:
    """Return the programs that authors begin with, by name."""
    folder = Path(bots.__file__).parent
    return {path.stem.replace("_", "-"): path for path in sorted(folder.glob(STARTERS))}


def contender(
    word: str,
    name: str,
    game: Game,
    target: int,
    *,
    sandbox: Sandbox,
    bundles: BundleCache,
    blobs: BlobStore,
    slot: int,
) -> Contender:
    """Read and build a bot as the service would, try it at the game, and return it under `name`.

    `word` is a house bot's name, a starter's, or the path of a source file, a folder or a zip. Raises RosterError.
    """
    try:
        source = _source(word, game)
    except RefusedError as error:
        raise RosterError(f"{word}: {error.message}") from None
    order = BuildOrder(
        version=name,
        attempt=0,
        source=blobs.put("source", source.archive),
        language=source.language,
        entry=source.entry,
        rules=game.document(),
        target=target,
    )
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


def _source(word: str, game: Game) -> Source:
    path = Path(word)
    if path.exists():
        return read_upload(*read_source(path))
    house = {bot.name: bot for bot in house_bots()}
    if word in house:
        if not house[word].plays(game.name):
            able = ", ".join(name for name, bot in house.items() if bot.plays(game.name))
            raise RosterError(f"{word} does not play {game.name}; of the house bots {able} do")
        return read_upload(f"{word}.zip", canonical_zip(house[word].files()))
    if word in starters():
        return read_upload(*read_source(starters()[word]))
    raise RosterError(
        f"{word}: no such file or folder, nor a house bot; the house bots are {', '.join(house)}"
    )
