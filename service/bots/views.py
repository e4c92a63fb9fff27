"""What is shown of bots and versions: plain data, read from rows by `queries`."""

from collections.abc import Sequence

from service.ladders.standings import Rated
from service.views import Time, View


class EntryView(Rated):
    """A version on one ladder."""

    ladder: str
    version: int
    status: str
    """validating, active, failed, suspended, withdrawn or superseded."""
    reason: str
    waiting: str
    """Why nothing is being played on the ladder just now; empty while something is, or when it is not active."""


class VersionRow(View):
    """A version in a list."""

    version: int
    status: str
    """queued, building, validating, active, failed, suspended or retired: derived from the version and its entries."""
    reason: str
    """Never empty when failed, suspended or retired."""
    created: Time


class OwnersPart(View):
    """What only the owner is shown of a version."""

    source_sha256: str
    """Of the canonical archive, as `…/source` sends it."""
    entry: str
    """The program's first file."""
    has_build_log: bool


class VersionView(VersionRow):
    """A version in full."""

    bot: str
    owner: str
    language: str
    entries: Sequence[EntryView]
    mine: OwnersPart | None
    """None unless the reader owns it."""


class BotRow(View):
    """A bot in a list: the version that plays, else its latest."""

    bot: str
    owner: str
    version: int
    status: str
    reason: str
    created: Time


class BotPage(View):
    """Some bots, by name, and where the next begin (None: nowhere)."""

    items: Sequence[BotRow]
    next: str | None


class BotView(BotRow):
    """A bot in full."""

    latest: VersionRow
    versions: Sequence[VersionRow]
    """Newest first."""
    entries: Sequence[EntryView]
    """Of all its versions that are not superseded or withdrawn, by ladder."""
