"""The workshop: generators write, a panel judges, the author chooses (fact-planning specification, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from memorybank.errors import AgentError
from memorybank.language.text import fold_space
from memorybank_studio.creativity.allowance import MOST_CALLS_REWORKED, Allowance
from memorybank_studio.creativity.options import (
    Draft,
    Generator,
    Offer,
    Option,
    Panel,
    Request,
    Reworker,
    TooFewError,
)

MOST_ROUNDS: Final = 4
"""In which the generators are asked for more than each has given."""


class Workshop:
    """Stateless: what it knows of a story comes with each request or from look-ups."""

    def __init__(
        self,
        generators: Sequence[Generator],
        panel: Panel,
        *,
        reworker: Reworker | None = None,
    ) -> None:
        """`reworker`: mixes and changes options; None: nobody does."""
        self._generators = tuple(generators)
        self._panel = panel
        self._reworker = reworker

    def reworked(self, parents: Sequence[Offer], request: Request) -> Option:
        """One new option out of these, as `request.asked` says. Raises AgentError."""
        if self._reworker is None:
            raise AgentError("creativity.no_reworker")
        calls = Allowance(MOST_CALLS_REWORKED)
        draft = self._reworker.draft(parents, request, calls)
        (scores,) = self._panel.scores([draft], request, calls)
        return Option(draft=draft, scores=scores)

    def options(self, request: Request) -> tuple[Option, ...]:
        """Scored options, best first: as many as were wanted, or what could be made; of `request.before` only what a
        generator insists on.

        A generator that fails is left out as long as another one wrote. Of a language model no more calls are made than
        an order has (`allowance.MOST_CALLS`). Raises TooFewError where there is none.
        """
        calls = Allowance()
        drafts, failures = self._drafts(request, calls)
        if not drafts:
            raise TooFewError(0, request.count, failures)
        scores = self._panel.scores(drafts, request, calls)
        options = [Option(draft=draft, scores=own) for draft, own in zip(drafts, scores, strict=True)]
        return tuple(sorted(options, key=lambda option: -option.total))

    def _drafts(self, request: Request, calls: Allowance) -> tuple[list[Draft], list[str]]:
        """Each text once, and why generators failed. Those that did not are asked again until there are enough."""
        known = {fold_space(text) for text in request.before}
        drafts: list[Draft] = []
        repeated: dict[str, Draft] = {}
        failures: list[str] = []
        able = self._generators
        for turn in range(MOST_ROUNDS):
            if turn and len(drafts) >= request.count:
                break
            before = (*request.before, *(draft.text for draft in drafts))
            next_request = replace(request, before=before, count=max(1, request.count - len(drafts)))
            answers = [_drafted(generator, next_request, calls) for generator in able]
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


def _drafted(generator: Generator, request: Request, calls: Allowance) -> tuple[tuple[Draft, ...], str]:
    """What it wrote, and why it failed if it did."""
    try:
        return generator.drafts(request, calls), ""
    except AgentError as error:
        return (), f"{generator.brief}: {error}"


def _unlike(drafts: Sequence[Draft], others: Mapping[str, Draft]) -> list[Draft]:
    """Those of the others that are not among the drafts."""
    texts = {fold_space(draft.text) for draft in drafts}
    return [draft for text, draft in others.items() if text not in texts]
