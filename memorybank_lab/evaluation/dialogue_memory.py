"""Memory of a dialogue: are the turns that answer a question found again? LoCoMo, categories 1 to 4.

Each dialogue is ingested as the product ingests dialogues, a source for every session of it. A question is asked of the
memory (`Recall.for_text`); of what it recalls the raw turns come back (`Recall.passages`). Evidence recall (Maharana
and others 2024, "Evaluating Very Long-Term Conversational Memory of LLM Agents") is the share of a question's evidence
turns among the first n turns. The baselines rank all turns of the dialogue, each as
`speaker (time): text [image: caption]`, without a memory.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.documents.dialogue import DialogueTurn, render_turn, render_turns
from memorybank.embedding.base import Embedder
from memorybank.errors import InputError
from memorybank.session.stages.recording import Source
from memorybank.tools.deep_retrieval import view
from memorybank_lab.evaluation.data import SAMPLE, load_json, only
from memorybank_lab.evaluation.report import Report, Score, mean_score
from memorybank_lab.evaluation.retrieval import Filed, Plain, filed, recall_at

GOAL = 0.74
"""The recall@10 that the engine has to reach."""
TURNS = (5, 10, 20)
RECALLED = 30
"""Memories whose turns are looked at, beside their neighbours; a prompt shows fewer (`retrieval_k`)."""
MOST_TURNS = 100
"""The most turns of a ranking; more fit in no budget."""
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
EXAMPLES = 8

_EVIDENCE_RE = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class DialogueQuestion:
    text: str
    category: int
    evidence: frozenset[int]
    """Places of turns in the dialogue."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    name: str
    sessions: tuple[tuple[DialogueTurn, ...], ...]
    questions: tuple[DialogueQuestion, ...]

    @property
    def turns(self) -> list[str]:
        return [render_turn(turn) for session in self.sessions for turn in session]

    @property
    def sources(self) -> list[Source]:
        return [
            Source(name=f"{self.name}, session {number}", text=render_turns(session), kind="dialogue")
            for number, session in enumerate(self.sessions, start=1)
        ]


@dataclass(frozen=True, slots=True)
class RankedTurns:
    """One question with the turns that each system ranked first."""

    question: DialogueQuestion
    rankings: Mapping[str, Sequence[int]]

    def recall(self, system: str, turns: int) -> float:
        return recall_at(turns, self.rankings[system], self.question.evidence)


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    asked: list[RankedTurns] = []
    exact: list[float] = []
    examples: list[dict[str, str]] = []
    ingesting = asking = 0.0
    dialogues = enough(list(locomo(data)), full=full)
    for dialogue in dialogues:
        turns = dialogue.turns
        progress(f"dialogue_memory: {dialogue.name}, {len(turns)} turns, {len(dialogue.questions)} questions")
        began = time.perf_counter()
        with filed(dialogue.sources, embedder) as memory:
            ingesting += time.perf_counter() - began
            exact += told_back(dialogue, memory)
            plain = Plain(turns, embedder)
            began = time.perf_counter()
            places = places_of(dialogue, memory)
            embedder.queries([one.text for one in dialogue.questions])  # all at once: each alone takes twice the time
            found = [RankedTurns(one, rankings(one.text, places, memory, plain)) for one in dialogue.questions]
            asking += time.perf_counter() - began
        asked += found
        examples += missed(turns, found)
    count = sum(len(dialogue.turns) for dialogue in dialogues)
    notes = (
        f"ingesting took {1_000 * ingesting / count:.1f} s for 1,000 turns, "
        f"a question to all systems {1_000 * asking / max(1, len(asked)):.0f} ms.",
        f"engine: the turns behind {RECALLED} memories and their one-hop neighbours.",
    )
    kept = mean_score("LoCoMo", "turns word for word", "engine", exact, goal=1)
    scores = (*overall(asked), *by_category(asked), kept)
    return Report(name="dialogue_memory", scores=scores, notes=notes, examples=tuple(examples[:EXAMPLES]))


def enough(dialogues: Sequence[Dialogue], *, full: bool) -> list[Dialogue]:
    """Return all, or the first that together have `SAMPLE` questions: a dialogue is remembered whole or not at all."""
    taken: list[Dialogue] = []
    for dialogue in dialogues:
        if full or sum(len(one.questions) for one in taken) < SAMPLE:
            taken.append(dialogue)
    return taken


def rankings(
    question: str, places: Mapping[tuple[str, int], int], memory: Filed, plain: Plain
) -> dict[str, Sequence[int]]:
    """Return places of turns by system; the engine's with and without memories one hop away, wide and at default k."""
    nodes, settings = memory.bank.graph.nodes, memory.settings
    alpha, share = settings.retrieval_alpha, settings.neighbor_share
    found: dict[str, Sequence[int]] = {}
    for system, k in (("engine", RECALLED), (f"engine, k = {settings.retrieval_k}", settings.retrieval_k)):
        recalled, _ = memory.recall.for_text(question, nodes, k=k, alpha=alpha, share=share)
        direct = tuple(hit for hit in recalled.hits if hit.via is None)
        for name, hits in ((system, recalled.hits), (f"{system}, without links", direct)):
            raw = memory.recall.passages(question, hits, memory.bank.tree, count=MOST_TURNS, alpha=alpha)
            found[name] = [places[one.entry_id, one.start] for one in raw]
    return {**found, **plain.rankings(question)}


def places_of(dialogue: Dialogue, memory: Filed) -> dict[tuple[str, int], int]:
    """Return the place in the dialogue of the turn that begins at a character of an entry."""
    places: dict[tuple[str, int], int] = {}
    entries = {entry.source: entry.id for entry in memory.bank.tree.entries.values()}
    for source, session in zip(dialogue.sources, dialogue.sessions, strict=True):
        start = 0
        for turn in session:
            places[entries[source.name], start] = len(places)
            start += len(render_turn(turn)) + 1
    return places


def told_back(dialogue: Dialogue, memory: Filed) -> list[float]:
    """Return for each turn 1 when deep retrieval of some memory gives it word for word, else 0."""
    raw = "\n".join(one.text for node_id in memory.bank.graph.nodes for one in view(memory.bank, node_id).entries)
    lines = set(raw.split("\n"))
    return [float(turn in lines) for turn in dialogue.turns]


def overall(asked: Sequence[RankedTurns]) -> Iterator[Score]:
    for turns in TURNS:
        for system in asked[0].rankings if asked else ():
            goal = GOAL if (system, turns) == ("engine", 10) else None
            values = [one.recall(system, turns) for one in asked]
            yield mean_score("LoCoMo", f"recall@{turns}", system, values, goal=goal)


def by_category(asked: Sequence[RankedTurns]) -> Iterator[Score]:
    of_category: dict[int, list[RankedTurns]] = defaultdict(list)
    for one in asked:
        of_category[one.question.category].append(one)
    for category, name in CATEGORIES.items():
        for system in ("engine", "engine, without links", "mixture"):
            values = [one.recall(system, 10) for one in of_category[category]]
            yield mean_score(f"LoCoMo {name}", "recall@10", system, values)


def missed(turns: Sequence[str], asked: Sequence[RankedTurns]) -> Iterator[dict[str, str]]:
    """Yield the first two questions of which no evidence is among the first ten turns."""
    lost = [one for one in asked if one.recall("engine", 10) == 0]
    for one in lost[:2]:
        found = one.rankings["engine"]
        yield {
            "asked": one.question.text,
            "category": CATEGORIES[one.question.category],
            "evidence": turns[min(one.question.evidence)][:160],
            "found first": turns[found[0]][:160] if found else "nothing",
        }


# -- LoCoMo -----------------------------------------------------------------------------------------------------------


def locomo(data: Path) -> Iterator[Dialogue]:
    path = only(data, "locomo/locomo*.json")
    for given in load_json(path):
        try:
            yield _dialogue(given)
        except KeyError as error:
            raise InputError(f"{path.name}: a dialogue without {error}: restore the file from its source") from None


def _dialogue(given: Mapping[str, Any]) -> Dialogue:
    talk = given["conversation"]
    numbers = sorted(int(key.removeprefix("session_")) for key in talk if re.fullmatch(r"session_\d+", key))
    sessions, place_of = [], dict[tuple[int, int], int]()
    for number in numbers:
        turns = talk[f"session_{number}"]
        for turn in turns:
            session, _, place = turn["dia_id"].removeprefix("D").partition(":")
            place_of[int(session), int(place)] = len(place_of)
        sessions.append(tuple(_turn(turn, talk[f"session_{number}_date_time"]) for turn in turns))
    questions = (_question(one, place_of) for one in given["qa"] if one["category"] in CATEGORIES)
    return Dialogue(str(given["sample_id"]), tuple(sessions), tuple(one for one in questions if one.evidence))


def _turn(turn: Mapping[str, Any], at: str) -> DialogueTurn:
    return DialogueTurn(speaker=turn["speaker"], text=turn["text"], time=at, image_caption=turn.get("blip_caption", ""))


def _question(given: Mapping[str, Any], place_of: Mapping[tuple[int, int], int]) -> DialogueQuestion:
    """Evidence that names no turn of the dialogue (there are a few) is left out."""
    named = [(int(session), int(place)) for one in given["evidence"] for session, place in _EVIDENCE_RE.findall(one)]
    return DialogueQuestion(
        given["question"], given["category"], frozenset(place_of[one] for one in named if one in place_of)
    )
