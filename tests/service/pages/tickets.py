"""Tickets that no database has seen."""

import hashlib

from engine.games import game_from_profile
from service.messages import Clock, Ticket, TicketSeat


def ticket(players: int) -> Ticket:
    """A fixture of short deals for so many players, always with the same cards."""
    versions = [f"version-{number}" for number in range(players)]
    return Ticket(
        fixture="fixture",
        attempt=1,
        rules=game_from_profile("short", players).document(),
        seed=hashlib.sha256(b"seed").hexdigest(),
        target=5,
        clock=Clock(),
        seats=[
            TicketSeat(version, hashlib.sha256(version.encode()).hexdigest(), "python", "main.py")
            for version in versions
        ],
    )
