"""What the guide says works: its lines, pasted one after the other, and the bot they submit."""

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select

import service
from engine.games import game_from_profile
from engine.match import Match
from service.app import create_app
from service.models import Bot, Version
from service.settings import Settings
from service.storage.database import Database
from tests.service.pages.club import found_club
from tests.service.pages.conftest import ADDRESS, Get

FIRST_BOT = Path(service.__file__).parent / "static" / "first_bot.py"


def code_of(page: str) -> list[str]:
    """The blocks of code on a page."""
    return [html.unescape(block) for block in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.S)]


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
def test_the_guides_lines_submit_the_guides_bot(
    get: Get, address: str, database: Database, settings: Settings, tmp_path: Path
) -> None:
    found_club(database, settings, slug="classic-50")
    blocks = [block for block in code_of(get("/submit").text) if block.startswith("curl")]
    script = "\n".join(["set -e", *blocks]).replace(ADDRESS, address)
    script = script.replace("-F file=@first_bot.py", "-F file=@first_bot.py -w '%{http_code}\\n'")
    folder = tmp_path / "desk"
    folder.mkdir()
    done = subprocess.run(["bash", "-c", script], cwd=folder, check=True, capture_output=True, text=True)
    # The last block submits the same program once more, and is told so.
    assert re.findall(r"^.*(202|409)$", done.stdout, re.M) == ["202", "409"]
    with database.reading() as session:
        bot = session.scalars(select(Bot).where(Bot.name == "my-first-bot")).one()
        version = session.scalars(select(Version).where(Version.bot_id == bot.id)).one()
    assert (version.status, version.ladders) == ("queued", ["classic-50"])


def test_the_guides_bot_plays_a_whole_match_against_itself() -> None:
    match = Match(game_from_profile("short", 2), 5, bytes(32))
    bots = [Program(seat) for seat in range(2)]
    try:
        while not match.over:
            seat = match.deal.to_act
            assert seat is not None
            legal = list(match.deal.legal())
            answer = bots[seat].asks({"type": "act", "id": match.decisions, "legal": legal})
            assert answer["act"] in legal
            match.apply(answer["act"])
    finally:
        for bot in bots:
            bot.end()
    assert match.reason == "target"


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("open", "Choose your own name"),
        ("invite", '"invite": "INVITATION"'),
        ("closed", "Registration is closed"),
    ],
)
def test_the_guide_follows_the_registration_policy(
    settings: Settings, database: Database, policy: str, words: str
) -> None:
    app = create_app(msgspec.structs.replace(settings, registration=policy), database)
    page = app.test_client().get("/submit", base_url=ADDRESS)
    assert words in html.unescape(page.text)


class Program:
    """The guide's bot as a process."""

    def __init__(self, seat: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(FIRST_BOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.asks({"type": "hello", "protocol": 1, "seat": seat}) == {"type": "ready"}

    def asks(self, request: dict[str, object]) -> dict[str, str]:
        """Send a request and return the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, str] = json.loads(self._process.stdout.readline())
        return answer

    def end(self) -> None:
        """Close its input and wait for its end."""
        self._process.communicate()
        assert self._process.returncode == 0
