"""Evaluators on a language model: one criterion in one call, beside the draft what the criterion is measured against.

Style, tension and goal are the model's own opinion, or where it fails what rules can measure. Of consistency and cause
the rules speak first: they name the fact, the missing cause. The model adds what they overlooked, and alone speaks on
character; what it adds counts only with the draft's own words and, but for a cause that is missing, with the line it
stands against. All else it says is a remark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from memorybank.errors import AgentError
from memorybank.language.tags import block
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.narrative.creativity.evidence import Evidence, evidence
from memorybank.narrative.creativity.judges import PER_FINDING, CharacterUnknown, FindingsJudge
from memorybank.narrative.creativity.model import prompts
from memorybank.narrative.creativity.options import Criterion, Draft, Evaluator, Request, Score
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.hub.verbalisation import word
from memorybank.narrative.types import normal

STRICT: Final = 0.1
"""Temperature."""
ANSWER_TOKENS: Final = 768
_LEAST_QUOTE: Final = 2
"""Characters of a quote that says anything."""


class Objection(BaseModel):
    """One place of the draft that does not fit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    quote: str
    """The draft's words."""
    against: str
    """The line shown that they go against; for a missing cause, what is missing."""
    reason: str


class Judgement(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    criterion: Criterion
    findings: tuple[Objection, ...] = ()
    reason: str
    value: Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """The model's opinion on one criterion."""

    criterion: Criterion
    chat: ChatModel
    stores: Stores

    def score(self, draft: Draft, request: Request) -> Score:
        """Raises AgentError, EndpointError, StoreUnavailableError."""
        judgement, _ = self.judged(draft, request)
        return Score(criterion=self.criterion, value=judgement.value, reasons=(judgement.reason.strip() or "-",))

    def judged(self, draft: Draft, request: Request) -> tuple[Judgement, tuple[Evidence, ...]]:
        """What it says, and what it was shown. Raises as `score`."""
        shown = evidence(self.criterion, draft, request, self.stores)
        words = prompts(request.lang)
        chat_request = ChatRequest(
            messages=(
                ChatMessage(role="system", content=f"{words['evaluator']}\n\n{words[f'criterion_{self.criterion}']}"),
                ChatMessage(role="user", content=_question(shown, draft, request)),
            ),
            temperature=STRICT,
            top_p=0.8,
            max_tokens=ANSWER_TOKENS,
            schema_name="judgement",
        )
        return ask_typed(self.chat, chat_request, Judgement, check=self._check), shown

    def _check(self, answer: Judgement) -> Sequence[str]:
        if answer.criterion is self.criterion:
            return ()
        return (f"criterion: this is about {self.criterion}, not {answer.criterion}",)


def _question(shown: Sequence[Evidence], draft: Draft, request: Request) -> str:
    words = prompts(request.lang)
    parts = [f"{words['asked']}\n{block('task', request.asked)}"]
    parts += [words[f"evidence_{section.kind}"] + "\n" + block("memory", "\n".join(section.lines)) for section in shown]
    if not shown:
        parts.append(words["evidence_none"])
    return "\n\n".join([*parts, f"{words['draft']}\n{block('memory', draft.text)}"])


@dataclass(frozen=True, slots=True)
class RulesThenModel:
    """A criterion on which findings need proof: what rules find, and what the model finds beyond it."""

    rules: FindingsJudge | CharacterUnknown
    model: ModelJudge

    def score(self, draft: Draft, request: Request) -> Score:
        """The rules' score alone, with a remark, when the model fails. Raises StoreUnavailableError."""
        ruled = self.rules.score(draft, request)
        try:
            judgement, shown = self.model.judged(draft, request)
        except AgentError as error:
            return _alone(ruled, error, request)
        if isinstance(self.rules, CharacterUnknown):
            ruled = replace(ruled, value=1.0)
        lines = "\n".join(line for section in shown for line in section.lines)
        new = [objection for objection in judgement.findings if not _is_known(objection, ruled.reasons)]
        proved = [objection for objection in new if self._is_proved(objection, draft.text, lines)]
        remarks = [
            word(
                "judge_found" if objection in proved else "judge_doubt",
                request.lang,
                quote=objection.quote.strip(),
                reason=objection.reason.strip(),
                against=objection.against.strip(),
            )
            for objection in new
        ]
        if judgement.reason.strip():
            remarks.append(word("judge_model", request.lang, reason=judgement.reason.strip()))
        reasons = ruled.reasons if ruled.value < 1 or not proved else ()
        value = max(0.0, ruled.value - PER_FINDING * len(proved))
        return Score(criterion=ruled.criterion, value=value, reasons=(*reasons, *remarks))

    def _is_proved(self, objection: Objection, draft: str, lines: str) -> bool:
        """Whether the draft's words are in the draft, and what they go against is among what was shown."""
        if not _stands_in(objection.quote, draft):
            return False
        return self.model.criterion is Criterion.CAUSE or _stands_in(objection.against, lines)


@dataclass(frozen=True, slots=True)
class ModelElseRules:
    """A criterion that is a matter of opinion: every draft has a value on it, so that totals can be compared."""

    model: ModelJudge
    rules: Evaluator

    def score(self, draft: Draft, request: Request) -> Score:
        """The rules' score, with a remark, when the model fails. Raises StoreUnavailableError."""
        try:
            return self.model.score(draft, request)
        except AgentError as error:
            return _alone(self.rules.score(draft, request), error, request)


def _alone(ruled: Score, error: AgentError, request: Request) -> Score:
    """What the rules say, and that they alone say it."""
    away = word("judge_away", request.lang, reason=error.in_language(request.lang))
    return Score(criterion=ruled.criterion, value=ruled.value, reasons=(*ruled.reasons, away))


def _is_known(objection: Objection, reasons: Sequence[str]) -> bool:
    """Whether the rules quote that sentence already."""
    return any(_stands_in(objection.quote, reason) for reason in reasons)


def _stands_in(quote: str, text: str) -> bool:
    sought = normal(quote).strip("“”\"'「」《》.。…- ")
    return len(sought) >= _LEAST_QUOTE and sought in normal(text)
