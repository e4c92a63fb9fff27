"""How to submit a bot: lines that can be pasted into a terminal as they stand."""

from pathlib import Path

from flask import Blueprint, current_app, render_template, request

from service.ladders.listing import ladder_views
from service.pages.wording import grouped
from service.web.site import site

FIRST_BOT = "first_bot.py"
"""In the static folder: a whole bot in a dozen lines."""


def add_to(blueprint: Blueprint) -> None:
    """Add these pages."""
    blueprint.add_url_rule("/submit", "submit", show_guide)


def show_guide() -> str:
    """Show how to write, try and submit a bot."""
    with site().database.reading() as session:
        groups = grouped(ladder for ladder in ladder_views(session) if ladder.state == "open")
    program = Path(current_app.static_folder or "", FIRST_BOT).read_text()
    return render_template(
        "submit.html",
        address=request.host_url.rstrip("/"),
        program=program,
        groups=groups,
        registration=site().settings.resolved_registration,
        upload_mb=site().settings.upload_mb,
    )
