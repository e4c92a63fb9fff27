"""docs/sandbox.md says what the code does."""

from pathlib import Path

import pytest

from workers.programs import FIXTURE_MEMORY_BYTES, MIB, Limits
from workers.sandbox.attacks import ATTEMPTS, Attack
from workers.sandbox.bubblewrap import BOT_ENVIRONMENT
from workers.sandbox.choice import USER_RANGES
from workers.sandbox.remedies import apparmor_profile
from workers.sandbox.runtimes import DEVICES, LEFT_OUT

TEXT = (Path(__file__).parents[3] / "docs" / "sandbox.md").read_text()


@pytest.mark.parametrize("attack", ATTEMPTS, ids=lambda attack: attack.name)
def test_every_attack_is_told_of_with_its_end(attack: Attack) -> None:
    assert f"| `{attack.name}` | {attack.words} | {attack.expected} |\n" in TEXT


def test_the_limits_are_those_in_force() -> None:
    limits = Limits()
    for row in (
        f"| memory (address space) | {limits.memory_bytes // MIB} MiB; at tables of more than"
        f" {('one', 'two', 'three', 'four')[FIXTURE_MEMORY_BYTES // limits.memory_bytes - 1]} an equal part of"
        f" {FIXTURE_MEMORY_BYTES // MIB // 1024} GiB |",
        f"| threads | {limits.threads} |",
        f"| open files | {limits.descriptors} |",
        f"| stack | {limits.stack_bytes // MIB} MiB |",
    ):
        assert row in TEXT


def test_what_a_bot_finds_is_what_it_is_told() -> None:
    for name, value in BOT_ENVIRONMENT.items():
        assert f"`{name}={value}`" in TEXT or f"`{name}`" in TEXT, name
    for name in (*DEVICES, *sorted(LEFT_OUT & {"test", "tkinter", "idlelib", "curses", "ensurepip", "venv"})):
        assert f"`{name}`" in TEXT, name


def test_the_user_ids_are_those_given_away() -> None:
    first, second = USER_RANGES
    assert f"{first.start:,} on" in TEXT
    assert f"from {second.start:,} to {second.stop - 1:,}" in TEXT


def test_the_profile_shown_is_the_profile_printed() -> None:
    path = TEXT.split("profile malice-bwrap ")[1].split()[0]
    assert apparmor_profile(Path(path)) in TEXT
