"""What every long-running process does first: settings from the environment, logging, its home."""

import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from service.cli.supervisor.home import Home, HomeError, open_home
from service.cli.text import fail, harmless
from service.settings import Settings, SettingsError, load


def load_settings(*, needs_broker: bool = False, **overrides: Any) -> Settings:
    """Read settings from the environment; a wrong one is wrong usage (exit code 2) with the setting's name."""
    try:
        settings = load(os.environ, **overrides)
        if needs_broker:
            _ = settings.required_broker_url
        return settings
    except SettingsError as error:
        raise click.UsageError(str(error)) from None


def require_usable_addresses(settings: Settings) -> None:
    """Refuse as wrong usage what no process could use, before any is started to find out."""
    from service.blobs import open_blobs
    from service.web.hosts import HostPolicy

    try:
        open_blobs(settings.resolved_blobs)
        HostPolicy.of(settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def usable_home(root: Path) -> Home:
    """Make the home's folders, or fail with one line."""
    require_linux()
    try:
        return open_home(root)
    except HomeError as error:
        fail(str(error))


def require_linux() -> None:
    """Fail with one line where the service cannot run."""
    if not sys.platform.startswith("linux"):
        fail(
            f"the service needs Linux (or WSL2), this is {sys.platform}; `malice play` works here without it"
        )


CHATTY = ("alembic", "waitress", "celery.beat", "celery.app.trace", "celery.worker.strategy", "httpx")
"""Libraries that say every second that all is well."""


def load_no_terminal() -> None:
    """Keep rich out of a process that lives long and draws nothing; call it before anything else is imported.

    structlog loads it wherever it finds it, to draw tracebacks with: 4 MB in each of five processes.
    """
    sys.modules.setdefault("rich", None)  # type: ignore[arg-type]


def configure_logging() -> None:
    """Log to stderr, one line per event, ours and the libraries' alike, with strangers' text made harmless."""
    import structlog
    from structlog.typing import Processor

    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _make_harmless,
                # Never the default traceback: that shows local variables, and so passwords and tokens.
                structlog.dev.ConsoleRenderer(
                    colors=False, pad_event_to=0, exception_formatter=structlog.dev.plain_traceback
                ),
            ],
        )
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


def _make_harmless(logger: Any, method: str, event: Any) -> Mapping[str, Any]:
    return {name: harmless(value) if isinstance(value, str) else value for name, value in event.items()}
