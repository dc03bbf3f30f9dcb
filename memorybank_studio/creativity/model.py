"""The generator on a language model: one conversation writes all drafts of an order, by its briefs.

Each turn either asks the hub (facts, settings, plans, scenes) or gives drafts; what was asked and found goes with them.
Who writes them all sees how they differ; one that is too much like another, or like what was offered before, is
written once more. All of it stays within the order's calls, of which one is left for judging.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from math import ceil
from typing import Final, Literal, Self

import numpy as np

from memorybank.embedding.base import Embedder, Matrix
from memorybank.errors import AgentError
from memorybank.language.text import fold_space, one_line
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.memory.types import Lang
from memorybank.prompts.tags import block, neutralise
from memorybank_studio.creativity.evidence import Lookups, due_steps, prompts
from memorybank_studio.creativity.model_judges import ModelPanel
from memorybank_studio.creativity.options import (
    JUDGING,
    MOST_CALLS_REWORKED,
    Allowance,
    Draft,
    Lookup,
    Offer,
    Option,
    Request,
    TooFewError,
)
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.stores import Stores
from memorybank_studio.hub.verbalisation import tell_plan
from memorybank_studio.types import FromOutside, Plan, PlanKind, PlanStatus
from memorybank_studio.wording import cut, joined, request_of

# -- how far drafts differ ---------------------------------------------------------------------------------------------
# Two drafts of one scene read alike until they part, so that their texts alone do not tell a paraphrase from another
# course of things; what each says it brings about is measured too, and the mean of both counts. Where `TOO_ALIKE` comes
# from: pairs of short scenes, three paraphrases and six that end otherwise, of which three begin alike, by language.
#
#                               all-MiniLM-L6-v2, English   multilingual-e5-small, English   the same, Chinese
#     the same in other words   .84 .90 .94                 .72 .87 .87                      .92 .93 .98
#     another course of things  .50 .72 .77 and lower       .52 .52 .76 and lower            .74 .81 .91 and lower
#
# By `hashed-ngrams` a paraphrase has .34 to .49: it finds repeated words alone.


TOO_ALIKE: Final = 0.87
"""Similarity from which two drafts are one proposal in other words."""


def similarities(drafts: Sequence[Draft], embedder: Embedder) -> Matrix:
    """Return how alike the drafts are, in [0, 1] on the model's scale: by their texts, or by the mean of texts and
    events where both tell an event. Shape (len(drafts), len(drafts))."""
    texts = _similarities([draft.text for draft in drafts], embedder)
    events = _similarities([draft.event for draft in drafts], embedder)
    told = np.array([bool(draft.event) for draft in drafts])
    near: Matrix = np.where(told[:, None] & told, (texts + events) / 2, texts)
    return near


def _similarities(texts: Sequence[str], embedder: Embedder) -> Matrix:
    vectors = embedder.documents(texts)
    near: Matrix = embedder.scale.stretched(vectors @ vectors.T)
    return near


def alike(draft: Draft, others: Sequence[Draft], embedder: Embedder) -> int | None:
    """Return the place of the other draft that it is too much like; None: it differs from all of them."""
    if not others:
        return None
    near = similarities([*others, draft], embedder)[-1, :-1]
    place = int(near.argmax())
    return place if near[place] >= TOO_ALIKE else None


BRIEFS: Final = ("pressure", "reversal", "quiet")
"""Each is another way to go on."""
AS_ASKED: Final = "asked"
"""The brief of a text that the author has described: it has no idea of its own."""
MOST_ASKS: Final = 2
"""Turns in which the generator only asks."""
MOST_QUESTIONS: Final = 8
"""The most questions in a turn."""
AT_ONCE: Final = 5
"""Drafts that one turn gives."""
CREATIVE: Final = 0.9
"""The temperature at which new drafts are written."""
SHOWN_BEFORE: Final = 8
"""The number of options offered before, the latest ones, that are shown so that no new draft repeats them."""
BEFORE_CHARS: Final = 300
"""The most characters of each of these."""

REWORKED: Final = "reworked"
"""The brief of such a draft: what the author said."""
FAITHFUL: Final = 0.6
"""Temperature: most of it stands already."""

DRAFT_TOKENS: Final = 2_048
"""The tokens of an answer for each draft in it."""
SHOWN_CHARS: Final = 1_600
"""The most characters that are shown of what one look-up found."""
MOST_STEPS: Final = 12
BEGINNING: Final = 60
"""Characters by which a draft is named."""


class WrittenDraft(FromOutside):
    step: str
    """The id of one of the steps that were listed, or empty."""
    event: str
    text: str


@dataclass(frozen=True, slots=True)
class Steps:
    """Planned steps by the ids that a model is shown: `p1`, `p2` …"""

    plans: Mapping[str, Plan]

    @classmethod
    def of(cls, plans: Plans, request: Request) -> Self:
        """Return the due steps, then those that come after them."""
        due = due_steps(plans, request)
        pending = plans.all(kind=PlanKind.STEP, status=PlanStatus.PENDING)
        steps = [*due, *(step for step in pending if step not in due)][:MOST_STEPS]
        return cls({f"p{number}": step for number, step in enumerate(steps, start=1)})

    def listed(self, lang: Lang) -> str:
        lines = "\n".join(f"{id_}: {tell_plan(step, lang)}" for id_, step in self.plans.items())
        return f"{prompts(lang)['steps']}\n{block('memory', lines)}"

    def draft(self, written: WrittenDraft, brief: str, lookups: tuple[Lookup, ...], made_by: str) -> Draft:
        """Return what was written as a draft; a step that was not shown is none."""
        step, event = self.plans.get(written.step.strip()), " ".join(written.event.split())
        title = step.title if step is not None else ""
        text = written.text.strip()
        return Draft(brief=brief, text=text, step=title, event=event, lookups=lookups, made_by=made_by)


class Question(FromOutside):
    source: Literal["facts", "settings", "plans", "scenes"]
    query: str


class Written(WrittenDraft):
    """By one of the briefs."""

    brief: str


class GeneratorTurn(FromOutside):
    """Questions or drafts."""

    questions: tuple[Question, ...]
    drafts: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Workshop:
    """Stateless: what it knows of a story comes with each request or from look-ups."""

    chat: ChatModel
    stores: Stores
    embedder: Embedder

    def options(self, request: Request) -> tuple[Option, ...]:
        """Return scored options, best first: as many as wanted or could be made. Of a language model no more calls are
        made than an order has (`MOST_CALLS`). Raises TooFewError where there is none, StoreUnavailableError."""
        calls = Allowance()
        try:
            drafts = _Writing(self, request, calls).drafts()
        except AgentError as error:
            raise TooFewError(request.count, f"{self.chat.name}: {error}") from None
        scores = ModelPanel(self.chat, self.stores).scores(drafts, request, calls)
        options = [Option(draft=draft, scores=own) for draft, own in zip(drafts, scores, strict=True)]
        return tuple(sorted(options, key=lambda option: -option.total))

    def reworked(self, parents: Sequence[Offer], request: Request) -> Option:
        """Return one new option out of these, as `request.asked` says. Raises AgentError (EndpointError when the model
        cannot be reached), StoreUnavailableError."""
        calls = Allowance(MOST_CALLS_REWORKED)
        steps = Steps.of(self.stores.plans, request)
        system, user = prompts(request.lang)["reworker"], "\n\n".join(_question(parents, steps, request))
        chat_request = request_of(system, user, "proposal", max_tokens=DRAFT_TOKENS, temperature=FAITHFUL, top_p=0.95)
        answer = ask_typed(
            calls.chat(self.chat, keep=JUDGING),
            chat_request,
            WrittenDraft,
            check=lambda each: () if each.text.strip() else ("text: it is empty",),
        )
        written = steps.draft(answer, REWORKED, _lookups(parents), self.chat.name)
        draft = replace(written, parents=tuple(parent.id for parent in parents))
        (scores,) = ModelPanel(self.chat, self.stores).scores([draft], request, calls)
        return Option(draft=draft, scores=scores)


@dataclass(slots=True)
class _Writing:
    """The conversation of one order."""

    by: Workshop
    request: Request
    calls: Allowance
    made: list[Draft] = field(default_factory=list)
    alike: list[Draft] = field(default_factory=list)
    """Drafts that are like others: offered all the same when there are no better ones."""
    rewritten: bool = False
    asks: int = 0
    """Turns that only asked."""
    lookups: Lookups = field(init=False)
    steps: Steps = field(init=False)
    messages: list[ChatMessage] = field(init=False)

    def __post_init__(self) -> None:
        stores, request = self.by.stores, self.request
        self.lookups = Lookups(stores, request.chapter, request.lang)
        self.steps = Steps.of(stores.plans, request)
        self.messages = [
            ChatMessage(role="system", content=prompts(request.lang)["generator"]),
            ChatMessage(role="user", content="\n\n".join(self._order())),
        ]

    def drafts(self) -> tuple[Draft, ...]:
        chat = self.calls.chat(self.by.chat, keep=JUDGING)
        while self._missing and self.calls.left > JUDGING:
            # What is enough but for some that are like others: those are written once more.
            if len(self.made) + len(self.alike) >= self.request.count:
                if self.rewritten:
                    break
                self.rewritten = True
            try:
                answer = ask_typed(chat, self._chat_request(), GeneratorTurn)
            except AgentError:
                if not self.made:
                    raise
                break  # what is written is not lost
            self.messages += [
                ChatMessage(role="assistant", content=answer.model_dump_json()),
                ChatMessage(role="user", content="\n\n".join(self._reply(answer))),
            ]
        drafts = (*self.made, *self.alike)[: self.request.count]
        if not drafts:
            raise AgentError("creativity.no_draft", model=chat.name, turns=self.calls.most - JUDGING)
        return drafts

    @property
    def _missing(self) -> int:
        return self.request.count - len(self.made)

    @property
    def _must_write(self) -> bool:
        left = self.calls.left - JUDGING
        return self.asks >= MOST_ASKS or bool(self.made) or left <= ceil(self._missing / AT_ONCE)

    def _chat_request(self) -> ChatRequest:
        return ChatRequest(
            messages=tuple(self.messages),
            temperature=CREATIVE,
            top_p=0.95,
            max_tokens=DRAFT_TOKENS * len(self._wanted()),
            schema_name="drafts",
        )

    def _order(self) -> Iterator[str]:
        words, request = prompts(self.request.lang), self.request
        yield request.prompt
        if self.steps.plans:
            yield self.steps.listed(request.lang)
        if request.before:
            listed = "\n".join(f"- {' '.join(text.split())[:BEFORE_CHARS]}" for text in request.before[-SHOWN_BEFORE:])
            yield f"{words['before']}\n{block('memory', listed)}"
        yield self._now("ask_or_write" if not self._must_write else "write_now")

    def _now(self, key: str) -> str:
        return prompts(self.request.lang)[key].format(briefs=joined(self._wanted(), self.request.lang))

    def _wanted(self) -> tuple[str, ...]:
        """Return briefs of the next drafts; of more than there are briefs each comes again."""
        if self.request.as_asked:
            return (AS_ASKED,)
        begun = len(self.made)
        return tuple(islice(cycle(BRIEFS), begun, begun + min(AT_ONCE, self._missing)))

    def _reply(self, answer: GeneratorTurn) -> Iterator[str]:
        """Takes an answer in, and says what comes next."""
        words = prompts(self.request.lang)
        if any(written.text.strip() for written in answer.drafts):
            yield from self._taken(answer.drafts)
        else:
            self.asks += 1
            for question in answer.questions[:MOST_QUESTIONS]:
                found = self.lookups.sources[question.source](question.query)[:SHOWN_CHARS] or words["nothing"]
                yield block("memory", f"[{question.source}] {question.query}\n{found}")
        if self._missing:
            must_write = self._must_write or not answer.questions
            yield self._now("write_now" if must_write else "ask_or_write")

    def _taken(self, drafts: Sequence[Written]) -> Iterator[str]:
        """Keeps the drafts, and tells of those that are too much like others."""
        words = prompts(self.request.lang)
        before = [fold_space(text) for text in self.request.before]
        for written, brief in zip(drafts, self._wanted(), strict=False):
            text = written.text.strip()
            if not text:
                continue
            brief = written.brief if written.brief in BRIEFS and not self.request.as_asked else brief
            draft = self.steps.draft(written, brief, tuple(self.lookups.made), self.by.chat.name)
            place = alike(draft, self.made, self.by.embedder)
            if place is None and fold_space(text) not in before:
                self.made.append(draft)
                continue
            self.alike.append(draft)
            other = text if place is None else self.made[place].text
            named, like = (neutralise(cut(one_line(words), BEGINNING)) for words in (text, other))
            yield words["alike"].format(text=named, other=like)


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
    """Return what was looked up for the parents and found, each once."""
    return tuple(dict.fromkeys(lookup for parent in parents for lookup in parent.option.draft.lookups if lookup.found))
