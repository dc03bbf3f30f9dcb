"""The drafts that a language model's answer makes: its items with names resolved, and what speaks against each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memorybank.language.text import HAN, detect_lang
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem
from memorybank_studio.hub.facts import hook_status
from memorybank_studio.hub.stores import Stores, last_chapter
from memorybank_studio.reading.markers import lines
from memorybank_studio.reading.mentions import StoryTime, parts_of
from memorybank_studio.relations import LEADS_TO, relation_of
from memorybank_studio.settlement.model_answer import (
    LONGEST_NAME,
    Read,
    ReadFact,
    ReadHook,
    ReadName,
    ReadPlan,
    ReadSetting,
    ReadStatus,
    Settlement,
    words_of,
)
from memorybank_studio.settlement.numbered import NumberedSentence
from memorybank_studio.types import (
    BEARERS,
    BEFORE_THE_STORY,
    PARENT_OF,
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
    normal,
)
from memorybank_studio.writes import StatusChange

_QUOTED: Final = 160
"""Characters of the words that an item stands on, in its reason and its source."""
_LOOKED_BACK: Final = 3
"""Sentences before one that a pronoun of it may look back to."""
_WORD_RE: Final = re.compile(rf"[{HAN}]{{2}}|[^\W\d_{HAN}]{{4,}}")
"""The parts of a name that say something."""
_TOLD_IN_ANY_WORDS: Final = frozenset(EntityKind) - frozenset(BEARERS)
WHAT: Final = "what"
"""The property that says what is known."""


@dataclass(frozen=True, slots=True)
class ReadRow:
    """The drafts that one row of an answer gives: its item, behind those that it needs."""

    sentences: tuple[int, ...]
    drafts: tuple[DraftItem, ...]


@dataclass(slots=True)
class ModelDrafts:
    """Resolves names against what the model names itself, then against the hub. Made for one answer."""

    sentences: Mapping[int, NumberedSentence]
    """The sentences that the model was shown, all of them, by their numbers."""
    task: TaskId
    stores: Stores
    lang: Lang
    """The language of the reasons."""
    model: str
    _drafts: list[DraftItem] = field(default_factory=list)
    _named: dict[str, Entity] = field(default_factory=dict)
    _planned: dict[PlanKey, Plan] = field(default_factory=dict)
    _of_plans: frozenset[int] = frozenset()
    """Numbers of the sentences that say what is to happen."""
    _clock: StoryTime = field(init=False)

    def __post_init__(self) -> None:
        self._clock = StoryTime(last_chapter(self.stores))

    def read(self, answer: Settlement) -> tuple[ReadRow, ...]:
        self._of_plans = frozenset(number for plan in answer.plans for number in plan.sentences)
        plans = sorted(answer.plans, key=lambda read: list(PlanKind).index(_kind(read)))
        reads = (*answer.names, *answer.facts, *answer.hooks, *plans, *answer.statuses, *answer.settings)
        spans = []
        for read in reads:
            before = len(self._drafts)
            self._take(read)
            spans.append((read.sentences, before, len(self._drafts)))
        return tuple(
            ReadRow(numbers, tuple(self._drafts[before:end])) for numbers, before, end in spans if end > before
        )

    def _take(self, read: Read) -> None:
        match read:
            case ReadName():
                self._name(read)
            case ReadFact():
                self._fact(read)
            case ReadHook():
                self._hook(read)
            case ReadPlan():
                self._plan(read)
            case ReadStatus():
                self._status(read)
            case ReadSetting():
                setting = Setting(key=read.key, category=read.category, text=read.text, origin=self._origin(read))
                self._add(setting, read)

    def _add(
        self,
        item: Entity | Fact | Plan | StatusChange | Setting,
        read: Read,
        doubt: str = "",
        about: Sequence[EntityKey] = (),
    ) -> None:
        """`doubt`: the key of why it is not ticked. `about`: what it names, all of which its sentences have to name."""
        if not any(self.sentences[number].counts for number in read.sentences):
            doubt = "reason_offered"
        elif not all(_is_named(entity, self._near(read)) for key in about if (entity := self._entity(key))):
            doubt = "reason_unsaid"
        reason = words_of(self.lang)[doubt or "reason"].format(
            model=self.model, words=self._words(read), last=self._clock.last
        )
        self._drafts.append(DraftItem(item=item, turns=self._turns(read), ticked=not doubt, reason=reason))

    def _turns(self, read: Read) -> tuple[int, ...]:
        return tuple(sorted({self.sentences[number].turn for number in read.sentences}))

    def _words(self, read: Read) -> str:
        return " ".join(self.sentences[number].text for number in read.sentences)[:_QUOTED]

    def _near(self, read: Read) -> str:
        """Return its sentences and those a pronoun of them looks back to: the ones just before, and the turn so far."""
        turns, last = set(self._turns(read)), max(read.sentences)
        just_before = {number - back for number in read.sentences for back in range(_LOOKED_BACK + 1)}
        return normal(
            " ".join(
                sentence.text
                for number, sentence in self.sentences.items()
                if number in just_before or (number <= last and sentence.turn in turns)
            )
        )

    def _entity(self, key: EntityKey) -> Entity | None:
        drafted = (draft.item for draft in self._drafts if isinstance(draft.item, Entity))
        named = (entity for entity in (*self._named.values(), *drafted) if entity.key == key)
        return next(named, None) or self.stores.facts.entity(key)

    def _origin(self, read: Read, chapter: int | None = None) -> Origin:
        return Origin(task=self.task, chapter=chapter, source=self._words(read), turns=self._turns(read))

    def _name(self, read: ReadName) -> None:
        aliases = tuple(dict.fromkeys(alias.strip() for alias in read.aliases if alias.strip()))
        kind, origin = EntityKind(read.kind), self._origin(read)
        ranks = read.ranks if kind is EntityKind.ABILITY else ()
        entity = Entity(kind=kind, name=read.name, aliases=aliases, note=read.note, ranks=ranks, origin=origin)
        for form in (entity.name, *aliases):
            self._named.setdefault(normal(form), entity)
        self._add(entity, read, about=(entity.key,))

    def _key(self, name: str, kind: EntityKind | None, read: Read, new: EntityKind) -> EntityKey:
        """Return the entity of this name and `kind` (None: any): of the answer, of the hub, else a `new` one."""
        known = self._named.get(normal(name))
        if known is not None and kind in (None, known.kind):
            return known.key
        held = [entity for entity in self.stores.facts.named(name) if kind in (None, entity.kind)]
        if held:
            return held[0].key
        made = Entity(kind=kind or new, name=name.strip(), origin=self._origin(read))
        if self._entity(made.key) is None:
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
        self._add(self._with_what_is_known(fact), read, self._doubt(read), (fact.subject, fact.object))

    def _with_what_is_known(self, fact: Fact) -> Fact:
        """Join two things that somebody knows of the same from one chapter on: one fact holds both."""
        same = (draft.item for draft in self._drafts if isinstance(draft.item, Fact) and draft.item.key == fact.key)
        known = [earlier.properties[WHAT] for earlier in same if WHAT in earlier.properties]
        if not known or fact.properties.get(WHAT, known[-1]) == known[-1]:
            return fact
        return replace(fact, properties={**fact.properties, WHAT: f"{known[-1]}; {fact.properties[WHAT]}"})

    def _doubt(self, read: ReadFact) -> str:
        """Return why a fact is not ticked: it has not happened, is planned, or is of a chapter to come."""
        if not read.happened:
            return "reason_not_so"
        if self._is_planned(read):
            return "reason_planned"
        words = self._words(read)
        line = next(lines(words, detect_lang(words)), None)
        is_settled = line is not None and line.mark == "settled" and not relation_of(read.relation).is_deed
        return "reason_ahead" if not is_settled and self._clock.is_ahead(read.chapter) else ""

    def _is_planned(self, read: Read) -> bool:
        return not self._of_plans.isdisjoint(read.sentences)

    def _hook(self, read: ReadHook) -> None:
        doubt = "reason_planned" if self._is_planned(read) else ""
        origin = self._origin(read, read.chapter)
        hook = Entity(kind=EntityKind.HOOK, name=read.name, origin=origin)
        status = hook_status(hook, self.stores.facts, lambda: self._clock.last, origin, resolved=read.resolved)
        for item in (hook, *status):
            self._add(item, read, doubt)

    def _plan(self, read: ReadPlan) -> None:
        kind = _kind(read)
        parent = self._parent(kind, read.parent, read)
        siblings = {plan.key: plan for plan in (*self.stores.plans.children(parent), *self._planned.values())}
        before = [plan for plan in siblings.values() if plan.parent == parent and plan.kind is kind]
        if read.due is not None and (dated := [plan for plan in before if plan.due is not None]):
            before = [plan for plan in dated if (plan.due or 0) <= read.due]
        plan = Plan(
            kind=kind,
            title=read.title,
            text=read.text,
            parent=parent,
            storyline=read.storyline,
            due=read.due,
            origin=self._origin(read),
        )
        if before and plan.key not in siblings and kind is not PlanKind.GENERAL:
            plan = replace(plan, after=before[-1].key)
        self._planned[plan.key] = plan
        self._add(plan, read)

    def _parent(self, kind: PlanKind, title: str, read: Read) -> PlanKey | None:
        """Return the outline of this title and level, else the last one of that level, else a new one to hang it on."""
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
        """Add the change; of several plans of the title each is shown with its outline, none is ticked."""
        known = {plan.key: plan for plan in (*self._planned.values(), *self.stores.plans.all())}
        named = [plan for plan in known.values() if normal(plan.title) == normal(read.title)]
        for plan in named:
            change = StatusChange(plan=plan.key, status=PlanStatus(read.status))
            self._add(change, read, "reason_several" if len(named) > 1 else "")


def _is_named(entity: Entity, text: str) -> bool:
    """Say whether the text names the entity, by a form or part of its name; a thing by a word; events in any words."""
    if entity.kind in _TOLD_IN_ANY_WORDS:
        return True
    if any(normal(part) in text for form in (entity.name, *entity.aliases) for part in (form, *parts_of(form))):
        return True
    stems = {stem for stem in query_tokens(entity.name) if stem.isascii()}  # "swimming" is named by "cannot swim"
    words = _WORD_RE.findall(normal(entity.name))
    is_person = entity.kind is EntityKind.CHARACTER
    return not is_person and (any(word in text for word in words) or not stems.isdisjoint(tokenize(text)))


def _kind(read: ReadPlan) -> PlanKind:
    return PlanKind[read.level.upper()]
