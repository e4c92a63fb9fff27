"""Why a deal or a match ended, in words."""

from collections.abc import Mapping

from engine.game import DealResult
from service.narration.story import Aside, Sentence

_SPITE = {
    "won": "goal pile played out",
    "exhausted": "drawn: no card was left to draw",
    "passed": "drawn: nobody could move",
    "drought": "drawn: too long without a goal card",
    "redeals": "drawn: dealt anew too often",
    "turns": "drawn: too many turns",
    "plays": "drawn: a turn without end",
}

_SPOIL_FIVE = {
    "won": "three tricks won",
    "taken": "three tricks, and the deal taken",
    "jinked": "jinked: all five tricks won",
    "jink_failed": "spoiled: the jink failed",
    "spoiled": "spoiled: nobody won three tricks",
}

_FORTY_FIVE = {
    "won": "the greater part of the tricks won",
    "five": "all five tricks won",
}

_DEALS: Mapping[str, Mapping[str, str]] = {
    "spite-and-malice": _SPITE,
    "skip-bo": _SPITE,
    "starturn": _SPITE,
    "parlett": _SPITE,
    "spoil-five": _SPOIL_FIVE,
    "forty-five": _FORTY_FIVE,
}

_MATCHES = {
    "target": "the target was reached",
    "fault": "a fault",
    "deals": "all deals a match may have were played",
    "decisions": "the most decisions a match may take were made",
}


def reason_in_words(game: str, reason: str) -> str:
    """Return why a deal of a game ended; a reason without words of its own is returned as it is."""
    return _DEALS.get(game, {}).get(reason, reason)


def how_it_ended(game: str, result: DealResult, sides: int) -> Sentence:
    """Return how a deal ended, with the points by side."""
    points = " : ".join(str(points).replace("-", "−") for points in result.points[:sides])
    return (Aside(f"The deal ends: {reason_in_words(game, result.reason)}; points {points}"),)


def match_reason_in_words(reason: str) -> str:
    """Return why a match ended; a reason without words of its own is returned as it is."""
    return _MATCHES.get(reason, reason)
