"""The doctor tells what is missing and what to do, and fails when something needed is."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import engine
from service.cli.supervisor.listening import listen
from tests.service.cli.conftest import Malice


def findings(output: str) -> dict[str, dict[str, Any]]:
    return {finding["name"]: finding for finding in json.loads(output)}


def test_on_a_machine_that_has_everything_each_guard_is_named_and_holds(
    malice: Malice, tmp_path: Path
) -> None:
    result = malice("doctor", "--home", tmp_path / "home", "--port", "0", "--json")
    found = findings(result.stdout)
    assert result.exit_code == 0, [one for one in found.values() if not one["good"]]
    assert found["engine"]["detail"] == engine.LOADED
    guards = [name for name in found if name.startswith("guard ")]
    assert {"guard fork_bomb", "guard redis_connect", "guard shadow_read"} <= set(guards)
    assert not (tmp_path / "home").exists(), "a doctor changes nothing"


@pytest.mark.parametrize("loaded", ["compiled", "plain: no compiled modules"])
def test_it_says_whether_the_engine_is_compiled_and_that_it_need_not_be(
    malice: Malice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loaded: str
) -> None:
    monkeypatch.setattr("engine.LOADED", loaded)
    monkeypatch.setattr("engine.compiled", lambda: loaded == "compiled")
    result = malice("doctor", "--home", tmp_path / "home", "--port", "0", "--json")
    found = findings(result.stdout)["engine"]
    assert (found["detail"], found["good"], found["needed"]) == (loaded, loaded == "compiled", False)
    assert "install a C compiler" in found["remedy"]


def test_what_is_missing_is_named_with_its_remedy(malice: Malice, tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        result = malice("doctor", "--home", tmp_path, "--port", str(port))
    assert result.exit_code == 1
    assert re.search(rf"MISSING +port +port {port} on 127.0.0.1 is taken", result.output)
    assert "port: give another with --port" in result.output


def test_a_full_disk_and_a_missing_broker_are_found(
    malice: Malice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALICE_DISK_RESERVE_MB", str(1 << 40))
    monkeypatch.setattr("service.cli.doctor.find_broker", lambda: None)
    result = malice("doctor", "--home", tmp_path / "home", "--port", "0", "--json")
    found = findings(result.stdout)
    assert result.exit_code == 1
    assert not found["disk"]["good"]
    assert "MALICE_DISK_RESERVE_MB" in found["disk"]["remedy"]
    assert not found["broker"]["good"]
    assert "MALICE_BROKER_URL" in found["broker"]["remedy"]


def test_a_layer_that_cannot_be_had_is_never_replaced_by_a_weaker_one(
    malice: Malice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.sandbox.choose_sandbox", refuse)
    result = malice("doctor", "--home", tmp_path / "home", "--port", "0", "--json")
    found = findings(result.stdout)
    assert result.exit_code == 1
    assert found["sandbox"]["detail"] == "user namespaces are forbidden here"
    assert not any(name.startswith("guard") for name in found)


def refuse(setting: str) -> None:
    from workers.programs import SandboxUnavailableError

    raise SandboxUnavailableError("user namespaces are forbidden here")
