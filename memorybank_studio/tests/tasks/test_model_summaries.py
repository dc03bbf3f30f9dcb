"""Summaries by a language model: what was decided, refused and left open; nothing in them that nobody said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import AgentError
from memorybank.llm.base import ChatRequest
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.context import Part
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tasks.model_summaries import ModelSummary
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tests.tasks.studio import Echo, FixedClock, LineExtract, as_remark, give, turns_of
from memorybank_studio.types import TaskId, Turn
from tests.engines.llm.scripted import ScriptedChat
from tests.prompts.rendered import check
from tests.tables import tables

TABLES = tables(__file__)

SECTIONS = ("decisions", "rejected", "open", "names")
TOLD: dict[Lang, tuple[str, ...]] = TABLES["told"]


def summing(script: Callable[[ChatRequest], Any] | Sequence[Any], lang: Lang = "en", **more: Any) -> ModelSummary:
    tokens = more.pop("tokens", 200)
    chat = ScriptedChat(script, **more)
    return ModelSummary(chat, tokens=tokens, lang=lang)


def answer(**lines: list[tuple[list[int], str]]) -> dict[str, Any]:
    return {name: [{"turns": turns, "text": text} for turns, text in lines.get(name, [])] for name in SECTIONS}


GOOD = answer(
    decisions=[([1], "Ilse finds the bone flute in chapter 8 and hides it from Corin.")],
    rejected=[([3], "No ford.")],
    open=[([3, 4], "Whether Corin knows of the flute.")],
    names=[([3], "Corin: Ilse's uncle, 40.")],
)


def test_a_summary_tells_what_was_decided_refused_and_left_open_with_its_turns() -> None:
    summary = summing([GOOD])(turns_of(TOLD["en"]), "")
    assert summary.text.splitlines() == [
        "Decided:",
        "- [1] Ilse finds the bone flute in chapter 8 and hides it from Corin.",
        "Refused or taken back:",
        "- [3] No ford.",
        "Still open:",
        "- [3, 4] Whether Corin knows of the flute.",
        "Who and what:",
        "- [3] Corin: Ilse's uncle, 40.",
    ]
    assert summary.made == "written by scripted"


@pytest.mark.parametrize(("section", "line", "invented"), TABLES["what_nobody_said"])
def test_what_nobody_said_is_asked_about_once_and_then_left_out(section: str, line: str, invented: str) -> None:
    wrong = {**GOOD, section: [*GOOD[section], {"turns": [1], "text": line}]}
    summarise = summing([wrong, wrong])
    summary = summarise(turns_of(TOLD["en"]), "")
    (first, again) = summarise._chat.requests  # type: ignore[attr-defined]
    assert len(first.messages) == 2
    assert f"nothing you were told says {invented}: “{line}”" in again.messages[-1].content
    assert line not in summary.text
    assert "Ilse finds the bone flute" in summary.text, "the other lines stay"
    assert f"left out ({invented}" in summary.made
    mended = summing([wrong, GOOD])(turns_of(TOLD["en"]), "")
    assert mended.made == "written by scripted"


def test_the_number_of_a_turn_and_what_is_on_record_or_in_the_summary_before_are_not_invented() -> None:
    lines = answer(
        decisions=[
            ([3], "The proposal of turn 2 is taken."),
            ([1], "Brother Aldo owns the flute since chapter 9; the Saltmarch is 30 miles off."),
        ]
    )
    summarise = summing([lines])
    changed = ["- Brother Aldo owns flute (since chapter 9)"]
    summary = summarise(turns_of(TOLD["en"]), "- [1] The Saltmarch is 30 miles off.", changed)
    assert summary.text.count("\n- ") == 2
    (request,) = summarise._chat.requests  # type: ignore[attr-defined]
    assert "Saltmarch" in request.messages[1].content


def test_in_chinese_numbers_and_names_are_held_against_the_turns_too() -> None:
    wrong = answer(
        decisions=[([1], "伊尔在第十二章找到骨笛。"), ([1], "她瞒着柯林。")],
        names=[([3], "柯林：她的叔父，四十岁。"), ([3], "阿尔多：修士。")],
    )
    summary = summing([wrong], "zh")(turns_of(TOLD["zh"]), "")
    assert summary.text.splitlines() == ["已定：", "- [1] 她瞒着柯林。", "人与物：", "- [3] 柯林：她的叔父，四十岁。"]
    assert all(invented in summary.made for invented in ("十二", "阿尔多"))


def test_a_history_longer_than_the_window_is_summed_up_in_parts_handed_on() -> None:
    def script(request: ChatRequest) -> dict[str, Any]:
        seen.append(request.messages[1].content)
        return answer(decisions=[([1], f"part {'one' if len(seen) == 1 else 'more'}")])

    seen: list[str] = []
    turns = turns_of([f"Thing {number} is so. " + "word " * 60 for number in range(1, 31)])
    summing(script, context_window=1_500)(turns, "")
    assert len(seen) > 3
    assert all("part" in text for text in seen[1:]), "each is told the summary so far"
    told = "\n".join(seen)
    assert all(told.count(f"Thing {number} is so.") == 1 for number in range(1, 31))


def test_a_summary_that_is_too_long_is_sent_back_then_cut_at_its_budget() -> None:
    long = answer(
        decisions=[([1], f"Ilse hides the bone flute from Corin, {'very ' * number}well.") for number in range(1, 9)]
    )
    summarise = summing([long, long], tokens=60)
    summary = summarise(turns_of(TOLD["en"]), "")
    assert estimate(summary.text) <= 60
    assert "times as long as it may be" in summarise._chat.requests[1].messages[-1].content  # type: ignore[attr-defined]
    assert summary.text.startswith("Decided:\n- [1] Ilse hides")


LINE = st.fixed_dictionaries(
    {
        "turns": st.lists(st.integers(-1, 9), max_size=2),
        "text": st.text(st.sampled_from("Ilse 12。第章北Aldo:：\n"), max_size=40),
    }
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.fixed_dictionaries({name: st.lists(LINE, max_size=3) for name in SECTIONS}), min_size=1, max_size=2),
    st.integers(10, 90),
)
def test_any_answer_gives_a_summary_within_its_budget(answers: list[Any], tokens: int) -> None:
    summary = summing(answers, tokens=tokens)(turns_of(TOLD["en"]), "")
    assert estimate(summary.text) <= tokens
    assert summary.made


# -- in a studio ------------------------------------------------------------------------------------------------------


def gateway_with(
    folder: Path, stores: Stores, chat: ScriptedChat, lang: Lang = "en", clock: FixedClock | None = None
) -> Gateway:
    return Gateway(
        folder,
        SharedHub(stores),
        decide=as_remark,
        creative=Echo(),
        extract=LineExtract(),
        settings=TaskSettings(window=2, lang=lang),
        chat=chat,
        clock=clock or FixedClock(),
    )


def summary_told(gateway: Gateway, text: str, task: TaskId) -> Part:
    context = gateway.handle(text, task=task).context
    assert context is not None
    return next(part for part in context.parts if part.kind == "summary")


def test_where_the_model_fails_older_turns_stand_whole_and_the_next_summary_is_its_own(
    tmp_path: Path, stores: Stores
) -> None:
    def script(request: ChatRequest) -> Any:
        calls.append(request)
        if len(calls) == 1:
            raise AgentError("it broke")
        return answer(decisions=[([1], "Ilse hides the flute.")])

    calls: list[ChatRequest] = []
    with gateway_with(tmp_path / "s", stores, ScriptedChat(script)) as gateway:
        task = give(gateway, "/new Flute\nIlse hides the flute.", task=None).task.id
        gateway.handle("Corin looks for it.", task=task)
        told = gateway.handle("What then?", task=task).context
        assert told is not None
        assert {part.kind for part in told.parts} == {"turn"}
        assert "Ilse hides the flute." in told.prompt(), "nothing is lost"
        assert "Ilse hides the flute." in summary_told(gateway, "And then?", task).text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_restart_sums_up_anew_against_what_is_on_record_now(tmp_path: Path, stores: Stores, lang: Lang) -> None:
    chat = ScriptedChat([answer(decisions=[([1], "fact: Ilse OWNS Bone Sword @2")])])
    clock = FixedClock()
    with gateway_with(tmp_path / "s", stores, chat, lang, clock) as gateway:
        task = give(gateway, "/new Flute\nfact: Ilse OWNS Bone Sword @2", task=None).task.id
        gateway.confirm(task, give(gateway, "/settle", task=task).table.proposals)  # type: ignore[union-attr]
        clock.now += 60
        other = give(gateway, "/new Theft\nfact: Corin OWNS Bone Sword @4\nfact: Corin LOVES Mara", task=None).task.id
        gateway.confirm(other, give(gateway, "/settle", task=other).table.proposals)  # type: ignore[union-attr]
        context = give(gateway, f"/restart {task}\nWhat now?", task=task).context
        assert context is not None
        (request,) = chat.requests
        told = request.messages[1].content
        assert "Corin" in told
        check(f"summary-restart.{lang}", f"== system\n{request.messages[0].content}\n\n== user\n{told}")
        changed = next(part for part in context.parts if part.text in told and part.kind == "facts")
        assert "Corin" in changed.text
        assert ("until chapter 4" if lang == "en" else "至第4章") in changed.text, "what has ended since, too"
        assert "Mara" not in changed.text, "nobody the history names"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_prompts_of_a_summary_are_kept(lang: Lang) -> None:
    wrong = answer(decisions=[([9], {"en": "Ilse is 41.", "zh": "伊尔四十一岁。"}[lang])])
    summarise = summing([wrong, wrong], lang)
    previous = {"en": "Decided:\n- [1] Ilse is a diver.", "zh": "已定：\n- [1] 伊尔是潜水人。"}[lang]
    turns = [Turn(number=turn.number + 2, role=turn.role, text=turn.text, at=0.0) for turn in turns_of(TOLD[lang])]
    summarise(turns, previous)
    first, again = summarise._chat.requests  # type: ignore[attr-defined]
    check(f"summary.{lang}", "\n\n".join(f"== {message.role}\n{message.content}" for message in first.messages))
    check(f"summary-again.{lang}", again.messages[-1].content)
