"""The drafts that a language model's answer makes: its items with names resolved, and what speaks against each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memorybank.language.lexicon import load
from memorybank.language.text import detect_lang, fold_space
from memorybank.memory.types import Lang
from memorybank.narrative.drafts import DraftItem, Extracted, Unread
from memorybank.narrative.hub.stores import Stores, last_chapter
from memorybank.narrative.reading.discussion import StoryTime
from memorybank.narrative.reading.markers import lines
from memorybank.narrative.reading.mentions import Named, Names
from memorybank.narrative.reading.short_names import with_short_names
from memorybank.narrative.relations import LEADS_TO, relation_of
from memorybank.narrative.settlement.model_answer import (
    LONGEST_NAME,
    Read,
    ReadFact,
    ReadHook,
    ReadName,
    ReadPlan,
    ReadStatus,
    Settlement,
)
from memorybank.narrative.settlement.unread import Cited, Explaining, uncited
from memorybank.narrative.types import (
    BEFORE_THE_STORY,
    HAS_STATUS,
    PARENT_OF,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKey,
    PlanKind,
    PlanStatus,
    Setting,
    TaskId,
    Turn,
    normal,
)
from memorybank.narrative.writes import StatusChange

_QUOTED: Final = 160
"""Characters of the words that an item stands on, in its reason and its source."""


def words_of(lang: Lang) -> dict[str, str]:
    """What the model is told, and the reasons of its rows."""
    return load(__package__, f"by_model.{lang}")


@dataclass(slots=True)
class ModelDrafts:
    """Resolves names against what the model names itself, then against the hub. Made for one answer."""

    turns: Sequence[Turn]
    task: TaskId
    stores: Stores
    lang: Lang
    """Of the reasons."""
    model: str
    _drafts: list[DraftItem] = field(default_factory=list)
    _cited: list[Cited] = field(default_factory=list)
    _named: dict[str, Entity] = field(default_factory=dict)
    _planned: dict[PlanKey, Plan] = field(default_factory=dict)
    _clock: StoryTime = field(init=False)

    def __post_init__(self) -> None:
        self._clock = StoryTime(last_chapter(self.stores))

    def read(self, answer: Settlement) -> Extracted:
        for name in answer.names:
            self._name(name)
        for fact in answer.facts:
            self._fact(fact)
        for hook in answer.hooks:
            self._hook(hook)
        for plan in sorted(answer.plans, key=lambda read: list(PlanKind).index(_kind(read))):
            self._plan(plan)
        for status in answer.statuses:
            self._status(status)
        for entry in answer.settings:
            origin = self._origin(entry)
            self._add(Setting(key=entry.key, category=entry.category, text=entry.text, origin=origin), entry)
        return Extracted(drafts=tuple(self._drafts), unread=self._unread())

    def _add(self, item: Entity | Fact | Plan | StatusChange | Setting, read: Read, doubt: str = "") -> None:
        """`doubt`: the key of why it is not ticked; empty: its words alone decide."""
        is_quoted = self._is_quoted(read)
        key = "reason_unsaid" if not is_quoted else doubt or "reason"
        quote = fold_space(read.words)[:_QUOTED]
        reason = words_of(self.lang)[key].format(model=self.model, words=quote, last=self._clock.last)
        self._drafts.append(DraftItem(item=item, turns=read.turns, ticked=is_quoted and not doubt, reason=reason))
        self._cited.append(Cited(read.turns, read.words, read.about))

    def _is_quoted(self, read: Read) -> bool:
        """Whether the words it stands on are in the turns it names."""
        words = fold_space(read.words).strip()
        texts = (fold_space(turn.text) for turn in self.turns if turn.number in read.turns)
        return bool(words) and any(words in text for text in texts)

    def _unread(self) -> tuple[Unread, ...]:
        """Lines that the author marked and that the model passed over."""
        drafted = [
            Named(entity.key, entity.kind, name)
            for entity in self._named.values()
            for name in (entity.name, *entity.aliases)
        ]
        facts = self.stores.facts
        names = with_short_names(Names.of(facts), drafted)
        return uncited(self.turns, self._cited, Explaining(names, facts, self.stores.plans, self.lang))

    def _origin(self, read: Read, chapter: int | None = None) -> Origin:
        return Origin(task=self.task, chapter=chapter, source=read.words[:_QUOTED], turns=read.turns)

    # -- names and facts ----------------------------------------------------------------------------------------------

    def _name(self, read: ReadName) -> None:
        aliases = tuple(dict.fromkeys(alias.strip() for alias in read.aliases if alias.strip()))
        entity = Entity(
            kind=EntityKind(read.kind), name=read.name, aliases=aliases, note=read.note, origin=self._origin(read)
        )
        for form in (entity.name, *aliases):
            self._named.setdefault(normal(form), entity)
        self._add(entity, read)

    def _key(self, name: str, kind: EntityKind | None, read: Read, new: EntityKind) -> EntityKey:
        """The entity of this name: one that the model names, one of the hub, else a new one with a row of its own.

        `kind`: what it has to be; None: anything, and `new` if nobody knows it.
        """
        known = self._named.get(normal(name))
        if known is not None and kind in (None, known.kind):
            return known.key
        held = [entity for entity in self.stores.facts.named(name) if kind in (None, entity.kind)]
        if held:
            return held[0].key
        made = Entity(kind=kind or new, name=name.strip(), origin=self._origin(read))
        if made.key not in {draft.item.key for draft in self._drafts if isinstance(draft.item, Entity)}:
            self._add(made, read)
        return made.key

    def _fact(self, read: ReadFact) -> None:
        predicate = read.relation
        relation = relation_of(predicate)
        fact = Fact(
            subject=self._key(read.subject, None, read, relation.subjects[0]),
            predicate=predicate,
            object=self._key(read.object, LEADS_TO.get(predicate), read, relation.objects[0]),
            properties={item.name: item.value for item in read.properties if item.value},
            since=BEFORE_THE_STORY if read.chapter is None else read.chapter,
            origin=self._origin(read, read.chapter),
        )
        self._add(fact, read, self._doubt(read))

    def _doubt(self, read: ReadFact) -> str:
        """Why the fact is not ticked: it has not happened, or is of a chapter to come; a state that the author calls
        settled is of none."""
        if not read.happened:
            return "reason_not_so"
        line = next(lines(read.words, detect_lang(read.words)), None)
        is_settled = line is not None and line.mark == "settled" and not relation_of(read.relation).is_deed
        return "reason_ahead" if not is_settled and self._clock.shade(read.chapter) is not None else ""

    def _hook(self, read: ReadHook) -> None:
        origin = self._origin(read, read.chapter)
        hook = Entity(kind=EntityKind.HOOK, name=read.name, origin=origin)
        state = Entity(kind=EntityKind.STATUS, name=RESOLVED if read.resolved else UNRESOLVED, origin=origin)
        since = self._hook_since(hook, state) if read.chapter is None else read.chapter
        status = Fact(subject=hook.key, predicate=HAS_STATUS, object=state.key, since=since, origin=origin)
        for item in (hook, state, status):
            self._add(item, read)

    def _hook_since(self, hook: Entity, state: Entity) -> int:
        """Of one without a chapter: as it stands on record, else where the story stands."""
        held = self.stores.facts.matching(hook.key, HAS_STATUS)
        return held[-1].since if held and held[-1].object == state.key else self._clock.last

    # -- plans --------------------------------------------------------------------------------------------------------

    def _plan(self, read: ReadPlan) -> None:
        kind = _kind(read)
        parent = self._parent(kind, read.parent, read)
        siblings = (*self.stores.plans.children(parent), *self._planned.values())
        before = [plan.key for plan in siblings if plan.parent == parent and plan.kind is kind]
        plan = Plan(
            kind=kind,
            title=read.title,
            text=read.text,
            parent=parent,
            storyline=read.storyline,
            due=read.due,
            origin=self._origin(read),
        )
        if before and plan.key not in before and kind is not PlanKind.GENERAL:
            plan = replace(plan, after=before[-1])
        self._planned[plan.key] = plan
        self._add(plan, read)

    def _parent(self, kind: PlanKind, title: str, read: Read) -> PlanKey | None:
        """The outline of this title and level, else the last one of that level, else a new one to hang it on."""
        above = PARENT_OF[kind]
        if above is None:
            return None
        known = [*self.stores.plans.all(kind=above), *(plan for plan in self._planned.values() if plan.kind is above)]
        named = [plan for plan in known if normal(plan.title) == normal(title)]
        if named or (known and not title.strip()):
            return (named or known)[-1].key
        made = Plan(
            kind=above,
            title=title.strip()[:LONGEST_NAME] or words_of(self.lang)["outline"],
            parent=self._parent(above, "", read),
            origin=self._origin(read),
        )
        self._planned[made.key] = made
        self._add(made, read)
        return made.key

    def _status(self, read: ReadStatus) -> None:
        """Of several plans of the title each is shown with its outline, and none is ticked."""
        known = {plan.key: plan for plan in (*self._planned.values(), *self.stores.plans.all())}
        named = [plan for plan in known.values() if normal(plan.title) == normal(read.title)]
        for plan in named:
            change = StatusChange(plan=plan.key, status=PlanStatus(read.status))
            self._add(change, read, "reason_several" if len(named) > 1 else "")


def _kind(read: ReadPlan) -> PlanKind:
    return PlanKind[read.level.upper()]
