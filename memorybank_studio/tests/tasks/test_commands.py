"""A command is a button's, checked for what it needs; a title is what can be seen of it."""

from __future__ import annotations

import pytest

from memorybank.errors import InputError
from memorybank_studio.tasks.addressing import checked_argument
from memorybank_studio.types import Command


@pytest.mark.parametrize(
    ("command", "given", "says"),
    [
        (Command.NEW, {}, "title"),
        (Command.NEW, {"argument": "x" * 201}, "201 characters"),
        (Command.SWITCH, {}, "id or title"),
        (Command.SETTLE, {"text": "The last thing I want to say"}, "send that text first"),
        (Command.DISCARD, {"text": "wait"}, "send that text first"),
    ],
)
def test_what_is_missing_or_too_much_is_said(command: Command, given: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        checked_argument(command, **{"argument": "", "text": "", **given})


ZWSP, RLO, JOINER = "\u200b", "\u202e", "\u200d"


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        (f"{RLO}Rain", "Rain"),
        (f"The {ZWSP}lost{ZWSP} jade\ufeff", "The lost jade"),
        (f"{ZWSP} 玉佩的秘密", "玉佩的秘密"),
        ("Rain\x07", "Rain"),
        (f"👨{JOINER}👩{JOINER}👧 home", f"👨{JOINER}👩{JOINER}👧 home"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("Zoe\u0301", "Zoe\u0301"),
        ("!", "!"),
    ],
)
def test_what_cannot_be_seen_is_taken_out_of_a_title(typed: str, title: str) -> None:
    assert checked_argument(Command.NEW, typed, "") == title


@pytest.mark.parametrize("typed", [ZWSP, RLO, "\u3164", f"{ZWSP} {RLO}", "\u2800", "\u0301", JOINER])
def test_a_title_without_anything_to_see_is_none(typed: str) -> None:
    with pytest.raises(InputError, match="needs a title"):
        checked_argument(Command.NEW, typed, "")
