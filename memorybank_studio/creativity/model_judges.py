"""The judges of a language model: one call for all drafts and all criteria of which there is something to go by.

What goes against facts, traits and causes counts only with the draft's own words and, but for a cause that is missing,
with the line it stands against; all else that is said of these is a remark. Style, tension and goal are opinions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from memorybank.errors import AgentError
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatModel
from memorybank.prompts.tags import block
from memorybank_studio.creativity.evidence import MEASURES, Evidence, evidence, prompts
from memorybank_studio.creativity.options import Allowance, Criterion, Draft, Request, Score
from memorybank_studio.hub.stores import Stores
from memorybank_studio.names import stands_in
from memorybank_studio.types import FromOutside
from memorybank_studio.wording import request_of, say

PER_FINDING: Final = 0.4
"""The value that one finding takes off; three leave nothing."""
NO_JUDGEMENT: Final = 0.5
"""The value where there is no judgement, with why."""
ANSWER_TOKENS: Final = 1_024
"""The tokens of an answer for each draft that is judged."""
PROVED: Final = frozenset({Criterion.CONSISTENCY, Criterion.CHARACTER, Criterion.CAUSE})
"""Criteria on which a finding needs proof; the others are a matter of opinion."""


class Objection(FromOutside):
    """One place of the draft that does not fit."""

    quote: str
    """The draft's words."""
    against: str
    """The id of the line that they go against; for a missing cause, what is missing."""
    reason: str


class Judgement(FromOutside):
    option: int
    criterion: Criterion
    findings: tuple[Objection, ...] = ()
    reason: str
    value: Annotated[float, Field(ge=0, le=1)]


class Judgements(FromOutside):
    judgements: tuple[Judgement, ...]


_Place = tuple[int, Criterion]
"""A draft, from 1, and a criterion."""


@dataclass(frozen=True, slots=True)
class ModelPanel:
    """Judges all drafts of an order by all criteria."""

    chat: ChatModel
    stores: Stores

    def scores(self, drafts: Sequence[Draft], request: Request, calls: Allowance) -> list[tuple[Score, ...]]:
        """Score the drafts; where the model fails there is no judgement, with why. Raises StoreUnavailableError."""
        shown = evidence(drafts, request, self.stores)
        kinds = {section.kind for section in shown}
        criteria = [criterion for criterion in Criterion if kinds.issuperset(MEASURES.get(criterion, ()))]
        away = say("judge_silent", request.lang)
        judged: Mapping[_Place, Judgement] = {}
        try:
            judged = self._judged(drafts, criteria, shown, request, calls)
        except AgentError as error:
            away = error.in_language(request.lang)
        scoring = _Scoring(drafts, {id_: line for section in shown for id_, line in section.lines}, request, away)
        return [
            tuple(scoring.score(number, criterion, judged.get((number, criterion))) for criterion in criteria)
            for number in range(1, len(drafts) + 1)
        ]

    def _judged(
        self,
        drafts: Sequence[Draft],
        criteria: Sequence[Criterion],
        shown: Sequence[Evidence],
        request: Request,
        calls: Allowance,
    ) -> Mapping[_Place, Judgement]:
        """Return the model's judgements by draft and criterion; the first one on each counts."""
        user = "\n\n".join(_question(drafts, criteria, shown, request))
        system, tokens = prompts(request.lang)["evaluator"], ANSWER_TOKENS * len(drafts)
        chat_request = request_of(system, user, "judgements", max_tokens=tokens)

        def check(answer: Judgements) -> Sequence[str]:
            if any(item.criterion in criteria and 0 < item.option <= len(drafts) for item in answer.judgements):
                return ()
            return ("judgements: none is of an option and a criterion that were asked for",)

        answer = ask_typed(calls.chat(self.chat), chat_request, Judgements, check=check)
        return {(item.option, item.criterion): item for item in reversed(answer.judgements)}


def _question(
    drafts: Sequence[Draft], criteria: Sequence[Criterion], shown: Sequence[Evidence], request: Request
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
    wanted = ", ".join(criteria)
    yield "\n".join([words["judge_now"], *(f"{number}: {wanted}" for number in range(1, len(drafts) + 1))])


@dataclass(frozen=True, slots=True)
class _Scoring:
    drafts: Sequence[Draft]
    lines: Mapping[str, str]
    """The lines that were shown, by id."""
    request: Request
    away: str
    """The reason why there is no judgement where there is none."""

    def score(self, number: int, criterion: Criterion, judgement: Judgement | None) -> Score:
        if judgement is None:
            why = say("judge_away", self.request.lang, reason=self.away)
            return Score(criterion=criterion, value=NO_JUDGEMENT, reasons=(why,))
        if criterion not in PROVED:
            return Score(criterion=criterion, value=judgement.value, reasons=(judgement.reason.strip() or "-",))
        return self._proved(self.drafts[number - 1].text, criterion, judgement)

    def _proved(self, draft: str, criterion: Criterion, judgement: Judgement) -> Score:
        proved = [objection for objection in judgement.findings if self._is_proved(objection, draft, criterion)]
        reasons = [
            say(
                "judge_found" if objection in proved else "judge_doubt",
                self.request.lang,
                quote=objection.quote.strip(),
                reason=objection.reason.strip(),
                against=self._line(objection.against) or objection.against.strip(),
            )
            for objection in judgement.findings
        ]
        if judgement.reason.strip():
            reasons.append(judgement.reason.strip())
        value = max(0.0, 1 - PER_FINDING * len(proved))
        return Score(criterion=criterion, value=value, reasons=tuple(reasons) or ("-",))

    def _is_proved(self, objection: Objection, draft: str, criterion: Criterion) -> bool:
        """Whether the draft's words are in the draft, and what they go against is among what was shown."""
        if not stands_in(objection.quote, draft):
            return False
        return criterion is Criterion.CAUSE or bool(self._line(objection.against))

    def _line(self, against: str) -> str:
        """Return the line that was shown, by its id or by its own words; empty when none was."""
        by_id = self.lines.get(against.strip().strip("[]():.").lower())
        return by_id or next((line for line in self.lines.values() if stands_in(against, line)), "")
