"""The documents, for those who have only the address of a ladder: how to write a bot, the rules, the protocol."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for
from werkzeug import Response

from service.refusals import UnknownError

if TYPE_CHECKING:
    from markdown_it.token import Token

FOLDER = Path(__file__).parent.parent / "documents"

DOCUMENTS = {
    "bots": "write a bot, try it at home, submit it",
    "rules/index": "every game and rule set there is, at a glance",
    "rules/common": "the rules of Spite & Malice, its moves and what a bot sees",
    "rules/skip-bo": "the same of Skip-Bo, with and without partners",
    "rules/starturn": "the same of Starturn",
    "rules/parlett": "the same of Parlett's Spite & Malice",
    "rules/spoil-five": "the same of Spoil Five: which card beats which, robbing, jinks and pools",
    "rules/forty-five": "the same of Forty-five, for two or for two sides",
    "rules/luck": "how much of each game is luck, measured",
    "protocol": "what bots and the host say to each other; time; faults",
    "engine": "the engine at home: try ideas, search, train",
    "ratings": "what a rating means, and who meets whom",
    "api": "submit and read everything over HTTP",
    "log": "check a match, in any language",
    "fixtures": "how a fixture comes about, and how to check that no deal was chosen",
    "sandbox": "what a bot can and cannot do",
    "operating": "run a ladder for others",
}
"""Name to what it is for, in the order a newcomer wants them."""


@dataclass(frozen=True)
class Document:
    """A document as HTML of our own making: the sources are the project's, and raw HTML in them stays text."""

    title: str
    html: str


def add_to(blueprint: Blueprint) -> None:
    """Add these pages."""
    blueprint.add_url_rule("/docs", "documents", show_documents, strict_slashes=False)
    blueprint.add_url_rule("/docs/<path:name>", "document", show_document)


def show_documents() -> str:
    """List the documents."""
    listed = [(name, read_document(name).title, purpose) for name, purpose in DOCUMENTS.items()]
    return render_template("documents.html", documents=listed)


def show_document(name: str) -> str | Response:
    """Show one document; a folder of documents leads to its index. Raises UnknownError."""
    bare = name.rstrip("/")
    found = bare if bare in DOCUMENTS else f"{bare}/index"
    if found not in DOCUMENTS:
        raise UnknownError(f"there is no document {name!r}; the documents are {', '.join(DOCUMENTS)}")
    if found != name:
        return redirect(url_for("pages.document", name=found))
    return render_template("document.html", document=read_document(found))


@cache
def read_document(name: str) -> Document:
    """Read one of DOCUMENTS and render it."""
    # Imported here: 4 MB that a server nobody reads documents on can do without.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    title = ""
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            token.attrSet("id", anchor(following.content))
            title = title or following.content
        for child in token.children or ():
            _lead_on(child, name)
    return Document(title, parser.renderer.render(tokens, parser.options, {}))


def anchor(heading: str) -> str:
    """Return a heading's name in addresses, as hosts of repositories make it: links work there and here."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _lead_on(token: "Token", name: str) -> None:
    """Let a link to another document's file lead to its page, and a link to any other file of the source nowhere."""
    if token.type != "link_open":
        return
    target, _, fragment = str(token.attrGet("href")).partition("#")
    other = normpath(PurePosixPath(name).parent / target.removesuffix(".md"))
    if other in DOCUMENTS:
        token.attrSet("href", url_for("pages.document", name=other, _anchor=fragment or None))
    elif target and "://" not in target:
        del token.attrs["href"]
