"""What tests want to know of a page's HTML."""

import html
import re
from html.parser import HTMLParser


class Markup(HTMLParser):
    """What a page links to and loads, and what the content security policy would block."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.blocked: list[str] = []
        self._is_script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        self.links += [names[name] or "" for name in ("href", "src", "hx-get") if name in names]
        self.blocked += [f"{tag} {name}" for name in names if name == "style" or name.startswith("on")]
        if tag == "style":
            self.blocked.append(tag)
        self._is_script = tag == "script"

    def handle_data(self, data: str) -> None:
        if self._is_script and data.strip():
            self.blocked.append("inline script")

    def handle_endtag(self, tag: str) -> None:
        self._is_script = False


def text_of(page: str) -> str:
    """A page without its tags, white space collapsed."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", page)))
