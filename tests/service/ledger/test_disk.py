"""The disk budget: the oldest logs go first, results stay."""

import random
from pathlib import Path

from service.ledger.disk import has_room, keep_to_budget
from service.models import Match
from service.settings import MIB
from tests.service.ledger.conftest import Hall, Table, draw
from tests.service.ledger.factories import make_version


def incompressible(number: int, size: int) -> bytes:
    return random.Random(number).randbytes(size)


def matches(hall: Hall, table: Table, *sizes: int) -> list[Match]:
    """Matches with logs of these sizes, oldest first, each with a stderr of as much."""
    drawn = draw(hall, table)
    with hall.database.transaction() as session:
        for number, size in enumerate(sizes):
            session.add(
                Match(
                    fixture_id=drawn,
                    leg=number,
                    log=hall.blobs.put("log", incompressible(2 * number, size)),
                    points=[5, 0],
                    places=[1, 2],
                    deals=1,
                    reason="target",
                    stderr=[hall.blobs.put("text", incompressible(2 * number + 1, size)), None],
                    used_us=[1, 1],
                )
            )
            session.flush()
    return hall.all(Match)


def test_within_the_budget_nothing_is_dropped(hall: Hall, table: Table) -> None:
    matches(hall, table, MIB // 3)
    assert keep_to_budget(hall.database, hall.blobs, 1) == 0
    assert not hall.all(Match)[0].log_dropped


def test_beyond_the_budget_the_oldest_logs_and_their_stderr_go(hall: Hall, table: Table) -> None:
    quarter = MIB // 4
    matches(hall, table, quarter, quarter, quarter)
    assert keep_to_budget(hall.database, hall.blobs, 1) == 2
    rows = hall.all(Match)
    assert [row.log_dropped for row in rows] == [True, True, False]
    assert [hall.blobs.exists("log", row.log) for row in rows] == [False, False, True]
    assert [hall.blobs.exists("text", row.stderr[0]) for row in rows] == [False, False, True]
    assert [row.points for row in rows] == [[5, 0]] * 3
    assert keep_to_budget(hall.database, hall.blobs, 1) == 0


def test_a_stderr_that_is_still_named_elsewhere_stays(hall: Hall, table: Table) -> None:
    size = MIB // 2
    first, second, third = matches(hall, table, size, size, MIB // 8)
    shared, build_log = second.stderr[0], hall.blobs.put("text", b"built")
    with hall.database.transaction() as session:
        session.get_one(Match, third.id).stderr = [shared, None]
        session.get_one(Match, second.id).stderr = [shared, build_log]
        make_version(session, "nova", status="failed").build_log = build_log
    assert keep_to_budget(hall.database, hall.blobs, 1) == 2
    assert not hall.blobs.exists("text", first.stderr[0] or "")
    assert hall.blobs.exists("text", shared or "")
    assert hall.blobs.exists("text", build_log)


def test_a_log_that_is_gone_already_is_only_marked(hall: Hall, table: Table) -> None:
    first, second = matches(hall, table, MIB // 4, MIB)
    hall.blobs.delete("log", first.log)
    assert keep_to_budget(hall.database, hall.blobs, 1) == 2
    assert [row.log_dropped for row in hall.all(Match)] == [True, True]
    assert not hall.blobs.exists("log", second.log)


def test_there_is_room_while_more_than_the_reserve_is_free(hall: Hall, tmp_path: Path) -> None:
    assert has_room(hall.blobs, 1)
    assert not has_room(hall.blobs, 1 << 40)
