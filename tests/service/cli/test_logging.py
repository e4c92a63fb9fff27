"""What the processes of an installation write to their logs."""

import subprocess
import sys

FAILING = """
import structlog
from service.cli.processes import configure_logging

def sign_in(password):
    raise ValueError("no good")

configure_logging()
try:
    sign_in("correct " + "horse")
except ValueError:
    structlog.get_logger("service.web").exception("request failed", path="/api/v1/tokens\\x1b[2J")
"""


def test_a_logged_error_says_where_it_arose_but_shows_no_variables() -> None:
    ran = subprocess.run([sys.executable, "-c", FAILING], capture_output=True, text=True, check=True)
    assert "request failed" in ran.stderr
    assert "in sign_in" in ran.stderr
    assert "ValueError: no good" in ran.stderr
    assert "correct horse" not in ran.stderr
    assert "\x1b" not in ran.stderr
