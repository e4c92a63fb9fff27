"""The guided tour names every call there is, and none that is not."""

import re
from pathlib import Path

from service.settings import Settings
from service.web.limits import DEFAULT_LIMIT
from tests.service.api.contract import Contract

TOUR = (Path(__file__).parents[3] / "docs" / "api.md").read_text()


def test_the_table_of_calls_is_the_documents(contract: Contract) -> None:
    described = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, operations in contract.spec["paths"].items()
        for method in operations
    }
    table = re.findall(r"^\| `([A-Z]+ /\S+)` \|", TOUR, re.MULTILINE)
    assert set(table) == described
    assert len(table) == len(described)


def test_the_quotas_and_limits_in_the_tour_are_the_defaults() -> None:
    defaults = Settings()
    quotas = f"{defaults.bots_per_account} bots, {defaults.versions_per_day} versions and"
    assert f"{quotas} {defaults.challenges_per_day} challenges" in TOUR
    assert f"{int(DEFAULT_LIMIT.split()[0]):,} requests a minute" in TOUR
    assert f"at most {defaults.upload_mb} MiB packed" in TOUR


def test_every_status_a_call_may_answer_with_is_explained(contract: Contract) -> None:
    answered = {
        status
        for operations in contract.spec["paths"].values()
        for operation in operations.values()
        for status in operation["responses"]
        if status >= "400"
    }
    explained = set(re.findall(r"^\| (\d{3}) \|", TOUR, re.MULTILINE))
    assert answered <= explained


def test_every_problem_in_the_document_has_the_one_shape(contract: Contract) -> None:
    for operations in contract.spec["paths"].values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                if status >= "400":
                    reference = {"$ref": "#/components/schemas/Problem"}
                    assert response["content"] == {"application/problem+json": {"schema": reference}}
                    assert response["description"]
