"""What a turn is taken for without a language model, by rules in both languages.

They know a question to the record and a question to the plan; everything else gets options.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memorybank.memory.types import Lang
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.journal.answers import Taken, TurnKind
from memorybank.narrative.journal.context import BuiltContext, RouteKind
from memorybank.narrative.names import names_in
from memorybank.narrative.tasks import pointing
from memorybank.narrative.tasks.routing import routes
from memorybank.narrative.types import Task
from memorybank.narrative.wording import say

_INVENTS_RE: Final = re.compile(
    r"\b(?:could|would|should|might|may|if|suggest|ideas?|options?|write|draft|invent|imagine|propose|how about)\b"
    r"|如果|假如|怎么办|怎样|怎么写|写一|构思|建议|主意|想法|方案|设想|可能|应该",
    re.IGNORECASE,
)
_YES_OR_NO_RE: Final = re.compile(
    r"(?:^|[.!?,;:]\s+|\b(?:so|and|but|now|tell me)\s+)"
    r"(?:is|are|am|was|were|does|do|did|has|have|had|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|doesn['’]t|didn['’]t"
    r"|hasn['’]t|haven['’]t)\b[^.!?]*\?"
    r"|(?:吗|(?<![怎什那这要])么|没有|没|不是|是不是|有没有|还在不在|在不在|与否)[？?]|有没有|是不是|是否",
    re.IGNORECASE,
)
"""A question that is answered by yes or no: whether something is so."""


class TakenByRules:
    """A `Decide` without a language model."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def __call__(self, context: BuiltContext, question: str, tasks: Sequence[Task]) -> Taken:
        """Raises StoreUnavailableError."""
        lang = context.lang
        if match := _INVENTS_RE.search(question):
            return _taken(TurnKind.OPTIONS, "taken_invents", lang, word=match[0])
        if pointing.asks(question, self._stores.plans):
            return _taken(TurnKind.PLAN, "taken_plan", lang)
        if self._only_facts(question, lang):
            return _taken(TurnKind.FACT, "taken_fact", lang)
        return _taken(TurnKind.OPTIONS, "taken_options", lang)

    def _only_facts(self, question: str, lang: Lang) -> bool:
        """Whether it asks what holds and nothing else. "Is Tomas dead?" names whom it asks about and no other source; a
        sentence that only names somebody asks nothing."""
        names = names_in(question, tuple(self._stores.facts.names())) if _YES_OR_NO_RE.search(question) else ()
        return {route.kind for route in routes(question, names, lang)} - {RouteKind.HOOKS} == {RouteKind.FACTS}


def _taken(kind: TurnKind, reason: str, lang: Lang, **values: object) -> Taken:
    return Taken(kind=kind, reason=say(reason, lang, **values), by="rules")
