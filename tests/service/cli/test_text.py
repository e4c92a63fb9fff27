"""What strangers wrote is shown, never obeyed."""

import pytest

from service.cli.text import harmless


@pytest.mark.parametrize(
    ("text", "shown"),
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
def test_what_a_terminal_would_obey_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert harmless(text) == shown
