"""Whether every source file of a bundle compiles, found out inside the sandbox."""

from workers.builder.refusal import BuildError
from workers.programs import MIB, Limits, Program, Sandbox

TIMEOUT_S = 60
LIMITS = Limits(memory_bytes=1_024 * MIB, cpu_s=TIMEOUT_S)

ERROR = "error: "
"""Starts every line that says what is wrong."""

# Runs in the sandbox, in the bundle's folder. It parses strangers' files and runs none of them.
_COMPILE_ALL = f"""
import os, sys
failed = False
for folder, folders, names in os.walk("."):
    folders.sort()
    for name in sorted(names):
        if not name.endswith(".py"):
            continue
        path = os.path.relpath(os.path.join(folder, name))
        try:
            with open(path, "rb") as file:
                compile(file.read(), path, "exec", dont_inherit=True)
        except SyntaxError as error:
            print("{ERROR}%s, line %s: %s: %s" % (path, error.lineno, type(error).__name__, error.msg))
            if error.text:
                print("    " + error.text.strip())
        except (ValueError, RecursionError, MemoryError) as error:
            print("{ERROR}%s: %s: %s" % (path, type(error).__name__, error))
        else:
            print("compiled %s" % path)
            continue
        failed = True
sys.exit(failed)
"""


def compile_sources(program: Program, sandbox: Sandbox, slot: int, log: list[str]) -> None:
    """Compile every `.py` file of a staged source. Raises BuildError naming the first that does not compile.

    `log` gets the output. Raises SandboxError.
    """
    if not (program.folder / program.entry).is_file():
        raise BuildError(
            f"there is no {program.entry} to start; name the bot's first file as entry in malice.toml"
        )
    # -I: the bundle's own modules may be called like the standard library's, and must not run here in its place.
    result = sandbox.run(program, ["-I", "-c", _COMPILE_ALL], LIMITS, slot, TIMEOUT_S)
    lines = result.output.decode("utf-8", "backslashreplace").splitlines()
    log += lines
    if result.timed_out:
        raise BuildError(f"compiling took longer than {TIMEOUT_S} s; make the source files smaller")
    if result.exit.code == 0:
        return
    first = next((line for line in lines if line.startswith(ERROR)), None)
    if first is None:
        raise BuildError(
            f"the compiler ended with {result.exit.words()}; is a source file too large or too deeply nested?"
        )
    raise BuildError(first.removeprefix(ERROR))
