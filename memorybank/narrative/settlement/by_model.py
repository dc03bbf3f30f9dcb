"""A settlement's extractor on a language model: the turns of a task in, what they settle out (an `Extract`).

The model gives names, not keys, and says for each item the turns and the words it stands on. What it says happened in
words that are in none of these turns is shown, and not ticked. An answer of another form, with unknown kinds or turns,
is sent back once; then it is an AgentError, and whoever called decides who reads instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memorybank.language.lexicon import load
from memorybank.language.tags import block
from memorybank.language.text import detect_lang, fold_space
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.memory.types import Lang
from memorybank.narrative.drafts import DraftItem, Extracted, Unread
from memorybank.narrative.hub.labels import LEADS_TO, is_predicate
from memorybank.narrative.hub.stores import Stores, last_chapter
from memorybank.narrative.reading.discussion import Clock
from memorybank.narrative.reading.markers import lines
from memorybank.narrative.reading.mentions import Named, Names
from memorybank.narrative.reading.short_names import with_short_names
from memorybank.narrative.settlement.block_reading import with_drafts
from memorybank.narrative.settlement.model_answer import (
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
    BEFORE,
    BEFORE_THE_STORY,
    CAUSES,
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

WINDOW: Final = 4_000
"""Estimated tokens of turns read at once, where the model tells of no smaller context."""
ANSWER_TOKENS: Final = 4_096
SHOWN_NAMES: Final = 200
"""Names of the story and titles of outlines that the model is told, each."""
LONGEST_NAME: Final = 200
OF_EVENTS: Final = frozenset({CAUSES, BEFORE})
"""Relations between events: what they name and nobody knows is an event."""
_DEEDS: Final = frozenset({HAS_STATUS, "KILLED", "LOCATED_IN"})
"""Relations that tell of what befell somebody, or what they did; others are states."""
_LEVELS: Final = {
    "general": PlanKind.GENERAL,
    "long": PlanKind.LONG,
    "short": PlanKind.SHORT,
    "step": PlanKind.STEP,
}


def _words(lang: Lang) -> dict[str, str]:
    return load(__package__, f"by_model.{lang}")


class ModelExtract:
    """A settlement's `Extract` on a language model. Stateless."""

    def __init__(self, chat: ChatModel, stores: Stores, lang: Lang) -> None:
        """`lang`: of the reasons; the turns may be in either."""
        self._chat = chat
        self._stores = stores
        self._lang = lang

    @property
    def window(self) -> int:
        context = self._chat.context_window
        return WINDOW if context is None else max(200, min(WINDOW, context // 4))

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        """Raises AgentError (EndpointError when it cannot be reached), StoreUnavailableError."""
        asked = ChatRequest(
            messages=tuple(self._messages(turns)),
            temperature=0.1,
            top_p=0.8,
            max_tokens=ANSWER_TOKENS,
            schema_name="settlement",
        )
        read = ask_typed(self._chat, asked, Settlement, check=_checked({turn.number for turn in turns}))
        reading = _Reading(turns, task, self._stores, self._lang, self._chat.name)
        reading.read(read)
        return Extracted(drafts=tuple(reading.found), unread=reading.unread())

    def knowing(self, drafts: Sequence[DraftItem]) -> ModelExtract:
        """With the names and plans of the blocks before (`drafts.ReadsOn`)."""
        return ModelExtract(self._chat, with_drafts(self._stores, drafts), self._lang)

    def _messages(self, turns: Sequence[Turn]) -> Iterator[ChatMessage]:
        words = _words(detect_lang("\n".join(turn.text for turn in turns)))
        names = list(self._stores.facts.names())[:SHOWN_NAMES]
        outlines = [plan.title for plan in self._stores.plans.all()][:SHOWN_NAMES]
        known = f"{words['names']}{', '.join(names)}\n{words['outlines']}{', '.join(outlines)}"
        told = "\n\n".join(f"[{turn.number} {turn.role}] {turn.text}" for turn in turns)
        yield ChatMessage(role="system", content=words["settler"])
        yield ChatMessage(role="user", content=f"{block('memory', known)}\n\n{block('task', told)}\n\n{words['now']}")


def _checked(numbers: set[int]) -> Callable[[Settlement], Sequence[str]]:
    """What no schema says: the turns are among those shown, relations are relations, names are names."""

    def check(read: Settlement) -> list[str]:
        return [*_turn_problems(read, numbers), *_name_problems(read)]

    return check


def _turn_problems(read: Settlement, numbers: set[int]) -> Iterator[str]:
    for one in (*read.names, *read.facts, *read.hooks, *read.plans, *read.statuses, *read.settings):
        if wrong := set(one.turns) - numbers:
            yield f"there is no turn {sorted(wrong)[0]}: name turns that are shown"


def _name_problems(read: Settlement) -> Iterator[str]:
    for fact in read.facts:
        if not is_predicate(_relation(fact.relation)):
            yield f"{fact.relation[:40]!r} is no relation: write capitals A-Z and underscores, as OWNS or LOCATED_IN"
    named = [name.name for name in read.names] + [hook.name for hook in read.hooks]
    named += [end for fact in read.facts for end in (fact.subject, fact.object)]
    named += [one.name for fact in read.facts for one in fact.properties]
    named += [plan.title for plan in read.plans] + [status.title for status in read.statuses]
    named += [setting.key for setting in read.settings]
    if any(not 0 < len(name.strip()) <= LONGEST_NAME for name in named):
        yield f"a name or title is empty or longer than {LONGEST_NAME} characters"
    chapters = [fact.chapter for fact in read.facts] + [hook.chapter for hook in read.hooks]
    chapters += [plan.due for plan in read.plans]
    if any(chapter is not None and not 0 <= chapter < 10**6 for chapter in chapters):
        yield "a chapter is no number of a chapter: give one from 0 on, or null"


def _names_of(said: Read) -> tuple[str, ...]:
    """What an item of the model's answer is about."""
    match said:
        case ReadFact():
            return said.subject, said.object
        case ReadName() | ReadHook():
            return (said.name,)
        case ReadPlan() | ReadStatus():
            return (said.title,)
        case _:
            return ()


def _relation(written: str) -> str:
    return "_".join(written.upper().replace("-", " ").split())


@dataclass(slots=True)
class _Reading:
    """The model's items as drafts, names resolved against what it names itself and the hub."""

    turns: Sequence[Turn]
    task: TaskId
    stores: Stores
    lang: Lang
    by: str
    found: list[DraftItem] = field(default_factory=list)
    cited: list[Cited] = field(default_factory=list)
    _named: dict[str, Entity] = field(default_factory=dict)
    _planned: dict[PlanKey, Plan] = field(default_factory=dict)
    _clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self._clock = Clock(last_chapter(self.stores))

    def read(self, read: Settlement) -> None:
        for name in read.names:
            self._name(name)
        for fact in read.facts:
            self._fact(fact)
        for hook in read.hooks:
            self._hook(hook)
        for plan in sorted(read.plans, key=lambda one: list(_LEVELS).index(one.level)):
            self._plan(plan)
        for status in read.statuses:
            self._status(status)
        for setting in read.settings:
            origin = self._origin(setting)
            self._add(Setting(key=setting.key, category=setting.category, text=setting.text, origin=origin), setting)

    def _add(
        self,
        item: Entity | Fact | Plan | StatusChange | Setting,
        said: Read,
        *,
        so: bool = True,
        ahead: bool = False,
        doubt: str = "",
    ) -> None:
        """`doubt`: the word for why it is not ticked, whatever else speaks for it."""
        told = self._said(said)
        doubt = doubt or ("reason_ahead" if ahead else "" if so else "reason_not_so")
        so = not doubt
        reason = "reason_unsaid" if not told else doubt or "reason"
        words = _words(self.lang)[reason].format(
            model=self.by, words=fold_space(said.words)[:160], last=self._clock.last
        )
        turns = tuple(sorted(set(said.turns)))
        self.found.append(DraftItem(item=item, turns=turns, ticked=so and told, reason=words))
        self.cited.append(Cited(turns, said.words, _names_of(said)))

    def unread(self) -> tuple[Unread, ...]:
        """Lines that the author marked and that the model passed over."""
        drafted = [Named(one.key, one.kind, name) for one in self._named.values() for name in (one.name, *one.aliases)]
        facts = self.stores.facts
        names = with_short_names(Names.of(facts), drafted)
        explaining = Explaining(names, facts, self.stores.plans, self.lang)
        return uncited(self.turns, self.cited, explaining)

    def _said(self, said: Read) -> bool:
        """Whether the words it stands on are in the turns it names."""
        words = fold_space(said.words).strip()
        texts = (fold_space(turn.text) for turn in self.turns if turn.number in said.turns)
        return bool(words) and any(words in text for text in texts)

    def _origin(self, said: Read, chapter: int | None = None) -> Origin:
        return Origin(task=self.task, chapter=chapter, source=said.words[:160], turns=tuple(sorted(set(said.turns))))

    # -- names and facts ----------------------------------------------------------------------------------------------

    def _name(self, said: ReadName) -> None:
        aliases = tuple(dict.fromkeys(alias.strip() for alias in said.aliases if alias.strip()))
        entity = Entity(
            kind=EntityKind(said.kind),
            name=said.name.strip(),
            aliases=aliases,
            note=said.note,
            origin=self._origin(said),
        )
        for form in (entity.name, *aliases):
            self._named.setdefault(normal(form), entity)
        self._add(entity, said)

    def _key(self, name: str, kind: EntityKind | None, said: Read, *, new: EntityKind | None = None) -> EntityKey:
        """The entity of this name: one that the model names, one of the hub, else a new one with a row of its own.

        `kind`: what it has to be; None: anything, and `new`, or a character, if nobody knows it.
        """
        known = self._named.get(normal(name))
        if known is not None and kind in (None, known.kind):
            return known.key
        held = [one for one in self.stores.facts.named(name) if kind in (None, one.kind)]
        if held:
            return held[0].key
        made = Entity(kind=kind or new or EntityKind.CHARACTER, name=name.strip(), origin=self._origin(said))
        if made.key not in {one.item.key for one in self.found if isinstance(one.item, Entity)}:
            self._add(made, said)
        return made.key

    def _fact(self, said: ReadFact) -> None:
        predicate = _relation(said.relation)
        event = EntityKind.EVENT if predicate in OF_EVENTS else None
        fact = Fact(
            subject=self._key(said.subject, None, said, new=event),
            predicate=predicate,
            object=self._key(said.object, LEADS_TO.get(predicate), said, new=event),
            properties={name: value for one in said.properties if (name := one.name.strip()) and (value := one.value)},
            since=BEFORE_THE_STORY if said.chapter is None else said.chapter,
            origin=self._origin(said, said.chapter),
        )
        ahead = said.happened and self._is_ahead(said.words, predicate, said.chapter)
        self._add(fact, said, so=said.happened and not ahead, ahead=ahead)

    def _is_ahead(self, words: str, predicate: str, chapter: int | None) -> bool:
        """Whether it is of a chapter to come; a state that the author calls settled is none."""
        line = next(lines(words, detect_lang(words)), None)
        if line is not None and line.mark == "settled" and predicate not in _DEEDS:
            return False
        return self._clock.shade(chapter) is not None

    def _hook(self, said: ReadHook) -> None:
        origin = self._origin(said, said.chapter)
        hook = Entity(kind=EntityKind.HOOK, name=said.name.strip(), origin=origin)
        state = Entity(kind=EntityKind.STATUS, name=RESOLVED if said.resolved else UNRESOLVED, origin=origin)
        since = self._hook_since(hook, state) if said.chapter is None else said.chapter
        status = Fact(subject=hook.key, predicate=HAS_STATUS, object=state.key, since=since, origin=origin)
        for item in (hook, state, status):
            self._add(item, said)

    def _hook_since(self, hook: Entity, state: Entity) -> int:
        """Of one without a chapter: as it stands on record, else where the story stands."""
        held = [one for one in self.stores.facts.history(hook.key) if one.predicate == HAS_STATUS and one.until is None]
        return held[-1].since if held and held[-1].object == state.key else self._clock.last

    # -- plans --------------------------------------------------------------------------------------------------------

    def _plan(self, said: ReadPlan) -> None:
        kind = _LEVELS[said.level]
        parent = self._parent(kind, said.parent, said)
        siblings = (*self.stores.plans.children(parent), *self._planned.values())
        before = [plan.key for plan in siblings if plan.parent == parent and plan.kind is kind]
        plan = Plan(
            kind=kind,
            title=said.title.strip(),
            text=said.text,
            parent=parent,
            storyline=said.storyline,
            due=said.due,
            origin=self._origin(said),
        )
        if before and plan.key not in before and kind is not PlanKind.GENERAL:
            plan = replace(plan, after=before[-1])
        self._planned[plan.key] = plan
        self._add(plan, said)

    def _parent(self, kind: PlanKind, title: str, said: Read) -> PlanKey | None:
        """The outline of this title and level, else the last one of that level, else a new one to hang it on."""
        above = PARENT_OF[kind]
        if above is None:
            return None
        known = [*self.stores.plans.all(kind=above), *(one for one in self._planned.values() if one.kind is above)]
        named = [one for one in known if normal(one.title) == normal(title)]
        if named or (known and not title.strip()):
            return (named or known)[-1].key
        made = Plan(
            kind=above,
            title=title.strip()[:LONGEST_NAME] or _words(self.lang)["outline"],
            parent=self._parent(above, "", said),
            origin=self._origin(said),
        )
        self._planned[made.key] = made
        self._add(made, said)
        return made.key

    def _status(self, said: ReadStatus) -> None:
        """Of several plans of the title each is shown with its outline, and none is ticked."""
        known = {plan.key: plan for plan in (*self._planned.values(), *self.stores.plans.all())}
        named = [plan for plan in known.values() if normal(plan.title) == normal(said.title)]
        for plan in named:
            change = StatusChange(plan=plan.key, status=PlanStatus(said.status))
            self._add(change, said, doubt="reason_several" if len(named) > 1 else "")
