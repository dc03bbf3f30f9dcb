"""From a memory back to its raw text, merged-away ids and budgets included."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.errors import InputError, ToolError
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import ConflictStatus, Evidence, Lang, TaskType
from memorybank.prompts.tags import block
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.session import Session
from memorybank.tools.base import Material, Tool, ToolResult
from memorybank.tools.deep_retrieval import DeepRetrieval, as_json, deep_retrieval_tool, view
from tests.prompts import rendered
from tests.scripted import LetterEmbedder, WorldExecutor, start, write_verdict

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
