"""The bank as a set of tools, over one run: ingest, search, deep retrieval, insight doc, conflicts, resolve.

Each is a plain function of plain values, and every change goes through the session: this file decides nothing. Their
signatures and docstrings are what every framework and every MCP client is told (`offered`). Calls may come from several
threads; between two stages of a long ingest the others get their turn.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from inspect import getdoc
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast, get_type_hints

from pydantic import Field, TypeAdapter

from memorybank.documents.dialogue import render_turns
from memorybank.errors import InputError, JournalBrokenError, MemoryBankError, Notice, ToolError
from memorybank.integrations.answers import (
    MOST_CHARACTERS,
    ConflictList,
    ConflictView,
    Ingested,
    InsightView,
    MemoryView,
    RawPassage,
    RecallView,
    Resolved,
    ToolAnswer,
    lang_of,
)
from memorybank.integrations.arguments import Utterance, argument, dialogue_turn, source_name, stated_verdict
from memorybank.integrations.foreign import AgentTool, Handover
from memorybank.language.text import sha256
from memorybank.memory.events import SessionStarted
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, Hit
from memorybank.prompts.tags import block, neutralise
from memorybank.retrieval.passages import PassageHit
from memorybank.retrieval.recall import Recalled
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import Parts, assemble, reassemble
from memorybank.session.intake import text_source
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings import env
from memorybank.settings.config import Settings
from memorybank.tools.base import Tool

MOST_MEMORIES, MOST_PASSAGES = 50, 200
"""The most memories and passages of one search."""
LEAST_CHARACTERS = 500
MOST = 10**9
"""The most of an offset or a limit."""
Verdict = Literal["resolved", "both_wrong", "false_alarm", "inconclusive"]
NEXT_ROUND = ("enhance", "execute")
"""Stages that begin a round of the task; everything before them is taking in what has come."""

Begin = Callable[[Sequence[Source]], Session]
"""Starts the run with its first sources, for a bank that is empty until then."""


class Text(ToolAnswer):
    result: str


@dataclass(frozen=True, slots=True)
class BankTool:
    """A tool of the bank as it is offered: what it is called and takes, what it gives, what it may change."""

    tool: Tool
    """The tool, whose function gives an answer of the bank in place of a result of the session's tools."""
    changes: Literal["nothing", "memory", "verdicts"]

    @property
    def output_schema(self) -> dict[str, Any]:
        """Return the JSON schema of what `answer` gives."""
        given = get_type_hints(self.tool.function)["return"]
        return TypeAdapter[Any](Text if given is str else given).json_schema(mode="serialization")

    def answer(self, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Call it with arguments as a client wrote them. Raises MemoryBankError, in one line."""
        answer: Any = self.tool.run(arguments)
        return Text(result=answer) if isinstance(answer, str) else cast(ToolAnswer, answer)

    def text(self, arguments: Mapping[str, Any]) -> str:
        """Give the answer, or why there is none, as a model reads it."""
        try:
            answer = self.answer(arguments)
        except (InputError, ToolError) as error:
            return str(error)
        return answer.result if isinstance(answer, Text) else answer.model_dump_json(exclude_defaults=True)


class BankTools(AbstractContextManager["BankTools"]):
    """The tools of one run. `by` names who uses them, for the record of a verdict."""

    def __init__(
        self,
        session: Session | None,
        *,
        begin: Begin | None = None,
        by: str = "agent",
        parts: Callable[[], Parts] | None = None,
        folder: Path | None = None,
    ) -> None:
        """`parts` builds what `begin` would, for `warm_up`; `folder` is that of the run that is not begun."""
        self._folder = folder
        self._session, self._begin, self._by, self._parts = session, begin, by, parts
        self._turn = threading.RLock()
        self._closed = False

    @classmethod
    def at(
        cls,
        folder: Path | str,
        *,
        task: str = "",
        settings: Settings | None = None,
        parts_for: Callable[[SessionStarted], Parts] | None = None,
        by: str = "agent",
        opened: Callable[[Session], None] = lambda session: None,
    ) -> Self:
        """Open the memory in a folder: a run that is there is gone on with, an empty folder becomes one with its first
        text, or with a task.

        Without settings those of this machine hold. `parts_for` builds the parts of a run that is there; `opened` is
        told the run. Raises as `Session.open` and `Session.start` do.
        """
        folder, local = Path(folder), settings or env.load().settings
        build = parts_for or (lambda begun: reassemble(begun, local, local.corpus))
        if folder.exists() and not folder.is_dir():
            raise InputError("command.folder_is_file", name=folder.name)

        def begin(sources: Sequence[Source]) -> Session:
            parts = assemble(local, [task, *(source.text for source in sources)])
            handed = replace(parts, executor=Handover(by))
            session = Session.start(folder, handed, goal=task.strip(), sources=sources)
            opened(session)
            return session

        if not RunFolder(folder).journal.exists():
            begun = begin([]) if task.strip() else None
            return cls(begun, begin=begin, by=by, parts=lambda: assemble(local, [task]), folder=folder)
        if task.strip():
            raise InputError("command.task_needs_empty", name=folder.name)
        session = Session.open(folder, lambda begun: replace(build(begun), executor=Handover(by)))
        opened(session)
        return cls(session, by=by)

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def session(self) -> Session:
        """Raises InputError while the bank is empty, and when it is closed."""
        if self._closed:
            raise InputError("bank.closed")
        if self._session is None:
            raise InputError("bank.nothing_yet")
        return self._session

    @property
    def folder(self) -> Path:
        """Return the run's folder, which may not be there yet. Raises InputError where nothing says which it is."""
        return self.session.folder.path if self._folder is None else self._folder

    @property
    def doing(self) -> str:
        """Say what a call does now, for those who wait: a stage and how far it is. May be read from any thread."""
        activity = self._session.activity if self._session is not None else None
        return f"{activity.stage} {activity.done}/{activity.total}" if activity else str(Notice("bank.loading"))

    def warm_up(self) -> None:
        """Load the models, so that the first text need not wait for them; what fails is told by who needs it."""
        with suppress(MemoryBankError):
            parts = self._session.parts if self._session is not None else self._parts and self._parts()
            if not parts:
                return
            parts.embedder.queries(["memory"])
            parts.parse(["Memory is small and true."])

    @property
    def _begun(self) -> bool:
        return self._session is not None or self._closed

    @property
    def _bank(self) -> MemoryState:
        """Return the bank as it stands; it is empty before the first text. Raises InputError when it is closed."""
        return self.session.bank if self._begun else MemoryState()

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

    def ingest(
        self,
        text: Annotated[str, Field(description="the text of one source")] = "",
        source: Annotated[str, Field(description="where it came from: a file name or URL")] = "",
        turns: Annotated[Sequence[Utterance], Field(description="in place of text: the turns of a dialogue")] = (),
    ) -> Ingested:
        """File a text or a dialogue in memory: split by topic, summarised, compared with what is known."""
        if turns and text:
            raise InputError("bank.text_or_turns")
        if turns:
            dialogue = render_turns([dialogue_turn(number, turn) for number, turn in enumerate(turns, start=1)])
            name = source_name(source, "dialogue")
            return self.ingest_source(Source(name=name, text=dialogue, kind="dialogue", continues=True))
        if not text.strip():
            raise InputError("bank.text_empty")
        named = text_source(text, source_name(source, "text"))
        return self.ingest_source(replace(named, continues=not source.strip()))

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
                entry_id=entry_id,
                known=sha256(source.text) in before.tree.by_content,
                new_nodes=tuple(node_id for node_id in bank.graph.nodes if node_id not in before.graph.nodes),
                merges=tuple(one for one in bank.tree.merge_events if one not in before.tree.merge_events),
                conflicts=tuple(one for one in bank.conflicts.all if one not in before.conflicts.all),
                nodes=len(bank.graph.nodes),
                failures=tuple(dict.fromkeys(neutralise(f"{one.agent}: {one.reason}") for one in failed)),
            ).bounded()

    def resolve(
        self,
        conflict_id: Annotated[str, Field(description="as given by conflicts, for example c1")],
        status: Annotated[Verdict, Field(description="resolved: one side holds; both_wrong: value holds instead")],
        winner: Annotated[Literal["left", "right", ""], Field(description="when resolved: which side holds")] = "",
        value: Annotated[str, Field(description="what holds, as a value; needed when both were wrong")] = "",
        reasoning: Annotated[str, Field(description="why, naming the sources")] = "",
    ) -> Resolved:
        """State what holds in an open conflict. resolved and both_wrong merge the two memories, the others do not.

        false_alarm, that they are about different things, may be said of a closed conflict too: a merge is taken back.
        """
        verdict = stated_verdict(conflict_id, status, winner, value, reasoning)
        with self._writing():
            self.session.resolve(verdict, by=self._by)
        self.settle()
        with self._turn:
            bank = self.session.bank
            view = ConflictView.of(bank, bank.conflicts.all[ConflictId(conflict_id)])
            merged = view.status.merges and view.left.node_id == view.right.node_id
            return Resolved(conflict=view, merged_into=view.left.node_id if merged else None).bounded()

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

    def search_memory(
        self,
        query: Annotated[str, Field(description="a few words or a question")],
        k: Annotated[int, Field(ge=1, le=MOST_MEMORIES, description="direct hits; their neighbours come besides")] = 5,
        passages: Annotated[
            int, Field(ge=0, le=MOST_PASSAGES, description="most passages of the raw text behind them")
        ] = 40,
        characters: Annotated[
            int, Field(ge=LEAST_CHARACTERS, le=MOST_CHARACTERS, description="of the whole answer; passages fill half")
        ] = 4_000,
    ) -> RecallView:
        """Search memory by words and meaning: passages of the raw text that bear on the query, and the memories behind
        them by node id, topic and summary, best first."""
        query = argument("query", query)
        if not query.strip():
            raise InputError("bank.query_empty")
        for name, value, low, high in (
            ("k", k, 1, MOST_MEMORIES),
            ("passages", passages, 0, MOST_PASSAGES),
            ("characters", characters, LEAST_CHARACTERS, MOST_CHARACTERS),
        ):
            if not low <= value <= high:
                raise InputError("settings.out_of_range", name=name, value=value, low=low, high=high)
        with self._turn:
            if not self._begun:
                return RecallView(query=query, memories=())
            bank = self.session.bank
            recalled, read = self._recalled(query, k)
            disputed = bank.disputed()
            memories = []
            for hit in recalled.hits:
                node, conflict = bank.graph.nodes[hit.node_id], disputed.get(hit.node_id)
                doubt = conflict.id if conflict else None
                memories.append(MemoryView.of(node, score=hit.score, via=hit.via, disputed=doubt, lang=lang_of(bank)))
            found = [RawPassage.of(each, bank.graph.nodes[each.node_id]) for each in read(recalled.hits, passages)]
            return RecallView.within(query, found, memories, characters=characters)

    def _recalled(self, query: str, k: int) -> tuple[Recalled, Callable[[Sequence[Hit], int], tuple[PassageHit, ...]]]:
        """Return what memory holds on a query, and what reads the passages behind hits of it."""
        bank, parts = self.session.bank, self.session.parts
        recall, alpha = parts.recall, parts.settings.retrieval_alpha
        recall.sync(bank.graph.nodes, hold_back=bank.progress.fresh)
        share = parts.settings.neighbor_share
        recalled, vector = recall.for_text(query, bank.graph.nodes, k=k, alpha=alpha, share=share)
        return recalled, lambda hits, count: recall.passages(
            query, hits, bank.tree, count=count, alpha=alpha, vector=vector
        )

    def nearest_entries(self, query: str, entry_ids: Collection[str]) -> dict[str, float]:
        """Return how much raw records bear on a query, each by its best passage; one that is in no memory has none."""
        wanted = frozenset(entry_ids)
        with self._turn:
            if not self._begun:
                return {}
            bank = self.session.bank
            recalled, read = self._recalled(argument("query", query), max(1, len(bank.graph.nodes)))
            near = [hit for hit in recalled.hits if not wanted.isdisjoint(bank.tree.entries_of(hit.node_id))]
            best: dict[str, float] = {}
            for passage in read(near, MOST):
                best.setdefault(passage.entry_id, passage.score)
            return {entry_id: best[entry_id] for entry_id in wanted & best.keys()}

    def deep_retrieval(
        self,
        node_id: Annotated[str, Field(description="as given by search_memory, for example n3")],
        attachment_id: Annotated[str | None, Field(description="an attachment of that node, for example a1")] = None,
        offset: Annotated[int, Field(ge=0, le=MOST, description="characters to skip, to go on where it was cut")] = 0,
        limit: Annotated[int, Field(ge=0, le=MOST, description="tokens at most; 0: the budget of the settings")] = 0,
        full: Annotated[bool, Field(description="whole documents, and rounds with their prompts")] = False,
    ) -> str:
        """Show the raw text behind a memory: documents by name, then what checks of it answered, then what those read.

        It is cut to a token budget and says what is left.
        """
        if min(offset, limit) < 0:
            raise InputError("bank.negative", name="offset" if offset < 0 else "limit")
        attachment = None if attachment_id is None else argument("attachment_id", attachment_id)
        node = argument("node_id", node_id)
        with self._turn:
            session = self.session
            deep = session.parts.deep_retrieval(lambda: session.bank, session.folder)
            return deep.answer(node, attachment, offset, limit, full=full).text

    def insight_doc(self) -> InsightView:
        """Show the task's goal, what was done and learnt, what comes next."""
        with self._turn:
            return InsightView.of(self._bank).bounded()

    def conflicts(
        self,
        which: Annotated[Literal["open", "all"], Field(description="open ones, or closed ones too")] = "open",
        offset: Annotated[
            int, Field(ge=0, le=MOST, description="how many to skip, to go on where the list was cut")
        ] = 0,
    ) -> ConflictList:
        """List pairs of memories that contradict each other, both sides as they stand."""
        if offset < 0:
            raise InputError("bank.negative", name="offset")
        with self._turn:
            bank = self._bank
            chosen = bank.conflicts.open() if which == "open" else tuple(bank.conflicts.all.values())
            return ConflictList.within(ConflictView.of(bank, conflict) for conflict in chosen[offset:])

    # -- for frameworks -----------------------------------------------------------------------------------------------

    @property
    def offered(self) -> tuple[BankTool, ...]:
        """Return the tools: the one table from which every framework and the MCP server make their own."""
        table: dict[Callable[..., Any], Literal["nothing", "memory", "verdicts"]] = {
            self.search_memory: "nothing",
            self.deep_retrieval: "nothing",
            self.insight_doc: "nothing",
            self.conflicts: "nothing",
            self.ingest: "memory",
            self.resolve: "verdicts",
        }
        return tuple(BankTool(Tool(each, each.__name__, getdoc(each) or ""), kind) for each, kind in table.items())

    def tools(self, *, writing: bool = True) -> tuple[AgentTool, ...]:
        """Return them for a framework's agent; what they give is memory and is never filed again.

        `writing=False`: those that read. An agent whose round is a turn of the session hands in what it read instead.
        """
        chosen = (each for each in self.offered if writing or each.changes == "nothing")
        return tuple(AgentTool.of(each.tool, each.text) for each in chosen)

    def memory_block(self, query: str, *, characters: int = 4_000) -> str:
        """Return what memory holds on a text as a block of a prompt; empty where it holds nothing.

        Of a long text only its end is looked for, where the question stands.
        """
        if not query.strip():
            return ""
        view = self.search_memory(query.strip()[-1_000:], characters=characters)
        lines = [f"- {passage.text} ({passage.node_id})" for passage in view.passages]
        lines += [f"- {memory.node_id} {memory.topic}: {memory.summary}" for memory in view.memories]
        return block("memory", "\n".join(lines)) if lines else ""
