"""The tables. A file per feature; importing this package knows them all.

Times are integers, microseconds since 1970 UTC by the database's clock (`service.storage.clock.now_us`); digests and
seeds are lower-case hexadecimal; ids are ULIDs.
"""

from service.models.account import Account, Invite, Notice, Token
from service.models.base import Base
from service.models.bot import Bot, Bundle, Version
from service.models.fixture import Fault, Fixture, FixtureSeat, InfraAttempt, Match
from service.models.ladder import Entry, Ladder, RatingParameters, Stream, StreamDay
from service.models.operation import PeriodicLease, Worker
from service.models.rating import RatingEvent

__all__ = [
    "Account",
    "Base",
    "Bot",
    "Bundle",
    "Entry",
    "Fault",
    "Fixture",
    "FixtureSeat",
    "InfraAttempt",
    "Invite",
    "Ladder",
    "Match",
    "Notice",
    "PeriodicLease",
    "RatingEvent",
    "RatingParameters",
    "Stream",
    "StreamDay",
    "Token",
    "Version",
    "Worker",
]
