"""The API is what its OpenAPI document says: every call is made with generated input, good and bad."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as examples
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from service.accounts.tokens import issue
from service.app import create_app
from service.models import Base
from service.settings import Settings
from service.storage.database import Database
from tests.service.factories import add_account, add_bot, add_entry, add_ladder, add_version


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document of an installation with a bot on a ladder."""
    home: Path = tmp_path_factory.mktemp("described")
    # The generator addresses `localhost` without a port.
    settings = Settings(home=home, port=80)
    database = Database(settings.resolved_database_url)
    Base.metadata.create_all(database.engine)
    with database.transaction() as session:
        ada = add_account(session, "ada")
        bot = add_bot(session, ada, "sharp")
        add_entry(session, add_ladder(session, "classic-50"), bot, add_version(session, bot))
        token = issue(session, ada).token
    document = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", create_app(settings, database))
    document.config.update(headers={"Authorization": f"Bearer {token}"})
    yield document
    database.close()


def test_the_document_is_valid_openapi(described: Any) -> None:
    described.validate()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_call_answers_as_the_document_says(described: Any, mode: GenerationMode) -> None:
    for found in described.get_all_operations():
        _try_out(found.ok(), mode)


def _try_out(operation: Any, mode: GenerationMode) -> None:
    @examples(
        max_examples=4,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def call(case: schemathesis.Case[Any]) -> None:
        # A cursor or an archive can be of the right shape and still be none of ours: 422 is then right.
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    try:
        call()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # a call without input has no wrong input
