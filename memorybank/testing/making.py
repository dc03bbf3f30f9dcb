"""A case is made of a recorded call or stage, or a reason is given why none can be."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from memorybank.embedding.endpoint import PREFIX as ENDPOINT
from memorybank.errors import MemoryBankError
from memorybank.llm import thinking
from memorybank.llm.base import ChatReply, ChatRequest, Finish, TokenUsage
from memorybank.memory.events import EVENT, OBSERVATIONS, AgentCalled, SessionStarted, ToolUsed
from memorybank.memory.state import MemoryState
from memorybank.runs.banks import BankAt
from memorybank.runs.run_folder import RunFolder, state_at
from memorybank.runs.stages import Border, border_of, ends_stage
from memorybank.session.executors.base import OFFLINE_RESEARCHER, REACT_AGENT
from memorybank.session.stages import STAGES
from memorybank.settings.config import Settings
from memorybank.settings.llm import Sampling
from memorybank.testing.cases import INPUTS, AgentCase, Recorded, StageCase, comparable, outcome_of, settings_kept
from memorybank.tools.base import RESULT
from memorybank.views.calls.call_view import AgentView, Exchange
from memorybank.views.run.commits import Records

MOST_BYTES = 2_000_000
"""The most bytes of results and images that a case takes in."""
_EXECUTORS = (OFFLINE_RESEARCHER, REACT_AGENT)
"""Executors whose rounds can be run again; an outside framework's own steps are not recorded."""
_REQUEST: TypeAdapter[ChatRequest] = TypeAdapter(ChatRequest)
_CALLS_RE = re.compile(r"(?:\n<tool_call>[^\n]*</tool_call>)+\Z")
_WINDOW_RE = re.compile(r"context is (\d{3,9}) tokens")

Reason = Literal[
    "input_missing", "output_missing", "no_reply", "input_unreadable", "inside_stage", "files", "too_large",
    "unfinished", "no_stage", "foreign", "result_missing", "endpoint", "not_reproduced",
]  # fmt: skip
"""Why no case can be made of something; the sentence is `prompt.cannot.<reason>`."""


@dataclass(frozen=True, slots=True)
class Cannot:
    reason: Reason


# -- an agent ---------------------------------------------------------------------------------------------------------


def agent_case(view: AgentView, records: Records, settings: Settings) -> AgentCase | Cannot:
    """Make a case of an agent's call: the offline engine is asked again, or what the model said is replayed."""
    event, begun = view.event, _begun(records)
    if view.input_blob != "kept":
        return Cannot("input_missing")
    if view.output_blob == "missing":
        return Cannot("output_missing")
    if event.role not in INPUTS or event.engine not in ("offline", "llm"):
        return Cannot("inside_stage")
    if event.engine == "offline" and begun.embedding_model.startswith(ENDPOINT):
        return Cannot("endpoint")
    if not all(exchange.reply or "refused" in exchange.call.notes for exchange in view.exchanges):
        return Cannot("no_reply")
    try:
        given = INPUTS[event.role].model_validate_json(view.input_text)
    except ValidationError:
        return Cannot("input_unreadable")
    case = AgentCase(
        name=f"{event.role}_call_{view.row.seq}",
        engine="offline" if event.engine == "offline" else "llm",
        role=event.role,
        lang=begun.lang,
        given=given.model_dump(mode="json"),
        expected=event.answer if event.outcome == "ok" else {"error": event.error},
        replies=tuple(_reply(exchange, event, is_last=exchange is view.exchanges[-1]) for exchange in view.exchanges),
        settings=settings_kept(replace(settings, embedding_model=begun.embedding_model)),
        context_window=_context_window(records[: view.row.seq]),
    )
    if case.engine == "llm":
        # What a reply was asked with is this machine's setting: the library may now ask for more than it did then.
        try:
            if outcome_of(case) != case.expected:
                return Cannot("not_reproduced")
        except AssertionError:
            return Cannot("not_reproduced")
    return case


def _reply(exchange: Exchange, event: AgentCalled, *, is_last: bool) -> ChatReply:
    """Return what the model said, from its raw text; the notes tell how it ended."""
    text, reasoning = thinking.split(_CALLS_RE.sub("", exchange.reply))
    finish: Finish = "stop"
    if "refused" in exchange.call.notes:
        finish = "refused"
    elif any(note.startswith("cut off at") for note in exchange.call.notes) or (
        is_last and "was cut off at" in event.error
    ):
        finish = "length"
    usage = TokenUsage(
        input_tokens=exchange.call.input_tokens,
        cached_input_tokens=exchange.call.cached_input_tokens,
        output_tokens=exchange.call.output_tokens,
        measured="tokens estimated" not in exchange.call.notes,
    )
    return ChatReply(text=text, reasoning=reasoning, finish=finish, usage=usage)


def _context_window(records: Records) -> int | None:
    """Return the server's context in tokens, as far as a call has noted it; the last one counts."""
    for record in reversed(records):
        for note in record.event.notes if isinstance(record.event, AgentCalled) else ():
            if match := _WINDOW_RE.search(note):
                return int(match[1])
    return None


# -- a stage ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedStage:
    """A stage that has ended: its records are `records[first:last]`."""

    stage: str
    round: int
    first: int
    last: int

    @property
    def seq(self) -> int:
        """Return the number of its first record."""
        return self.first + 1


def stage_spans(records: Records) -> tuple[EndedStage, ...]:
    """Return the stages that have ended, oldest first."""
    ended: list[EndedStage] = []
    begun: tuple[int, Border] | None = None
    for index, record in enumerate(records):
        border = border_of(record.event)
        if border is not None and border.side == "begin":
            begun = begun or (index, border)
        elif border is not None:
            if begun is not None:  # an act of a person has no beginning, and no call that could be answered again
                first, stage = begun
                ended.append(EndedStage(stage=stage.stage, round=stage.round, first=first, last=index + 1))
            begun = None
    return tuple(ended)


def stage_case(
    span: EndedStage, records: Records, folder: RunFolder, settings: Settings, bank_at: BankAt = state_at
) -> StageCase | Cannot:
    """Make a case of a stage on the memory before it, with all calls answered from the record."""
    begun, made = _begun(records), records[span.first : span.last - 1]
    stage = next((name for name in STAGES if name == span.stage), None)
    if stage is None:
        return Cannot("no_stage")
    if begun.embedding_model.startswith(ENDPOINT):
        return Cannot("endpoint")
    facts = [record.event for record in made if not isinstance(record.event, OBSERVATIONS)]
    if any(getattr(fact, "executor", _EXECUTORS[0]) not in _EXECUTORS for fact in facts):
        return Cannot("foreign")
    calls = [record.event for record in made if isinstance(record.event, AgentCalled | ToolUsed)]
    blobs = [call.blob for call in calls if isinstance(call, ToolUsed) and call.blob]
    try:
        results = {blob: folder.blobs.text(blob) for blob in blobs}
    except MemoryBankError:
        return Cannot("result_missing")
    bank = bank_at(records, span.first)
    try:
        files = _images(_seen(bank, results.values()), bank, folder) if begun.engine != "offline" else {}
    except MemoryBankError:
        return Cannot("files")
    if sum(map(len, results.values())) + sum(map(len, files.values())) > MOST_BYTES:
        return Cannot("too_large")
    own = replace(_as_asked(settings, calls, folder), embedding_model=begun.embedding_model)
    return StageCase(
        name=f"{span.stage}_at_{span.seq}",
        stage=stage,
        expected=[comparable(fact) for fact in facts],
        settings=settings_kept(own),
        context_window=_context_window(records[: span.last]),
        record=Recorded(
            facts=_facts_of(records[: span.first]),
            calls=tuple(map(_as_json, calls)),
            results=results,
            files=files,
            now=records[span.first].at,
        ),
    )


def _seen(bank: MemoryState, results: Iterable[str]) -> list[str]:
    """Return the digests of images that a model is shown: those of the task, and those that a tool's result brings."""
    task, staged = bank.doc.current_task, bank.tree.staged
    of_task = [staged[image_id].sha256 for image_id in (task.image_ids if task else ()) if image_id in staged]
    from_results = [image.sha256 for result in results for image in RESULT.validate_json(result).images]
    return list(dict.fromkeys([*of_task, *from_results]))


def _as_asked(settings: Settings, calls: Sequence[AgentCalled | ToolUsed], folder: RunFolder) -> Settings:
    """Return the settings with what the executor asked with: its requests are kept whole, and the first one tells."""
    for call in calls:
        if isinstance(call, AgentCalled) and call.role == "react" and folder.blobs.has(call.input_blob):
            request = _REQUEST.validate_json(folder.blobs.text(call.input_blob))
            react = Sampling(temperature=request.temperature, top_p=request.top_p)
            llm = replace(
                settings.llm,
                sampling={**settings.llm.sampling, "react": react},
                native_tools=bool(request.tools),
                max_tokens=request.max_tokens,
            )
            return replace(settings, llm=llm)
    return settings


# -- of all -----------------------------------------------------------------------------------------------------------


def _begun(records: Records) -> SessionStarted:
    event = records[0].event
    assert isinstance(event, SessionStarted), "no run begins otherwise"
    return event


def _facts_of(records: Records) -> tuple[tuple[float, dict[str, Any]], ...]:
    """Return the facts of all commits that had ended, whose fold is the memory."""
    last = max((place for place, record in enumerate(records) if ends_stage(record)), default=-1)
    facts = (record for record in records[: last + 1] if not isinstance(record.event, OBSERVATIONS))
    return tuple((record.at, _as_json(record.event)) for record in facts)


def _as_json(event: Any) -> dict[str, Any]:
    values: dict[str, Any] = EVENT.dump_python(event, mode="json", exclude_defaults=True)
    return {"type": event.type, **values}


def _images(digests: Iterable[str], bank: MemoryState, folder: RunFolder) -> dict[str, str]:
    """Return images of a run as base64, by SHA-256. Raises InputError for one that is gone."""
    return {digest: base64.b64encode(folder.image(bank, digest)).decode("ascii") for digest in digests}
