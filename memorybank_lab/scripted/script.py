"""Which answer a request gets: by rule, else the next of a sequence, else the default."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from memorybank_lab.scripted.replies import Answer, ScriptedReply, reply_of
from memorybank_lab.scripted.seen import Kind, SeenRequest

Predicate = Callable[[SeenRequest], bool]


def asks(
    *, schema: str = "", contains: str = "", model: str = "", tool: str = "", kind: Kind = "chat", last_role: str = ""
) -> Predicate:
    """A predicate of all that is given: the name of the answer's schema, words anywhere in the messages, the model's
    name, a declared tool, the endpoint, the role of the last message.
    """

    def matches(request: SeenRequest) -> bool:
        return (
            request.kind == kind
            and schema in ("", request.schema_name)
            and contains in request.text
            and model in ("", request.model)
            and (not tool or tool in request.tools)
            and last_role in ("", request.last.get("role"))
        )

    return matches


@dataclass(frozen=True, slots=True)
class Rule:
    """Answers for requests of one sort, given in turn. The last one repeats, unless the rule ends with it."""

    when: Predicate
    answers: tuple[Answer, ...]
    ends: bool = False
    """Every answer once; then the rule no longer applies."""


def on(when: Predicate, *answers: Answer, ends: bool = False) -> Rule:
    """`on(asks(schema="analysis"), {"relationships": []})`."""
    if not answers:
        raise ValueError("a rule needs an answer: on(when, answer, …)")
    return Rule(when, answers, ends)


class Scripted(Protocol):
    """What a server plays. Called from many threads at once."""

    def reply(self, request: SeenRequest) -> ScriptedReply | None:
        """None: the script has nothing for this request."""


class Script:
    """Rules first, in order; then the sequence, one answer a chat request; then the default.

    An embeddings request is answered with vectors unless a rule for it says otherwise (`asks(kind="embeddings")`).
    """

    def __init__(
        self, *, rules: Iterable[Rule] = (), sequence: Iterable[Answer] = (), default: Answer | None = None
    ) -> None:
        self._rules = tuple(rules)
        self._given = [0] * len(self._rules)
        self._sequence = iter(tuple(sequence))
        self._default = default
        self._lock = threading.Lock()

    def reply(self, request: SeenRequest) -> ScriptedReply | None:
        answer = self._choose(request)
        return None if answer is None else reply_of(answer, request)

    def _choose(self, request: SeenRequest) -> Answer | None:
        with self._lock:
            for place, rule in enumerate(self._rules):
                given = self._given[place]
                if (rule.ends and given >= len(rule.answers)) or not rule.when(request):
                    continue
                self._given[place] += 1
                return rule.answers[min(given, len(rule.answers) - 1)]
            if request.kind != "chat":
                return ScriptedReply() if request.kind == "embeddings" else None
            return next(self._sequence, self._default)


def script_of(script: Scripted | Answer | Iterable[Answer]) -> Scripted:
    """A script as it is; one answer as the default; several as the sequence."""
    if isinstance(script, str | Mapping | ScriptedReply):
        return Script(default=script)
    if callable(script):
        return Script(default=script)
    return Script(sequence=script) if isinstance(script, Iterable) else script
