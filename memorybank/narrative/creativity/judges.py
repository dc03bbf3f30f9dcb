"""Evaluators that need no language model. Each says what its value stands on; a panel of them judges all drafts.

Consistency and cause are read off the continuity check; style is measured against the chapters before; tension counts
what stands against each other; the goal is nearness to the plan that is due. No rule judges character.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from memorybank.embedding.base import Embedder
from memorybank.errors import AgentError
from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.creativity.allowance import Allowance
from memorybank.narrative.creativity.options import Criterion, Draft, Evaluator, Request, Score
from memorybank.narrative.hub.contracts import EpisodicArchive, PlanLayer
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.hub.verbalisation import tell_fact, word
from memorybank.narrative.types import Fact, Plan, PlanKind, PlanStatus, normal

Check = Callable[[str, int, Lang], Sequence[Finding]]
"""The continuity check: a draft, its chapter, the language of the reasons."""

PER_FINDING: Final = 0.4
"""What one finding takes off; three leave nothing."""
KINDS: Final = {
    Criterion.CONSISTENCY: (FindingKind.CONTRADICTS, FindingKind.DEAD_RETURNS, FindingKind.LOST_RETURNS),
    Criterion.CAUSE: (FindingKind.WITHOUT_CAUSE,),
}
OWNERSHIP: Final = frozenset({"OWNS", "OWNED_BY"})
AGAINST: Final = frozenset({"HATES", "FEARS", "ENEMY_OF", "RIVAL_OF", "KILLED", "BETRAYED", "OWES"})
"""Relations that put two people against each other."""
STYLE_CHARS: Final = 20_000
"""Of the chapters before; more changes the measure little."""


@dataclass(frozen=True, slots=True)
class RulePanel:
    """All criteria, each by its rules (`options.Panel`)."""

    judges: tuple[Evaluator, ...]

    def scores(
        self, drafts: Sequence[Draft], request: Request, calls: Allowance | None = None
    ) -> list[tuple[Score, ...]]:
        """One that fails is left out: a draft is worth as much as the others say. Raises StoreUnavailableError."""
        del calls  # rules need none
        return [tuple(score for judge in self.judges if (score := _scored(judge, draft, request))) for draft in drafts]


def _scored(judge: Evaluator, draft: Draft, request: Request) -> Score | None:
    try:
        return judge.score(draft, request)
    except AgentError:
        return None


@dataclass(frozen=True, slots=True)
class FindingsJudge:
    """Consistency or cause: what the continuity check finds of its kinds, each by its reason."""

    criterion: Criterion
    check: Check

    def score(self, draft: Draft, request: Request) -> Score:
        findings = [
            finding for finding in self.check(draft.text, request.chapter, request.lang) if self._counts(finding)
        ]
        if not findings:
            reasons: tuple[str, ...] = (word(f"{self.criterion}_clear", request.lang),)
        else:
            reasons = tuple(finding.reason for finding in findings)
        return Score(criterion=self.criterion, value=max(0.0, 1 - PER_FINDING * len(findings)), reasons=reasons)

    def _counts(self, finding: Finding) -> bool:
        """Whoever uses what another owns goes against a fact, too: it has no cause, and it is not as settled."""
        against_owner = isinstance(finding.against, Fact) and finding.against.predicate in OWNERSHIP
        return finding.kind in KINDS[self.criterion] or (self.criterion is Criterion.CONSISTENCY and against_owner)


@dataclass(frozen=True, slots=True)
class CharacterUnknown:
    """The score of character where no language model judges it: the middle, with that said."""

    criterion: Criterion = Criterion.CHARACTER

    def score(self, draft: Draft, request: Request) -> Score:
        del draft
        return Score(criterion=self.criterion, value=0.5, reasons=(word("character_unknown", request.lang),))


@dataclass(frozen=True, slots=True)
class StyleJudge:
    """Sentence length, share of speech and the most frequent characters or words, beside the five chapters before."""

    archive: EpisodicArchive

    def score(self, draft: Draft, request: Request) -> Score:
        before = "\n".join(chunk.text for chunk in self.archive.before(request.chapter))[-STYLE_CHARS:]
        if not before:
            return Score(criterion=Criterion.STYLE, value=0.5, reasons=(word("style_unknown", request.lang),))
        own, other = style_of(draft.text), style_of(before)
        length = math.exp(-abs(math.log(own.sentence / other.sentence)))
        speech = 1 - abs(own.speech - other.speech)
        value = (length + speech + _cosine(own.common, other.common)) / 3
        reason = word(
            "style",
            request.lang,
            own=round(own.sentence),
            other=round(other.sentence),
            speech=f"{own.speech:.0%}",
            usual=f"{other.speech:.0%}",
        )
        return Score(criterion=Criterion.STYLE, value=round(value, 3), reasons=(reason,))


@dataclass(frozen=True, slots=True)
class Style:
    sentence: float
    """Characters a sentence, on average."""
    speech: float
    """Share of characters between quotation marks, in [0, 1]."""
    common: Counter[str]
    """Character pairs: the same measure for a script with spaces and one without."""


def style_of(text: str) -> Style:
    lengths = [length for piece in sentences(text) if (length := len(text[piece.start : piece.end].strip()))] or [1]
    folded = " ".join(text.split())
    spoken = sum(len(part) for part in _quoted(folded))
    pairs = Counter(folded[place : place + 2] for place in range(len(folded) - 1))
    return Style(sentence=sum(lengths) / len(lengths), speech=spoken / max(1, len(folded)), common=pairs)


def _quoted(text: str) -> Iterable[str]:
    for opening, closing in (("“", "”"), ("「", "」")):
        start = text.find(opening)
        while start >= 0:
            end = text.find(closing, start)
            if end < 0:
                break
            yield text[start : end + 1]
            start = text.find(opening, end)
    yield from text.split('"')[1::2]


def _cosine(left: Counter[str], right: Counter[str]) -> float:
    dot = sum(count * right[pair] for pair, count in left.items())
    norm = math.sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return dot / norm if norm else 0.0


@dataclass(frozen=True, slots=True)
class TensionJudge:
    """Who stands against whom in it, and which open hooks it touches."""

    stores: Stores

    def score(self, draft: Draft, request: Request) -> Score:
        text, facts, chapter = normal(draft.text), self.stores.facts, request.chapter
        present = {key for name, key in facts.names().items() if normal(name) in text}
        against = [
            fact
            for key in present
            for fact in facts.about(key, chapter=chapter)
            if fact.predicate in AGAINST and fact.subject == key and fact.object in present
        ]
        hooks = [hook for hook, _ in facts.hooks(resolved=False, chapter=chapter) if normal(hook.name) in text]
        reasons = [
            word("tension_against", request.lang, told=tell_fact(fact, facts.entity, request.lang)) for fact in against
        ]
        reasons += [word("tension_hook", request.lang, hook=hook.name) for hook in hooks]
        value = min(1.0, 0.2 + 0.3 * len(against) + 0.3 * len(hooks))
        return Score(
            criterion=Criterion.TENSION,
            value=round(value, 3),
            reasons=tuple(reasons) or (word("tension_none", request.lang),),
        )


@dataclass(frozen=True, slots=True)
class GoalJudge:
    """How near the draft is to the step that is in progress, or comes next."""

    plans: PlanLayer
    embedder: Embedder

    def score(self, draft: Draft, request: Request) -> Score:
        steps = due_steps(self.plans, request)
        if not steps:
            return Score(criterion=Criterion.GOAL, value=0.5, reasons=(word("goal_unknown", request.lang),))
        wanted = self.embedder.documents([f"{step.title} {step.text}".strip() for step in steps])
        written = self.embedder.documents([draft.text])[0]
        scale = self.embedder.scale
        near = np.clip((wanted @ written - scale.lo) / (scale.hi - scale.lo), 0, 1)
        best = int(near.argmax())
        reason = word("goal", request.lang, title=steps[best].title, near=f"{float(near[best]):.2f}")
        return Score(criterion=Criterion.GOAL, value=round(float(near[best]), 3), reasons=(reason,))


MOST_STEPS: Final = 12


def planned_steps(plans: PlanLayer, request: Request) -> list[Plan]:
    """The due steps, then those that come after them."""
    due = due_steps(plans, request)
    pending = plans.all(kind=PlanKind.STEP, status=PlanStatus.PENDING)
    later = [step for step in pending if step not in due and request.storyline in ("", step.storyline)]
    return [*due, *later][:MOST_STEPS]


def due_steps(plans: PlanLayer, request: Request) -> list[Plan]:
    """The steps in progress and the next ones; of the request's storyline when it names one."""
    return [
        step
        for pointer in plans.pointer(chapter=request.chapter)
        if request.storyline in ("", pointer.storyline)
        for step in (pointer.current, pointer.next)
        if step is not None
    ]
