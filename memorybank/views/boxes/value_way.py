"""Where a value came from, as a list one can walk: each station leads to the thing itself, and so back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Lang, NodeId
from memorybank.views.box import Box, Piece, aside, box, chip, labelled, marked, muted, row_of
from memorybank.views.boxes.call_words import call_words, model_words
from memorybank.views.boxes.conflicts import executor_name
from memorybank.views.boxes.cut import cut_note
from memorybank.views.boxes.leads import go, go_call
from memorybank.views.calls.authors import Authors, Occurrence, Phrasing
from memorybank.views.calls.walk import WalkStep
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.text.display import clip
from memorybank.views.text.passages import address
from memorybank.views.text.stating import statements_of

MOST_STATEMENTS = 60
MOST_WROTE = 12
"""Memories of one call that are named."""
DEEPEST = 4
"""Merges behind each other that are set in, one further than the other."""
NAME = 80
"""Columns of a topic, and of a source."""


def occurrences_box(occurrences: Sequence[Occurrence], lang: Lang) -> Box:
    """Sentences of memories with the words that were looked for; what is not said any more says so."""
    if not occurrences:
        return muted(t("value.not_found", lang))
    return box("ul", "value-sentences found", *(_occurrence(item, lang) for item in occurrences))


def _occurrence(item: Occurrence, lang: Lang) -> Box:
    phrasing = item.phrasing
    before, _, after = item.sentence.partition(phrasing.summary[item.start : item.end])
    return box(
        "li",
        "text",
        before,
        _choice(phrasing, item.start, item.end, (0, 0), lang),
        after,
        " ",
        aside(clip(phrasing.context, NAME)),
        " ",
        box("span", "tag", t(f"value.ended.{phrasing.ended}", lang)) if phrasing.ended else None,
    )


def statements_box(phrasing: Phrasing, chosen: tuple[int, int], lang: Lang) -> Box:
    """The sentences of a memory: each number, date and name leads to where it came from, else the whole sentence."""
    lines: list[Box] = []
    for start, end, values in statements_of(phrasing.summary):
        if len(lines) == MOST_STATEMENTS:
            lines.append(box("li", "", aside(t("value.more", lang))))
            break
        lines.append(box("li", "text", *_sentence(phrasing, start, end, values, chosen, lang)))
    return box("ul", "value-sentences", *lines)


def _sentence(
    phrasing: Phrasing,
    start: int,
    end: int,
    values: Sequence[tuple[int, int]],
    chosen: tuple[int, int],
    lang: Lang,
) -> Iterator[Piece]:
    at = start
    for first, last in values or ((start, end),):
        yield phrasing.summary[at:first]
        yield _choice(phrasing, first, last, chosen, lang)
        at = last
    yield phrasing.summary[at:end]


def _choice(phrasing: Phrasing, start: int, end: int, chosen: tuple[int, int], lang: Lang) -> Box:
    return box(
        "span",
        "value chosen" if (start, end) == chosen else "value",
        phrasing.summary[start:end],
        choose=link("value", address(phrasing.id, start, end)),
        title=t("value.follow", lang),
        current=(start, end) == chosen,
    )


def way_box(steps: Sequence[WalkStep], bank: MemoryState, lang: Lang) -> Box:
    return box("ol", "way", *(_station(step, bank, lang) for step in steps))


def _station(step: WalkStep, bank: MemoryState, lang: Lang) -> Box:
    """What it is, what stands there, and where it is."""
    tone = {"memory": "node", "verdict": "verdict", "merged": "merge", "lost": "failure"}.get(step.kind, "")
    inset = f"in{min(step.depth, DEEPEST)}" if step.depth else ""
    return box(
        "li",
        " ".join(name for name in ("station", tone, inset) if name),
        row_of(*_head(step, bank, lang)),
        _excerpt(step) if step.excerpt is not None else None,
    )


def _head(step: WalkStep, bank: MemoryState, lang: Lang) -> Iterator[Piece]:
    yield box("span", "strong", _words(step, lang))
    if step.excerpt is not None and not step.exact and step.kind not in ("memory", "verdict"):
        yield chip(t("value.other_words", lang))
    if step.round:
        yield aside(t("value.round", lang, round=step.round))
    match step.kind:
        case "memory" if step.node is not None:
            yield aside(clip(step.topic or step.node, NAME))
            yield go(t("tree.go_graph", lang), link("node", bank.graph.successor(step.node)))
        case "merged" if step.merge is not None:
            yield go(t("value.to_merge", lang), link("merge", step.merge))
        case "verdict":
            yield from (go(conflict, link("conflict", conflict)) for conflict in step.conflicts)
        case "source" | "concluded" if step.entry is not None and step.place is not None:
            yield aside(clip(step.entry.source, NAME))
            place = address(step.entry.id, step.place.start, step.place.end)
            yield go(t("value.to_entry", lang), link("entry", place))
            if step.call:
                yield go(t("value.read_by", lang, tool=call_words(step.name, lang)), link("call", step.call))
        case _:
            if step.call:
                yield go_call(step.call, lang)


def _words(step: WalkStep, lang: Lang) -> str:
    if step.kind == "lost":
        return t(f"value.lost.{step.name}", lang)
    if step.kind == "answer" and step.model:
        model = model_words(step.model, lang)
        return t("value.answer_of", lang, name=call_words(step.name, lang), model=model)
    return t(f"value.{step.kind}", lang, name=executor_name(step.name, lang) if step.name else "")


def _excerpt(step: WalkStep) -> Box:
    assert step.excerpt is not None, "asked only of a station that quotes"
    before, after = aside(step.excerpt.before), aside(step.excerpt.after)
    return box("p", "text quote", before, *marked(step.excerpt.pieces), after)


def wrote_box(nodes: Sequence[NodeId], known: Authors, lang: Lang) -> Box | None:
    """What a call brought into memory: each leads to its values, and so back to the call; None for nothing."""
    if not nodes:
        return None
    wordings = ((node_id, known.node_at(node_id, len(known.records) + 1)) for node_id in nodes[:MOST_WROTE])
    links = (
        go(clip(wording.context if wording else node_id, NAME), link("value", node_id)) for node_id, wording in wordings
    )
    return labelled(t("value.wrote", lang), row_of(*links), cut_note(MOST_WROTE, len(nodes), lang))


def no_values(lang: Lang) -> Box:
    return muted(t("value.none", lang))
