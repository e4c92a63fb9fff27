"""What strangers wrote is shown, never obeyed; tables fit a terminal."""

import pytest

from service.cli import text
from service.cli.text import harmless


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("plain text, ünïcode and 漢字", "plain text, ünïcode and 漢字"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("two\nlines\r\n", "two\\x0alines\\x0d\\x0a"),
        ("bell\x07 tab\t null\0", "bell\\x07 tab\\x09 null\\x00"),
        ("\x9b31m one-byte CSI", "\\x9b31m one-byte CSI"),
        ("right to \u202eleft", "right to \\u202eleft"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("lone \ud800 surrogate", "lone \\ud800 surrogate"),
        ("tag \U000e0041", "tag \\U000e0041"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(written: str, shown: str) -> None:
    assert harmless(written) == shown


def test_a_table_of_figures_fits_eighty_columns_and_only_names_fold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(text, "WIDTH_WITHOUT_A_TERMINAL", 80)
    figures = ("10", "0", "10", "100.0%", "34% to 100%", "10242", "12", "12378.4")
    headings = ("wins", "draws", "losses", "share", "95 %", "points", "faults", "ms")
    text.print_table(("bot", *headings), [("a-bot-with-a-rather-long-name", *figures)], folding=("bot",))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert set(headings[:4]) <= set(lines[0].split())
    assert set(figures[:4]) | set(figures[5:]) <= set(lines[2].split())
