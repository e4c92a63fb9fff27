"""Isolation of strangers' programs: what it takes on this host, and proof that it holds.

Uses the standard library, msgspec and `workers.programs`, and nothing else of ours.
"""

from workers.sandbox.choice import choose_sandbox

__all__ = ["choose_sandbox"]
