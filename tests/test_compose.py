"""docker-compose.yml is kept true: against the schema, by its own rules, and by running what it says."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft201909Validator

from service.cli.supervisor.child import kill_session
from service.cli.supervisor.listening import listen
from tests.servers import Valkey, wait_until

ROOT = Path(__file__).parent.parent
COMPOSE = ROOT / "docker-compose.yml"
OURS = ("migrate", "web", "ledger", "beat", "play")
LONG_LIVED = ("web", "ledger", "beat", "play", "db", "redis")
SECRETS = {"POSTGRES_PASSWORD": "database-password", "MALICE_SECRET_KEY": "secret-key"}


def interpolated(text: str, variables: Mapping[str, str]) -> str:
    """Fill in `${NAME}`, `${NAME:-default}` and `${NAME:?error}` as compose does."""

    def value(match: "re.Match[str]") -> str:
        name, kind, rest = match.groups()
        if found := variables.get(name):
            return found
        assert kind != ":?", f"{name} is required: {rest}"
        return rest or ""

    return re.sub(r"\$\{(\w+)(?:(:-|:\?)([^}]*))?\}", value, text)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    document = yaml.safe_load(interpolated(COMPOSE.read_text(), SECRETS))
    assert isinstance(document, dict)
    return document


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, Any]:
    services = compose["services"]
    assert isinstance(services, dict)
    return services


def test_the_file_follows_the_compose_schema(compose: dict[str, Any]) -> None:
    schema = json.loads((ROOT / "tests" / "data" / "compose-spec.json").read_text())
    errors = [
        f"{list(error.path)}: {error.message}" for error in Draft201909Validator(schema).iter_errors(compose)
    ]
    assert errors == []


def test_the_schema_would_refuse_a_mistake(compose: dict[str, Any]) -> None:
    schema = json.loads((ROOT / "tests" / "data" / "compose-spec.json").read_text())
    wrong = {**compose, "services": {"web": {"comand": ["malice", "web"]}}}
    assert not Draft201909Validator(schema).is_valid(wrong)


def test_secrets_must_be_given() -> None:
    for name in SECRETS:
        others = {other: value for other, value in SECRETS.items() if other != name}
        with pytest.raises(AssertionError, match=f"{name} is required"):
            interpolated(COMPOSE.read_text(), others)


def test_every_variable_is_explained_in_the_example() -> None:
    example = (ROOT / "deploy" / "example.env").read_text()
    for name in re.findall(r"\$\{(\w+)", COMPOSE.read_text()):
        assert re.search(rf"^#?{name}=", example, re.MULTILINE), name


def test_it_has_the_parts_of_an_installation(services: dict[str, Any]) -> None:
    assert set(services) == {*OURS, "db", "redis"}


@pytest.mark.parametrize("name", LONG_LIVED)
def test_what_runs_for_long_is_checked_restarted_and_stopped_gently(
    services: dict[str, Any], name: str
) -> None:
    service = services[name]
    assert service["healthcheck"]["test"][0] == "CMD"
    assert service["restart"] == "unless-stopped"
    assert int(service["stop_grace_period"].removesuffix("s")) >= 10
    assert service["logging"]["options"]["max-size"]


@pytest.mark.parametrize("name", OURS)
def test_our_own_services_gain_no_privilege(services: dict[str, Any], name: str) -> None:
    service = services[name]
    assert service["init"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert "privileged" not in service
    assert "cap_add" not in service


def test_only_the_play_service_is_relaxed_and_by_a_profile_that_is_there(services: dict[str, Any]) -> None:
    for name in OURS:
        options = services[name]["security_opt"]
        assert (len(options) > 1) == (name == "play")
    (profile,) = [one for one in services["play"]["security_opt"] if one.startswith("seccomp:")]
    document = json.loads((ROOT / profile.removeprefix("seccomp:")).read_text())
    refused = {name for rule in document["syscalls"] for name in rule["names"]}
    assert all(rule["action"] == "SCMP_ACT_ERRNO" for rule in document["syscalls"])
    assert {"bpf", "init_module", "keyctl", "ptrace", "io_uring_setup"} <= refused
    assert not refused & {
        "clone",
        "unshare",
        "mount",
        "umount2",
        "pivot_root",
        "sethostname",
        "seccomp",
        "prctl",
    }


def test_who_runs_strangers_programs_can_reach_neither_database_nor_secrets(services: dict[str, Any]) -> None:
    play = json.dumps(services["play"]["environment"])
    assert not any(secret in play for secret in SECRETS.values())
    assert not set(services["play"]["networks"]) & set(services["db"]["networks"])


def test_everybody_who_needs_the_database_waits_for_its_migration(services: dict[str, Any]) -> None:
    for name in OURS:
        needs = services[name]["depends_on"]
        if name != "migrate" and "MALICE_DATABASE_URL" in services[name]["environment"]:
            assert needs["migrate"] == {"condition": "service_completed_successfully"}
        if "queue" in services[name]["networks"]:
            assert needs["redis"] == {"condition": "service_healthy"}
    assert services["migrate"]["depends_on"]["db"] == {"condition": "service_healthy"}


def test_networks_reach_what_is_named_and_volumes_are_declared(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert set(service["networks"]) <= set(compose["networks"])
        assert {volume.split(":")[0] for volume in service.get("volumes", [])} <= set(compose["volumes"])


def test_the_queue_keeps_what_it_has_and_evicts_nothing(services: dict[str, Any]) -> None:
    command = " ".join(services["redis"]["command"])
    assert "--appendonly yes" in command
    assert "--maxmemory-policy noeviction" in command


def test_the_image_is_built_from_what_the_build_context_holds() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = set()
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY") and "--from" not in line:
            copied |= {source.split("/")[0] for source in line.split()[1:-1]}
    assert copied == kept
    assert all((ROOT / source).exists() for source in copied)


class Stack:
    """The compose file's own services as local processes: their commands, environments and health checks."""

    def __init__(self, services: dict[str, Any], folder: Path, database: str, broker: str) -> None:
        self.services = services
        self.folder = folder
        with listen("127.0.0.1", 0) as free:
            self.port = free.getsockname()[1]
        # What the containers' network and volumes stand for.
        self.places = {
            "MALICE_DATABASE_URL": database,
            "MALICE_BROKER_URL": broker,
            "MALICE_BLOBS_URL": str(folder / "blobs"),
            "MALICE_PUBLIC_URL": f"http://127.0.0.1:{self.port}",
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self, name: str) -> dict[str, str]:
        """A service's environment, its addresses replaced by those of this machine; nothing is added to it."""
        clean = {key: text for key, text in os.environ.items() if not key.startswith("MALICE_")}
        declared = {
            key: self.places.get(key, text) for key, text in self.services[name]["environment"].items()
        }
        own = {"MALICE_HOME": str(self.folder / name), "MALICE_PORT": str(self.port)}
        return clean | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"} | own | declared

    def start(self, name: str) -> None:
        """Start a service's own command."""
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                self.services[name]["command"],
                env=self.environment(name),
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                start_new_session=True,
            )

    def is_healthy(self, name: str) -> bool:
        """Run a service's own health check."""
        kind, *command = self.services[name]["healthcheck"]["test"]
        assert kind == "CMD"
        assert self.processes[name].poll() is None, (self.folder / f"{name}.log").read_text()
        return subprocess.run(command, env=self.environment(name), capture_output=True).returncode == 0

    def standings(self) -> list[dict[str, Any]]:
        """The first page of classic-50."""
        address = f"http://127.0.0.1:{self.port}/api/v1/ladders/classic-50/standings"
        with urllib.request.urlopen(address, timeout=30) as response:
            items = json.load(response)["items"]
        assert isinstance(items, list)
        return items

    def stop(self, name: str) -> int:
        """Stop a service as compose does: SIGTERM, and the grace period it states."""
        grace = int(self.services[name]["stop_grace_period"].removesuffix("s"))
        self.processes[name].terminate()
        return self.processes[name].wait(grace)

    def kill(self) -> None:
        """Leave nothing behind."""
        for process in self.processes.values():
            kill_session(process.pid)
            process.wait()


@pytest.fixture
def stack(services: dict[str, Any], tmp_path: Path, postgres: str, valkey: Valkey) -> Iterator[Stack]:
    stack = Stack(services, tmp_path, postgres, valkey.url)
    yield stack
    stack.kill()


def test_each_services_own_command_runs_until_healthy_and_a_fixture_is_played(stack: Stack) -> None:
    stack.start("migrate")
    assert stack.processes["migrate"].wait(60) == 0
    assert "one-time token" in (stack.folder / "migrate.log").read_text()
    long_lived = [name for name in OURS if name != "migrate"]
    for name in long_lived:
        stack.start(name)
    for name in long_lived:
        wait_until(lambda name=name: stack.is_healthy(name), 90, f"{name} is healthy")  # type: ignore[misc]
    wait_until(lambda: any(row["fixtures"] for row in stack.standings()), 60, "the table moves")
    for name in ("web", "beat", "play", "ledger"):
        assert stack.stop(name) == 0
