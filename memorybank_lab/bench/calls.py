"""How many calls does filing a text cost with a language model, and how much of the waiting is done side by side?

The endpoint is a `ScriptedServer` on this machine that answers every request after a fixed delay, so the time is the
protocol's and ours: prompts, parsing, journal, and how many calls are in flight at once. The text has eight topics
that neither contradict nor repeat each other. Embedding is `hashed-ngrams`, which takes next to no time.

With `n` calls in flight, `n` = 4: 1 classification, 8 structures in two goes, 2 analyses at once, 1 plan. (Of a text
under 1,500 tokens the classification writes the summaries too.)
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Lang
from memorybank.session.assembly import llm_parts
from memorybank.session.session import Session
from memorybank.session.stages.judging import NEW_PER_CALL
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank_lab.bench.survey_words import GOAL, MATERIALS, NOUNS, SENTENCES
from memorybank_lab.bench.table import Progress, aligned, as_json_by_kind
from memorybank_lab.scripted import ScriptedServer, scripted_agents

DELAY = 0.3
"""Seconds until the endpoint answers."""
TOPICS = 8
TOPIC_CHARACTERS = 1_000
"""At least, where there are so many sentences: a shorter text is summarised in the call that classifies it."""
ANSWER = 2_200
"""Tokens of an answer: so few that the topics of the text are not summarised in the call that finds them."""
IN_FLIGHT = 4
QUICK: dict[str, Any] = {"languages": ("en",), "delay": 0.01}
GOES = 6
"""Delays that the whole takes when nothing but the endpoint costs time."""
ALLOWED = 1.2
"""What may come on top of the waiting."""


AND: Mapping[Lang, str] = {"en": ": ", "zh": "："}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsRow:
    """Calls of one agent."""

    lang: Lang
    agent: str
    calls: int
    expected: int
    """At most, for a text of one piece in which nothing merges and nothing is in conflict."""

    def cells(self) -> Mapping[str, str]:
        return {"agent": f"{self.lang}, {self.agent}", "calls": str(self.calls), "at most": str(self.expected)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRow:
    """The whole, from the text's arrival to the plan."""

    lang: Lang
    seconds: float
    limit: float
    in_turn: float
    """Had each request waited for the one before it: requests × delay."""
    nodes: int
    at_once: int
    """Most requests that the server saw at one moment."""
    further: int
    """Requests beyond the first of a call: another part, a second question, a repair."""

    def cells(self) -> Mapping[str, str]:
        return {
            "all": self.lang,
            "seconds": f"{self.seconds:.2f}",
            "limit": f"{self.limit:.2f}",
            "requests in turn": f"{self.in_turn:.2f}",
            "nodes": str(self.nodes),
            "in flight": str(self.at_once),
            "further requests": str(self.further),
        }


def run(
    progress: Progress, *, languages: Sequence[Lang] = ("en", "zh"), delay: float = DELAY
) -> list[CallsRow | TimeRow]:
    """The agents' rows of each language, then its time. A first pass loads what is loaded once."""
    rows: list[CallsRow | TimeRow] = []
    for lang in languages:
        measure(lang, 0.0)
    for lang in languages:
        progress(f"{lang}: the endpoint answers after {delay:g} s")
        rows += measure(lang, delay)
    return rows


def measure(lang: Lang, delay: float) -> list[CallsRow | TimeRow]:
    with ScriptedServer(scripted_agents(), delay=delay) as server, tempfile.TemporaryDirectory() as folder:
        llm = LLMSettings(provider="local", base_url=server.base_url, model="scripted", cache=False, max_tokens=ANSWER)
        settings = Settings(engine="llm", parallel_calls=IN_FLIGHT, llm=llm)
        parts = llm_parts(settings, lang, HashedNgrams())
        source = Source(name="things.md", text=_text(lang), kind="document")
        with Session.start(Path(folder) / "run", parts, goal=GOAL[lang], sources=[source]) as session:
            began = time.perf_counter()
            session.run_until(lambda report: report.stage == "plan")
            seconds = time.perf_counter() - began
            done = [record.event for record in session.records if isinstance(record.event, AgentCalled)]
            calls = [call for call in done if call.model]  # the others needed no model
            nodes = len(session.bank.graph.nodes)
        at_once = server.max_in_flight
    made = Counter(call.role for call in calls)
    groups = -(-nodes // NEW_PER_CALL)
    expected = {"classification": 1, "structure": nodes, "analysis": groups, "integration": 0, "planning": 1}
    rows: list[CallsRow | TimeRow] = [
        CallsRow(lang=lang, agent=role, calls=made[role], expected=most) for role, most in expected.items()
    ]
    time_row = TimeRow(
        lang=lang,
        seconds=seconds,
        limit=GOES * delay * ALLOWED,
        in_turn=sum(call.attempt for call in calls) * delay,
        nodes=nodes,
        at_once=at_once,
        further=sum(call.attempt - 1 for call in calls),
    )
    return [*rows, time_row]


def _text(lang: Lang) -> str:
    """A heading and a paragraph a topic; each sentence names the topic's thing and no other."""
    space = " " if lang == "en" else ""
    topics = []
    for place, thing in enumerate(NOUNS[lang][:TOPICS]):
        names = {"person": f"P{place}", "firm": f"F{place}", "town": f"T{place}", "room": f"R{place}"}
        material = MATERIALS[lang][place]
        sentences: list[str] = []
        for pattern in (*SENTENCES[lang][place:], *SENTENCES[lang][:place]):
            sentence = pattern.format(thing=thing, material=material, **names)
            if sum(map(len, sentences)) < TOPIC_CHARACTERS:
                sentences.append(sentence if thing in sentence else f"{thing}{AND[lang]}{sentence}")
        topics.append(f"# {thing}\n\n{space.join(sentences)}")
    return "\n\n".join(topics)


def as_table(rows: Sequence[CallsRow | TimeRow]) -> str:
    agents = [row.cells() for row in rows if isinstance(row, CallsRow)]
    times = [row.cells() for row in rows if isinstance(row, TimeRow)]
    return f"{aligned(agents)}\n\n{aligned(times)}"


def as_json(rows: Sequence[CallsRow | TimeRow]) -> str:
    return as_json_by_kind(rows)
