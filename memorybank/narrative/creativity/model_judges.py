"""The judges on a language model: one call for all drafts and all criteria that rules have not decided.

Style, tension and goal are the model's own opinion, or where it says nothing what rules can measure. Of consistency and
cause the rules speak first: they name the fact, the missing cause. The model adds what they overlooked, and alone
speaks on character; what it adds counts only with the draft's own words and, but for a cause that is missing, with the
line it stands against. All else it says is a remark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from memorybank.errors import AgentError
from memorybank.language.tags import block
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.narrative.creativity.allowance import Allowance
from memorybank.narrative.creativity.evidence import MEASURES, Evidence, evidence
from memorybank.narrative.creativity.judges import PER_FINDING, RulePanel
from memorybank.narrative.creativity.options import Criterion, Draft, Request, Score
from memorybank.narrative.creativity.proposals import prompts
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.hub.verbalisation import word
from memorybank.narrative.types import normal

STRICT: Final = 0.1
"""Temperature."""
ANSWER_TOKENS: Final = 1_024
"""A draft."""
PROVED: Final = frozenset({Criterion.CONSISTENCY, Criterion.CHARACTER, Criterion.CAUSE})
"""Criteria on which a finding needs proof; the others are a matter of opinion."""
_LEAST_QUOTE: Final = 2
"""Characters of a quote that says anything."""


class Objection(BaseModel):
    """One place of the draft that does not fit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    quote: str
    """The draft's words."""
    against: str
    """The id of the line that they go against; for a missing cause, what is missing."""
    reason: str


class Judgement(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    option: int
    criterion: Criterion
    findings: tuple[Objection, ...] = ()
    reason: str
    value: Annotated[float, Field(ge=0, le=1)]


class Judgements(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    judgements: tuple[Judgement, ...]


_Place = tuple[int, Criterion]
"""A draft, from 1, and a criterion."""


@dataclass(frozen=True, slots=True)
class ModelPanel:
    """All criteria: rules first, the model on what they leave open (`options.Panel`)."""

    rules: RulePanel
    chat: ChatModel
    stores: Stores

    def scores(self, drafts: Sequence[Draft], request: Request, calls: Allowance) -> list[tuple[Score, ...]]:
        """The rules' scores alone, with a remark, where the model fails. Raises StoreUnavailableError."""
        ruled = self.rules.scores(drafts, request)
        shown = evidence(drafts, request, self.stores)
        asked = _left_open(ruled, shown)
        if not asked:
            return ruled
        away = word("judge_silent", request.lang)
        try:
            judged = self._judged(drafts, ruled, asked, shown, request, calls)
        except AgentError as error:
            judged, away = {}, error.in_language(request.lang)
        merging = _Merging(drafts, {id_: line for section in shown for id_, line in section.lines}, request, away)
        return [
            tuple(
                merging.score(number, score, judged.get((number, score.criterion)))
                if (number, score.criterion) in asked
                else score
                for score in scores
            )
            for number, scores in enumerate(ruled, start=1)
        ]

    def _judged(
        self,
        drafts: Sequence[Draft],
        ruled: Sequence[Sequence[Score]],
        asked: Sequence[_Place],
        shown: Sequence[Evidence],
        request: Request,
        calls: Allowance,
    ) -> Mapping[_Place, Judgement]:
        """What it says of what was asked, the first word on each."""
        chat_request = ChatRequest(
            messages=(
                ChatMessage(role="system", content=prompts(request.lang)["evaluator"]),
                ChatMessage(role="user", content="\n\n".join(_question(drafts, ruled, asked, shown, request))),
            ),
            temperature=STRICT,
            top_p=0.8,
            max_tokens=ANSWER_TOKENS * len(drafts),
            schema_name="judgements",
        )

        def check(answer: Judgements) -> Sequence[str]:
            if any((item.option, item.criterion) in asked for item in answer.judgements):
                return ()
            return ("judgements: none is of an option and a criterion that were asked for",)

        answer = ask_typed(calls.chat(self.chat), chat_request, Judgements, check=check)
        return {(item.option, item.criterion): item for item in reversed(answer.judgements)}


def _left_open(ruled: Sequence[Sequence[Score]], shown: Sequence[Evidence]) -> list[_Place]:
    """What rules have not decided: not what fails by them altogether, nor what nothing can be measured by."""
    kinds = {section.kind for section in shown}
    return [
        (number, score.criterion)
        for number, scores in enumerate(ruled, start=1)
        for score in scores
        if not (score.criterion in PROVED and score.value <= 0) and kinds.issuperset(MEASURES.get(score.criterion, ()))
    ]


# -- the question -----------------------------------------------------------------------------------------------------


def _question(
    drafts: Sequence[Draft],
    ruled: Sequence[Sequence[Score]],
    asked: Sequence[_Place],
    shown: Sequence[Evidence],
    request: Request,
) -> Iterator[str]:
    words = prompts(request.lang)
    yield f"{words['asked']}\n{block('task', request.asked)}"
    for section in shown:
        lines = "\n".join(f"{id_}: {line}" for id_, line in section.lines)
        yield f"{words[f'evidence_{section.kind}']}\n{block('memory', lines)}"
    if not shown:
        yield words["evidence_none"]
    for number, draft in enumerate(drafts, start=1):
        yield f"{words['option'].format(number=number)}\n{block('memory', draft.text)}"
    marked = [
        f"{number}, {score.criterion}: {reason}"
        for number, scores in enumerate(ruled, start=1)
        for score in scores
        if (number, score.criterion) in asked and score.criterion in PROVED and score.value < 1
        for reason in score.reasons
        if score.criterion is not Criterion.CHARACTER
    ]
    if marked:
        yield f"{words['marked']}\n{block('memory', chr(10).join(marked))}"
    yield "\n".join([words["judge_now"], *_wanted(asked, len(drafts))])


def _wanted(asked: Sequence[_Place], count: int) -> Iterator[str]:
    for number in range(1, count + 1):
        criteria = [criterion.value for of, criterion in asked if of == number]
        if criteria:
            yield f"{number}: {', '.join(criteria)}"


# -- rules and model --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Merging:
    """What the rules say of a draft, with what the model adds."""

    drafts: Sequence[Draft]
    lines: Mapping[str, str]
    """What was shown, by id."""
    request: Request
    away: str
    """Why there is no judgement where there is none."""

    def score(self, number: int, ruled: Score, judgement: Judgement | None) -> Score:
        if judgement is None:
            remark = word("judge_away", self.request.lang, reason=self.away)
            return replace(ruled, reasons=(*ruled.reasons, remark))
        if ruled.criterion not in PROVED:
            return replace(ruled, value=judgement.value, reasons=(judgement.reason.strip() or "-",))
        return self._with_findings(self.drafts[number - 1].text, ruled, judgement)

    def _with_findings(self, draft: str, ruled: Score, judgement: Judgement) -> Score:
        if ruled.criterion is Criterion.CHARACTER:  # of which no rule says anything
            ruled = replace(ruled, value=1.0)
        new = [objection for objection in judgement.findings if not _is_known(objection, ruled.reasons)]
        proved = [objection for objection in new if self._is_proved(objection, draft, ruled.criterion)]
        remarks = [
            word(
                "judge_found" if objection in proved else "judge_doubt",
                self.request.lang,
                quote=objection.quote.strip(),
                reason=objection.reason.strip(),
                against=self._line(objection.against) or objection.against.strip(),
            )
            for objection in new
        ]
        if judgement.reason.strip():
            remarks.append(word("judge_model", self.request.lang, reason=judgement.reason.strip()))
        reasons = ruled.reasons if ruled.value < 1 or not proved else ()
        value = max(0.0, ruled.value - PER_FINDING * len(proved))
        return replace(ruled, value=value, reasons=(*reasons, *remarks))

    def _is_proved(self, objection: Objection, draft: str, criterion: Criterion) -> bool:
        """Whether the draft's words are in the draft, and what they go against is among what was shown."""
        if not _stands_in(objection.quote, draft):
            return False
        return criterion is Criterion.CAUSE or bool(self._line(objection.against))

    def _line(self, against: str) -> str:
        """The line that was shown, by its id or by its own words; empty when none was."""
        by_id = self.lines.get(against.strip().strip("[]():.").lower())
        return by_id or next((line for line in self.lines.values() if _stands_in(against, line)), "")


def _is_known(objection: Objection, reasons: Sequence[str]) -> bool:
    """Whether the rules quote that sentence already."""
    return any(_stands_in(objection.quote, reason) for reason in reasons)


def _stands_in(quote: str, text: str) -> bool:
    sought = normal(quote).strip("“”\"'「」《》.。…- ")
    return len(sought) >= _LEAST_QUOTE and sought in normal(text)
