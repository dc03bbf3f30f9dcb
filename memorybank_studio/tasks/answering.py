"""The author's turn is answered by what it was taken for: from the record, by a reply, or with scored options.

The workshop behind it is stateless; whatever it may know is in the built context or behind its look-ups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, assert_never

from memorybank.errors import AgentError, EndpointError
from memorybank.language.text import fold_space
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatModel, ChatRequest
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank.prompts.tags import block
from memorybank_studio.creativity.model import Workshop
from memorybank_studio.creativity.options import FEWEST, MOST, Offer, Option, Request
from memorybank_studio.hub.stores import Stores, foremost
from memorybank_studio.hub.verbalisation import tell_fact, tell_note, tell_plan, tell_plan_kind
from memorybank_studio.journal.context import BuiltContext, Citation, Part, PartKind, Taken, TurnKind
from memorybank_studio.journal.desk import Desk
from memorybank_studio.tasks import retrieval
from memorybank_studio.tasks.replies import Creation, numbered
from memorybank_studio.tasks.retrieval import Inquiry, Retrieval, bare_title, inquiry
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import replied
from memorybank_studio.types import Chunk, FromOutside, Plan, PlanKind, PlanStatus
from memorybank_studio.wording import cut, joined, request_of, say


class Answers:
    """The tasks' creativity engine (`gateway.Creative`)."""

    def __init__(
        self,
        workshop: Workshop | None,
        stores: Stores,
        settings: TaskSettings,
        *,
        chat: ChatModel | None,
        fewest: int = FEWEST,
    ) -> None:
        """`workshop`, `chat`: None without a language model; then a question is answered by quoting the record, and
        nothing is written. `fewest`: options that come back unless the author names a number."""
        self._workshop = workshop
        self._stores = stores
        self._chat = chat
        self._on_record = OnRecord(stores, settings, chat)
        self._fewest = fewest

    def __call__(self, context: BuiltContext, question: str, taken: Taken, desk: Desk) -> Creation:
        match taken.kind:
            case TurnKind.FACT | TurnKind.PLAN | TurnKind.SETTING:
                return self._on_record(context, question, taken)
            case TurnKind.REMARK:
                plainly = say("answer_noted_plainly", context.lang)
                return Creation(text=taken.reply or (replied(self._chat, context) if self._chat else plainly))
            case TurnKind.OPTIONS | TurnKind.TEXT:
                if self._workshop is None:
                    return Creation(text=say("answer_no_model", context.lang))
                return self._written(self._workshop, context, question, taken, desk)
            case _:
                assert_never(taken.kind)

    def _written(self, workshop: Workshop, context: BuiltContext, question: str, taken: Taken, desk: Desk) -> Creation:
        is_text = taken.kind is TurnKind.TEXT
        request = Request(
            asked=question,
            prompt=context.prompt(),
            chapter=context.chapter,
            lang=context.lang,
            count=1 if is_text else min(taken.count or self._fewest, max(MOST, self._fewest)),
            as_asked=is_text,
        )
        if taken.options and (named := desk.numbered(context.task.id, taken.options)):
            return _reworked(workshop, request, named)
        before = tuple(offer.option.draft.text for offer in desk.offers(context.task.id))
        options = workshop.options(replace(request, before=before))
        return Creation(text="\n\n".join([_lead(options, request), *numbered(options, context.lang)]), options=options)


def _reworked(workshop: Workshop, request: Request, named: Sequence[Offer]) -> Creation:
    option = workshop.reworked(named, request)
    names = joined((str(offer.number) for offer in named), request.lang)
    lead = say("answer_reworked", request.lang, options=names, answer=named[0].turn)
    return Creation(text="\n\n".join([lead, *numbered([option], request.lang)]), options=(option,))


def _lead(options: Sequence[Option], request: Request) -> str:
    """Return the words before the options, which say too when they are fewer than were wanted."""
    count = len(options)
    lead = say("answer_text" if count == 1 else "answer_options", request.lang, count=count)
    if count >= request.count:
        return lead
    fewer = say("answer_fewer", request.lang, written=count, wanted=request.count)
    return (" " if request.lang == "en" else "").join([lead, fewer])


ANSWER_TOKENS: Final = 1_024
_TITLED: Final[tuple[PartKind, ...]] = ("setting", "scene", "hook")
"""Kinds of lines that say what they are about in their title alone."""
LINE_CHARS: Final = 600
"""The characters of a cited line in the history; the citation has it whole."""


class CitedSentence(FromOutside):
    text: str
    lines: tuple[int, ...]


class RecordAnswer(FromOutside):
    answer: tuple[CitedSentence, ...]
    missing: str


def _quoted(lines: Sequence[Citation], lang: Lang, lead: str = "") -> Creation:
    """Return the lines as they stand; where there are none, a sentence that says so."""
    if not lines:
        return Creation(text=say("answer_nothing", lang))
    return Creation(text="\n\n".join(filter(None, (lead, _listed(lines, lang)))), cited=tuple(lines))


def _told(answer: RecordAnswer, lines: Sequence[Citation], lang: Lang) -> Creation:
    """Return the sentences with the numbers of the lines they stand on, in the order in which they are cited."""
    by_number = {line.number: line for line in lines}
    order = dict.fromkeys(number for sentence in answer.answer for number in sentence.lines)
    new = {number: place for place, number in enumerate(order, start=1)}
    cited = tuple(replace(by_number[number], number=place) for number, place in new.items())
    sentences = [
        sentence.text.strip() + "".join(f"[{new[number]}]" for number in dict.fromkeys(sentence.lines))
        for sentence in answer.answer
    ]
    if answer.missing.strip():
        sentences.append(say("answer_not_told", lang, what=answer.missing.strip()))
    text = (" " if lang == "en" else "").join(sentences) or say("answer_nothing", lang)
    return Creation(text="\n\n".join(filter(None, (text, _listed(cited, lang)))), cited=cited)


def _listed(lines: Sequence[Citation], lang: Lang) -> str:
    """Return a line each, so that it is one paragraph."""
    return "\n".join(
        say("answer_cited", lang, number=line.number, text=cut(_named(line, lang), LINE_CHARS)) for line in lines
    )


def _named(line: Citation, lang: Lang) -> str:
    """Return a line's text with what it is from, where the line does not say so itself."""
    text = fold_space(line.text)
    return say("noted", lang, name=line.title, note=text) if line.kind in _TITLED else text


def _request(context: BuiltContext, lines: Sequence[Citation]) -> ChatRequest:
    words: Mapping[str, str] = load(__package__, f"on_record.{context.lang}")
    levels = {line.number: line.origin for line in lines if line.kind == "plan"}  # a line says nothing of it
    titles = {line.number: line.title if line.kind in _TITLED else words.get(line.kind, "") for line in lines} | levels
    record = block("memory", "\n".join(f"{line.number}. [{titles[line.number]}] {line.text}" for line in lines))
    user = "\n\n".join([words["record"].format(chapter=context.chapter), record, context.discussion(), words["now"]])
    return request_of(words["answerer"].strip(), user, "record_answer", max_tokens=ANSWER_TOKENS)


def _problems(shown: Collection[int], answer: RecordAnswer) -> list[str]:
    """Return what no schema checks: sentences without lines or with lines that were not shown, and silence."""
    problems = [
        f"answer: there is no line {number}"
        for sentence in answer.answer
        for number in sentence.lines
        if number not in shown
    ]
    problems += [
        f"answer: {sentence.text[:40]!r} stands on no line" for sentence in answer.answer if not sentence.lines
    ]
    if not answer.answer and not answer.missing.strip():
        problems.append("missing: nothing is answered, so say what is not on record")
    return problems


MOST_COMPLETED: Final = 4
MOST_PENDING: Final = 12
"""Steps that a question to the plan is shown."""
MOST_PASSAGES: Final = 4


class OnRecord:
    """Answers a question from the hub; each call is one question to it."""

    def __init__(self, stores: Stores, settings: TaskSettings, chat: ChatModel | None) -> None:
        """`chat` None: the lines of the record are quoted as they stand."""
        self._stores = stores
        self._lang = settings.lang
        self._retrieval = Retrieval(settings.lang)
        self._chat = chat

    def __call__(self, context: BuiltContext, question: str, taken: Taken) -> Creation:
        """Raises EndpointError when the model cannot be reached, StoreUnavailableError."""
        if self._chat is None:
            lines = self._answering(taken.kind, question, context.chapter)
            return _quoted(lines, context.lang) if lines else Creation(text=say("answer_unquoted", context.lang))
        lines = self._bearing_on(taken.kind, question, taken.sought, context.chapter)
        if not lines:
            return _quoted((), context.lang)
        check = partial(_problems, {line.number for line in lines})
        try:
            answer = ask_typed(self._chat, _request(context, lines), RecordAnswer, check=check)
        except EndpointError:
            raise
        except AgentError as error:
            lead = say("answer_unread", context.lang, reason=error.in_language(context.lang))
            return _quoted(lines, context.lang, lead)
        return _told(answer, lines, context.lang)

    def _bearing_on(self, kind: TurnKind, question: str, sought: Sequence[str], chapter: int) -> tuple[Citation, ...]:
        """Return all that bears on a question of this kind, in order from 1. Raises StoreUnavailableError."""
        asked = inquiry("\n".join((question, *sought)), chapter, self._stores)
        if kind is TurnKind.PLAN:
            return _in_order((*self._progress(), *self._plans(asked)))
        return _in_order(
            (*self._facts(asked), *map(_of_part, self._retrieval.entries(asked, self._stores)), *self._passages(asked))
        )

    def _answering(self, kind: TurnKind, question: str, chapter: int) -> tuple[Citation, ...]:
        """Return the lines that answer the question as it stands, without a model that reads them."""
        asked = inquiry(question, chapter, self._stores)
        if kind is not TurnKind.PLAN:
            return _in_order((*map(_of_part, self._retrieval.entries(asked, self._stores)), *self._facts(asked)))
        title, origin = (say(f"pointer_{part}", self._lang, chapter=chapter) for part in ("title", "origin"))
        lines = retrieval.told(question, self._stores.plans, chapter, self._lang)
        return _in_order([_line("pointer", title, line, origin) for line in lines])

    def _facts(self, asked: Inquiry) -> Iterator[Citation]:
        origin = say("facts_origin", self._lang, chapter=asked.chapter)
        for key, name in asked.named.items():
            entity = self._stores.facts.entity(key)
            if entity is not None and (note := tell_note(entity, self._lang)):
                note = say("noted", self._lang, name=entity.name, note=note)
                yield _line("facts", name, note, origin)
            held = self._stores.facts.about(key, chapter=asked.as_of)
            for fact in foremost(held, retrieval.FACTS_EACH):
                line = _line("facts", name, tell_fact(fact, self._stores.facts.entity, self._lang), origin)
                yield replace(line, chapter=fact.since or None, words=fact.origin.source)

    def _passages(self, asked: Inquiry) -> Iterator[Citation]:
        """Yield the nearest of the passages with everybody that is named; where there is none, of all."""
        archive, entities = self._stores.archive, self._stores.facts.entities(asked.named).values()
        search = partial(archive.search, asked.text, count=MOST_PASSAGES, before=asked.chapter)
        hits = search(entities=tuple(entity.name for entity in entities)) or search()
        for chunk in (hit.item for hit in hits if isinstance(hit.item, Chunk)):
            place = {"chapter": chunk.chapter_id, "title": bare_title(chunk.chapter_title), "place": chunk.place + 1}
            title, origin = (say(f"scene_{part}", self._lang, **place) for part in ("title", "origin"))
            yield replace(_line("scene", title, fold_space(chunk.text), origin), chapter=chunk.chapter_id)

    def _progress(self) -> Iterator[Citation]:
        """Yield how far the story is written, and how far facts tell it."""
        title, origin = say("progress_title", self._lang), say("progress_origin", self._lang)
        if chapters := self._stores.archive.chapters():
            number, name = chapters[-1]
            yield _line(
                "pointer", title, say("progress_written", self._lang, chapter=number, title=bare_title(name)), origin
            )
        if latest := self._stores.facts.latest():
            yield _line("pointer", title, say("progress_facts", self._lang, chapter=latest), origin)

    def _plans(self, asked: Inquiry) -> Iterator[Citation]:
        for part in (*self._retrieval.plans(asked, self._stores), *self._retrieval.hooks(asked, self._stores)):
            for line in part.text.splitlines() if part.kind == "pointer" else (part.text,):
                yield _of_part(replace(part, text=line))
        if not any(pointer.overdue for pointer in self._stores.plans.pointer(chapter=asked.chapter)):
            place = {"chapter": asked.chapter}
            title, origin = say("pointer_title", self._lang), say("pointer_origin", self._lang, **place)
            yield _line("pointer", title, say("pointer_none_overdue", self._lang), origin)
        for plan in self._steps():
            origin = say("plan_origin", self._lang, kind=tell_plan_kind(plan.kind, self._lang))
            yield _line("plan", say("plan_title", self._lang, title=plan.title), tell_plan(plan, self._lang), origin)

    def _steps(self) -> Iterator[Plan]:
        """Yield the steps that were completed last, those in progress, and those that come first."""
        of = {status: self._stores.plans.all(kind=PlanKind.STEP, status=status) for status in PlanStatus}
        yield from of[PlanStatus.COMPLETED][-MOST_COMPLETED:]
        yield from of[PlanStatus.IN_PROGRESS]
        yield from of[PlanStatus.PENDING][:MOST_PENDING]


def _in_order(lines: Sequence[Citation]) -> tuple[Citation, ...]:
    once: dict[str, Citation] = {}
    for line in lines:
        once.setdefault(line.text, line)
    return tuple(replace(line, number=number) for number, line in enumerate(once.values(), start=1))


def _line(kind: PartKind, title: str, text: str, origin: str) -> Citation:
    return Citation(number=0, kind=kind, title=title, text=text, origin=origin)


def _of_part(part: Part) -> Citation:
    return _line(part.kind, part.title, part.text, part.origin)
