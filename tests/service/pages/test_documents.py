"""The documents as pages: complete, linked to each other, and harmless."""

import re
from pathlib import Path

import pytest

from service.pages.documents import DOCUMENTS, FOLDER
from tests.service.pages.club import Club
from tests.service.pages.conftest import Get

FOR_MAINTAINERS = {"architecture"}


def test_every_document_for_users_has_a_page_and_is_listed(get: Get, club: Club) -> None:
    files = {str(path.relative_to(FOLDER).with_suffix("")) for path in Path(FOLDER).rglob("*.md")}
    assert files == DOCUMENTS.keys() | FOR_MAINTAINERS
    listed = re.findall(r'href="/docs/([^"]+)"', get("/docs").text)
    assert listed == list(DOCUMENTS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_documents_links_lead_to_pages_and_headings_that_are_there(get: Get, club: Club, name: str) -> None:
    response = get(f"/docs/{name}")
    assert response.status_code == 200
    assert "<h1" in response.text
    for path, heading in re.findall(r'href="(/docs/[^"#]+)(?:#([^"]+))?"', response.text):
        page = get(path)
        assert page.status_code == 200, path
        assert not heading or f'id="{heading}"' in page.text, (path, heading)
    assert not re.search(r'href="[^"]*\.md', response.text)


@pytest.mark.parametrize("name", ["nothing", "../README", "rules/nothing", "architecture"])
def test_a_document_that_is_not_there_is_said_to_be_so(get: Get, club: Club, name: str) -> None:
    response = get(f"/docs/{name}")
    assert response.status_code == 404
    assert "rules/common" in response.text or name.startswith("..")


@pytest.mark.parametrize(
    ("path", "document"),
    [
        ("/docs/rules", "/docs/rules/index"),
        ("/docs/rules/", "/docs/rules/index"),
        ("/docs/bots/", "/docs/bots"),
    ],
)
def test_a_folder_of_documents_leads_to_its_index(get: Get, club: Club, path: str, document: str) -> None:
    response = get(path)
    assert (response.status_code, response.headers["Location"]) == (302, document)
    assert get(document).status_code == 200


def test_the_list_of_documents_is_there_with_a_slash_too(get: Get, club: Club) -> None:
    assert get("/docs/").text == get("/docs").text
