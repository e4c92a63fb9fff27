"""The README keeps its promises; its curl lines are run for real in tests/system."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PAGES = sorted(ROOT.glob("docs/**/*.md"))


def test_it_starts_with_what_it_is_and_the_two_commands() -> None:
    title, first, *_ = README.split("\n\n")
    assert title == "# Malice"
    assert first.startswith("Malice is a ladder for card-playing bots.")
    first_block = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert first_block is not None
    assert [line.split("#")[0].strip() for line in first_block[1].splitlines()] == ["make up", "make test"]


def test_every_make_target_it_names_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"make ([a-z]+)", README)) <= targets


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_a_page_links_to_exists(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_every_page_of_the_docs_can_be_found_from_the_readme(page: Path) -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        here = waiting.pop()
        reached.add(here)
        for target in re.findall(r"\]\(([^)#]+\.md)", here.read_text()):
            there = (here.parent / target).resolve()
            if there.exists() and there not in reached:
                waiting.append(there)
    assert page.resolve() in reached
