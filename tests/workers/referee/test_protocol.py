"""What counts as an answer."""

import pytest

from workers.referee.faults import BotFault, shown
from workers.referee.protocol import parse_answer, parse_ready


@pytest.mark.parametrize(
    ("line", "act"),
    [
        (b'{"act":"h7>c2"}', "h7>c2"),
        (b'{"act":1}', 1),
        (b' { "id" : 41 , "act" : "pass" } \r', "pass"),
        (b'{"act":"\\u0067>c0"}', "g>c0"),
        ('{"act":"ü"}'.encode(), "ü"),
        (b'{"act":-1}', -1),
    ],
)
def test_an_answer_is_a_move_or_an_index_and_may_echo_the_id(line: bytes, act: str | int) -> None:
    assert parse_answer(line, 41) == act


@pytest.mark.parametrize(
    "line",
    [
        *(
            b"",
            b" ",
            b"0",
            b'"g>c0"',
            b"[]",
            b"null",
            b"{}",
            b'{"act":null}',
            b'{"act":true}',
            b'{"act":1.0}',
        ),
        *(
            b'{"act":["g>c0"]}',
            b'{"Act":0}',
            b'{"act":0,"x":1}',
            b'{"act":0',
            b'{"act":0}{"act":0}',
            b"{'act':0}",
        ),
        *(b'{"act":0,"id":40}', b'{"act":0,"id":"41"}', b'{"act":0,"id":null}', b'{"act":0,"id":41.0}'),
        *(b'{"act":NaN}', b'{"act":"\xff"}', b'\xef\xbb\xbf{"act":0}', b'{"act":"\\ud800"}', b"[" * 4_000),
        b'{"type":"ready"}',
    ],
)
def test_anything_else_is_a_protocol_fault_that_quotes_it(line: bytes) -> None:
    with pytest.raises(BotFault) as caught:
        parse_answer(line, 41)
    assert caught.value.kind == "protocol"
    assert caught.value.evidence.startswith("answered request 41 with ")
    assert shown(line) in caught.value.evidence


def test_ready_is_said_in_one_way_only() -> None:
    parse_ready(b'{"type":"ready"}')
    parse_ready(b'{ "type" : "ready" }\r')
    for line in (b"", b"ready", b'{"type":"READY"}', b'{"type":"ready","name":"x"}', b"{}", b'{"act":0}'):
        with pytest.raises(BotFault, match="protocol: answered hello with"):
            parse_ready(line)


def test_evidence_is_printable_and_short() -> None:
    assert shown(b"a\x1b[31m\xff\xe2\x80\xae") == r"'a\x1b[31m\\xff\u202e'"
    assert shown(b"x" * 1_000_000) == f"'{'x' * 160}' … (1000000 bytes)"


@pytest.mark.parametrize(
    "line",
    [
        b'{"\\u0000\\u001b[2J\\u202e":1}',
        b'{"' + b"x" * 4_000 + b'":1}',
        b'{"act":0,"id":' + b"9" * 4_000 + b"}",
    ],
    ids=["strange", "long", "large"],
)
def test_evidence_that_quotes_a_field_or_a_number_is_so_too(line: bytes) -> None:
    with pytest.raises(BotFault) as caught:
        parse_answer(line, 41)
    assert caught.value.evidence.isprintable()
    assert len(caught.value.evidence) < 1_000
