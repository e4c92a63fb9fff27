"""What somebody sees while everything runs."""

import errno
import io
import itertools

from rich.console import Console

from service.cli.supervisor.screen import PlainScreen, draw
from service.cli.supervisor.table import Row, Table, fetch_table

HOSTILE = Row(
    rank=None, bot="ab\x1b[2J", owner="eve\u202e", mu=25.0, sigma=8.333, fixtures=0, provisional=True
)
LEADER = Row(rank=1, bot="planner", owner="house", mu=31.416, sigma=2.5, fixtures=42, provisional=False)


def drawn(table: Table | None) -> str:
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, color_system=None, width=100, markup=False)
    console.print(draw(table, "http://127.0.0.1:8000", "all well"))
    return output.getvalue()


def test_the_table_is_drawn_with_the_address_and_the_state() -> None:
    text = drawn(Table("classic-50", [LEADER, HOSTILE]))
    assert "planner" in text
    assert "31.42" in text
    assert "http://127.0.0.1:8000  all well  Ctrl-C stops" in text


def test_names_cannot_speak_to_the_terminal() -> None:
    text = drawn(Table("classic-50", [LEADER, HOSTILE]))
    assert "\x1b[2J" not in text
    assert "\u202e" not in text
    assert "ab\\x1b[2J" in text


def test_before_there_is_a_table_the_state_stands_alone() -> None:
    assert drawn(None).strip() == "http://127.0.0.1:8000  all well  Ctrl-C stops"


def test_in_a_pipe_the_first_movement_is_said_once() -> None:
    lines: list[str] = []
    tables = iter([None, Table("classic-50", [HOSTILE]), Table("classic-50", [LEADER, HOSTILE]), None])
    clock = itertools.count(step=2.0)
    screen = PlainScreen(lines.append, lambda: next(tables), lambda: next(clock))
    for _ in range(4):
        screen.tick("all well")
    assert len(lines) == 1
    assert lines[0].endswith("the table of classic-50 moves: planner leads")


def test_in_a_pipe_a_warning_is_said_when_it_begins_and_when_it_ends() -> None:
    lines: list[str] = []
    screen = PlainScreen(lines.append, lambda: None)
    for warning in ("", "DISK LOW", "DISK LOW", "", ""):
        screen.tick("all well", warning)
    assert [line.split(" ", 1)[1] for line in lines] == ["DISK LOW", "no more: DISK LOW"]


def test_events_are_harmless() -> None:
    lines: list[str] = []
    PlainScreen(lines.append, lambda: None).event("web ended (exit status 1: \x1b]0;owned\x07)")
    assert "\x1b" not in lines[0]


def test_no_server_means_no_table() -> None:
    assert fetch_table("127.0.0.1", 9) is None


def test_a_screen_nobody_can_see_any_more_ends_nothing() -> None:
    def closed(text: str) -> None:
        raise OSError(errno.EIO, "the terminal was closed")

    screen = PlainScreen(closed, lambda: Table("classic-50", [LEADER]))
    screen.say("hello")
    screen.tick("all well")
