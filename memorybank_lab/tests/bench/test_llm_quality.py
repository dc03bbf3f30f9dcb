"""The benchmark of language models: planted contradictions are judged by their values, whatever words a model uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.language.text import sha256
from memorybank.memory.bank import Draft, MemoryBank
from memorybank.memory.events import ConflictClosed, ConflictFound, EntryRecorded, NodeCreated
from memorybank.memory.types import Claim, ConflictStatus, Contradiction, Entry, Span
from memorybank.session.assembly import Parts, llm_parts, offline_parts
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank_lab.bench.llm_quality import QualityRow, RoleRow, Tally, run, tally_of
from memorybank_lab.bench.table import as_table
from memorybank_lab.evaluation.collections import collections
from memorybank_lab.scripted import ScriptedServer, scripted_agents

CAPE = collections("en")[0]


def memory_with(left: str, right: str, status: ConflictStatus, winner: str = "") -> MemoryBank:
    """Two memories on the cape's lighthouse whose summaries contradict each other, and how that was closed."""
    draft = Draft.of(MemoryBank(), 0.0)
    nodes = []
    for text in (left, right):
        entry_id, node_id = draft.new_entry(), draft.new_node()
        entry = Entry(id=entry_id, kind="document", text=text, source=f"{entry_id}.md", sha256=sha256(text))
        span = Span(entry_id=entry_id, start=0, end=len(text))
        created = NodeCreated(node_id=node_id, summary=text, context="the cape", keywords=(), vector=b"", spans=(span,))
        draft.emit(EntryRecorded(entry=entry), created)
        nodes.append(node_id)
    pair = Contradiction(left=claim(left), right=claim(right), reason="two values", confidence=1.0)
    conflict_id = draft.new_conflict()
    draft.emit(
        ConflictFound(
            conflict_id=conflict_id, node_ids=(nodes[0], nodes[1]), description="two values", contradictions=(pair,)
        ),
        ConflictClosed(
            conflict_id=conflict_id,
            status=status,
            reason="sources",
            closed_by="test",
            winner="left" if winner == "left" else "",
        ),
    )
    return draft.state


def claim(text: str) -> Claim:
    return Claim(text=text, kind="text", subject="the cape", attribute="", value="")


@pytest.mark.parametrize(
    ("left", "right", "status", "winner", "expected"),
    [
        (  # in a model's own words, with the number in words
            "The tower at Cape Orrin, built of pink granite, is forty-one metres high.",
            "According to the guide the tower is 38 m tall and painted white every fifth summer.",
            ConflictStatus.RESOLVED,
            "left",
            Tally(disputes=3, found=1, decidable=2, settled=1),
        ),
        (
            "The tower itself is 38 metres tall and painted white every fifth summer.",
            "The tower is built of pink granite and rises to 41 metres.",
            ConflictStatus.RESOLVED,
            "left",
            Tally(disputes=3, found=1, decidable=2, wrong=1),
        ),
        (
            "The tower rises to 41 metres and is built of pink granite.",
            "The tower itself is 38 metres tall, painted white every fifth summer.",
            ConflictStatus.INCONCLUSIVE,
            "",
            Tally(disputes=3, found=1, decidable=2),
        ),
        (  # a near miss: the cliff is not the tower
            "The cliff below it drops 38 metres to the sea, so hold on to your children.",
            "The overall height of the tower from base to gallery rail is 41 m.",
            ConflictStatus.FALSE_ALARM,
            "",
            Tally(disputes=3, decidable=2, false=1, near=1),
        ),
    ],
)
def test_a_dispute_is_known_by_its_values(
    left: str, right: str, status: ConflictStatus, winner: str, expected: Tally
) -> None:
    tally = tally_of(CAPE, memory_with(left, right, status, winner))
    counted = Tally(**{name: getattr(tally, name) for name in Tally.__dataclass_fields__} | {"figures": 0, "kept": 0})
    assert counted == expected
    assert 0 < tally.kept < tally.figures, "two sentences keep little of five documents"


def test_a_scripted_model_is_measured_beside_the_rules() -> None:
    embedder = HashedNgrams()

    def offline(settings: Settings, texts: Sequence[str]) -> Parts:
        del texts
        return offline_parts(settings, "en", embedder)

    rules = run(lambda line: None, Settings(max_rounds=20), languages=("en",), most=1, parts_of=offline)
    with ScriptedServer(scripted_agents()) as server:
        llm = LLMSettings(api_key="sk-x", base_url=server.base_url, model="scripted", cache=False)

        def scripted(settings: Settings, texts: Sequence[str]) -> Parts:
            del texts
            return llm_parts(settings, "en", embedder)

        settings = Settings(engine="llm", llm=llm, max_rounds=4)
        model = run(lambda line: None, settings, languages=("en",), most=1, parts_of=scripted)
        asked = len(server.chats)
        lines = list[str]()
        cramped = replace(settings, llm=replace(llm, windows={"analysis": 500}))
        (refused, *_) = run(lines.append, cramped, languages=("en",), most=1, parts_of=scripted)
    (first,), (second,) = ([row for row in rows if isinstance(row, QualityRow)] for rows in (rules, model))
    assert (first.engine, second.engine) == ("offline", "scripted")
    assert first.tally.kept / first.tally.figures > 0.8, "verbatim"
    assert first.input_tokens == 0
    assert second.calls > 4
    assert second.input_tokens > 1_000
    roles = [row for row in model if isinstance(row, RoleRow)]
    assert sum(row.calls for row in roles) == second.calls
    assert sum(row.calls + row.repaired for row in roles) == asked
    assert isinstance(refused, QualityRow)
    assert (refused.sessions, refused.failed) == (1, 1)
    assert "larger context" in lines[0], "why a session did not come to its end"
    assert "settled right" in as_table(model)
