"""Options of Parlett's game. A default never changes within a rules_version, or old hashes would."""

from typing import Literal

import msgspec


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a rule set of Parlett's game may choose; each with the item of docs/rules/parlett.md it belongs to."""

    jokers: Literal[3, 4] = 4
    """Jokers in the second pack (A-PAR-16)."""
    joker_memory: bool = False
    """Whether a joker on a side pile stays what the cards once laid on it made it, after they are gone (A-PAR-06)."""
