"""The rows a model read so far, by numbers, so that a later piece can take one back; and each sentence's account."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem, Extracted, Unread
from memorybank_studio.hub.stores import Stores
from memorybank_studio.reading.mentions import Names
from memorybank_studio.settlement.drafted_names import with_drafts
from memorybank_studio.settlement.model_answer import NotTaken, Settlement, TakenBack
from memorybank_studio.settlement.model_drafts import ReadRow
from memorybank_studio.settlement.model_prompt import words_of
from memorybank_studio.settlement.numbered import NumberedSentence
from memorybank_studio.settlement.telling import Telling
from memorybank_studio.settlement.unread import Explaining
from memorybank_studio.types import Fact, Plan, PlanKey

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
    """By sentence."""
    _taken_back: dict[int, TakenBack] = field(default_factory=dict)
    """By sentence of the row that was taken back."""
    _taking_back: set[int] = field(default_factory=set)
    """Sentences by which one was."""

    @property
    def drafts(self) -> tuple[DraftItem, ...]:
        return tuple(draft for row in self._rows.values() for draft in row.drafts)

    def shown(self, tokens: int, lang: Lang) -> list[tuple[int, str]]:
        """The latest rows by their numbers, in words, within so many tokens."""
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
        spoken_of = _spoken_of(self.drafts)
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

    # -- every sentence's account -------------------------------------------------------------------------------------

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
        """Why a sentence gave no row; empty where the model did not say."""
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


def _spoken_of(drafts: Sequence[DraftItem]) -> set[str]:
    """Keys that these items name."""
    return {key for draft in drafts for key in _named_by(draft.item)}


def _named_by(item: object) -> Iterator[str]:
    match item:
        case Fact():
            yield from (item.subject, item.object)
        case Plan():
            yield from filter(None, (item.parent,))
