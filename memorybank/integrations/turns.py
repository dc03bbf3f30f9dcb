"""The plain adapter, for any loop: it gives the enhanced prompt before a turn and takes what came of it after.

    with Turns.start(Path("run"), "How many qubits does Willow have?") as turns:
        while prompt := turns.enhance_prompt():
            turns.intercept(my_model(prompt))
        print(turns.answer)

The session is an ordinary one: it stops where its executor would work, shows the prompt, and takes what is handed in
for the executor's round. A loop that was killed opens the run again and gets the same prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from memorybank.errors import InputError, ToolError
from memorybank.integrations.arguments import source_name
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.foreign import AgentTool, Handover, OutsideCall, call_block, transcript_of
from memorybank.memory.events import SessionStarted
from memorybank.prompts.tags import block
from memorybank.session.assembly import Parts, assemble, reassemble
from memorybank.session.executors.base import Execution
from memorybank.session.session import Session
from memorybank.session.stages.recording import Names, Source
from memorybank.settings.config import Settings
from memorybank.tools.base import Material, Tool, ToolResult, arguments_json

READ = "read"
"""The tool under whose name the loop's own reading is recorded."""


@dataclass(slots=True)
class Turns(AbstractContextManager["Turns"]):
    """A session that is driven from outside, turn by turn."""

    session: Session
    handover: Handover
    bank: BankTools
    _calls: list[OutsideCall] = field(default_factory=list)
    _log: list[str] = field(default_factory=list)

    @classmethod
    def start(
        cls,
        folder: Path,
        task: str,
        *,
        sources: Sequence[Source] = (),
        images: Sequence[tuple[str, bytes]] = (),
        settings: Settings | None = None,
        parts: Parts | None = None,
        name: str = "outside loop",
    ) -> Self:
        """Begin a run in an empty folder; images are (name, bytes).

        `parts` are assembled from the settings unless they are given. Raises as `Session.start` does.
        """
        texts = [task, *(source.text for source in sources)]
        chosen = parts or assemble(settings or Settings(), texts)
        handover = Handover(name)
        handed = replace(chosen, executor=handover)
        session = Session.start(folder, handed, goal=task, sources=sources, images=images)
        return cls(session, handover, BankTools(session, by=name))

    @classmethod
    def open(
        cls, folder: Path, *, settings: Settings | None = None, parts: Parts | None = None, name: str = "outside loop"
    ) -> Self:
        """Go on with a run; `settings` are this machine's (keys, endpoints), the run's own hold where it has some."""
        handover = Handover(name)

        def parts_for(begun: SessionStarted) -> Parts:
            return replace(parts or reassemble(begun, settings or Settings()), executor=handover)

        session = Session.open(folder, parts_for)
        return cls(session, handover, BankTools(session, by=name))

    # -- the two hooks ------------------------------------------------------------------------------------------------

    def enhance_prompt(self) -> str | None:
        """Return the task and what memory holds on it, before a turn; None when the session has nothing more to ask."""
        self.session.run()
        prompt = self.session.bank.progress.prompt
        return prompt.prompt if prompt is not None and self.session.next_stage == "execute" else None

    def intercept(
        self,
        answer: str,
        *,
        sources: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        transcript: str = "",
        failure: str = "",
    ) -> None:
        """Take, after a turn, the answer, what was read (text by URL or file name), and the record of how it came
        about.

        Calls of `tools` are known already. `failure` says why there is no answer; the session goes on with that.
        Raises InputError when no turn is waiting, or the session is paused; nothing is lost then.
        """
        prompt = self.session.bank.progress.prompt
        if prompt is None or self.session.next_stage != "execute":
            raise InputError("turn.none_waiting")
        calls = [*self._calls, *self._reading(sources.items() if isinstance(sources, Mapping) else sources)]
        record = transcript or transcript_of(prompt.prompt, self._log, answer)
        self.handover.execution = Execution(answer=answer, transcript=record, failure=failure)
        self.handover.calls = tuple(calls)
        try:
            done = self.session.step()
        finally:
            self.handover.execution, self.handover.calls = None, ()
        if done is None:
            raise InputError("turn.paused")
        self._calls.clear()
        self._log.clear()
        self.bank.settle()

    def _reading(self, sources: Iterable[tuple[str, str]]) -> Iterator[OutsideCall]:
        """Return what the loop read by itself, by the names that memory has for it; what has one name is one source."""
        session = self.session
        names = Names(session.bank.tree, session.parts.lang, session.parts.corpus)
        for name, text in sources:
            place = source_name(name, "text")
            source = names.of(Source(name=place, text=text, kind="tool", continues=True), place)
            result = ToolResult(text=text, materials=(Material(source=source, text=text),))
            yield OutsideCall(READ, {"source": source}, result)

    # -- during a turn ------------------------------------------------------------------------------------------------

    @property
    def tools(self) -> tuple[AgentTool, ...]:
        """Return the session's tools (search, visit …); the next `intercept` takes in what they read."""
        offered = self.session.parts.tools(lambda: self.session.bank, self.session.folder)
        return tuple(AgentTool.of(tool, self._use(tool)) for tool in offered)

    def _use(self, tool: Tool) -> Callable[[Mapping[str, Any]], str]:
        def run(arguments: Mapping[str, Any]) -> str:
            try:
                arguments_json(tool.name, arguments)  # what could not be journaled is not looked up either
                result = tool.run(arguments)
            except ToolError as error:
                text = str(error)
            else:
                text = result.text
                self._calls.append(OutsideCall(tool.name, dict(arguments), result))
            self._log.extend((call_block(tool.name, arguments), block("tool_response", text)))
            return text

        return run

    # -- the session --------------------------------------------------------------------------------------------------

    def ask(self, task: str) -> None:
        """Begin another task on the same memory. Raises InputError when it is empty."""
        if not task.strip():
            raise InputError("turn.task_empty")
        self.session.ask(task)

    @property
    def answer(self) -> str:
        return self.session.result.answer

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a reader of the answer must know of what failed; `session.refile()` files it again."""
        return self.session.result.notes

    def close(self) -> None:
        self.session.close()

    def __exit__(self, *exception: object) -> None:
        self.close()
