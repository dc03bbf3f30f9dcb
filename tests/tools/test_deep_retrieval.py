"""From a memory back to its raw text, merged-away ids and budgets included; transcripts, and where a source stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.errors import InputError, ToolError
from memorybank.integrations.foreign import call_block, transcript_of
from memorybank.language.text import source_key
from memorybank.llm.base import ToolCall
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import ConflictStatus, Evidence, Lang, TaskType
from memorybank.prompts.tags import block
from memorybank.prompts.templates import render
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.executors.react.conversation import ReActResult, RecordedMessage, transcript
from memorybank.session.session import Session
from memorybank.tools.base import Material, Tool, ToolResult
from memorybank.tools.deep_retrieval import DeepRetrieval, as_json, deep_retrieval_tool, read_transcript, view
from memorybank.tools.standing import standing
from tests.prompts import rendered
from tests.scripted import LetterEmbedder, WorldExecutor, finished, start, write_verdict

REGISTER = "Register of chips.\nWillow has 105 qubits.\nIt is kept by the laboratory."


class ReadingExecutor(WorldExecutor):
    """Checks a conflict in a register, names it as evidence, and keeps its round as a ReAct agent does."""

    def run(self, given: Assignment, fx: Effects) -> Execution:
        if given.task.type is not TaskType.CROSS_VALIDATE:
            return super().run(given, fx)
        material = Material(source="register.md", text=REGISTER)
        fx.tools["look"] = Tool(lambda: ToolResult(text=REGISTER, materials=(material,)), "look")
        fx.use("look")
        proof = Evidence(source="register.md", quote="Willow has 105 qubits.", supports="left", independent=True)
        verdict = StatedVerdict(
            conflict=given.briefs[0].conflict.id,
            status=ConflictStatus.RESOLVED,
            winner="left",
            value="105",
            reasoning="register.md says 105",
            evidence=(proof,),
        )
        answer = f"<answer>\nThe register says 105.\n{write_verdict(verdict)}\n</answer>"
        said = f"[user]\n{given.prompt}\n\n[user]\n{block('tool_response', REGISTER)}\n\n[assistant]\n{answer}"
        return Execution(answer=answer, transcript=f"[system]\nBe careful.\n\n{said}")


@pytest.fixture
def session(run_dir: Path) -> Session:
    with start(
        run_dir,
        "willow qubits: 105\n\nother topic: 1\n",
        "willow qubits: 98\n",
        goal="How many?",
        executor=ReadingExecutor(),
    ) as session:
        session.run()
        return session


def deep(session: Session, budget: int = 4_000, lang: Lang = "en") -> DeepRetrieval:
    return DeepRetrieval(
        state=lambda: session.bank,
        read=session.folder.files.read,
        token_budget=budget,
        count_tokens=LetterEmbedder().count_tokens,
        lang=lang,
    )


def tool(session: Session, budget: int = 4_000) -> Tool:
    return deep_retrieval_tool(deep(session, budget))


def test_a_node_gives_its_pieces_and_on_request_the_whole_entry(session: Session) -> None:
    pieces = view(session.bank, "n2")
    assert [one.text.strip() for one in pieces.entries] == ["other topic: 1"]
    assert [one.text for one in view(session.bank, "n2", full=True).entries] == [session.bank.tree.entries["e1"].text]


def test_a_merged_away_id_answers_with_its_successor_and_says_so(session: Session) -> None:
    found = view(session.bank, "n1")
    assert (found.asked, found.node_id) == ("n1", "n4")
    result = tool(session).run({"node_id": "n1"})
    assert result.text.startswith("n1 was merged into n4")
    assert result.materials == (), "recalled text is never filed a second time"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_documents_come_first_then_the_answer_then_what_the_tools_gave(session: Session, lang: Lang) -> None:
    rendered.check(f"deep_retrieval.{lang}", deep(session, lang=lang).answer("n1").text)


def test_the_prompts_of_a_round_are_shown_only_when_the_whole_is_asked_for(session: Session) -> None:
    assert "Be careful." not in str(as_json(view(session.bank, "n4")))
    assert "Be careful." not in deep(session).answer("n4").text
    assert "Be careful." in deep(session).answer("n4", full=True).text
    assert "full" not in tool(session).parameters["properties"], "an executor's agent never needs it"


def test_the_answer_is_cut_to_the_budget_and_goes_on_where_it_stopped(session: Session) -> None:
    whole = tool(session, budget=100_000).run({"node_id": "n1"}).text
    read, offset = "", 0
    for _ in range(200):
        part = tool(session, budget=20).run({"node_id": "n1", "offset": offset}).text
        shown, mark, rest = part.rpartition("\n… ")
        if not mark:
            read += part
            break
        read += shown
        offset = int(rest.rpartition("offset=")[2])
    assert read == whole
    assert offset, "it was cut"


def test_unknown_nodes_and_attachments_are_named(session: Session) -> None:
    with pytest.raises(InputError, match="no node 'n77'"):
        view(session.bank, "n77")
    with pytest.raises(ToolError, match="no node"):
        tool(session).run({"node_id": "../../etc"})
    with pytest.raises(ToolError, match="no attachment 'a9'"):
        tool(session).run({"node_id": "n4", "attachment_id": "a9"})
    with pytest.raises(ToolError, match="node_id"):
        tool(session).run({"nod": "n4"})


# -- Of a round's transcript the answer and the tools' results are kept, whichever executor wrote it -------------------

PROMPT = "\n\n".join(
    (
        block("task", "Task goal: the capacity of Skerra Sound"),
        block("memory", "Memory 1 (node n1):\nSummary: 18 megawatts <answer>24</answer>"),
        "Work on the current task, then give the result in <answer>…</answer>.",
    )
)
RESULT = "2 documents:\n1. register.md\n   Registered capacity: 18.0 MW\n\n[user]\nis only a line of it"
ANSWER = 'The register says 18.0 MW.\n<verdict>{"conflict": "c1"}</verdict>'
CALL = {"query": "capacity"}


def by_text() -> str:
    return _react(
        RecordedMessage(role="assistant", content=f"<think>\nsearch\n</think>\n{call_block('search', CALL)}"),
        RecordedMessage(role="user", content=block("tool_response", RESULT)),
        RecordedMessage(role="assistant", content=f"<think>\nenough\n</think>\n<answer>\n{ANSWER}\n</answer>"),
    )


def natively() -> str:
    calls = (ToolCall(id="1", name="search", arguments='{"query": "capacity"}'),)
    return _react(
        RecordedMessage(role="assistant", content="I search.", tool_calls=calls),
        RecordedMessage(role="tool", content=RESULT.replace("[user]", "user")),
        RecordedMessage(role="assistant", content=ANSWER, reasoning="enough"),
    )


def by_a_framework() -> str:
    return transcript_of(PROMPT, [call_block("search", CALL), block("tool_response", RESULT)], ANSWER)


def _react(*messages: RecordedMessage) -> str:
    system = RecordedMessage(role="system", content=render("react", "en", native=False, tools="{}", images=False))
    opening = (system, RecordedMessage(role="user", content=PROMPT))
    return transcript(ReActResult(question="", prediction=ANSWER, messages=(*opening, *messages), termination="answer"))


@pytest.mark.parametrize("written", [by_text, natively, by_a_framework])
def test_the_prompt_the_thoughts_and_the_calls_are_left_out(written) -> None:  # type: ignore[no-untyped-def]
    record = read_transcript(written())
    assert record.answer == ANSWER
    assert [result.replace("[user]", "user") for result in record.results] == [RESULT.replace("[user]", "user")]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"Verdict stated by Ana.\n{ANSWER}", f"Verdict stated by Ana.\n{ANSWER}"),
        (f"{PROMPT}\n\nNothing was found.", f"{PROMPT.rpartition('</memory>')[2].strip()}\n\nNothing was found."),
        (PROMPT + "\n\n[assistant]\n<think>\nI stop\n</think>\n\n[end: tokens]", ""),
    ],
    ids=["a person's verdict", "a record without blocks", "no answer"],
)
def test_a_record_of_another_form_loses_nothing_that_was_answered(text: str, answer: str) -> None:
    assert read_transcript(text) == (answer, ())


# -- What a search says of a source that memory knows ------------------------------------------------------------------

PAGE, SNIPPET = "https://www.example.org/willow/", "https://example.org/other"


class StandingReadingExecutor(WorldExecutor):
    """Reads one page and sees an excerpt of another, in the first round."""

    def run(self, given: Assignment, fx: Effects) -> Execution:
        done = super().run(given, fx)
        if given.task.query:
            fx.tools["look"] = Tool(_looked, "look")
            fx.use("look")
        return done


def _looked() -> ToolResult:
    read = Material(source=PAGE, text="willow cooling: helium")
    seen = Material(source=SNIPPET, text="sycamore qubits: 53", excerpt=True)
    return ToolResult(text="", materials=(read, seen))


@pytest.fixture
def marks(run_dir: Path) -> dict[str, str]:
    texts = ("willow qubits: 105", "willow qubits: 105\nwillow year: 2024")
    session = finished(run_dir, *texts, goal="What is known of willow?", executor=StandingReadingExecutor())
    assert session.bank.graph.successor("n1") == "n3", "the two notes were merged"  # type: ignore[arg-type]
    return dict(standing(session.bank, "en"))


def test_the_live_node_is_named_and_an_excerpt_is_told_from_the_whole(marks: dict[str, str]) -> None:
    assert marks["note1.txt"] == marks["note2.txt"] == "(already in memory: n3)"
    assert marks[source_key(PAGE)].startswith("(already in memory: n")
    assert source_key(SNIPPET) not in marks, "a hit that nobody read or named is not in memory"
    assert len(marks) == 3, "transcripts and conclusions are no sources"


@pytest.mark.parametrize("same", ["http://example.org/willow", "https://example.org/willow#facts", PAGE])
def test_an_address_is_known_in_each_of_its_spellings(same: str, marks: dict[str, str]) -> None:
    assert source_key(same) in marks


def test_what_was_read_and_not_filed_is_said_to_be_so(run_dir: Path) -> None:
    refused = {"structure": lambda given: "helium" in str(given)}
    bank = finished(run_dir, "willow qubits: 105", goal="?", executor=StandingReadingExecutor(), failing=refused).bank
    assert standing(bank, "zh")[source_key(PAGE)] == "（本任务已读过，尚未进入记忆）"
