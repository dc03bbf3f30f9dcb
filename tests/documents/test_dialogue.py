"""Dialogues and subtitles: who spoke, when and what was said is kept, and nothing else is lost."""

from __future__ import annotations

import json
import re
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


@pytest.mark.parametrize(("text", "shown"), TABLES["chats_with_who_spoke_and_when_are_dialogues"])
def test_chats_with_who_spoke_and_when_are_dialogues(text: str, shown: str) -> None:
    document = read_bytes("chat.txt", text.encode())
    assert (document.kind, document.text.count("\n")) == ("dialogue", 2)
    assert shown in document.text.splitlines()[0]


TEXT = st.text().filter(lambda text: not re.search("[\xc2-\xf4][\x80-\xbf]", text))  # else read as UTF-8 written twice
TURN_TEXT = TEXT.filter(lambda text: bool(text.strip()))


@given(
    st.lists(st.builds(DialogueTurn, speaker=TURN_TEXT, text=TURN_TEXT, time=TURN_TEXT, image_caption=TEXT), min_size=1)
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


@pytest.mark.parametrize("text", [*TABLES["other_texts_are_no_dialogue"], "[" * 100_000], ids=lambda text: text[:30])
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
    inside = json.dumps({"sent": json.dumps({"镇": ["a"]})})
    assert read_bytes("log.json", inside.encode()).text == "sent:\n  镇:\n    - a\n"
    assert read_bytes("data.jsonl", b'{"a": "\\u00e9"}\n{"a": "\\ud83d"}').text == "a: é\n\na: ?\n"


@pytest.mark.parametrize(
    "text",
    ['{"a": "\\u00e9",}', '{"a": 1, "a": 2}', "[1", "[" * 100_000, '{"a":' * 700 + "1" + "}" * 700],
    ids=lambda text: text[:9],
)
def test_what_is_no_json_or_too_deep_stays_as_it_is(text: str) -> None:
    assert read_bytes("data.json", text.encode()).text == text


# -- Subtitles: the sentences that they show, whole, and nothing of numbers, times and marks ---------------------------


@pytest.mark.parametrize(("text", "shown"), TABLES["subtitles"].values(), ids=TABLES["subtitles"])
def test_subtitles_are_read_as_whole_sentences(text: str, shown: str) -> None:
    for name in ("a.srt", "a.vtt", "a.txt"):
        assert read_bytes(name, b"\xef\xbb\xbf" + text.encode()).text == shown
    assert read_bytes("a.srt", text.encode()).original == text.encode(), "with its times"


def test_the_name_of_subtitles_says_what_they_are_whatever_stands_above_them() -> None:
    text = "Made by Odile\n00:00:01,000 --> 00:00:03,000\nMore"
    assert read_bytes("a.srt", text.encode()).text == "Made by Odile\nMore\n"
    assert read_bytes("a.txt", text.encode()).text == text
