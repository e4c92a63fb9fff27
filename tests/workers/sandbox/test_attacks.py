"""Every named attack on the real layer; the same on layers weakened on purpose, where they must get through."""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.sandbox.conftest import MakeProgram
from workers.programs import Limits, Sandbox
from workers.sandbox import bpf, choose_sandbox
from workers.sandbox.attacks import ATTEMPTS, FOREIGN_CALLS, PROBES
from workers.sandbox.bubblewrap import Bubblewrap, BubblewrapSandbox
from workers.sandbox.choice import slot_users
from workers.sandbox.probes.attempts import Facts, attempts
from workers.sandbox.runtimes import stage_python
from workers.sandbox.selftest import Guard, run_selftest
from workers.sandbox.staging import staging_folder
from workers.sandbox.tools import bubblewraps

BEHAVIOUR = ("thread_bomb", "mem_bomb", "spin_between_moves", "ignore_all_signals", "worker_sigkill")
NAMES = [
    *(attack.name for attack in ATTEMPTS),
    *FOREIGN_CALLS.get(os.uname().machine, ()),
    *BEHAVIOUR,
]

STOPPED_BY_THE_FILTER_ALONE = {
    *("redis_connect", "ipv6_connect", "abstract_unix", "socketpair", "netlink"),
    *("fork_bomb", "spawn_bomb", "memfd_fill", "pipe_fill", "shared_memory"),
    *("flock_collude", "record_lock_collude", "lease_collude", "inotify_collude", "futex_collude"),
    *("page_cache_fadvise", "page_cache_readahead", "keyring_share", "keyring_read"),
    *("io_uring", "clone3_newuser", "tiocsti", "tiocsti_high_bits"),
    *("wake_init", "wake_group"),
    *("self_nice", "self_affinity", *FOREIGN_CALLS.get(os.uname().machine, ())),
}
STOPPED_BY_NAMESPACES_AND_LIMITS = {
    *("shadow_read", "other_bot_read", "proc_read", "dev_shm_fill", "tmp_fill", "core_pattern_write"),
    *("bot_folder_write", "root_write", "kill_host", "leaky_fd", "env_secret"),
    *("thread_bomb", "mem_bomb", "core_dump", "worker_sigkill"),
}
HELD_WITHOUT_A_SANDBOX = {
    *("env_secret", "leaky_fd", "core_dump", "mem_bomb", "daemonise"),
    *("spin_between_moves", "ignore_all_signals"),
}
"""By a clean start and by limits, which layer S0 has too; `daemonise` because there every bot leads its session."""


def own_users() -> range:
    """The user ids this host gives away."""
    return slot_users(Path("/proc/self/uid_map").read_text())


def by_name(guards: list[Guard]) -> dict[str, Guard]:
    return {guard.name: guard for guard in guards}


@pytest.fixture(scope="module")
def guards(sandbox: Sandbox) -> dict[str, Guard]:
    """What the self-test says of the real layer."""
    return by_name(run_selftest(sandbox))


@pytest.fixture(scope="module")
def without_filter() -> dict[str, Guard]:
    """What the self-test says of the real layer with a filter that lets everything past."""
    folder = staging_folder()
    users = own_users() if os.geteuid() == 0 else None
    bubblewrap = Bubblewrap(next(bubblewraps(folder)), bpf.assemble([bpf.answer(bpf.ALLOW)]), users)
    runtime = stage_python(Path(getattr(sys, "_base_executable", sys.executable)), folder)
    return by_name(run_selftest(BubblewrapSandbox(bubblewrap, [runtime], folder)))


@pytest.fixture(scope="module")
def bare() -> dict[str, Guard]:
    """What the self-test says of layer S0."""
    return by_name(run_selftest(choose_sandbox("S0")))


@pytest.mark.parametrize("name", NAMES)
def test_the_sandbox_holds_against(guards: dict[str, Guard], name: str) -> None:
    assert guards[name].held, guards[name].detail
    assert guards[name].remedy == ""


def test_the_self_test_tries_every_named_attack(guards: dict[str, Guard]) -> None:
    assert list(guards) == NAMES
    assert set(attempts(Facts(decoy_pid=0, other_bot=""))) == {attack.name for attack in ATTEMPTS}
    source = Path(run_selftest.__code__.co_filename).parent / "probes"
    assert {path.name for path in source.glob("*.py")} == {*PROBES, "__init__.py"}


@pytest.mark.parametrize("name", sorted(STOPPED_BY_THE_FILTER_ALONE))
def test_without_the_filter_there_gets_through(without_filter: dict[str, Guard], name: str) -> None:
    assert not without_filter[name].held, without_filter[name].detail
    assert "docs/sandbox.md" in without_filter[name].remedy


@pytest.mark.parametrize("name", sorted(STOPPED_BY_NAMESPACES_AND_LIMITS))
def test_without_the_filter_the_other_walls_hold_against(without_filter: dict[str, Guard], name: str) -> None:
    assert without_filter[name].held, without_filter[name].detail


def test_without_a_sandbox_everything_but_limits_gets_through(bare: dict[str, Guard]) -> None:
    held = {guard.name for guard in bare.values() if guard.held}
    if os.geteuid() == 0:
        assert held == HELD_WITHOUT_A_SANDBOX
    assert held >= HELD_WITHOUT_A_SANDBOX
    assert "redis_connect" not in held
    assert bare["redis_connect"].remedy == "layer S0 isolates nothing: set MALICE_SANDBOX=auto"


@pytest.fixture
def leak() -> Iterator[int]:
    """A descriptor a careless library left inheritable."""
    descriptor, path = tempfile.mkstemp()
    os.set_inheritable(descriptor, True)
    yield descriptor
    os.close(descriptor)
    os.unlink(path)


def test_a_descriptor_left_inheritable_does_not_reach_the_bot(
    sandbox: Sandbox, make_program: MakeProgram, leak: int
) -> None:
    result = sandbox.run(make_program(f"import os\nos.fstat({leak})"), ["main.py"], Limits(), 0, 10)
    assert b"Bad file descriptor" in result.output


def test_the_workers_secrets_are_nowhere_inside(
    sandbox: Sandbox, make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALICE_SECRET_KEY", "hush-hush")
    source = """
import os
print(dict(os.environ))
for folder, _, files in os.walk("/"):
    for name in files:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and b"hush-" + b"hush" in open(path, "rb").read():
            print("found in", path)
"""
    result = sandbox.run(make_program(source), ["main.py"], Limits(), 0, 20)
    assert result.exit.code == 0, result
    assert b"hush-hush" not in result.output
    assert b"found" not in result.output


def test_a_bot_sees_a_small_file_system_and_no_more(sandbox: Sandbox, make_program: MakeProgram) -> None:
    source = "import os; print(sorted(os.listdir('/')), sorted(os.listdir('/dev')), os.listdir('/bot'))"
    result = sandbox.run(make_program(source), ["main.py"], Limits(), 0, 10)
    everything = ["bin", "bot", "dev", "lib", "lib64", "usr"]
    devices = ["null", "random", "urandom", "zero"]
    assert result.output.decode() == f"{everything} {devices} ['main.py']\n"


def test_an_unpacked_link_out_of_the_bundle_leads_nowhere(
    sandbox: Sandbox, make_program: MakeProgram
) -> None:
    program = make_program("print(open('/bot/link').read())")
    (program.folder / "link").symlink_to("/etc/passwd")
    assert b"No such file" in sandbox.run(program, ["main.py"], Limits(), 0, 10).output


def test_root_on_the_host_is_nobody_inside_and_out(sandbox: Sandbox, make_program: MakeProgram) -> None:
    process = sandbox.start(make_program("input()"), Limits(), 0)
    try:
        status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        ids = {line.split(":")[0]: line.split()[1:] for line in status if line.startswith(("Uid", "Gid"))}
        assert "0" not in ids["Uid"] + ids["Gid"]
        assert next(line for line in status if line.startswith("CapEff")).split()[1].strip("0") == ""
        assert next(line for line in status if line.startswith("NoNewPrivs")).split()[1] == "1"
    finally:
        process.end()


def test_bots_of_two_slots_have_two_users_when_we_are_root(
    sandbox: Sandbox, make_program: MakeProgram
) -> None:
    if os.geteuid() != 0:
        pytest.skip("an ordinary user has one user id to give")
    program = make_program("input()")
    processes = [sandbox.start(program, Limits(), slot) for slot in (0, 1)]
    try:
        users = [os.stat(f"/proc/{process.pid}").st_uid for process in processes]
        assert users == list(own_users()[:2])
    finally:
        for process in processes:
            process.end()
