"""Lines that an author marked ("Settled: …", 伏笔：…) and that gave no row of the settlement table, each with why.

Nothing that is marked is lost silently, whoever read the turns: a row tells the words it stands on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.narrative.creativity.lookups import Stores
from memorybank.narrative.extraction.calling import shared_names, short_names
from memorybank.narrative.extraction.lists import lists, words
from memorybank.narrative.extraction.markers import lines
from memorybank.narrative.extraction.mentions import Named, Names
from memorybank.narrative.extraction.outlines import called
from memorybank.narrative.extraction.statements import is_denied
from memorybank.narrative.scheduler.drafts import DraftItem
from memorybank.narrative.scheduler.routing import names_in
from memorybank.narrative.scheduler.wording import say
from memorybank.narrative.types import Entity, EntityKey, Fact, Plan, Setting, Turn, normal
from memorybank.narrative.writes import Removal, StatusChange
from memorybank.text import detect_lang
from memorybank.types import Lang, Value

_LANGS: Final[tuple[Lang, ...]] = ("en", "zh")
MARKS: Final = frozenset({"settled", "hook", "hook_resolved", "setting", "plan", "status", "entity"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread(Value):
    """One line that gave no row."""

    turn: int
    line: str
    why: str


def unread(turns: Sequence[Turn], drafts: Sequence[DraftItem], stores: Stores, lang: Lang) -> tuple[Unread, ...]:
    """In the order of the turns; each line once. `lang`: of why. Raises StoreUnavailableError."""
    marked = dict.fromkeys((turn, line) for turn in turns if turn.role == "author" for line in _marked(turn.text))
    drafted = {one.item.key: one.item for one in drafts if isinstance(one.item, Entity)}

    def is_named(key: EntityKey, said: str) -> bool:
        entity = drafted.get(key) or stores.facts.entity(key)
        return entity is not None and any(normal(name) in said for name in (entity.name, *entity.aliases))

    changed = {one.item.plan: one.turns for one in drafts if isinstance(one.item, StatusChange)}
    titles = {key: plan.title for key in changed if (plan := stores.plans.plan(key))}

    def is_changed(turn: Turn, line: str) -> bool:
        return any(turn.number in changed[key] and normal(title) in normal(line) for key, title in titles.items())

    left = [
        (turn, line)
        for turn, line in marked
        if not is_changed(turn, line) and not any(_reads(one, turn.number, line, is_named) for one in drafts)
    ]
    if not left:
        return ()
    why = _Why(drafts, stores, lang)
    return tuple(Unread(turn=turn.number, line=line, why=why(line)) for turn, line in left)


def _marked(text: str) -> Iterator[str]:
    """Lines with a mark, or with what announces one in either language: a question after a mark is still a line that
    was marked, and so is a Chinese mark before English words."""
    lang = detect_lang(text)
    for raw in text.splitlines():
        line = next(lines(raw, lang), None)
        if line is not None and (line.mark in MARKS or any(_head_re(one).match(raw) for one in _LANGS)):
            yield raw.strip()


@cache
def _head_re(lang: Lang) -> re.Pattern[str]:
    listed = lists(f"markers.{lang}")
    heads = [
        word for name in ("settled", "hook", "hook_resolved", "setting", "planned") for word in words(listed[name])
    ]
    heads += [word for name in ("plan", "entity") for of_kind in listed[name].values() for word in words(of_kind)]
    joined = "|".join(re.escape(word) for word in sorted(heads, key=len, reverse=True))
    return re.compile(rf"^[\s>*•·#-]*(?:\d{{1,2}}[.)、]\s+)?[【\[]?(?:{joined})[】\]]?\s*[:：]\s*\S", re.IGNORECASE)


# -- what was read ----------------------------------------------------------------------------------------------------


def _reads(draft: DraftItem, turn: int, line: str, is_named: Callable[[EntityKey, str], bool]) -> bool:
    """Whether a row stands on this line: on its words, or, where a later turn said the same, on its names."""
    if turn not in draft.turns or isinstance(draft.item, StatusChange | Removal):
        return False
    said, source = normal(_text_of(line)), normal(draft.item.origin.source)
    if source and (source in said or said in source) and len(source) >= _LEAST * len(said):
        return True
    if isinstance(draft.item, Fact):
        one_of_more = len(draft.turns) > 1 and not is_denied(said, detect_lang(line))
        within = bool(source) and source in said
        ends = (draft.item.subject, draft.item.object)
        return within or (one_of_more and all(is_named(end, said) for end in ends))
    mark = next((one.mark for one in lines(line, detect_lang(line))), "")
    name = draft.item.name if isinstance(draft.item, Entity) else _title_of(draft.item)
    return mark in _CARDS and said.startswith(normal(name))


_CARDS: Final = frozenset({"entity", "setting", "plan"})
_LEAST: Final = 0.6
"""Of a line's characters, in the words that a row stands on: a line is not read by the card of a name in it."""


def _text_of(line: str) -> str:
    """What stands after the mark."""
    return re.sub(r"^[^:：]*[:：]\s*", "", line)


def _title_of(item: Plan | Setting) -> str:
    return item.title if isinstance(item, Plan) else item.key


# -- why not ----------------------------------------------------------------------------------------------------------


class _Why:
    def __init__(self, drafts: Iterable[DraftItem], stores: Stores, lang: Lang) -> None:
        self._lang = lang
        self._plans = stores.plans
        entities = [one.item for one in drafts if isinstance(one.item, Entity)]
        drafted = [Named(one.key, one.kind, name) for one in entities for name in (one.name, *one.aliases)]
        whole = Names.of(stores.facts, drafted)
        self._names = Names.of(stores.facts, [*drafted, *short_names(whole.all, whole.all)])
        self._shared = shared_names(whole.all)

    def __call__(self, line: str) -> str:
        lang = detect_lang(line)
        said = _text_of(line)
        if line.rstrip(" ”\"'’」』").endswith(("?", "？")):
            return say("unread_question", self._lang)
        if next((one.mark for one in lines(line, lang)), "") == "status":
            count = len(called(self._plans, said))
            return say("unread_plans" if count > 1 else "unread_no_plan", self._lang, title=said, count=count)
        if shared := next((name for name in names_in(said, tuple(self._shared)) if name in self._shared), ""):
            return say("unread_shared", self._lang, name=shared, names=self._joined(self._shared[shared]))
        if _planned_re(lang).match(line):
            return say("unread_plan", self._lang)
        named = tuple(dict.fromkeys(said[one.start : one.end] for one in self._names.find(said)))
        if not named:
            return say("unread_nobody", self._lang)
        if is_denied(said, lang):
            return say("unread_denied", self._lang)
        return say("unread_relation", self._lang, names=self._joined(named))

    def _joined(self, names: Sequence[str]) -> str:
        return ("、" if self._lang == "zh" else ", ").join(names)


@cache
def _planned_re(lang: Lang) -> re.Pattern[str]:
    joined = "|".join(map(re.escape, words(lists(f"markers.{lang}")["planned"])))
    return re.compile(rf"^[\s>*•·#-]*[【\[]?(?:{joined})[】\]]?\s*[:：]", re.IGNORECASE)
