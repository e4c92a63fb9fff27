"""A match as a person reads it: its deals, and the moves of one of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template

from engine.errors import LogError
from engine.log import DealLine, DealOverLine, Line, read_log
from engine.match import MAX_DEALS
from engine.replay import steps
from service.blobs import BlobDamagedError
from service.fixtures import matches
from service.fixtures.views import MatchView
from service.pages.inputs import whole_number
from service.pages.narrative import Turn, tell
from service.refusals import GoneError
from service.web.site import site

NOT_ASKED = -1


@dataclass(frozen=True)
class DealSummary:
    """A deal and how it ended; points and scores by seat, None where the match ended first."""

    number: int
    dealer: int
    points: Sequence[int] | None
    scores: Sequence[int] | None
    reason: str


@dataclass(frozen=True)
class Story:
    """What a match's log tells."""

    deals: Sequence[DealSummary]
    shown: int
    """Number of the deal that is told in full."""
    turns: Sequence[Turn]


def add_to(blueprint: Blueprint) -> None:
    """Add these pages."""
    blueprint.add_url_rule("/matches/<match>", "match", show_match)


def show_match(match: str) -> str:
    """Show a match, and the moves of the deal that is asked for, else of its first, or of the one a fault ended.

    Legs, deals, seats and piles have the numbers they have in the log and in evidence, from 0.
    """
    asked = whole_number("deal", NOT_ASKED, 0, MAX_DEALS - 1)
    with site().database.reading() as session:
        view = matches.match_view(session, match)
    shown = asked if asked != NOT_ASKED else view.deals - 1 if view.reason == "fault" else 0
    story, note = None, ""
    try:
        story = _story(view, shown)
    except GoneError as error:
        note = error.message
    except LogError as error:
        # A log of another engine version replays on that version only.
        note = f"this log cannot be replayed here: {error}"
    except BlobDamagedError:
        note = "the log is damaged where it is stored, so that its moves cannot be shown; tell the operator"
    return render_template("match.html", match=view, story=story, note=note)


def _story(view: MatchView, shown: int) -> Story:
    """Replay the log. Raises GoneError, LogError or BlobDamagedError."""
    data = matches.read_log(site().blobs, view.sha256)
    return Story(_deals(read_log(data)), shown, tell(steps(data, only_deal=shown)))


def _deals(lines: Sequence[Line]) -> list[DealSummary]:
    ends = {line.number: line for line in lines if isinstance(line, DealOverLine)}
    return [_summary(line, ends.get(line.number)) for line in lines if isinstance(line, DealLine)]


def _summary(deal: DealLine, end: DealOverLine | None) -> DealSummary:
    if end is None:
        return DealSummary(deal.number, deal.dealer, None, None, "")
    return DealSummary(deal.number, deal.dealer, end.points, end.scores, end.reason)
