"""The evidence on a conflict, by what it speaks for, with what counts and why not; then who decided and what came.

And the same on a node: its summary with what a check refuted struck out, and what each check found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memorybank.language.figures import states
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Check, Claim, ClaimVerdict, Conflict, ConflictStatus, Evidence, Lang, Node, Refuted
from memorybank.session.checks import marks_of
from memorybank.views.box import (
    Box,
    Piece,
    box,
    chip,
    cut_note,
    div,
    folded,
    go,
    gos,
    label,
    labelled,
    muted,
    note,
    row_of,
    stack_of,
)
from memorybank.views.boxes.conflicts import USER, decided_by, status_chip
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.conflict_life import LifeStep
from memorybank.views.text.display import clip, unheaded
from memorybank.views.text.passages import address, place_of, weight_of

VALUE = 60
"""The most columns of a value."""


def evidence(conflict: Conflict, bank: MemoryState, most: int, lang: Lang) -> list[Box]:
    """Return a column a side, what counts first; a side without a voice is left out."""
    if not conflict.evidence:
        is_open = conflict.status is ConflictStatus.OPEN
        words = "conflict.evidence_none" if is_open else "conflicts.evidence_never"
        return [muted(t(words, lang))]
    groups = [(side, [item for item in conflict.evidence if item.supports == side]) for side in _SIDES]
    return [
        div("evidence-sides", *(_group(side, items, conflict, bank, most, lang) for side, items in groups if items))
    ]


_SIDES = ("left", "right", "other", "neither")


def _group(side: str, items: Sequence[Evidence], conflict: Conflict, bank: MemoryState, most: int, lang: Lang) -> Box:
    claims = claims_of(conflict)
    weighed = [(item, weight_of(item, claims)) for item in items]
    weighed.sort(key=lambda pair: _ORDER.index(pair[1]))
    voices = len({item.source for item, weight in weighed if weight in ("counted", "own")})
    wins = any((ruling.winner or "other") == side for ruling in _decided(conflict))
    return div(
        "",
        row_of(
            box("span", "strong text", _speaks_for(side, items, claims.get(side, ()), lang)),
            chip(t("conflicts.voices", lang, count=voices), "done" if wins else "") if side != "neither" else None,
        ),
        box("ul", "evidence", *(_voice(item, weight, bank, lang) for item, weight in weighed[:most])),
        cut_note(most, len(weighed), lang),
    )


def claims_of(conflict: Conflict) -> dict[str, list[Claim]]:
    return {
        "left": [contradiction.left for contradiction in conflict.contradictions],
        "right": [contradiction.right for contradiction in conflict.contradictions],
    }


def _decided(conflict: Conflict) -> list[ClaimVerdict]:
    """Return the rulings that decide: on each point, or on the pair."""
    return [ruling for ruling in conflict.claims or (conflict.ruling_on(0),) if ruling.status.decides]


def _speaks_for(side: str, items: Sequence[Evidence], claims: Sequence[Claim], lang: Lang) -> str:
    """Say what the passages below state: `for what was known before: “2.4 m”`."""
    phrase, value = t(f"conflict.supports.{side}", lang), "" if side == "neither" else stated_by_all(items, claims)
    return t("conflicts.speaks_for", lang, side=phrase, value=clip(value, VALUE)) if value else phrase


def stated_by_all(items: Sequence[Evidence], claims: Sequence[Claim]) -> str:
    """Return a side's one value; empty where there are more, or where a passage gives it in other words than a value's.

    `claims`: of the side; a third value has none, and is what the passages are said to state.
    """
    values = {source.value for source in (claims or items) if source.value}
    value = values.pop() if len(values) == 1 else ""
    return value if all(states(item.quote, value) for item in items) else ""


def stated_otherwise(item: Evidence) -> str:
    """Return a passage's value where it has another form; empty where the passage has the value itself, or has none."""
    return item.value if item.value not in item.quote and states(item.quote, item.value) else ""


_ORDER = ("counted", "own", "repeats", "party", "copy", "silent", "not_there", "no_source")


def _voice(item: Evidence, weight: str, bank: MemoryState, lang: Lang, side: str = "") -> Box:
    """Return one voice. `side` is what it speaks for, where that does not stand above it."""
    place = place_of(bank.tree, item)
    known = item.entry_id is not None and item.entry_id in bank.tree.entries
    target = address(place.entry_id, place.start, place.end) if place else str(item.entry_id or "")
    return box(
        "li",
        "counts" if weight in ("counted", "own") else "",
        box("p", "text", item.quote or "—"),
        div(
            "row small",
            go(item.source, link("entry", target), title=t("conflicts.go_entry", lang))
            if known
            else box("span", "text muted", item.source),
            box("span", "", side) if side else None,
            box(
                "span", "muted", t(f"conflicts.weight.{weight}", lang), title=t(f"conflicts.weight_help.{weight}", lang)
            ),
            box("span", "muted text", item.copy_of) if item.copy_of else None,
            box("span", "muted", t("conflicts.says_value", lang, value=value))
            if (value := stated_otherwise(item))
            else None,
        ),
        note(t("conflicts.not_there", lang)) if known and place is None and weight != "not_there" else None,
    )


def verdict(
    conflict: Conflict, steps: Sequence[LifeStep], bank: MemoryState, made_by: Box | None, lang: Lang
) -> list[Box]:
    """Return what holds, who said so and why, and what became of the two nodes."""
    help_ = "conflicts.undone_help" if conflict.undone else f"conflicts.means.{conflict.status}"
    if conflict.id in bank.conflicts.told:
        help_ = "conflicts.means.told_apart"
    elif conflict.status is ConflictStatus.INCONCLUSIVE and conflict.closed_by == USER and not conflict.undone:
        help_ = "conflicts.means.left_open"
    holding = dict.fromkeys(ruling.value for ruling in _decided(conflict) if ruling.value)
    holds = t("punctuation.semicolon", lang).join(holding)
    return [
        stack_of(
            box("p", "head-line text", f"{t('conflict.holds', lang)}{t('punctuation.colon', lang)}{holds}")
            if holds
            else None,
            box("p", "text", reason) if (reason := conflict.closing.in_language(lang)) else None,
            note(t("conflicts.no_reason", lang)) if not reason and conflict.status is not ConflictStatus.OPEN else None,
            div("row small", box("span", "muted", decided_by(conflict, lang)), made_by) if conflict.closed_by else None,
            div("", *_means(conflict, help_, lang)),
            *_outcome(conflict, steps, bank, lang),
        )
    ]


def _means(conflict: Conflict, words: str, lang: Lang) -> Iterable[Box]:
    """Say plainly what the state means for the memory."""
    yield note(t(words, lang))
    if conflict.status is ConflictStatus.OPEN and conflict.attempts:
        yield note(t("conflicts.attempts_left", lang, count=conflict.attempts))
    if conflict.closed_by == USER and words != "conflicts.undone_help":
        yield note(t("conflicts.user_help", lang))


def _outcome(conflict: Conflict, steps: Sequence[LifeStep], bank: MemoryState, lang: Lang) -> Iterable[Box]:
    """Return the node that the two have become, if they have; else they stand with what they say."""
    live = [bank.graph.successor(node_id) for node_id in conflict.node_ids]
    merges = [step.merge for step in steps if step.kind == "merged" and step.merge]
    if live[0] == live[1] and live[0] in bank.graph.nodes:
        node = bank.graph.nodes[live[0]]
        yield div(
            "card spaced merge",
            label(t("conflicts.one_node", lang)),
            box("p", "strong text", node.context or node_label(node, lang)),
            gos(
                go(t("tree.go_graph", lang), link("node", node.id)),
                go(t("conflicts.go_raw", lang), link("tree", node.id)),
                go(t("conflicts.go_merge", lang), link("merge", merges[-1])) if merges else None,
            ),
        )


MOST_VOICES = 4
"""The most passages of one check on a node; all of them stand with its conflict."""

Marks = Sequence[tuple[Refuted, Check]]
"""The parts of a summary that checks refuted, in its order (session/checks.py)."""


def struck(text: str, marks: Marks, lang: Lang, start: int = 0, end: int | None = None) -> Iterator[Piece]:
    """Yield `text[start:end]` with the refuted words struck out; of a sentence that was refuted whole, all of it."""
    at, last = start, len(text) if end is None else end
    for mark, check in marks:
        first = text.find(mark.words, mark.start, mark.end) if mark.words else mark.start
        words = (max(first, at), min(first + len(mark.words) if mark.words else mark.end, last))
        if words[0] < words[1]:
            help_ = t("node.refuted_help", lang, holds=check.holds)
            refuted = box("del", "refuted", unheaded(text[slice(*words)]), title=help_)
            yield from (unheaded(text[at : words[0]]), refuted)
            at = words[1]
    yield unheaded(text[at:last])


def summary_box(node: Node, lang: Lang) -> Box:
    return box("p", "text", *struck(node.summary, marks_of(node), lang))


def checks_box(node: Node, bank: MemoryState, lang: Lang, *, is_brief: bool = False) -> Box | None:
    """Return the checks on a node: what holds, how that stands, and each passage with its source and side. In brief, of
    those that found the same the first stands for all."""
    checks: dict[str, Check] = {}
    for each in node.checks:
        checks.setdefault(each.holds if each.holds and is_brief else each.conflict_id, each)
    drawn = (_check(each, bank, lang, is_brief=is_brief) for each in checks.values())
    return labelled(t("node.checks", lang), *drawn) if checks else None


def _check(check: Check, bank: MemoryState, lang: Lang, *, is_brief: bool) -> Box:
    conflict = bank.conflicts.all[check.conflict_id]
    voices = sorted(
        ((item, weight_of(item, claims_of(conflict))) for item in check.evidence),
        key=lambda pair: _ORDER.index(pair[1]),
    )
    drawn = [
        _voice(item, weight, bank, lang, t(f"conflict.supports.{item.supports}", lang))
        for item, weight in voices[:MOST_VOICES]
    ]
    passages = (box("ul", "evidence", *drawn), cut_note(MOST_VOICES, len(voices), lang))
    return box(
        "div",
        "gap",
        row_of(
            status_chip(ConflictStatus.RESOLVED if check.state.decides else check.state, lang),
            box("span", "strong text", go(check.holds or conflict.description, link("conflict", check.conflict_id))),
        ),
        *([folded(t("conflict.evidence", lang), *passages, look="small")] if is_brief else passages),
    )
