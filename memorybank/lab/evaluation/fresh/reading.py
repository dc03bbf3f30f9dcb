"""What is read in passages of fresh prose, on the product's two paths: as a chapter, and as an author's turn.

A passage stands alone, with everybody of its story on record. A row that is ticked beforehand is right when the
passage states it as having happened. Recall: the share of what has happened that a ticked row holds. What is only
intended or supposed must be in no ticked row; what gave no row has to stand in the table as not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.lab.evaluation.fresh.stories import LANGS, FreshStory, StoryPassage, StoryStatement, stories
from memorybank.lab.evaluation.report import Score, mean_score
from memorybank.lab.evaluation.story_hub import Hub
from memorybank.memory.types import Lang
from memorybank.narrative.drafts import DraftItem
from memorybank.narrative.reading.facts import Source, drafts_of
from memorybank.narrative.reading.mentions import Named, Names
from memorybank.narrative.settlement.by_rules import RuleExtract
from memorybank.narrative.types import Entity, EntityKey, EntityKind, Fact, TaskId, Turn, normal

PATHS: Final = ("chapter", "turn")
_TASK: Final = TaskId("fresh")
_SAME_BOTH_WAYS: Final = frozenset({"MARRIED_TO", "SIBLING_OF", "KNOWS", "COUSIN_OF", "ENEMY_OF", "FRIEND_OF"})
_INVERSE: Final = {"CHILD_OF": "PARENT_OF", "OWNED_BY": "OWNS", "LED_BY": "LEADS"}
_IN_THE_AUTHORS_WORDS: Final = frozenset({"HAS_TRAIT", "HAS_STATUS", "HAS_ABILITY", "LOST_ABILITY"})
"""Predicates whose object may be worded otherwise than in the labels."""
_OWN_WORDING: Final = frozenset({"PROMISED", "COUSIN_OF", "ENEMY_OF"})
"""Relations that have no predicate of their own in the studio: any other one between the same two will do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRow:
    """A draft as a statement."""

    statement: StoryStatement
    ticked: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageOutcome:
    """One passage: its rows, and what became of its statements."""

    lang: Lang
    passage: StoryPassage
    rows: tuple[DraftRow, ...]
    names: frozenset[str]
    unread: tuple[str, ...] = ()
    """The sentences of which the table says that they were not read."""

    @property
    def silent(self) -> bool:
        """Whether the table says nothing of the passage at all."""
        return not self.rows and not self.unread

    @property
    def ticked(self) -> tuple[DraftRow, ...]:
        return tuple(row for row in self.rows if row.ticked)

    def right(self, row: DraftRow) -> bool:
        """Whether the passage states this row as having happened."""
        told = (*self.passage.facts, *self.passage.may)
        return any(one.telling == "happened" and same(one, row.statement, self.names) for one in told)

    def is_ticked(self, statement: StoryStatement) -> bool:
        return any(same(statement, row.statement, self.names) for row in self.ticked)

    def offered(self, statement: StoryStatement) -> bool:
        """Whether a row that is not ticked holds it."""
        return any(same(statement, row.statement, self.names) for row in self.rows if not row.ticked)


def outcomes(lang: Lang, path: str) -> list[PassageOutcome]:
    found = []
    for story in stories(lang):
        hub = story.hub_of_names()
        names = frozenset(name for one in story.names for name in (one["name"], *one["aliases"]))
        for passage in story.passages:
            drafts, unread = _chapter(passage, story, hub) if path == "chapter" else _turn(passage, story, hub)
            rows = tuple(_rows(drafts, story, hub))
            found.append(PassageOutcome(lang=lang, passage=passage, rows=rows, names=names, unread=unread))
    return found


def _rows(drafts: Sequence[DraftItem], story: FreshStory, hub: Hub) -> Iterator[DraftRow]:
    names = {entity.key: entity.name for entity in _entities(story, hub)}
    names |= {draft.item.key: draft.item.name for draft in drafts if isinstance(draft.item, Entity)}
    for draft in drafts:
        for statement in _statements(draft, names):
            yield DraftRow(statement=statement, ticked=draft.ticked, reason=draft.reason)


_Read = tuple[Sequence[DraftItem], tuple[str, ...]]
"""What was read, and the sentences that were not."""


def _chapter(passage: StoryPassage, story: FreshStory, hub: Hub) -> _Read:
    source = Source(task=_TASK, lang=story.lang, told_in=story.lang, chapter=passage.chapter)
    people: list[Named] = []
    for entity in _entities(story, hub):
        if entity.kind is not EntityKind.EVENT:
            people += [Named(entity.key, entity.kind, name) for name in (entity.name, *entity.aliases)]
    return drafts_of(passage.text, Names(people), source).drafts, ()


def _turn(passage: StoryPassage, story: FreshStory, hub: Hub) -> _Read:
    turn = Turn(number=1, role="author", text=passage.text, at=0.0)
    extracted = RuleExtract(hub.facts, hub.plans, story.lang)([turn], _TASK)
    return extracted.drafts, tuple(one.line for one in extracted.unread)


def _entities(story: FreshStory, hub: Hub) -> list[Entity]:
    return [entity for one in story.names for entity in hub.facts.named(one["name"])]


def _statements(draft: DraftItem, names: Mapping[EntityKey, str]) -> Iterator[StoryStatement]:
    item = draft.item
    if isinstance(item, Fact):
        subject, object_ = names.get(item.subject, "?"), names.get(item.object, "?")
        predicate = _INVERSE.get(item.predicate, item.predicate)
        if predicate != item.predicate:
            subject, object_ = object_, subject
        yield StoryStatement(subject=subject, predicate=predicate, object=object_)
    elif isinstance(item, Entity):
        yield from (StoryStatement(subject=item.name, predicate="ALIAS", object=alias) for alias in item.aliases)


def same(told: StoryStatement, read: StoryStatement, names: frozenset[str]) -> bool:
    """Whether a row says what the label says."""
    ends, other = (told.subject, told.object), (read.subject, read.object)
    between = _alike(ends, other) or (told.predicate in _SAME_BOTH_WAYS and _alike(ends[::-1], other))
    if told.predicate in _OWN_WORDING:
        return between and read.predicate not in _STUDIOS
    if told.predicate != read.predicate:
        return False
    if told.predicate in _IN_THE_AUTHORS_WORDS and told.object not in names:
        return told.subject == read.subject and _worded(told, read)
    return between


_STUDIOS: Final = frozenset(
    "HAS_STATUS HAS_TRAIT OWNS LOCATED_IN FOUND_IN HATES LOVES LEADS MEMBER_OF HAS_ABILITY LOST_ABILITY MARRIED_TO "
    "PARENT_OF SIBLING_OF MASTER_OF CAUSES BEFORE IN_CHAPTER KILLED BORN_IN AGE GRANDPARENT_OF AUNT_OF ALIAS".split()
)


def _worded(told: StoryStatement, read: StoryStatement) -> bool:
    """An ability has no fixed name in prose; of a trait or a status one wording holds the other."""
    if told.predicate in ("HAS_ABILITY", "LOST_ABILITY"):
        return True
    one, other = normal(told.object), normal(read.object)
    return one in other or other in one


def _alike(ends: tuple[str, str], other: tuple[str, str]) -> bool:
    return all(normal(one) == normal(two) for one, two in zip(ends, other, strict=True))


# -- scores -----------------------------------------------------------------------------------------------------------


def scored() -> tuple[list[Score], list[str], list[dict[str, str]]]:
    """Scores, notes with the counts of each kind and rule, and the rows that are wrong."""
    scores: list[Score] = []
    notes: list[str] = []
    wrong: list[dict[str, str]] = []
    for path in PATHS:
        by_kind: dict[str, list[bool]] = {}
        for lang in LANGS:
            found = outcomes(lang, path)
            data = f"fresh prose {lang}, {path}"
            happened = [(one, fact) for one in found for fact in one.passage.facts if fact.telling == "happened"]
            meant = [(one, fact) for one in found for fact in one.passage.facts if fact.telling != "happened"]
            ticked = [(one, row) for one in found for row in one.ticked]
            scores += [
                mean_score(data, "precision", "engine", [one.right(row) for one, row in ticked]),
                mean_score(data, "recall", "engine", [one.is_ticked(fact) for one, fact in happened]),
                mean_score(data, "intended or supposed, in a ticked row", "engine",
                           [one.is_ticked(fact) for one, fact in meant], goal=0.0, at_most=True),
            ]  # fmt: skip
            if path == "turn":  # an import of a chapter has no table of what was not read
                silent = [one.silent for one in found]
                scores.append(
                    mean_score(data, "passages of which nothing is told", "engine", silent, goal=0.0, at_most=True)
                )
            for one, fact in happened:
                by_kind.setdefault(fact.kind, []).append(one.is_ticked(fact))
            notes.append(f"{data}: {counted(found)}")
            wrong += [
                {"data": data, "passage": one.passage.text, "wrong row": _line(row.statement), "by": row.reason}
                for one, row in ticked
                if not one.right(row)
            ]
        scores += [
            mean_score(f"fresh prose, {path}", f"recall, {kind}", "engine", held) for kind, held in by_kind.items()
        ]
    return scores, notes, wrong


def counted(found: Sequence[PassageOutcome]) -> str:
    """True, false and missed by kind, then true and false by the words with which a rule explains its rows."""
    kinds: dict[str, Counter[str]] = {}
    for one in found:
        for row in one.ticked:
            kinds.setdefault(row.statement.kind, Counter())["true" if one.right(row) else "false"] += 1
        for fact in one.passage.facts:
            if fact.telling == "happened" and not one.is_ticked(fact):
                kinds.setdefault(fact.kind, Counter())["offered" if one.offered(fact) else "missed"] += 1
    listed = "; ".join(
        f"{kind} {count['true']}/{count['false']}/{count['missed']}"
        + (f" ({count['offered']} offered unticked)" if count["offered"] else "")
        for kind, count in sorted(kinds.items())
    )
    return f"true/false/missed by kind: {listed or 'nothing'}"


def _line(statement: StoryStatement) -> str:
    return f"{statement.subject} {statement.predicate} {statement.object}"
