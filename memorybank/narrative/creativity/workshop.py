"""The workshop: generators write, evaluators judge, the author chooses (fact-planning specification, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.errors import AgentError
from memorybank.narrative.creativity.options import Draft, Evaluator, Generator, Option, Request
from memorybank.text import fold_space


class Workshop:
    """Stateless: what it knows of a story comes with each request or from look-ups."""

    def __init__(self, generators: Sequence[Generator], evaluators: Sequence[Evaluator]) -> None:
        self._generators = tuple(generators)
        self._evaluators = tuple(evaluators)

    def options(self, request: Request) -> tuple[Option, ...]:
        """At least `request.count` scored options, best first. Raises AgentError when there are not so many.

        A generator or evaluator that fails is left out as long as the others suffice.
        """
        drafts, failures = self._drafts(request)
        options: list[Option] = []
        for draft in drafts:
            scores = []
            for evaluator in self._evaluators:
                try:
                    scores.append(evaluator.score(draft, request))
                except AgentError as error:
                    failures.append(str(error))
            options.append(Option(draft=draft, scores=tuple(scores)))
        if len(options) < request.count:
            why = f" ({'; '.join(dict.fromkeys(failures))})" if failures else ""
            raise AgentError(
                f"only {len(options)} of {request.count} options could be written{why}: "
                "name a character, an item or a place of the story, or add a plan, and ask again"
            )
        return tuple(sorted(options, key=lambda option: -option.total))

    def _drafts(self, request: Request) -> tuple[list[Draft], list[str]]:
        """Each text once."""
        drafts: dict[str, Draft] = {}
        failures: list[str] = []
        for generator in self._generators:
            try:
                for draft in generator.drafts(request):
                    drafts.setdefault(fold_space(draft.text), draft)
            except AgentError as error:
                failures.append(f"{generator.brief}: {error}")
        return list(drafts.values()), failures
