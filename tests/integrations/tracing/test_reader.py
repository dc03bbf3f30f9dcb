"""A run's events as spans: the tree, and the same spans however often and in how many pieces the run was made."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.integrations.tracing.reader import SpanReader
from memorybank.integrations.tracing.spans import LATEST, Span, nanoseconds
from memorybank.integrations.tracing.texts import LONGEST, Texts, asked_for
from memorybank.memory.bounds import LATEST as LATEST_DAY
from memorybank.memory.events import AgentCalled, ToolUsed
from memorybank.runs.archive import unpack
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import JOURNAL, RunFolder, load
from memorybank.session.effects import Effects, call_key
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.session import Session
from tests.integrations.tracing.runs import GOAL, opened, started, tree
from tests.scripted import numbered, parts

OF_THE_CLOCK = "memorybank.stage.computing_seconds"


def spans_of(records: Sequence[Record[Any]], texts: Texts | None = None) -> list[Span]:
    reader = SpanReader(texts)
    return [span for record in records for span in reader.read(record)]


def timeless(spans: Sequence[Span]) -> list[Span]:
    """Spans without what the clock says."""
    return [
        replace(span, begin=0, end=0, attributes={k: v for k, v in span.attributes.items() if k != OF_THE_CLOCK})
        for span in spans
    ]


def test_a_run_with_a_conflict_and_a_merge_is_a_tree(run: Path) -> None:
    spans = spans_of(load(run))
    below = tree(spans)
    assert below[""] == ["invoke_workflow session"]
    assert below["invoke_workflow session"] == ["round 0", "conflict c1", "round 1", "round 2"]
    assert below["round 0"] == ["receive", "classify", "structure", "file", "analyse", "plan"]
    assert below["round 1"][:4] == ["enhance", "execute", "intercept", "resolve"]
    assert below["round 1"][-1] == "plan"
    assert set(below["execute"]) == {"invoke_agent world"}
    assert set(below["invoke_agent world"]) == {"execute_tool search"}
    assert below["resolve"] == ["invoke_agent integration", "merge into n5"]
    assert len({span.ref for span in spans}) == len(spans)
    within = {span.ref: span for span in spans}
    for span in spans:
        parent = within[span.parent] if span.parent is not None else span
        assert parent.begin <= span.begin <= span.end <= parent.end, span.name
    conflict = next(span for span in spans if span.name == "conflict c1")
    assert [within[link].name for link in conflict.links] == ["analyse", "resolve"], "who found and closed it"
    assert conflict.attributes["memorybank.conflict.status"] == "resolved"
    assert next(span.links for span in spans if span.name == "merge into n5") == (conflict.ref,)
    assert "a" * 22 not in repr(spans), "the run's id opens the run in the app"


def test_texts_of_blobs_that_are_gone_are_left_out(run: Path) -> None:
    shutil.rmtree(run / "blobs")
    spans = spans_of(load(run), Texts(RunFolder(run).blobs.get))
    (root,) = (span for span in spans if span.parent is None)
    assert root.attributes["input.value"] == GOAL
    assert "gen_ai.input.messages" not in next(s for s in spans if s.name == "invoke_agent planning").attributes


def test_a_text_is_cut_where_it_is_longer_than_any_prompt() -> None:
    used = ToolUsed(tool="visit", arguments={}, key="k", outcome="ok", excerpt="x" * (LONGEST + 9))
    told = Texts(lambda _: b"").of_tool(used)
    assert len(str(told["gen_ai.tool.call.result"])) == LONGEST + 1


def test_the_conventions_own_switch_asks_for_texts() -> None:
    name = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
    values = ["true", "TRUE", "SPAN_ONLY", "SPAN_AND_EVENT", "", "false", "NO_CONTENT", "EVENT_ONLY", "1"]
    assert [value for value in values if asked_for({name: value})] == values[:4]
    assert not asked_for({})


def test_killed_anywhere_and_resumed_it_has_the_spans_of_an_undisturbed_run(run: Path, tmp_path: Path) -> None:
    lines = (run / JOURNAL).read_bytes().splitlines(keepends=True)
    undisturbed = timeless(spans_of(load(run)))
    first = next(place for place, line in enumerate(lines) if b'"StageFinished"' in line) + 1
    for place in range(first, len(lines), 3):  # tests/test_kill.py kills a session at every place
        killed = tmp_path / f"at{place}" / "run"
        shutil.copytree(run, killed)
        (killed / JOURNAL).write_bytes(b"".join(lines[:place]) + lines[place][: len(lines[place]) // 2])
        with opened(killed) as session:
            session.run()
        assert timeless(spans_of(load(killed))) == undisturbed, f"killed after line {place}"
        shutil.rmtree(killed.parent)


def test_another_question_is_another_trace_of_the_same_conversation(run: Path) -> None:
    with opened(run) as session:
        session.change_settings(retrieval_k=3)
        session.ask("And who made it?")
        session.run()
    roots = [span for span in spans_of(load(run), Texts(RunFolder(run).blobs.get)) if span.parent is None]
    assert len({span.ref.trace for span in roots}) == len(roots) == 2
    assert len({span.attributes["gen_ai.conversation.id"] for span in roots}) == 1
    assert [span.attributes["input.value"] for span in roots] == [GOAL, "And who made it?"]
    assert roots[0].end <= roots[1].begin


def test_what_a_branch_shares_is_its_parents_and_the_rest_is_its_own(run: Path, tmp_path: Path) -> None:
    with opened(run) as session:
        middle = len(session.records) // 2
        session.fork(middle, tmp_path / "branch")
    with opened(tmp_path / "branch") as branch:
        branch.run()
    parents = {span.ref for span in spans_of(load(run))}
    own = [span for span in spans_of(load(tmp_path / "branch")) if span.ref not in parents]
    assert len({span.ref.trace for span in own}) == 1
    assert own[-1].name == "invoke_workflow session"
    assert {span.ref.trace for span in own}.isdisjoint(ref.trace for ref in parents)


def test_a_conflict_that_nobody_settled_is_open_in_each_stretch_of_work(run_dir: Path) -> None:
    with started(run_dir) as session:
        session.parts.executor.world = {}  # type: ignore[attr-defined]
        session.run()
        session.ask("And now?")
        session.run()
    conflicts = [span for span in spans_of(load(run_dir)) if span.name == "conflict c1"]
    assert conflicts
    assert len({span.ref for span in conflicts}) == len(conflicts)
    assert {span.attributes["memorybank.conflict.status"] for span in conflicts} <= {"open", "inconclusive"}


def test_what_a_tool_asks_a_model_stands_below_the_tool(run: Path) -> None:
    records: list[Record[Any]] = []
    for record in load(run):
        if isinstance(record.event, ToolUsed):
            asked = AgentCalled(
                role="search", engine="llm", key=call_key("within", record.event.key, "0"), outcome="ok", model="m"
            )
            records.append(Record(record.seq, record.at, asked))
        records.append(record)
    below = tree(spans_of(records))
    assert set(below["execute_tool search"]) == {"chat m"}


def test_a_stage_that_was_given_up_for_an_act_of_a_person_has_a_span_too(run_dir: Path) -> None:
    with started(run_dir) as session:
        while session.next_stage != "execute":
            session.step()

        def pause_and_go_on(given: Assignment, fx: Effects) -> Execution:
            fx.use("search", query="willow qubits")
            session.pause()
            fx.use("search", query="and once more")
            raise AssertionError("it was paused")

        session.parts.executor.run = pause_and_go_on  # type: ignore[method-assign]
        assert session.step() is None
        assert isinstance(session.records[-1].event, ToolUsed)
    with opened(run_dir) as session:
        session.change_settings(retrieval_k=3)
        session.run()
    spans = spans_of(load(run_dir))
    given_up = [span for span in spans if span.attributes.get("memorybank.interrupted")]
    assert [span.name for span in given_up] == ["execute"]
    known = {span.ref for span in spans}
    assert all(span.parent in known for span in spans if span.parent is not None)


def test_failures_are_marked_and_why_is_a_text(run_dir: Path) -> None:
    failing = parts(failing={"classification": lambda given: True})
    with Session.start(run_dir, failing, goal=GOAL, sources=numbered("one\n\ntwo\n")) as session:
        session.run()
    failed = [span for span in spans_of(load(run_dir)) if span.failed]
    assert "invoke_agent classification" in {span.name for span in failed}
    assert {(span.failure, span.attributes["error.type"]) for span in failed} == {("", "failed")}
    told = [span.failure for span in spans_of(load(run_dir), Texts(RunFolder(run_dir).blobs.get)) if span.failed]
    assert "no JSON in two tries" in told


def test_a_recorded_run_of_a_model_has_its_tokens_on_chats_alone(tmp_path: Path) -> None:
    recorded = next(run for run in recorded_runs("en") if run.engine == "llm")
    unpack(recorded.file, RunFolder(tmp_path / "run"))
    records = load(tmp_path / "run")
    spans = spans_of(records)
    tokens = "gen_ai.usage.input_tokens"
    assert {span.name.split()[0] for span in spans if tokens in span.attributes} == {"chat"}
    spent = sum(record.event.input_tokens for record in records if isinstance(record.event, AgentCalled))
    assert sum(int(span.attributes.get(tokens, 0)) for span in spans) == spent > 0
    chats = [span for span in spans_of(records, Texts(RunFolder(tmp_path / "run").blobs.get)) if span.calls_out]
    assert all('"role": "system"' in str(span.attributes["gen_ai.input.messages"]) for span in chats)
    assert all('"assistant"' in str(span.attributes["gen_ai.output.messages"]) for span in chats)


def test_a_journals_last_day_fits_a_span() -> None:
    assert nanoseconds(LATEST_DAY - 1) == LATEST
