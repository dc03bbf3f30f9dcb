"""A language model decides what a turn is taken for: one call decides, and answers a remark in the same breath.

No command is read in words (fact-planning specification, section 3.3 B): tasks are opened, settled and left by buttons.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from memorybank.errors import AgentError, EndpointError
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatModel
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank.prompts.tags import block
from memorybank_studio.hub.stores import Stores, foremost
from memorybank_studio.hub.verbalisation import tell_fact
from memorybank_studio.journal.context import BuiltContext, PartKind, Taken, TurnKind
from memorybank_studio.reading.markers import lines
from memorybank_studio.tasks.retrieval import inquiry
from memorybank_studio.types import NAMED_KINDS, FromOutside
from memorybank_studio.wording import joined, request_of, say

Decide = Callable[[BuiltContext, str], Taken]
"""A function that decides what a turn is taken for, from what the engine would be told for it, and its words."""

ANSWER_TOKENS: Final = 768
SHOWN_NAMES: Final = 150
"""Names of the story that the model is told."""
SHOWN_SETTINGS: Final = 60
"""Keys of the setting base, likewise."""
_PROSE: Final[tuple[PartKind, ...]] = ("style", "scene")
"""Parts that nothing is decided by: passages of the book."""
NAMED: Final = 6
"""Entities of a turn that the model is told of …"""
FACTS_EACH: Final = 6
"""… and facts of each."""


class TurnReading(FromOutside):
    reason: str
    kind: TurnKind
    sought: tuple[str, ...]
    reply: str
    options: tuple[int, ...] = ()
    count: int = 0


class RemarkReply(FromOutside):
    reply: str


class TakenByModel:
    """A `Decide` on a language model; where its answer cannot be used, the turn is taken plainly."""

    def __init__(self, chat: ChatModel, stores: Stores) -> None:
        self._chat = chat
        self._stores = stores

    def __call__(self, context: BuiltContext, question: str) -> Taken:
        """Raises EndpointError when the model cannot be reached, StoreUnavailableError."""
        words = _prompts(context.lang)
        system = f"{words['decide']}\n{words['remark']}".strip()
        request = request_of(system, self._user(context), "turn", max_tokens=ANSWER_TOKENS)
        try:
            read = ask_typed(self._chat, request, TurnReading, check=_problems)
        except EndpointError:
            raise
        except AgentError as error:
            plainly = taken_plainly(context, question)
            failed = say("taken_failed", context.lang, reason=error.in_language(context.lang), why=plainly.reason)
            return replace(plainly, reason=failed)
        is_remark, is_options = read.kind is TurnKind.REMARK, read.kind is TurnKind.OPTIONS
        return Taken(
            kind=read.kind,
            reason=read.reason.strip(),
            by="model",
            sought=tuple(filter(None, map(str.strip, read.sought))),
            reply=read.reply.strip() if is_remark else "",
            options=tuple(dict.fromkeys(read.options)) if is_options else (),
            count=max(0, read.count) if is_options else 0,
        )

    def _user(self, context: BuiltContext) -> str:
        words = _prompts(context.lang)
        listed = {
            "names": list(self._stores.facts.names(NAMED_KINDS))[:SHOWN_NAMES],
            "settings": [entry.key for entry in self._stores.settings.all()[:SHOWN_SETTINGS]],
            "storylines": [pointer.storyline for pointer in self._stores.plans.pointer(chapter=context.chapter)],
        }
        lines = [words[kind].format(names=joined(names, context.lang)) for kind, names in listed.items() if any(names)]
        known = block("memory", "\n".join(lines)) if lines else ""
        told = context.material(without=_PROSE)
        return "\n\n".join(filter(None, [known, self._on_record(context), told, words["now"]]))

    def _on_record(self, context: BuiltContext) -> str:
        """Return facts on what the words name, where the prompt has none: a remark may go against them."""
        if any(part.kind == "facts" for part in context.parts):
            return ""
        facts = self._stores.facts
        named = list(inquiry(context.asked, context.chapter, self._stores).named)[:NAMED]
        held = (fact for key in named for fact in foremost(facts.about(key, chapter=context.chapter), FACTS_EACH))
        lines = dict.fromkeys(tell_fact(fact, facts.entity, context.lang) for fact in held)
        return block("memory", "\n".join([_prompts(context.lang)["on_record"], *lines])) if lines else ""


def replied(chat: ChatModel, context: BuiltContext) -> str:
    """Return the reply to what is a remark by the author's own word. Raises AgentError."""
    words = _prompts(context.lang)
    system = f"{words['only_remark']}\n{words['remark']}".strip()
    request = request_of(system, context.material(), "remark", max_tokens=ANSWER_TOKENS)
    return ask_typed(chat, request, RemarkReply, check=_no_reply).reply.strip()


def _prompts(lang: Lang) -> Mapping[str, str]:
    return load(__package__, f"turn_kind.{lang}")


def _problems(read: TurnReading) -> list[str]:
    """Return what no schema checks: a remark without its reply."""
    return _no_reply(read) if read.kind is TurnKind.REMARK else []


def _no_reply(read: TurnReading | RemarkReply) -> list[str]:
    return [] if read.reply.strip() else ["reply: a remark is answered, and the reply is empty"]


_QUESTION_RE: Final = re.compile(r"[？?]\s*[”\"’」]?\s*\Z")


def taken_plainly(context: BuiltContext, question: str) -> Taken:
    """Return a `Decide` without a language model. What a hook asks is no question to the studio."""
    is_hook = [line.mark for line in lines(question, context.lang)][-1:] == ["hook"]
    is_question = _QUESTION_RE.search(question) is not None and not is_hook
    return Taken(
        kind=TurnKind.FACT if is_question else TurnKind.REMARK,
        reason=say("taken_question" if is_question else "taken_remark", context.lang),
        by="rules",
    )
