"""What to do when a host does not let us isolate: the reason in the kernel's words, and the remedy in ours."""

from pathlib import Path

APPARMOR = "kernel/apparmor_restrict_unprivileged_userns"
DEBIAN = "kernel/unprivileged_userns_clone"
LIMIT = "user/max_user_namespaces"

NAMESPACE_COMPLAINTS = ("namespace", "uid map", "permission denied", "operation not permitted")


def apparmor_profile(program: Path) -> str:
    """Return the AppArmor profile that lets this bubblewrap make user namespaces."""
    return f"""abi <abi/4.0>,
include <tunables/global>

profile malice-bwrap {program} flags=(unconfined) {{
  userns,
  include if exists <local/malice-bwrap>
}}
"""


def remedy_for(complaint: str, program: Path, sysctl: Path = Path("/proc/sys")) -> str:
    """Return what an operator can do about what bubblewrap complained of; `sysctl` is where the kernel's settings lie."""
    if _setting(sysctl, LIMIT) == "0":
        return "user namespaces are switched off: sysctl user.max_user_namespaces=10000"
    if _setting(sysctl, DEBIAN) == "0":
        return "user namespaces are switched off: sysctl kernel.unprivileged_userns_clone=1"
    if _setting(sysctl, APPARMOR) == "1":
        return (
            "AppArmor denies user namespaces (Ubuntu 23.10 and later). Write this to /etc/apparmor.d/malice-bwrap, then "
            f"run apparmor_parser -r /etc/apparmor.d/malice-bwrap:\n{apparmor_profile(program)}"
        )
    if any(words in complaint.lower() for words in NAMESPACE_COMPLAINTS):
        return (
            "this looks like a container whose runtime forbids namespaces: start it under deploy/seccomp-play.json and "
            "without an AppArmor profile, as docs/sandbox.md shows"
        )
    return "docs/sandbox.md says what bubblewrap needs of a host"


def _setting(sysctl: Path, name: str) -> str | None:
    try:
        return (sysctl / name).read_text().strip()
    except OSError:
        return None
