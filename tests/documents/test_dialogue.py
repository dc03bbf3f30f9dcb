"""Dialogues and subtitles: who spoke, when and what was said is kept, and nothing else is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.documents import read_bytes
from memorybank.documents.dialogue import DialogueTurn, render_turn, turns_of
from memorybank.documents.json_text import read_json
from memorybank.errors import InputError
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("value", "shown"), TABLES["exports_of_many_programs_are_dialogues"])
def test_exports_of_many_programs_are_dialogues(value: Any, shown: str) -> None:
    document = read_bytes("chat.json", json.dumps(value, indent=1).encode())
    assert document.kind == "dialogue"
    assert document.text.rstrip("\n").endswith(shown)
    if isinstance(value, list):
        lines = "\r\n".join(map(json.dumps, value)).encode()
        assert read_bytes("chat.jsonl", lines).text == read_bytes("chat.txt", lines).text == document.text


@pytest.mark.parametrize(("text", "shown"), TABLES["chats_of_whatsapp_are_dialogues"])
def test_chats_of_whatsapp_are_dialogues(text: str, shown: str) -> None:
    document = read_bytes("chat.txt", text.encode())
    assert (document.kind, document.text.count("\n")) == ("dialogue", 2)
    assert shown in document.text.splitlines()[0]


TURN_TEXT = st.text(min_size=1).filter(lambda text: bool(text.strip()))


@given(
    st.lists(
        st.builds(DialogueTurn, speaker=TURN_TEXT, text=TURN_TEXT, time=TURN_TEXT, image_caption=st.text()), min_size=1
    )
)
def test_any_turns_survive_json_lines(turns: list[DialogueTurn]) -> None:
    lines = [json.dumps({field: getattr(turn, field) for field in DialogueTurn.__dataclass_fields__}) for turn in turns]
    assert turns_of(read_json("[" + ",\r\n".join(lines) + "]")) == tuple(turns)
    assert all(len(render_turn(turn).splitlines()) == 1 for turn in turns)


@pytest.mark.parametrize("line", ["{oops", '{"text": "hello there"}', '{"speaker": "A", "text": 5, "note": "a b"}'])
def test_a_line_that_is_no_turn_stands_among_the_turns(line: str) -> None:
    turn = '{"speaker": "A", "text": "x"}\n'
    document = read_bytes("chat.log", f"{turn}{turn}{line}\n{turn}".encode(), format="dialogue")
    assert document.text.count("A: x\n") == 3
    assert line == "{oops" in document.text or document.text.splitlines()[2] in line


@pytest.mark.parametrize(
    "text",
    [
        "Alice: hello\nBob: hi",
        '[{"a": 1}, {"b": 2}]',
        '[{"name": "PATH", "value": "/bin"}]',
        '[{"author": "Ida Holm", "title": "Dam", "text": "It leaks."}]',
        '[{"from": 1, "to": 2, "value": 5}]',
        '{"points": [{"x": 1}, {"x": 2}], "notes": [{"user": "A", "message": "x"}]}',
        "12.03.2024, 09:15 - Odile: Hi\nAnd so it went on.",
        "2024-03-12 09:15:33 - server: ready\n2024-03-12 09:15:34 - server: gone",
        "[" * 100_000,
    ],
    ids=lambda text: text[:30],
)
def test_other_texts_are_no_dialogue(text: str) -> None:
    assert read_bytes("x.txt", text.encode()).kind == "text"
    with pytest.raises(InputError, match="no dialogue"):
        read_bytes("x.jsonl", text.encode(), format="dialogue")


def test_json_is_filed_as_what_it_says() -> None:
    value = {"镇": "哈恩比", "note": 'Said "hi".\nThen C:\\Users.', "n": [{"m": 1.5, "tags": []}, None, True], "e": {}}
    text = read_bytes("data.json", json.dumps(value).replace("1.5", "1.50").encode()).text
    assert text == (
        '镇: 哈恩比\nnote: Said "hi".\n  Then C:\\Users.\nn:\n  - m: 1.50\n    tags:\n  - null\n  - true\ne:\n'
    )
    assert read_bytes("data.jsonl", b'{"a": "\\u00e9"}\n{"a": "\\ud83d"}').text == "a: é\n\na: ?\n"


@pytest.mark.parametrize(
    "text",
    ['{"a": "\\u00e9",}', '{"a": 1, "a": 2}', "[1", "[" * 100_000, '{"a":' * 700 + "1" + "}" * 700],
    ids=lambda text: text[:9],
)
def test_what_is_no_json_or_too_deep_stays_as_it_is(text: str) -> None:
    assert read_bytes("data.json", text.encode()).text == text


# -- Subtitles: the sentences that they show, whole, and nothing of numbers, times and marks ---------------------------

SRT = """\
1\r
00:00:01,000 --> 00:00:03,000\r
<i>The mill of Olden</i>\r
was built in\r
\r
2\r
00:00:04,000 --> 00:00:06,000\r
1871.\r
\r
3\r
00:00:07,000 --> 00:00:09,000\r
{\\an8}- Who built it?\r
- Karl Berg.\r
"""
VTT = """\
WEBVTT
Kind: captions

NOTE by hand
and more

intro
00:01.000 --> 00:03.000 align:start
<v Odile>The ferry &amp; the mill

01:00:03.500 --> 01:00:05.000
<v Odile>are <b>closed</b>.

00:06.000 --> 00:08.000
<v Bram>Why?
"""
ROLLING = """\
WEBVTT

00:00.000 --> 00:02.000
so<00:00:00.500><c> the</c>

00:02.000 --> 00:02.010
so the

00:02.010 --> 00:04.000
so the
ferry<00:00:02.500><c> carries</c>

00:04.000 --> 00:06.000
ferry carries
12 cars
"""
CHINESE = "1\n00:00:01,000 --> 00:00:02,000\n奥尔登磨坊\n\n2\n00:00:02,000 --> 00:00:03,000\n建于1871年。\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (SRT, "The mill of Olden was built in 1871.\n- Who built it?\n- Karl Berg.\n"),
        (VTT, "Odile: The ferry & the mill are closed.\nBram: Why?\n"),
        (ROLLING, "so the ferry carries 12 cars\n"),
        (CHINESE, "奥尔登磨坊建于1871年。\n"),
        ("Some words\n00:00:01,000 --> 00:00:03,000\nmore", "Some words\n00:00:01,000 --> 00:00:03,000\nmore"),
    ],
    ids=["SubRip", "WebVTT", "captions of a machine", "Chinese", "another text"],
)
def test_subtitles_are_read_as_whole_sentences(text: str, shown: str) -> None:
    for name in ("a.srt", "a.vtt", "a.txt"):
        assert read_bytes(name, b"\xef\xbb\xbf" + text.encode()).text == shown
    assert read_bytes("a.srt", text.encode()).original == text.encode(), "with its times"
