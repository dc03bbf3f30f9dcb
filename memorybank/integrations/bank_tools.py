"""The bank as a set of tools, over one run: ingest, search, deep retrieval, insight doc, conflicts, resolve.

Each is a plain function of plain values, and every change goes through the session: this file decides nothing. Calls
may come from several threads; between two stages of a long ingest the others get their turn.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from inspect import getdoc
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from memorybank.documents.dialogue import DialogueTurn, render_turns
from memorybank.errors import InputError, JournalBrokenError, ToolError
from memorybank.integrations.answers import (
    ConflictList,
    ConflictView,
    Ingested,
    InsightView,
    MemoryView,
    RawPassage,
    RecallView,
    Resolved,
    lang_of,
)
from memorybank.integrations.foreign import AgentTool
from memorybank.language.text import encodable, sha256
from memorybank.memory.bank import MemoryBank
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import ConflictId
from memorybank.prompts.tags import neutralise
from memorybank.runs.files.names import name_of_address, shown
from memorybank.session.intake import text_source
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.tools.base import Tool, ToolResult

MOST_MEMORIES = 50
"""The most memories of one search."""
LONGEST = {
    "query": 4_000,
    "node_id": 100,
    "attachment_id": 100,
    "conflict_id": 100,
    "value": 1_000,
    "reasoning": 20_000,
    "speaker": 200,
    "time": 200,
}
"""Characters of an argument; a text to remember may have any number."""
LONGEST_NAME = 500
"""Characters of a source's name, which may be a path."""
NEXT_ROUND = ("enhance", "execute")
"""Stages that begin a round of the task; everything before them is taking in what has come."""

Begin = Callable[[Sequence[Source]], Session]
"""Starts the run with its first sources, for a bank that is empty until then."""


class BankTools:
    """The tools of one run. `by` names who uses them, for the record of a verdict."""

    def __init__(self, session: Session | None, *, begin: Begin | None = None, by: str = "agent") -> None:
        self._session, self._begin, self._by = session, begin, by
        self._turn = threading.RLock()
        self._closed = False

    @property
    def session(self) -> Session:
        """Raises InputError while the bank is empty, and when it is closed."""
        if self._closed:
            raise InputError("bank.closed")
        if self._session is None:
            raise InputError("bank.nothing_yet")
        return self._session

    @property
    def _begun(self) -> bool:
        return self._session is not None or self._closed

    @property
    def _bank(self) -> MemoryBank:
        """Return the bank as it stands; it is empty before the first text. Raises InputError when it is closed."""
        return self.session.bank if self._begun else MemoryBank()

    def close(self) -> None:
        """Release the run. A call under way stops at its next model or tool call; what it left can be gone on with."""
        if self._session is not None:
            self._session.pause()
        with self._turn:
            self._closed = True
            if self._session is not None:
                self._session.close()

    # -- writing ------------------------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the lock while writing; a journal that takes no more is closed, so that the run can be opened again."""
        with self._turn:
            try:
                yield
            except JournalBrokenError:
                self.close()
                raise

    def ingest(self, text: str, source: str = "") -> Ingested:
        """File a text: it is split by topic, summarised, compared with what is known. Raises InputError when empty."""
        if not text.strip():
            raise InputError("bank.text_empty")
        named = text_source(text, source_name(source, "text"))
        return self.ingest_source(replace(named, continues=not source.strip()))

    def ingest_turns(self, turns: Sequence[Mapping[str, str]], source: str = "") -> Ingested:
        """File turns of a dialogue, each `{"speaker", "text", "time"?}`. Raises InputError for anything else."""
        dialogue = [_turn(number, turn) for number, turn in enumerate(turns, start=1)]
        if not dialogue:
            raise InputError("bank.no_turns")
        name = source_name(source, "dialogue")
        return self.ingest_source(Source(name=name, text=render_turns(dialogue), kind="dialogue", continues=True))

    def ingest_source(self, source: Source) -> Ingested:
        with self._writing():
            before = self._bank.copy()
            if self._begun:
                self.session.add(source)
            elif self._begin is not None:
                self._session = self._begin([source])
            else:
                raise InputError("bank.no_run")
        self.settle()
        with self._turn:
            bank = self.session.bank
            entry_id = bank.tree.by_content[sha256(source.text)]
            failed = [one for span, one in bank.unfiled_text().items() if span.entry_id == entry_id]
            failed += [one for node_id, one in bank.uncompared().items() if entry_id in bank.tree.entries_of(node_id)]
            return Ingested(
                source=bank.tree.entries[entry_id].source,
                known=sha256(source.text) in before.tree.by_content,
                new_nodes=tuple(node_id for node_id in bank.graph.nodes if node_id not in before.graph.nodes),
                merges=tuple(one for one in bank.tree.merge_events if one not in before.tree.merge_events),
                conflicts=tuple(one for one in bank.conflicts.all if one not in before.conflicts.all),
                nodes=len(bank.graph.nodes),
                failures=tuple(dict.fromkeys(neutralise(f"{one.agent}: {one.reason}") for one in failed)),
            )

    def resolve(
        self, conflict_id: str, status: str, *, winner: str = "", value: str = "", reasoning: str = ""
    ) -> Resolved:
        """State what holds in a conflict, and have memory follow. Raises InputError for an unusable verdict.

        Only that it is a false alarm may be said of one that is closed.
        """
        verdict = _verdict(conflict_id, status, winner, value, reasoning)
        with self._writing():
            self.session.resolve(verdict, by=self._by)
        self.settle()
        with self._turn:
            bank = self.session.bank
            view = ConflictView.of(bank, bank.conflicts.all[ConflictId(conflict_id)])
            merged = view.status.merges and view.left.node_id == view.right.node_id
            return Resolved(conflict=view, merged_into=view.left.node_id if merged else None)

    def settle(self) -> None:
        """Take in what has come, up to the plan; a round of the task is not begun.

        Raises InputError when the session was paused or closed before that; what is left waits for the next time.
        """
        while True:
            with self._writing():
                stage = self.session.next_stage
                if stage is None or stage in NEXT_ROUND:
                    return
                if self.session.step() is None:
                    raise InputError("bank.stopped_early")

    # -- reading ------------------------------------------------------------------------------------------------------

    def search_memory(self, query: str, k: int = 5, *, passages: int = 0) -> RecallView:
        """Return the memories nearest to a query: hybrid of words and meaning, then their neighbours. Best first.

        `passages`: so many turns and sentences of the raw text behind them, those that bear most on the query.
        """
        query = _argument("query", query)
        if not query.strip():
            raise InputError("bank.query_empty")
        if not 1 <= k <= MOST_MEMORIES:
            raise InputError("settings.out_of_range", name="k", value=k, low=1, high=MOST_MEMORIES)
        if passages < 0:
            raise InputError("bank.passages_negative", passages=passages)
        with self._turn:
            if not self._begun:
                return RecallView(query=query, memories=())
            bank, parts = self.session.bank, self.session.parts
            parts.recall.sync(bank.graph.nodes, hold_back=bank.progress.fresh)
            alpha = parts.settings.retrieval_alpha
            share = parts.settings.neighbor_share
            recalled, vector = parts.recall.for_text(query, bank.graph.nodes, k=k, alpha=alpha, share=share)
            disputed = bank.disputed()
            memories = []
            for hit in recalled.hits:
                node, conflict = bank.graph.nodes[hit.node_id], disputed.get(hit.node_id)
                doubt = conflict.id if conflict else None
                memories.append(MemoryView.of(node, score=hit.score, via=hit.via, disputed=doubt, lang=lang_of(bank)))
            raw = parts.recall.passages(query, recalled.hits, bank.tree, count=passages, alpha=alpha, vector=vector)
            found = tuple(RawPassage.of(each, bank.graph.nodes[each.node_id]) for each in raw)
            return RecallView(query=query, memories=tuple(memories), passages=found)

    def deep_retrieval(
        self, node_id: str, attachment_id: str | None = None, offset: int = 0, limit: int = 0, *, full: bool = False
    ) -> str:
        """Return the raw text behind a memory, cut to a budget; it says what is left.

        `full`: whole documents, and rounds with the prompts their agents were given. Raises ToolError, InputError.
        """
        attachment = None if attachment_id is None else _argument("attachment_id", attachment_id)
        node = _argument("node_id", node_id)
        with self._turn:
            session = self.session
            deep = session.parts.deep_retrieval(lambda: session.bank, session.folder)
            return deep.answer(node, attachment, offset, limit, full=full).text

    def insight_doc(self) -> InsightView:
        """The goal, what was done and learnt, what comes next."""
        with self._turn:
            return InsightView.of(self._bank)

    def conflicts(self, which: Literal["open", "all"] = "open") -> ConflictList:
        """Memories that contradict each other, both sides as they stand."""
        with self._turn:
            bank = self._bank
            chosen = bank.conflicts.open() if which == "open" else tuple(bank.conflicts.all.values())
            return ConflictList(conflicts=tuple(ConflictView.of(bank, conflict) for conflict in chosen))

    # -- for frameworks -----------------------------------------------------------------------------------------------

    def tools(self) -> tuple[AgentTool, ...]:
        """Return the reading tools for a framework's agent; what they give is memory and is never filed again."""

        def search_memory(query: str, k: int = 5) -> ToolResult:
            """Search memory by words and meaning; gives node ids, topics and summaries, best first."""
            return _as_text(self.search_memory(query, k))

        def deep_retrieval(
            node_id: str, attachment_id: str | None = None, offset: int = 0, limit: int = 0
        ) -> ToolResult:
            """Show the raw text behind a memory, by its node id (for example n3); go on with offset."""
            return ToolResult(text=self.deep_retrieval(node_id, attachment_id, offset, limit))

        def insight_doc() -> ToolResult:
            """Show the task's goal, what was done and learnt, and what comes next."""
            return _as_text(self.insight_doc())

        def conflicts() -> ToolResult:
            """List the open conflicts: pairs of memories that contradict each other, with both sides."""
            return _as_text(self.conflicts())

        return tuple(
            _offered(Tool(function, function.__name__, getdoc(function) or ""))
            for function in (search_memory, deep_retrieval, insight_doc, conflicts)
        )


def source_name(name: str, default: str) -> str:
    """Name a source: a URL as it is, a file by its path as far as it says nothing of the machine."""
    if name.startswith(("https://", "http://")):
        return shown(name.strip())[:LONGEST_NAME]
    return name_of_address(name, default=default)[-LONGEST_NAME:]


def _offered(tool: Tool) -> AgentTool:
    def run(arguments: Mapping[str, Any]) -> str:
        try:
            return tool.run(arguments).text
        except (InputError, ToolError) as error:
            return str(error)

    return AgentTool.of(tool, run)


def _as_text(answer: BaseModel) -> ToolResult:
    return ToolResult(text=answer.model_dump_json())


def _turn(number: int, turn: Mapping[str, str]) -> DialogueTurn:
    known = DialogueTurn.__dataclass_fields__
    strange = [key for key in turn if key not in known]
    if strange or not turn.get("speaker", "").strip() or not turn.get("text", "").strip():
        raise InputError("bank.bad_turn", number=number)
    return DialogueTurn(**{name: _argument(name, text) if name in LONGEST else text for name, text in turn.items()})


def _argument(name: str, text: str) -> str:
    """Return a tool's argument as a journal can hold it. Raises InputError when it is too long."""
    if len(text) > LONGEST[name]:
        raise InputError("bank.too_long", name=name, count=len(text), most=LONGEST[name])
    return encodable(text)


def _verdict(conflict_id: str, status: str, winner: str, value: str, reasoning: str) -> StatedVerdict:
    fields = {
        "conflict": _argument("conflict_id", conflict_id),
        "status": status,
        "winner": winner,
        "value": _argument("value", value),
        "reasoning": _argument("reasoning", reasoning),
    }
    try:
        return StatedVerdict.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "verdict"
        raise InputError("text.at", place=where, reason=first["msg"].removeprefix("Value error, ")) from None
