"""What docs/operating.md tells operators is so."""

import re
from pathlib import Path

import msgspec
import pytest

from service.cli import COMMANDS
from service.settings import PREFIX, Settings, SettingsError, load

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "operating.md").read_text()


def shown(default: object) -> str:
    return f"`{default}`" if default != "" else "empty"


def test_every_setting_is_listed_with_its_default() -> None:
    listed = re.findall(rf"^\| `({PREFIX}\w+)` \| (.*?) \| (.+) \|$", TEXT, re.MULTILINE)
    fields = msgspec.structs.fields(Settings)
    assert [(name, default) for name, default, _ in listed] == [
        (PREFIX + field.name.upper(), shown(field.default)) for field in fields
    ]


def test_every_command_it_names_exists() -> None:
    named = set(re.findall(r"`malice ([a-z]+)", TEXT))
    assert named <= set(COMMANDS)
    assert {"up", "doctor", "migrate", "web", "worker", "beat", "alive", "admin"} <= named


@pytest.mark.parametrize("name", ["MALICE_PROT", "MALICE_", "MALICE_TOKENS"])
def test_a_misspelt_setting_is_an_error(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is not a setting"):
        load({name: "1"})


@pytest.mark.parametrize(
    "name", ["MALICE_TOKEN", "MALICE_SERVER", "MALICE_ENGINE", "MALICE_TEST_DATABASE", "HOME"]
)
def test_what_is_no_setting_of_the_service_is_left_alone(name: str) -> None:
    assert load({name: "1"}) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "70000"), ("PORT", "eighty"), ("CORES", "-1"), ("REGISTRATION", "maybe"), ("SANDBOX", "none")],
)
def test_a_value_that_cannot_be_is_an_error_that_names_the_setting(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"MALICE_{name}"):
        load({PREFIX + name: value})
