"""Outlines, steps and their status out of marked lines: on which plan of the board each stands, where, below which.

A plan that is on record keeps its place, and its text where none is told, unless these turns tell it after one that
comes behind it there: then it moves. A step told without an outline is the one on record of that title where there is
but one; else it goes below the outline told last in these turns, the one in progress, or the last on the board.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.verbalisation import tell_predicate
from memorybank_studio.reading.markers import Line
from memorybank_studio.reading.mentions import Names, Source, lists, reason, without_chapter_ahead
from memorybank_studio.relations import RELATIONS, Relation
from memorybank_studio.types import PARENT_OF, Fact, Plan, PlanKey, PlanKind, PlanStatus, normal
from memorybank_studio.writes import StatusChange

Add = Callable[[Plan | StatusChange, Source, str], None]

_NOWHERE: Final = -1
"""The place of what stands before all that is on record."""


@dataclass
class Outlines:
    """The plans that the lines of these turns have told so far."""

    plans: Plans
    add: Add
    drafts: list[DraftItem]
    latest: dict[PlanKind, Plan] = field(default_factory=dict)
    """The last of each kind that a line told."""
    taken: dict[PlanKind, Plan] = field(default_factory=dict)
    """The outline of each kind below which the next goes: told, or found on the board for what was told below it."""
    new: dict[PlanKey, int] = field(default_factory=dict)
    """Plans that are not on record: the place of the sibling on record that they stand behind."""

    def read(self, line: Line, source: Source) -> None:
        kind = line.plan or PlanKind.STEP
        title, text = title_and_text(line.text)
        known = self._known(kind, title, line.text)
        if known and not text and normal(title) != normal(known.title):
            text = line.text
        plan = Plan(
            kind=kind,
            title=known.title if known else title,
            text=text or (known.text if known else ""),
            parent=known.parent if known else self._parent(kind, source),
            due=known.due if known and source.chapter is None else source.chapter,
            origin=source.origin(line.text),
        )
        self.add(replace(plan, after=self._after(plan, is_known=known is not None)), source, line.text)
        self.latest[kind] = self.taken[kind] = plan
        levels = tuple(PlanKind)
        for below in levels[levels.index(kind) + 1 :]:  # what comes next belongs to this one
            self.latest.pop(below, None)
            self.taken.pop(below, None)

    def status(self, line: Line, source: Source) -> None:
        """Read a line that says how far a plan is. Of several plans of its title none is changed."""
        named = self._called(line.text)
        if len(named) == 1 and line.status is not None:
            self.add(StatusChange(plan=named[0].key, status=line.status), source, line.text)

    def _called(self, title: str) -> list[Plan]:
        """Return the plans of this title; where there are several, those below what these turns told."""
        known = called(self.plans, title)
        own = {plan.key for plan in self.latest.values()}
        here = [plan for plan in known if plan.parent in own or plan.key in own]
        return here if len(known) > 1 and here else known

    def _known(self, kind: PlanKind, title: str, text: str) -> Plan | None:
        """Return the plan on record that is told: below the outline of these turns, else the only one of its title."""
        above = PARENT_OF[kind]
        every = self.plans.all(kind=kind)
        same = [plan for plan in every if normal(plan.title) == normal(title)]
        further = r"\s*[,，;；:：(（—–]"  # the title with more behind a comma
        same = same or [plan for plan in every if re.match(re.escape(plan.title) + further, text.strip(), re.I)]
        if above in self.latest:
            return next((plan for plan in same if plan.parent == self.latest[above].key), None)
        return same[0] if len(same) == 1 else None

    def _parent(self, kind: PlanKind, source: Source) -> PlanKey | None:
        """Return the last outline of the kind above: of these turns, else of the board, else a new one."""
        above = PARENT_OF[kind]
        if above is None:
            return None
        if above not in self.taken:
            self.taken[above] = self._open(above) or self._made(above, source)
        return self.taken[above].key

    def _open(self, kind: PlanKind) -> Plan | None:
        """Return the outline that is in progress, else the last one; below what these turns told, if they did."""
        above = PARENT_OF[kind]
        known = [
            plan
            for plan in self.plans.all(kind=kind)
            if above not in self.taken or plan.parent == self.taken[above].key
        ]
        return next((plan for plan in known if plan.status is PlanStatus.IN_PROGRESS), known[-1] if known else None)

    def _made(self, kind: PlanKind, source: Source) -> Plan:
        title = str(lists(f"reading.{source.lang}")["outline"])
        made = Plan(kind=kind, title=title, parent=self._parent(kind, source), origin=source.origin(""))
        self.drafts.append(DraftItem(item=made, turns=source.turns, reason=reason("parent", source.told_in)))
        return made

    def _after(self, plan: Plan, *, is_known: bool) -> PlanKey | None:
        """Return the sibling that it comes after. None: it is the first, or keeps its place."""
        if plan.parent is None or plan.key in self.new:
            return None
        order = [child.key for child in self.plans.children(plan.parent) if child.kind is plan.kind]
        before = self.latest.get(plan.kind)
        before_key = before.key if before and before.parent == plan.parent and before.key != plan.key else None
        if is_known:
            return before_key if before_key and self._place(before_key, order) > order.index(plan.key) else None
        after = before_key or (order[-1] if order else None)
        self.new[plan.key] = self._place(after, order)
        return after

    def _place(self, key: PlanKey | None, order: list[PlanKey]) -> int:
        if key is None:
            return _NOWHERE
        return order.index(key) if key in order else self.new.get(key, _NOWHERE)


def called(plans: Plans, title: str) -> list[Plan]:
    """Return the plans on record of this title."""
    wanted = normal(_END_RE.sub("", title))
    return [plan for plan in plans.all() if normal(plan.title) == wanted]


_END_RE: Final = re.compile(r"[\s。.!！;；]+$")
_TITLE: Final = 60
"""The most characters of a title."""


def title_and_text(text: str) -> tuple[str, str]:
    """Return the first clause as a title, without the chapter before it; all of it as the text where it says more."""
    rest = without_chapter_ahead(text)
    head = re.split(r"[，。；;.]|——", (rest or text).strip(), maxsplit=1)[0].strip()[:_TITLE] or text[:_TITLE]
    return head, "" if normal(head) == normal(text.rstrip("。.")) else text.strip()


# -- facts -------------------------------------------------------------------------------------------------------------
#     Settled: In chapter 3 Mara owns the Moon Lantern.      事实：林霜拥有玉佩。
#
# The relation is written as the studio itself tells it (`hub/words.*.yaml`). Words that tell two relations
# ("belongs to") are read by the kinds that these lead from and to; whatever is written otherwise is not read.


_ARTICLE_AHEAD_RE: Final = re.compile(r"^(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_ARTICLE_BEHIND_RE: Final = re.compile(r"\s+(?:the|an?)$", re.IGNORECASE)
_END: Final = " \t\n。.！!；;"


def settled_fact(sentence: str, names: Names, source: Source) -> Fact | None:
    """Return the fact that a settled sentence is; None where it is written in other words."""
    text = _ARTICLE_AHEAD_RE.sub("", without_chapter_ahead(sentence.strip()).strip(_END))
    mentions = names.find(text)
    if len(mentions) != 2 or mentions[0].start != 0 or mentions[1].end != len(text):
        return None
    subject, object_ = (mention.named for mention in mentions)
    between = _ARTICLE_BEHIND_RE.sub("", text[mentions[0].end : mentions[1].start].strip())
    relations = _by_words(source.lang).get(normal(between), ())
    fitting = [each.name for each in relations if subject.kind in each.subjects and object_.kind in each.objects]
    if len(fitting) != 1 or subject.key == object_.key:
        return None
    return Fact(
        subject=subject.key,
        predicate=fitting[0],
        object=object_.key,
        since=source.since,
        origin=source.origin(sentence.strip()),
    )


@cache
def _by_words(lang: Lang) -> Mapping[str, Sequence[Relation]]:
    relations: dict[str, list[Relation]] = defaultdict(list)
    for relation in RELATIONS.values():
        relations[normal(tell_predicate(relation.name, lang))].append(relation)
    return relations
