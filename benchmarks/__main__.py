"""`python -m benchmarks`: measure, and print one table."""

import argparse
import os
import sys

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks import decision, matches, pipe, rules, service, start
from benchmarks.figures import Figure, Sample

AREAS = {
    "pipe": pipe,
    "engine": rules,
    "start": start,
    "decision": decision,
    "matches": matches,
    "up": service,
}
WIDTH = 160
MISSED, UNMEASURED = 1, 2
EXPLANATION = """\
Measures Malice on this machine and prints one table. Every figure is the median of several repeats, its extremes in
brackets; beside it stands what it is compared with, measured in turn with it in the same run, and the requirement.
Play is measured pinned to one core, as a play worker pins each of its slots. Close other programs: figures from a
busy machine say little. Ends with status 1 when a requirement is missed, 2 when something could
not be measured, such as play on a host that has no sandbox.

areas:
"""


def main(arguments: list[str]) -> int:
    """Run the areas asked for; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.repeats < 1:
        _parser().error("--repeats must be at least 1")
    figures: list[Figure] = []
    progress = Console(stderr=True)
    for area in options.only or AREAS:
        with progress.status(f"measuring: {area}"):
            try:
                figures += AREAS[area].measure(options.repeats)
            except RuntimeError as error:
                print(f"benchmarks: {area} could not be measured: {error}", file=sys.stderr)
                return UNMEASURED
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())
    else:
        # Not on a terminal rich takes 80 columns, too few for the table.
        Console(width=None if sys.stdout.isatty() else WIDTH).print(_table(figures))
    return MISSED if any(figure.met is False for figure in figures) else 0


def _parser() -> argparse.ArgumentParser:
    described = "\n".join(
        f"  {name:10}{(area.__doc__ or '').splitlines()[0]}" for name, area in AREAS.items()
    )
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=EXPLANATION + described,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only",
        action="append",
        choices=list(AREAS),
        metavar="AREA",
        help="measure this area; may be repeated",
    )
    parser.add_argument("--repeats", type=int, default=5, help="measurements per figure (default 5)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


def _table(figures: list[Figure]) -> Table:
    table = Table(title=f"Malice, Python {sys.version.split()[0]}, {len(os.sched_getaffinity(0))} cores")
    for heading in ("figure", "median [low, high]", "compared with", "ratio", "required"):
        table.add_column(heading, justify="left" if heading in ("figure", "compared with") else "right")
    for figure in figures:
        floor = f"{figure.floor}: {_shown(figure.floor_sample, figure.unit)}" if figure.floor_sample else ""
        table.add_row(
            figure.what,
            _shown(figure.sample, figure.unit),
            floor,
            f"{figure.ratio:.2f}" if figure.ratio is not None else "",
            _required(figure),
        )
    return table


def _shown(sample: Sample, unit: str) -> str:
    return f"{sample.median:.3g} {unit} [{sample.low:.3g}, {sample.high:.3g}]"


def _required(figure: Figure) -> str:
    wanted = []
    if figure.requirement:
        wanted.append(f"{figure.requirement.words()} {figure.unit}")
    if figure.required_ratio:
        wanted.append(f"ratio {figure.required_ratio.words()}")
    return f"{', '.join(wanted)}: {'met' if figure.met else 'MISSED'}" if wanted else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
