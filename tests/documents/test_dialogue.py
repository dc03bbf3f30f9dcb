"""Dialogues: every field of a turn is kept, a bad line is named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.documents import DialogueTurn, looks_like_dialogue, read_turns, render_turn, render_turns
from memorybank.errors import InputError

LINES = """\
{"speaker": "Caroline", "text": "I went to the support group.", "time": "1:56 pm on 8 May, 2023"}

{"speaker": "小明", "text": "看这张\\n照片", "image_caption": "a dog on the beach", "id": 7}
{"speaker": "Caroline", "text": null, "image_caption": "sunset", "time": 1683554160}
"""


def test_turns_are_read_and_rendered_one_a_line() -> None:
    turns = read_turns("chat.jsonl", LINES)
    assert turns[0] == DialogueTurn(
        speaker="Caroline", text="I went to the support group.", time="1:56 pm on 8 May, 2023"
    )
    assert render_turns(turns) == (
        "Caroline (1:56 pm on 8 May, 2023): I went to the support group.\n"
        "小明: 看这张 照片 [image: a dog on the beach]\n"
        "Caroline (1683554160): [image: sunset]\n"
    )
    assert looks_like_dialogue(LINES)


TURN_TEXT = st.text(min_size=1).filter(lambda text: bool(text.strip()))


@given(
    st.lists(
        st.builds(DialogueTurn, speaker=TURN_TEXT, text=TURN_TEXT, time=st.text(), image_caption=st.text()), min_size=1
    )
)
def test_any_turns_survive_json_lines(turns: list[DialogueTurn]) -> None:
    lines = [json.dumps({field: getattr(turn, field) for field in DialogueTurn.__dataclass_fields__}) for turn in turns]
    assert read_turns("x.jsonl", "\r\n".join(lines)) == tuple(turns)
    assert all(len(render_turn(turn).splitlines()) == 1 for turn in turns)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{oops", "not JSON"),
        ('["a", "b"]', "not an object"),
        ('{"text": "hello"}', '"speaker" is missing'),
        ('{"speaker": "A"}', '"text" is missing'),
        ('{"speaker": "A", "text": "  "}', '"text" is missing'),
        ('{"speaker": "A", "text": 5}', '"text" is not a text'),
        ('{"speaker": {"name": "A"}, "text": "x"}', '"speaker" is not a text'),
        ('{"speaker": "A", "text": "x", "time": true}', '"time" is not a text'),
        ("[" * 100_000, "not JSON"),
    ],
    ids=lambda value: value[:30],
)
def test_a_bad_line_is_named_by_its_number(line: str, reason: str) -> None:
    good = '{"speaker": "A", "text": "x"}\n'
    with pytest.raises(InputError, match=rf"^chat\.jsonl, line 4: {reason}") as caught:
        read_turns("chat.jsonl", f"{good}\n{good}{line}\n{good}")
    assert "\n" not in str(caught.value)


def test_an_empty_dialogue_is_refused() -> None:
    with pytest.raises(InputError, match="the dialogue is empty"):
        read_turns("chat.jsonl", "\n \n")


@pytest.mark.parametrize(
    "text", ["", "Alice: hello\nBob: hi", '{"a": 1}\n{"b": 2}', "[1, 2]", '{"speaker": "A",\n"text": "x"}']
)
def test_other_texts_do_not_look_like_dialogue(text: str) -> None:
    assert not looks_like_dialogue(text)
