"""The rules of the games and the matches made of them.

Pure: no files, clocks, processes, network or globals, but for `engine.loading`, which decides at import whether
compiled modules are used. Imports nothing else of this project.
"""

import sys

from engine import loading

ENGINE_VERSION = "1"
"""Raised by every change that could make an old log replay differently. Logs name it; replay insists on it."""

LOADED = loading.load(sys.modules[__name__])
"""`compiled`, or `plain: ` and the reason."""


def compiled() -> bool:
    """Say whether the engine's hot modules run compiled; `LOADED` says why not."""
    return LOADED == loading.IN_USE
