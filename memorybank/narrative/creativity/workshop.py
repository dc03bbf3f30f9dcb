"""The workshop: generators write, evaluators judge, the author chooses (fact-planning specification, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from memorybank.errors import AgentError
from memorybank.language.text import fold_space
from memorybank.narrative.creativity.options import (
    Draft,
    Evaluator,
    Generator,
    Option,
    Request,
    Score,
    TooFewError,
    UsedUpError,
)

T = TypeVar("T")
R = TypeVar("R")

MOST_ROUNDS: Final = 4
"""In which the generators are asked for more than each has given."""


class Workshop:
    """Stateless: what it knows of a story comes with each request or from look-ups."""

    def __init__(
        self, generators: Sequence[Generator], evaluators: Sequence[Evaluator], *, at_once: int = 1, fewer: bool = False
    ) -> None:
        """`at_once`: generators or evaluators at work at the same time; more than one for those that wait. `fewer`:
        whether those that can be made are offered when these are not as many as were wanted."""
        self._generators = tuple(generators)
        self._evaluators = tuple(evaluators)
        self._at_once = at_once
        self._fewer = fewer

    def options(self, request: Request) -> tuple[Option, ...]:
        """At least `request.count` scored options, best first; of `request.before` only what a generator insists on.

        Fewer only when options were offered before and these are the last, or when the workshop was made so. A
        generator or evaluator that fails is left out as long as the others suffice. Raises TooFewError, UsedUpError.
        """
        drafts, failures = self._drafts(request)
        if not drafts and request.before and not failures:
            raise UsedUpError(len(request.before))
        enough = 1 if not failures and (request.before or self._fewer) else request.count
        if len(drafts) < enough:
            raise TooFewError(len(drafts), request.count, failures)
        pairs = [(draft, evaluator) for draft in drafts for evaluator in self._evaluators]
        scores = self._each(lambda pair: (pair[0].text, _scored(*pair, request)), pairs)
        options = (
            Option(draft=draft, scores=tuple(score for text, score in scores if text == draft.text and score))
            for draft in drafts
        )
        return tuple(sorted(options, key=lambda option: -option.total))

    def _drafts(self, request: Request) -> tuple[list[Draft], list[str]]:
        """Each text once, and why generators failed. Those that did not are asked again until there are enough."""
        known = {fold_space(text) for text in request.before}
        drafts: list[Draft] = []
        repeated: dict[str, Draft] = {}
        failures: list[str] = []
        able = self._generators
        for turn in range(MOST_ROUNDS):
            if turn and len(drafts) >= request.count:
                break
            next_request = replace(request, before=(*request.before, *(draft.text for draft in drafts)))
            answers = self._each(partial(_drafted, request=next_request), able)
            failures += [failure for _, failure in answers if failure]
            able = tuple(generator for generator, (_, failure) in zip(able, answers, strict=True) if not failure)
            new: dict[str, Draft] = {}
            for draft in (draft for made, _ in answers for draft in made):
                text = fold_space(draft.text)
                (repeated if text in known else new).setdefault(text, draft)
            drafts += new.values()
            known |= new.keys()
            if not new:
                break
        # A model may insist on what it wrote before; that is still better than no answer.
        return drafts + _unlike(drafts, repeated)[: max(0, request.count - len(drafts))], failures

    def _each(self, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """The work's results in the order of the items."""
        items = list(items)
        if self._at_once == 1 or len(items) < 2:
            return [work(item) for item in items]
        contexts = [copy_context() for _ in items]  # who may stop a call, and counts it, is told by context
        with ThreadPoolExecutor(self._at_once, thread_name_prefix="memorybank-workshop") as pool:
            return list(pool.map(lambda context, item: context.run(work, item), contexts, items))


def _drafted(generator: Generator, request: Request) -> tuple[tuple[Draft, ...], str]:
    """What it wrote, and why it failed if it did."""
    try:
        return generator.drafts(request), ""
    except AgentError as error:
        return (), f"{generator.brief}: {error}"


def _unlike(drafts: Sequence[Draft], others: Mapping[str, Draft]) -> list[Draft]:
    """Those of the others that are not among the drafts."""
    texts = {fold_space(draft.text) for draft in drafts}
    return [draft for text, draft in others.items() if text not in texts]


def _scored(draft: Draft, evaluator: Evaluator, request: Request) -> Score | None:
    """None when the evaluator fails: the draft is worth as much as the others say."""
    try:
        return evaluator.score(draft, request)
    except AgentError:
        return None
