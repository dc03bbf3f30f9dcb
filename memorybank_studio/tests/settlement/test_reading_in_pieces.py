"""A long task is read by a model in pieces: every sentence comes out once, in a row, as not taken, or as not read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorybank.errors import AgentError, EndpointError
from memorybank.llm.base import ChatReply, ChatRequest
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank_studio.drafts import Extracted, extracted
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.by_model import ModelExtract
from memorybank_studio.settlement.numbered import MOST_COUNTED, numbered, pieces
from memorybank_studio.tests.settlement.settling import NOTHING
from memorybank_studio.tests.tasks.studio import chunk, turns_of
from memorybank_studio.types import Entity, EntityKind, Fact, Origin, Plan, PlanKind, TaskId, Turn
from tests.engines.llm.scripted import ScriptedChat
from tests.prompts.rendered import check
from tests.tables import tables

TABLES = tables(__file__)

TEXTS = st.lists(st.text(st.sampled_from("ab 12。？.!\n、林人“”-"), max_size=80), max_size=8)


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(5, 60))
def test_every_letter_is_in_a_sentence_and_every_sentence_in_one_piece(texts: list[str], window: int) -> None:
    sentences = numbered(turns_of(texts), window)
    told: dict[int, str] = {}
    for sentence in sentences:
        told[sentence.turn] = told.get(sentence.turn, "") + sentence.text
    assert {turn: letters(text) for turn, text in told.items()} == {
        number: letters(text) for number, text in enumerate(texts, start=1) if letters(text)
    }
    assert [sentence.number for sentence in sentences] == list(range(1, len(sentences) + 1))
    cut = list(pieces(sentences, window))
    assert [sentence for piece in cut for sentence in piece] == list(sentences)
    for piece in cut:
        assert sum(sentence.cost for sentence in piece) <= window or len(piece) == 1
        assert sum(sentence.counts for sentence in piece) <= MOST_COUNTED
    assert all(estimate(sentence.text) <= window for sentence in sentences)


TASK = TaskId("t2")
TURNS: dict[Lang, tuple[str, ...]] = TABLES["turns"]
NAMES: dict[Lang, tuple[str, str, str]] = {
    "en": ("Ilse", "Corin", "The flute's road"),
    "zh": ("伊尔", "柯林", "骨笛之路"),
}


@pytest.fixture
def hub(stores: Stores, lang: Lang) -> Stores:
    origin = Origin(task=TaskId("t1"))
    ilse, corin = (Entity(kind=EntityKind.CHARACTER, name=name, origin=origin) for name in NAMES[lang][:2])
    stores.facts.apply([ilse, corin], [])
    stores.archive.put([chunk(7, 0, "Rain")])
    stores.plans.apply([Plan(kind=PlanKind.GENERAL, title=NAMES[lang][2], origin=origin)], [])
    return stores


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_prompts_of_a_later_piece_and_of_what_was_left_out_are_kept(hub: Stores, lang: Lang) -> None:
    """Those of the first piece are in the recorded session."""
    ilse, corin = NAMES[lang][:2]
    row = {"subject": ilse, "relation": "HATES", "object": corin, "properties": [], "chapter": 8, "happened": True}
    chat = ScriptedChat([nothing() | {"facts": [{**row, "sentences": [1]}]}, nothing(), nothing()], context_window=400)
    ModelExtract(chat, hub, lang)(turns_of((*TURNS[lang], *TURNS[lang])), TASK)
    later = next(one for one in chat.requests if len(one.messages) == 2 and one is not chat.requests[0])
    check(f"settlement-later.{lang}", later.messages[1].content)
    missing = chat.requests[1].messages[2:]
    check(f"settlement-missing.{lang}", "\n\n".join(f"== {one.role}\n{one.content}" for one in missing))


# -- what a model reads of them ------------------------------------------------------------------------------------


T1 = TaskId("t1")
_LINE_RE = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)
_OWNS_RE = re.compile(r"(\w+) (?:owns|拥有) ?(\w+)")
Answer = dict[str, list[dict[str, Any]]]


def told(*texts: str) -> list[Turn]:
    """Turns of the author's, each answered."""
    pairs = [text for one in texts for text in (one, "I see.")]
    return [
        Turn(number=number, role="author" if number % 2 else "assistant", text=text, at=0.0)
        for number, text in enumerate(pairs, start=1)
    ]


def nothing() -> Answer:
    return {name: [] for name in NOTHING}


def asked_for(request: ChatRequest) -> list[int]:
    """The numbers that a request names at its end, or, asked again, those that were left out."""
    words = request.messages[-1].content
    runs = re.findall(r"(\d+)(?:-(\d+))?", words[re.search(r"(?:sentences: |`not_taken`: )(?=\d)", words).end() :])  # type: ignore[union-attr]
    return [number for first, last in runs for number in range(int(first), int(last or first) + 1)]


def shown(request: ChatRequest) -> dict[int, str]:
    return {int(number): text for number, text in _LINE_RE.findall(request.messages[1].content)}


def owning(request: ChatRequest, numbers: Iterable[int]) -> Answer:
    """A row for each of these sentences that says who owns what; the others are not taken."""
    answer = nothing()
    for number in numbers:
        match = _OWNS_RE.search(shown(request)[number])
        if match is None:
            answer["not_taken"].append({"sentences": [number], "why": "nothing", "note": ""})
            continue
        fact = {"subject": match[1], "relation": "OWNS", "object": match[2], "properties": [], "chapter": None}
        answer["facts"].append({**fact, "happened": True, "sentences": [number]})
    return answer


def read(stores: Stores, chat: ScriptedChat, turns: Sequence[Turn]) -> Extracted:
    return extracted(ModelExtract(chat, stores, "en"), turns, T1)


def owned(read_: Extracted) -> list[str]:
    """What is owned, in the order of the rows."""
    names = {draft.item.key: draft.item.name for draft in read_.drafts if isinstance(draft.item, Entity)}
    return [names[draft.item.object] for draft in read_.drafts if isinstance(draft.item, Fact)]


def test_a_model_that_reads_every_sentence_gives_them_all(stores: Stores) -> None:
    turns = told(*(f"Person{number} owns Jewel{number}. The wind blew." for number in range(1, 121)))
    chat = ScriptedChat(lambda request: owning(request, asked_for(request)), context_window=6_000)
    out = read(stores, chat, turns)
    assert owned(out) == [f"Jewel{number}" for number in range(1, 121)]
    assert [draft.turns for draft in out.drafts if isinstance(draft.item, Fact)] == [(at,) for at in range(1, 240, 2)]
    assert all(draft.ticked for draft in out.drafts)
    assert (out.unread, len(out.not_taken)) == ((), 120)
    assert len(chat.requests) > 5
    numbers = [number for request in chat.requests for number in asked_for(request)]
    assert len(numbers) == len(set(numbers)) == 240, "each is asked for once"


def test_a_piece_is_shown_what_stands_before_it_and_what_it_gave(stores: Stores) -> None:
    turns = told(*(f"Person{number} owns Jewel{number}. " + "The wind blew. " * 8 for number in range(1, 41)))
    chat = ScriptedChat(lambda request: owning(request, asked_for(request)), context_window=3_000)
    read(stores, chat, turns)
    first, second = (request.messages[1].content for request in chat.requests[:2])
    assert "read already" not in first
    assert "The sentences just before, read already:\nTurn" in second
    assert re.search(r"\(row \d+\) Person\d+ owns Jewel\d+", second)
    assert "Person1 (Character)" in second, "drafted names are on record for the next piece"
    before, after = asked_for(chat.requests[0]), asked_for(chat.requests[1])
    assert max(before) < min(after)
    assert set(shown(chat.requests[1])) & set(before), "the seam is seen from both sides"


def test_what_is_left_out_is_asked_for_once_more(stores: Stores) -> None:
    def forgetful(request: ChatRequest) -> Answer:
        numbers = asked_for(request)
        return owning(request, numbers if len(request.messages) > 2 else numbers[:1])

    chat = ScriptedChat(forgetful)
    out = read(stores, chat, told("Ann owns Bell. Bob owns Cup. Cid owns Drum."))
    assert owned(out) == ["Bell", "Cup", "Drum"]
    assert (out.unread, len(chat.requests)) == ((), 2)
    assert asked_for(chat.requests[1]) == [2, 3]
    assert [message.role for message in chat.requests[1].messages] == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize("fails", [False, True], ids=["left out again", "the second call fails"])
def test_what_is_still_left_out_is_not_read(stores: Stores, fails: bool) -> None:
    def forgetful(request: ChatRequest) -> Any:
        if len(request.messages) > 2 and fails:
            raise EndpointError("the endpoint is gone")
        return owning(request, [1])

    out = read(stores, ScriptedChat(forgetful), told("Ann owns Bell. Bob owns Cup."))
    assert owned(out) == ["Bell"]
    (left,) = out.unread
    assert (left.turn, left.line) == (1, "Bob owns Cup.")
    assert "said nothing of it" in left.why


def test_a_later_piece_takes_an_earlier_row_back(stores: Stores) -> None:
    def reading(request: ChatRequest) -> Answer:
        numbers = asked_for(request)
        answer = owning(request, [number for number in numbers if "Forget" not in shown(request)[number]])
        for number in numbers:
            if "Forget" in shown(request)[number]:
                row = re.search(r"\(row (\d+)\) Ann owns Bell", request.messages[1].content)
                assert row is not None
                answer["taken_back"].append({"rows": [int(row[1])], "sentences": [number]})
        return answer

    filler = "The wind blew over the hill. " * 30
    turns = told("Ann owns Bell. Bob owns Cup.", filler, filler, "Forget what I said of Ann. Cid owns Drum.")
    chat = ScriptedChat(reading, context_window=2_500)
    out = read(stores, chat, turns)
    assert len(chat.requests) > 1
    assert owned(out) == ["Cup", "Drum"]
    names = {draft.item.name for draft in out.drafts if isinstance(draft.item, Entity)}
    assert names == {"Bob", "Cup", "Cid", "Drum"}, "whom no other row names goes too"
    why = {line.line: line.why for line in out.not_taken}
    assert "taken back by “Forget what I said of Ann.”" in why["Ann owns Bell."]
    assert "takes an earlier sentence back" in why["Forget what I said of Ann."]
    assert out.unread == ()


def test_a_name_that_another_row_speaks_of_stays(stores: Stores) -> None:
    answers = iter(
        [
            lambda request: owning(request, asked_for(request)),
            lambda request: nothing() | {"taken_back": [{"rows": [1], "sentences": asked_for(request)}]},
        ]
    )
    filler = "“" + "wind " * 440 + "”"
    chat = ScriptedChat(lambda request: next(answers)(request), context_window=2_500)
    out = read(stores, chat, told(f"Ann owns Bell. Bob owns Ann. {filler}", "Forget it."))
    assert owned(out) == ["Ann"]
    assert {draft.item.name for draft in out.drafts if isinstance(draft.item, Entity)} == {"Bob", "Ann"}


class CutOff(ScriptedChat):
    """Answers are cut off where more than so many sentences are asked for."""

    def __init__(self, most: int, script: Callable[[ChatRequest], Answer]) -> None:
        super().__init__(script)
        self._most = most

    def complete(self, request: ChatRequest) -> ChatReply:
        reply = super().complete(request)
        if len(asked_for(request)) <= self._most:
            return reply
        return ChatReply(text=reply.text[:40], finish="length", mode="schema")


def test_where_an_answer_is_cut_off_the_piece_is_read_in_halves(stores: Stores) -> None:
    turns = told(*(f"Person{number} owns Jewel{number}." for number in range(1, 13)))
    chat = CutOff(4, lambda request: owning(request, asked_for(request)))
    out = read(stores, chat, turns)
    assert owned(out) == [f"Jewel{number}" for number in range(1, 13)]
    with pytest.raises(AgentError, match="cut off"):
        read(stores, CutOff(0, lambda request: owning(request, asked_for(request))), turns)


def test_what_nobody_took_costs_no_call(stores: Stores) -> None:
    chat = ScriptedChat([nothing()])
    turns = [Turn(number=1, role="assistant", text="Ann owns Bell.", at=0.0)]
    assert read(stores, chat, turns) == Extracted()
    assert chat.requests == []


# -- whatever comes back ----------------------------------------------------------------------------------------------

NUMBERS = st.lists(st.sampled_from([1, 2, 3, 4]), min_size=1, max_size=3)
NAME = st.sampled_from(["Ann", "Bell", "the ford", "</task>", "林霜"])
CHAPTER = st.sampled_from([None, 0, 3, 20])
WRONG = st.sampled_from(
    [
        {"name": ""},
        {"sentences": []},
        {"sentences": [77]},
        {"relation": "`"},
        {"rows": [9]},
        {"why": "so"},
        {"title": 3},
    ]
)
ROWS = {
    "names": {"name": NAME, "kind": st.sampled_from(["Character", "Event"]), "aliases": st.just([]), "note": NAME},
    "facts": {
        "subject": NAME,
        "relation": st.sampled_from(["OWNS", "IN_CHAPTER", "knows of", "HAS_STATUS", "KNOWS_OF"]),
        "object": NAME,
        "properties": st.lists(st.fixed_dictionaries({"name": st.just("what"), "value": NAME}), max_size=1),
        "chapter": CHAPTER,
        "happened": st.booleans(),
    },
    "hooks": {"name": NAME, "resolved": st.booleans(), "chapter": CHAPTER},
    "plans": {
        "level": st.sampled_from(["step", "general"]),
        "title": NAME,
        "text": NAME,
        "parent": NAME,
        "storyline": st.just(""),
        "due": CHAPTER,
    },
    "statuses": {"title": NAME, "status": st.just("Completed")},
    "settings": {"key": NAME, "category": NAME, "text": NAME},
    "not_taken": {"why": st.sampled_from(["question", "nothing"]), "note": NAME},
}
ANSWER = st.fixed_dictionaries(
    {
        name: st.lists(st.fixed_dictionaries({**fields, "sentences": NUMBERS}), max_size=2)
        for name, fields in ROWS.items()
    }
).map(lambda rows: {**rows, "taken_back": []})


def spoilt(answer: Answer, wrong: dict[str, Any]) -> Answer:
    """With something wrong in each of its rows that has such a field."""
    return {
        name: [{**row, **{key: wrong[key] for key in wrong if key in row}} for row in answer[name]] for name in answer
    }


ANYTHING = st.one_of(ANSWER, ANSWER, st.builds(spoilt, ANSWER, WRONG), st.text(max_size=20))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ANYTHING, min_size=1, max_size=4))
def test_any_answer_is_refused_or_accounts_for_every_sentence(stores: Stores, answers: list[Any]) -> None:
    turns = told("Ann owns Bell. Is it hers? Bell was found in the ford.")
    try:
        out = ModelExtract(ScriptedChat([json.dumps(one) for one in answers]), stores, "zh")(turns, T1)
    except AgentError:
        return
    left = [line.line for line in (*out.unread, *out.not_taken)]
    on_rows = " ".join(draft.reason for draft in out.drafts)
    for sentence in ("Ann owns Bell.", "Is it hers?", "Bell was found in the ford."):
        assert left.count(sentence) + (sentence in on_rows) == 1
    assert all(1 in draft.turns for draft in out.drafts if draft.ticked), "on a word of the author's"


def test_a_plan_that_comes_after_one_that_is_taken_back_comes_after_the_one_before(stores: Stores) -> None:
    def plan(title: str, *sentences: int) -> dict[str, Any]:
        more = {"level": "step", "text": "", "parent": "", "storyline": "", "due": None}
        return {"title": title, "sentences": list(sentences), **more}

    def reading(request: ChatRequest) -> Answer:
        numbers = asked_for(request)
        row = re.search(r"\(row (\d+)\).* › The flood ", request.messages[1].content)
        if row is None:
            first, *others = numbers
            plans = [plan("The storm", first), plan("The flood", *others)]
            return nothing() | {"plans": plans}
        back = {"rows": [int(row[1])], "sentences": numbers}
        return nothing() | {"plans": [plan("The drought", *numbers)], "taken_back": [back]}

    filler = "“" + "wind " * 440 + "”"
    chat = ScriptedChat(reading, context_window=2_500)
    out = read(stores, chat, told(f"First a storm. Then a flood. {filler}", "No flood: a drought."))
    steps = {draft.item.title: draft.item for draft in out.drafts if isinstance(draft.item, Plan)}
    assert "The flood" not in steps
    assert steps["The drought"].after == steps["The storm"].key, "else the hub refuses the settlement"
