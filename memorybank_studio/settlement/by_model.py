"""A settlement's extractor on a language model: the turns of a task in, what they settle out (an `Extract`).

The turns are read as numbered sentences, piece by piece (`numbered`). Every sentence that counts comes out in a row, as
not taken with why, or as not read: what an answer leaves out is asked for once more. An answer of another form, with
unknown kinds or numbers, is sent back once; then it is an AgentError, and whoever called decides who reads instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, cast

from memorybank.errors import AgentError
from memorybank.language.text import detect_lang
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatModel
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem, Extracted, Unread
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.stores import Stores
from memorybank_studio.reading.mentions import Names
from memorybank_studio.settlement.comparison import Telling
from memorybank_studio.settlement.model_answer import (
    NotTaken,
    Settlement,
    SettlementPrompt,
    TakenBack,
    system_prompt,
    words_of,
)
from memorybank_studio.settlement.model_drafts import ModelDrafts, ReadRow
from memorybank_studio.settlement.numbered import Explaining, NumberedSentence, before, numbered, pieces
from memorybank_studio.types import Entity, EntityKey, EntityKind, Fact, Plan, PlanKey, TaskId, Turn, normal
from memorybank_studio.wording import asked_again, request_of

WINDOW: Final = 2_400
"""Estimated tokens of sentences read at once, where the model tells of no smaller context."""
ANSWER_TOKENS: Final = 4_096
_SHARE_BEFORE: Final = 8
"""The window's part, 1 in so many, that sentences before a piece may fill …"""
_SHARE_ROWS: Final = 4
"""… and the rows that these gave."""


class ModelExtract:
    """A settlement's `Extract` on a language model. Stateless."""

    def __init__(self, chat: ChatModel, stores: Stores, lang: Lang) -> None:
        """Keep the model, the hub and `lang`, the language of the reasons; the turns may be in either."""
        self._chat = chat
        self._stores = stores
        self._lang = lang

    @property
    def window(self) -> int:
        context = self._chat.context_window
        return WINDOW if context is None else max(200, min(WINDOW, context // 5))

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        """Raises AgentError (EndpointError when it cannot be reached), StoreUnavailableError."""
        sentences = numbered(turns, self.window)
        rows = RowsSoFar(self._stores, self._lang, self._chat.name)
        waiting = list(pieces(sentences, self.window))
        while waiting:
            piece = waiting.pop(0)
            if not any(sentence.counts for sentence in piece):
                continue  # what nobody took; the next piece is shown the end of it
            try:
                self._read(piece, sentences, rows, task)
            except AgentError as error:
                if error.notice.code not in ("agent.cut_off", "agent.cut_off_context") or len(piece) == 1:
                    raise
                half = len(piece) // 2
                waiting[:0] = [piece[:half], piece[half:]]
        return rows.extracted(sentences)

    def _read(
        self, piece: Sequence[NumberedSentence], sentences: Sequence[NumberedSentence], rows: RowsSoFar, task: TaskId
    ) -> None:
        context = before(sentences, piece[0].number, self.window // _SHARE_BEFORE)
        stores = with_drafts(self._stores, rows.drafts)
        lang = detect_lang("\n".join(sentence.text for sentence in piece))
        prompt = SettlementPrompt(piece, context, stores, rows.shown(self.window // _SHARE_ROWS, lang), lang)
        answer = self._answer(prompt, rows)
        shown = {sentence.number: sentence for sentence in (*context, *piece)}
        rows.add(answer, ModelDrafts(shown, task, stores, self._lang, self._chat.name).read(answer))

    def _answer(self, prompt: SettlementPrompt, rows: RowsSoFar) -> Settlement:
        """Return the model's answer, with what it left out once that was asked for. Raises AgentError."""
        request = request_of(system_prompt(prompt.lang), prompt.user(), "settlement", max_tokens=ANSWER_TOKENS)
        check = partial(_problems, prompt.numbers, rows.count)
        answer = ask_typed(self._chat, request, Settlement, check=check)
        missing = prompt.counted - answer.accounted
        if not missing:
            return answer
        again = asked_again(request, answer, prompt.asks_for(missing))
        try:
            more = ask_typed(self._chat, again, Settlement, check=check)
        except AgentError:
            return answer  # what it left out is not read, and the author is told
        return answer.with_more(more, missing)


def _problems(shown: frozenset[int], rows: int, answer: Settlement) -> list[str]:
    """Return what no schema checks: numbers of sentences or rows that were not shown."""
    cited = (number for read in answer.all for number in read.sentences)
    taken_back = (number for read in answer.taken_back for number in read.rows)
    return [
        *(f"there is no sentence {number}: name sentences that are shown" for number in _not_in(shown, cited)),
        *(f"there is no row {number}: name rows that are shown" for number in _not_in(range(1, rows + 1), taken_back)),
    ]


def _not_in(known: frozenset[int] | range, numbers: Iterable[int]) -> list[int]:
    return sorted({number for number in numbers if number not in known})


_QUOTED: Final = 80
"""Characters of a sentence by which another one is taken back."""


@dataclass(slots=True)
class RowsSoFar:
    stores: Stores
    lang: Lang
    """The language of the reasons."""
    model: str
    count: int = 0
    """The last row's number."""
    _rows: dict[int, ReadRow] = field(default_factory=dict)
    _not_taken: dict[int, NotTaken] = field(default_factory=dict)
    """The remarks on sentences that settle nothing, by sentence."""
    _taken_back: dict[int, TakenBack] = field(default_factory=dict)
    """The takings-back, by sentence of the row that was taken back."""
    _taking_back: set[int] = field(default_factory=set)
    """Sentences by which one was."""

    @property
    def drafts(self) -> tuple[DraftItem, ...]:
        return tuple(draft for row in self._rows.values() for draft in row.drafts)

    def shown(self, tokens: int, lang: Lang) -> list[tuple[int, str]]:
        """Return the latest rows by their numbers, in words, within so many tokens."""
        known = with_drafts(self.stores, self.drafts)
        tell = Telling(known.facts.entity, known.plans.plan, lang)
        told: list[tuple[int, str]] = []
        for number, row in reversed(self._rows.items()):
            if not row.sentences:
                continue
            words = tell(row.drafts[-1].item)
            tokens -= estimate(words) + 4
            if tokens < 0:
                break
            told.append((number, words))
        return told[::-1]

    def add(self, answer: Settlement, rows: Sequence[ReadRow]) -> None:
        for row in rows:
            self.count += 1
            self._rows[self.count] = row
        for back in answer.taken_back:  # with the new rows there, so that what they speak of stays
            self._taking_back.update(back.sentences)
            for number in back.rows:
                self._take_back(number, back)
        for not_taken in answer.not_taken:
            self._not_taken |= dict.fromkeys(not_taken.sentences, not_taken)

    def _take_back(self, number: int, back: TakenBack) -> None:
        """Names and outlines that other rows speak of stay; what follows a plan that goes follows the one before it."""
        row = self._rows.pop(number, None)
        if row is None:
            return
        self._taken_back |= dict.fromkeys(row.sentences, back)
        items = [draft.item for draft in self.drafts]
        spoken_of = set[str | None](end for item in items if isinstance(item, Fact) for end in item.ends)
        spoken_of |= {item.parent for item in items if isinstance(item, Plan)}
        needed = tuple(draft for draft in row.drafts if getattr(draft.item, "key", None) in spoken_of)
        if needed:
            self._rows[number] = ReadRow((), needed)
        gone = {draft.item.key: draft.item.after for draft in row.drafts if isinstance(draft.item, Plan)}
        for plan in gone.keys() - {draft.item.key for draft in needed if isinstance(draft.item, Plan)}:
            self._close_up(plan, gone[plan])

    def _close_up(self, gone: PlanKey, before: PlanKey | None) -> None:
        for number, row in self._rows.items():
            drafts = tuple(
                replace(draft, item=replace(draft.item, after=before))
                if isinstance(draft.item, Plan) and draft.item.after == gone
                else draft
                for draft in row.drafts
            )
            self._rows[number] = ReadRow(row.sentences, drafts)

    def extracted(self, sentences: Sequence[NumberedSentence]) -> Extracted:
        """Each sentence that counts is in a row, not taken, or not read."""
        on_rows = {number for row in self._rows.values() for number in row.sentences}
        left = [sentence for sentence in sentences if sentence.counts and sentence.number not in on_rows]
        why = {sentence.number: self._why(sentence.number, sentences) for sentence in left}
        facts = with_drafts(self.stores, self.drafts).facts
        explaining = Explaining(Names.of(facts).with_short(), facts, self.stores.plans, self.lang)
        unread = words_of(self.lang)["unread"].format(model=self.model)
        told: list[tuple[bool, Unread]] = [
            (
                bool(why[sentence.number]),
                explaining(sentence.turn, sentence.text, sentence.text, why=why[sentence.number] or unread),
            )
            for sentence in left
        ]
        return Extracted(
            drafts=self.drafts,
            unread=tuple(line for taken, line in told if not taken),
            not_taken=tuple(line for taken, line in told if taken),
        )

    def _why(self, number: int, sentences: Sequence[NumberedSentence]) -> str:
        """Return why a sentence gave no row; empty where the model did not say."""
        words = words_of(self.lang)
        if back := self._taken_back.get(number):
            by = " ".join(sentences[other - 1].text for other in back.sentences)[:_QUOTED]
            return str(words["taken_back_by"].format(model=self.model, words=by))
        if number in self._taking_back:
            return str(words["takes_back"].format(model=self.model))
        not_taken = self._not_taken.get(number)
        if not_taken is None:
            return ""
        why = words["not_taken"][not_taken.why]
        note = words["note"].format(note=not_taken.note.strip()) if not_taken.note.strip() else ""
        return str(words["why"].format(model=self.model, why=why, note=note))


def with_drafts(stores: Stores, drafts: Iterable[DraftItem]) -> Stores:
    """Return the stores with the drafted names and plans, for reading."""
    items = [draft.item for draft in drafts]
    entities = {item.key: item for item in items if isinstance(item, Entity)}
    plans = {item.key: item for item in items if isinstance(item, Plan)}
    facts = cast(Facts, _FactsWithDrafts(stores.facts, entities))
    return replace(stores, facts=facts, plans=_PlansWithDrafts(stores.plans, plans))


class _FactsWithDrafts:
    def __init__(self, own: Facts, drafted: Mapping[EntityKey, Entity]) -> None:
        self._own = own
        self._drafted = drafted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def entity(self, key: EntityKey) -> Entity | None:
        return self._own.entity(key) or self._drafted.get(key)

    def entities(self, keys: Iterable[EntityKey]) -> Mapping[EntityKey, Entity]:
        wanted = tuple(keys)
        return {key: self._drafted[key] for key in wanted if key in self._drafted} | dict(self._own.entities(wanted))

    def named(self, name: str) -> tuple[Entity, ...]:
        known = self._own.named(name)
        wanted, keys = normal(name), {entity.key for entity in known}
        return (
            *known,
            *(entity for entity in self._more(()) if entity.key not in keys and wanted in map(normal, _forms(entity))),
        )

    def names(self, kinds: Iterable[EntityKind] = ()) -> Mapping[str, EntityKey]:
        wanted = tuple(kinds)
        more = {form: entity.key for entity in self._more(wanted) for form in _forms(entity)}
        return more | dict(self._own.names(wanted))

    def _more(self, kinds: Sequence[EntityKind]) -> list[Entity]:
        return [entity for entity in self._drafted.values() if not kinds or entity.kind in kinds]


class _PlansWithDrafts(Plans):
    def __init__(self, own: Plans, drafted: Mapping[PlanKey, Plan]) -> None:
        self._own = own
        self._drafted = drafted

    def _all(self) -> Mapping[PlanKey, Plan]:
        return {**self._drafted, **{plan.key: plan for plan in self._own.all()}}


def _forms(entity: Entity) -> tuple[str, ...]:
    return entity.name, *entity.aliases
