"""Settings: environment variables `MALICE_*`, each documented here with its default, checked at start.

`docs/operating.md` lists them for operators; a test keeps the two alike.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

PREFIX = "MALICE_"
CLIENT_VARIABLES = frozenset({"MALICE_SERVER", "MALICE_TOKEN"})
"""Read by the commands that talk to a server (`service.cli.client`), not by the server."""
ENGINE_VARIABLE = "MALICE_ENGINE"
"""Read when the engine is loaded (`engine.loading`), in every process."""
MIB = 1 << 20

PositiveInt = Annotated[int, msgspec.Meta(ge=1)]


class SettingsError(ValueError):
    """A setting that cannot be used: which one, what it was, what is accepted."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of one installation. Build with `load`; tests build it directly."""

    home: Path = Path("var")
    """Where embedded data lives: database, blobs, broker, logs."""
    host: str = "127.0.0.1"
    """The address the web server binds."""
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8_000
    """The port the web server binds; 0 takes a free one."""
    database_url: str = ""
    """SQLAlchemy URL, SQLite or PostgreSQL. Empty: SQLite in `home`."""
    broker_url: str = ""
    """Redis or Valkey, `redis://…` or `unix:///path`. Empty: embedded Valkey on a socket in `home`."""
    blobs_url: str = ""
    """Folder for bundles and logs, as a path or `file:///path`. Empty: `blobs` in `home`."""
    public_url: str = ""
    """The address users type. Set it behind a proxy: trust in loopback then ends."""
    secret_key: str = ""
    """Signs the pages' forms and sessions. Empty: made once and kept in `home`."""
    registration: Literal["", "open", "invite", "closed"] = ""
    """Who may make an account. Empty: open on a loopback address without `public_url`, else invite."""
    sandbox: Literal["auto", "S3", "S2", "S0"] = "auto"
    """The layer strangers' programs need. auto: the best the host has, never weaker than S3."""
    cores: Annotated[int, msgspec.Meta(ge=0, le=1_024)] = 0
    """Cores to play on, one fixture each. 0: half of them, at least one."""
    disk_budget_mb: PositiveInt = 2_048
    """Match logs beyond this many MiB are dropped, oldest first; results and ratings stay."""
    disk_reserve_mb: PositiveInt = 512
    """With less free than this many MiB nothing new is played."""
    upload_mb: PositiveInt = 10
    """Largest upload, packed."""
    versions_per_day: PositiveInt = 50
    """Versions one account may upload in 24 hours."""
    bots_per_account: PositiveInt = 20
    """Bots one account may own."""
    challenges_per_day: PositiveInt = 100
    """Challenges one account may start in 24 hours."""

    @property
    def resolved_database_url(self) -> str:
        """The database to use, embedded or not."""
        return self.database_url or f"sqlite:///{self.home.absolute() / 'malice.db'}"

    @property
    def required_broker_url(self) -> str:
        """The broker to use. Raises SettingsError where none is set: only `malice up` brings its own."""
        if not self.broker_url.startswith(("redis://", "rediss://", "unix://")):
            raise SettingsError(
                f"{PREFIX}BROKER_URL={self.broker_url!r}: give the address of a Redis or Valkey, redis://host/0 or unix:///path"
            )
        return self.broker_url

    @property
    def resolved_blobs(self) -> str:
        """The blob store to use, embedded or not."""
        return self.blobs_url or str(self.home.absolute() / "blobs")

    @property
    def resolved_registration(self) -> Literal["open", "invite", "closed"]:
        """The registration policy in force."""
        if self.registration:
            return self.registration
        return "open" if self.is_loopback and not self.public_url else "invite"

    @property
    def is_loopback(self) -> bool:
        """Whether the web server can be reached from this machine only."""
        return self.host in ("127.0.0.1", "localhost", "::1")

    @property
    def play_slots(self) -> int:
        """Fixtures played at once on this machine."""
        return self.cores or max(1, len(os.sched_getaffinity(0)) // 2)


def load(environ: Mapping[str, str], **overrides: Any) -> Settings:
    """Read settings from an environment; `overrides` (from flags) win, None meaning not given.

    Raises SettingsError naming the variable. Unknown `MALICE_*` names are an error too: a typo must not
    silently leave a default in force.
    """
    fields = {field.name: field for field in msgspec.structs.fields(Settings)}
    values: dict[str, Any] = {}
    for variable, text in environ.items():
        if not variable.startswith(PREFIX) or variable.startswith(PREFIX + "TEST_"):
            continue
        if variable in CLIENT_VARIABLES or variable == ENGINE_VARIABLE:
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name not in fields:
            known = ", ".join(sorted(PREFIX + field.upper() for field in fields))
            raise SettingsError(f"{variable} is not a setting; the settings are {known}")
        values[name] = text
    values |= {name: value for name, value in overrides.items() if value is not None}
    for name, value in values.items():
        try:
            values[name] = msgspec.convert(value, fields[name].type, strict=False, dec_hook=_path)
        except msgspec.ValidationError as error:
            raise SettingsError(f"{PREFIX}{name.upper()}={value!r}: {error}") from None
    return Settings(**values)


def _path(target: type, value: Any) -> Any:
    if target is Path:
        return Path(value)
    raise msgspec.ValidationError(f"cannot read {value!r}")
