"""Whole sessions of the llm engine against a scripted endpoint, for the tests that need one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Lang
from memorybank.session.assembly import Parts, assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank_lab.scripted import (
    Predicate,
    Rule,
    Script,
    ScriptedReply,
    ScriptedServer,
    SeenRequest,
    on,
    scripted_agents,
    tool_reply,
)
from tests.tables import tables

TABLES = tables(__file__)

TASKS: Mapping[Lang, str] = TABLES["tasks"]
DOCUMENTS: Mapping[Lang, Mapping[str, str]] = TABLES["documents"]
ANSWERS: Mapping[Lang, str] = TABLES["answers"]


def recorded(lang: Lang, *rules: Rule) -> Script:
    """A model that reads well: it settles the dispute for 24, reads the sign, looks at the raw text, and answers."""
    return scripted_agents(
        *rules,
        on(round_of({"en": "] Check the open conflicts", "zh": "] 核实待验证的冲突"}[lang], results=2), _verdicts),
        on(round_of('<image id="', results=0), '<answer>\n<image id="i1">PLATFORM NINE</image>\n</answer>'),
        on(round_of({"en": "Answer the goal", "zh": "回答任务目标"}[lang], results=0), _look_deeper),
        on(
            round_of({"en": "Answer the goal", "zh": "回答任务目标"}[lang], results=1),
            f"<think>\n24, 1871.\n</think>\n<answer>\n{ANSWERS[lang]}\n</answer>",
        ),
    )


def round_of(words: str, *, results: int) -> Predicate:
    """A ReAct turn on a task with these words in its prompt, after so many tool results."""

    def matches(request: SeenRequest) -> bool:
        if '"properties"' in request.prompt:  # an agent, asked in words for JSON
            return False
        turns = [message for message in request.messages if message.get("role") != "system"]
        found = (len(turns) - 1) // 2
        return request.answer_format == "text" and found == results and words in str(turns[0].get("content"))

    return matches


def _verdicts(request: SeenRequest) -> str:
    """Each conflict of the prompt is settled for the side that says 24."""
    question = str(request.messages[1].get("content"))
    stated = [
        f'<verdict>{{"conflict": "{name}", "status": "resolved", "winner": "left", "value": "24", '
        '"reasoning": "guide.md and survey.md say 24"}</verdict>'
        for name in dict.fromkeys(re.findall(r"\bc\d+\b", question.rpartition("</task>")[0]))
    ]
    return "\n".join(["<answer>", *stated, "</answer>"])


def _look_deeper(request: SeenRequest) -> ScriptedReply | str:
    node = next(iter(re.findall(r"\bn\d+\b", str(request.messages[1].get("content")))), "n1")
    if request.tools:
        return tool_reply(("deep_retrieval", {"node_id": node}))
    call = f'{{"name": "deep_retrieval", "arguments": {{"node_id": "{node}"}}}}'
    return f"<think>\nThe raw text.\n</think>\n<tool_call>\n{call}\n</tool_call>"


def settings(server: ScriptedServer, lang: Lang, **llm: Any) -> Settings:
    model = LLMSettings(**{"base_url": server.base_url, "model": "scripted", "timeout": 5.0, **llm})
    return Settings(engine="llm", embedding_model="hashed-ngrams", lang=lang, llm=model, parallel_calls=4)


def parts(server: ScriptedServer, lang: Lang = "en", *, cache: Path | None = None, **llm: Any) -> Parts:
    chosen = settings(server, lang, cache=cache is not None, **llm)
    return assemble(replace(chosen, storage_dir=cache), [TASKS[lang]])


def sources(lang: Lang) -> list[Source]:
    return [Source(name=name, text=text, kind="document") for name, text in DOCUMENTS[lang].items()]


def agent_calls(session: Session, role: str = "") -> list[AgentCalled]:
    events = (record.event for record in session.records)
    return [event for event in events if isinstance(event, AgentCalled) and role in ("", event.role)]
