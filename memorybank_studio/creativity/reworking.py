"""A new option out of those that were offered: some mixed, or one changed, as the author says in a sentence.

One call writes it, and one more judges it. It names the options it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.prompts.tags import block
from memorybank_studio.creativity.allowance import JUDGING, Allowance
from memorybank_studio.creativity.options import Draft, Lookup, Offer, Request
from memorybank_studio.creativity.proposals import DRAFT_TOKENS, SHOWN_CHARS, Steps, WrittenDraft, prompts
from memorybank_studio.hub.stores import Stores

REWORKED: Final = "reworked"
"""The brief of such a draft: what the author said."""
FAITHFUL: Final = 0.6
"""Temperature: most of it stands already."""


@dataclass(frozen=True, slots=True)
class ModelReworker:
    """On a language model. Stateless."""

    chat: ChatModel
    stores: Stores

    def draft(self, parents: Sequence[Offer], request: Request, calls: Allowance) -> Draft:
        """Raises AgentError when the model gives no draft, EndpointError when it cannot be reached,
        StoreUnavailableError."""
        steps = Steps.of(self.stores.plans, request)
        chat_request = ChatRequest(
            messages=(
                ChatMessage(role="system", content=prompts(request.lang)["reworker"]),
                ChatMessage(role="user", content="\n\n".join(_question(parents, steps, request))),
            ),
            temperature=FAITHFUL,
            top_p=0.95,
            max_tokens=DRAFT_TOKENS,
            schema_name="proposal",
        )
        answer = ask_typed(calls.chat(self.chat, keep=JUDGING), chat_request, WrittenDraft, check=_check)
        return Draft(
            brief=REWORKED,
            text=answer.text.strip(),
            step=steps.title(answer.step),
            event=" ".join(answer.event.split()),
            parents=tuple(parent.id for parent in parents),
            lookups=_lookups(parents),
            made_by=self.chat.name,
        )


def _check(answer: WrittenDraft) -> Sequence[str]:
    return () if answer.text.strip() else ("text: it is empty",)


def _question(parents: Sequence[Offer], steps: Steps, request: Request) -> Iterator[str]:
    words = prompts(request.lang)
    yield request.prompt
    if steps.plans:
        yield steps.listed(request.lang)
    found = [f"[{lookup.source}] {lookup.query}\n{lookup.found[:SHOWN_CHARS]}" for lookup in _lookups(parents)]
    if found:
        yield f"{words['looked_up']}\n{block('memory', chr(10).join(found))}"
    for parent in parents:
        yield f"{words['option'].format(number=parent.number)}\n{block('memory', parent.option.draft.text)}"
    yield words["rework_now"]


def _lookups(parents: Sequence[Offer]) -> tuple[Lookup, ...]:
    """What was looked up for the parents and found, each once."""
    return tuple(dict.fromkeys(lookup for parent in parents for lookup in parent.option.draft.lookups if lookup.found))
