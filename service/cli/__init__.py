"""The `malice` command. Each subcommand lives in the module of its name and is imported when it is used.

May import everything else, the sandbox and the referee included; nothing imports this package.
"""

import importlib
import os

import click

VERSION_MESSAGE = "%(prog)s %(version)s"

COMMANDS = {
    "up": "Run everything on this machine.",
    "doctor": "Say what this machine isolates and what it lacks.",
    "new": "Write a small program to start from.",
    "play": "Play bots against each other on this machine.",
    "rules": "List the games and what can be changed in them.",
    "register": "Make an account on a server and keep its token.",
    "login": "Get a new token for an account you have.",
    "submit": "Upload a bot, or a new version of it.",
    "status": "Show a bot, or the server.",
    "ladders": "List a server's ladders.",
    "standings": "Show a ladder's table.",
    "enter": "Put a bot on one more ladder.",
    "leave": "Take a bot off a ladder.",
    "log": "Download the log of a match.",
    "replay": "Show a match from its log, move by move.",
    "verify": "Check that logs replay to what they say.",
    "web": "Run the web server.",
    "worker": "Run a worker: play, or ledger.",
    "beat": "Run the clock that triggers periodic work.",
    "migrate": "Bring the database up to date and seed it.",
    "alive": "Ask whether a process of this machine is alive.",
    "admin": "For operators: void, rebuild ratings, invite.",
}
"""Every subcommand and its one line in `malice --help`: so that help needs no imports."""

SECTIONS = {
    "Run a ladder": ("up", "doctor"),
    "Make a bot": ("new", "play", "rules"),
    "Play on one": (
        *("register", "login", "submit", "status", "ladders", "standings", "enter", "leave"),
        *("log", "replay", "verify"),
    ),
    "Run the parts apart": ("web", "worker", "beat", "migrate", "alive", "admin"),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are looked up."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module and return the command in it."""
        if cmd_name not in COMMANDS:
            return None
        # `engine.loading` refuses it, too, but as an import that failed: nobody should have to read a traceback for it.
        asked = os.environ.get("MALICE_ENGINE", "")
        if asked not in ("", "source"):
            raise click.UsageError(f"MALICE_ENGINE={asked!r} means nothing; unset it, or say source")
        module = importlib.import_module(f"service.cli.{cmd_name}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by what they are for."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name]) for name in names])


@click.group(
    name="malice",
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `malice up`, then open the address it prints. Exit codes: 0 done, 1 failed, 2 wrong usage.",
)
@click.version_option(None, "--version", package_name="malice", message=VERSION_MESSAGE)
def main() -> None:
    """Malice: a tournament and rating service for card-playing bots."""
