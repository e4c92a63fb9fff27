"""Why a deal or a match ended, in words."""

from collections.abc import Mapping

_SPITE = {
    "won": "goal pile played out",
    "exhausted": "drawn: no card was left to draw",
    "passed": "drawn: nobody could move",
    "drought": "drawn: 500 turns without a goal card",
    "redeals": "drawn: dealt anew too often",
    "turns": "drawn: too many turns",
}

_TRICKS = {
    "won": "three tricks won",
    "taken": "three tricks, pool taken",
    "jinked": "all five tricks won",
    "spoiled": "spoilt: nobody won it",
    "played": "all five tricks played",
}

_DEALS: Mapping[str, Mapping[str, str]] = {
    "spite-and-malice": _SPITE,
    "skip-bo": _SPITE,
    "starturn": _SPITE,
    "parlett": _SPITE,
    "spoil-five": _TRICKS,
    "forty-five": _TRICKS,
}

_MATCHES = {
    "target": "the target was reached",
    "fault": "a fault",
    "deals": "all deals were played",
    "decisions": "the most decisions a match may take were made",
}


def reason_in_words(game: str, reason: str) -> str:
    """Return why a deal of a game ended; a reason without words of its own is returned as it is."""
    return _DEALS.get(game, {}).get(reason, reason)


def match_reason_in_words(reason: str) -> str:
    """Return why a match ended; a reason without words of its own is returned as it is."""
    return _MATCHES.get(reason, reason)
