"""Commands are said outright, at the very start, in two languages; everything else is text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import InputError
from memorybank_studio.tasks.addressing import NAMES, checked_instruction, listed, parse
from memorybank_studio.types import Command


@pytest.mark.parametrize(
    ("typed", "command", "argument", "text"),
    [
        ("/new The lost jade", Command.NEW, "The lost jade", ""),
        ("/新建 玉佩的秘密\n谁偷了它？", Command.NEW, "玉佩的秘密", "谁偷了它？"),
        ("／新建　玉佩", Command.NEW, "玉佩", ""),
        ("/新建：玉佩", Command.NEW, "玉佩", ""),
        ("/NEW Caps", Command.NEW, "Caps", ""),
        ("/switch t3", Command.SWITCH, "t3", ""),
        ("/切换 t3\n\n/settle is text here", Command.SWITCH, "t3", "\n/settle is text here"),
        ("/restart  Lin   Shuang ", Command.RESTART, "Lin Shuang", ""),
        ("/重启 林霜", Command.RESTART, "林霜", ""),
        ("/settle", Command.SETTLE, "", ""),
        ("/结算\n", Command.SETTLE, "", ""),
        ("/settle t2", Command.SETTLE, "t2", ""),
        ("/discard", Command.DISCARD, "", ""),
        ("/丢弃 t2", Command.DISCARD, "t2", ""),
        ("/continue and then?", Command.CONTINUE, "", "and then?"),
        ("/继续\n然后呢？", Command.CONTINUE, "", "然后呢？"),
    ],
)
def test_a_command_at_the_start_is_one(typed: str, command: Command, argument: str, text: str) -> None:
    found = parse(typed)
    assert (found.command, found.argument, found.text, found.by) == (command, argument, text, "slash")


@pytest.mark.parametrize(
    "typed",
    [
        " /settle",
        "\n/settle",
        "> /settle",
        "“/settle”",
        "He typed\n/settle\nand left.",
        "\ufeff/settle",
        "/ settle",
        "",
        "、结算",
    ],
)
def test_anything_else_is_text_to_the_current_task(typed: str) -> None:
    found = parse(typed)
    assert (found.command, found.text, found.by) == (Command.CONTINUE, typed, "default")


@given(st.text())
def test_no_text_is_changed_and_none_is_guessed(text: str) -> None:
    if not text.startswith(("/", "／")):
        assert parse(text).text == text
    assert parse(f"//{text}").text == f"/{text}", "two slashes write one"
    assert parse(f"//{text}").command is Command.CONTINUE


@pytest.mark.parametrize("typed", ["/setle", "/新建玉佩", "/usr/bin is a path", "/settle!", "/new​ x"])
def test_an_unknown_command_is_refused_with_all_there_are(typed: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(typed)
    message = str(refused.value)
    assert all(f"/{name}" in message for name in NAMES)
    assert "//" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("/new", "title"),
        ("/新建\n没有标题", "title"),
        ("/switch", "id or title"),
        ("/settle\nThe last thing I want to say", "send that text first"),
        ("/discard\nwait", "send that text first"),
        ("/new " + "x" * 201, "201 characters"),
    ],
)
def test_what_is_missing_or_too_much_is_said(typed: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse(typed)


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
    assert parse(f"/new {typed}").argument == title
    assert checked_instruction(Command.NEW, argument=typed).argument == title


@pytest.mark.parametrize("typed", [ZWSP, RLO, "\u3164", f"{ZWSP} {RLO}", "\u2800", "\u0301", JOINER])
def test_a_title_without_anything_to_see_is_none(typed: str) -> None:
    for made in (lambda: parse(f"/new {typed}"), lambda: checked_instruction(Command.NEW, argument=typed)):
        with pytest.raises(InputError, match="needs a title"):
            made()


def test_a_button_gives_the_same_instruction() -> None:
    slash, button = parse("/new A title\ntext"), checked_instruction(Command.NEW, argument="A title", text="text")
    assert (slash.command, slash.argument, slash.text) == (button.command, button.argument, button.text)
    assert (slash.by, button.by) == ("slash", "button")


def test_every_command_has_a_name_in_both_languages() -> None:
    assert {command: sum(one is command for one in NAMES.values()) for command in Command} == dict.fromkeys(Command, 2)
    assert listed().count("/") == len(NAMES)
