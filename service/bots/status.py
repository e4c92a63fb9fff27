"""The status of a version as people see it: one word and a reason, from the version and its entries."""

from collections.abc import Sequence
from typing import Literal

from service.models import Entry, Version

Status = Literal["queued", "building", "validating", "active", "failed", "suspended", "retired"]


def derived_status(bot: str, version: Version, entries: Sequence[tuple[Entry, str]]) -> tuple[Status, str]:
    """Return the status and its reason; `entries` are the version's, each with its ladder's slug.

    A version plays (`active`) if any entry does. One that no entry is left of is `retired`, though it can be
    brought back.
    """
    match version.status:
        case "queued" | "building":
            return version.status, version.reason
        case "failed":
            log = f"/api/v1/bots/{bot}/versions/{version.number}/build-log"
            return "failed", version.reason or f"the build failed; its output is at {log}"
        case "retired":
            return "retired", version.reason or "retired by its owner"
    statuses = {entry.status for entry, _ in entries}
    if "active" in statuses:
        return "active", _notes(entries)
    if "validating" in statuses:
        return "validating", ""
    if not statuses:
        return "retired", "it is on no ladder; POST /api/v1/ladders/{ladder}/entries enters it on one"
    if "suspended" in statuses:
        return "suspended", _reasons(entries, "suspended")
    if "failed" in statuses:
        return "failed", _reasons(entries, "failed")
    back = f"POST /api/v1/bots/{bot}/versions/{version.number}/activate brings it back"
    if "superseded" in statuses:
        return "retired", f"another version plays in its place; {back}"
    return "retired", "withdrawn from its ladders; POST /api/v1/ladders/{ladder}/entries brings it back"


def _notes(entries: Sequence[tuple[Entry, str]]) -> str:
    """What an active version's author should know: notes of validation, ladders it failed or was suspended on."""
    kept = ("active", "failed", "suspended")
    return "; ".join(
        f"{ladder}: {entry.reason}" for entry, ladder in entries if entry.reason and entry.status in kept
    )


def _reasons(entries: Sequence[tuple[Entry, str]], status: str) -> str:
    return "; ".join(
        f"{ladder}: {entry.reason or f'{status}, no reason was recorded; ask the operator'}"
        for entry, ladder in entries
        if entry.status == status
    )
