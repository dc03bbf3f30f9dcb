"""A round as a list to read: of each call what was asked, answered, checked and lost; details are with the call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from memorybank.llm.base import REPLY
from memorybank.memory.types import Evidence, Lang
from memorybank.session.executors.react.parsing import read_turn
from memorybank.views.box import Box, Piece, aside, box, row_of
from memorybank.views.boxes.call_remarks import mark_tags, note_words
from memorybank.views.boxes.call_words import call_words, stage_words
from memorybank.views.boxes.leads import go, go_call
from memorybank.views.calls.call_marks import CallMark
from memorybank.views.calls.call_notes import call_note
from memorybank.views.calls.call_table import arguments_line
from memorybank.views.calls.rounds import RoundItem
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.problems import recorded_words
from memorybank.views.run.agent_answers import listed
from memorybank.views.text.display import clip

WIDTH = 220
"""Columns of what was asked and answered."""
MOST_LOST = 8
"""Refused evidence, ignored answers and dropped sentences that are named of one item."""
_TOOLS = ("search", "visit", "deep_retrieval", "read_image")

About = Callable[[RoundItem], str]
"""What an item is about: read from the run's files, so only for those that are shown."""


def chain_box(items: Sequence[RoundItem], marks: Mapping[int, tuple[CallMark, ...]], about: About, lang: Lang) -> Box:
    lines: list[Box] = []
    stage = ""
    for item in items:
        if item.stage != stage:
            stage = item.stage
            lines.append(box("li", "chain-stage", stage_words(stage, lang)))
        lines.append(_line(item, marks.get(item.seq, ()), about(item), lang))
    return box("ol", "chain", *lines)


def _line(item: RoundItem, marks: Sequence[CallMark], about: str, lang: Lang) -> Box:
    parts = [(name, words) for name, words in _parts(item, about, lang) if words]
    facts = [
        box("p", f"text fact {name}", aside(t(f"round.{name}", lang)), " ", clip(words, WIDTH)) for name, words in parts
    ]
    return box("li", f"chain-item {item.kind}", row_of(*_head(item, lang), *mark_tags(marks, lang)), *facts)


def _head(item: RoundItem, lang: Lang) -> Iterator[Piece]:
    event = item.event
    match item.kind:
        case "call":
            yield box("span", "strong", call_words(event.role, lang, kind="agent"))
            tokens = t("prompt.call.tokens", lang, given=f"{event.input_tokens:,}", got=f"{event.output_tokens:,}")
            yield aside(tokens if event.input_tokens or event.output_tokens else "")
            yield go_call(item.seq, lang)
        case "by_rule":
            yield box("span", "strong", call_words(event.role, lang, kind="agent"))
            offline = event.engine == "offline"
            yield aside(t("round.by_offline" if offline else "round.by_rule", lang, count=item.count))
            yield go_call(item.seq, lang)
        case "tool":
            yield box("span", "strong", call_words(event.tool, lang))
            yield go_call(item.seq, lang)
        case "prompt":
            yield box("span", "strong", t("round.prompt", lang))
            yield aside(t("round.tokens", lang, count=f"{sum(part.tokens for part in event.parts):,}"))
            yield go(t("round.to_prompt", lang), link("prompt", item.seq))
        case "verdict":
            yield box("span", "strong", t("round.verdict", lang, status=t(f"conflict.status.{event.status}", lang)))
            yield go(event.conflict_id, link("conflict", event.conflict_id))
        case "merged":
            yield box("span", "strong", t("round.merged", lang))
            yield go(event.event_id, link("merge", event.event_id))
        case "ignored":
            yield box("span", "strong", t("round.judged", lang))
            yield go(event.node_id, link("node", event.node_id))
        case "sent_back":
            yield box("span", "strong", t("round.sent_back", lang))
            yield go_call(item.seq, lang)
        case "failed":
            yield box("span", "strong", t("round.failed", lang))
        case "barren":
            yield box("span", "strong", t("round.barren", lang))


def _parts(item: RoundItem, about: str, lang: Lang) -> Iterator[tuple[str, str]]:
    """(asked, answered, checked or lost; in words)."""
    event = item.event
    match item.kind:
        case "call":
            yield "asked", about
            yield "answered", answer_words(event, lang) if event.outcome == "ok" else ""
            for text in event.notes:
                note = call_note(text)
                if note.kind != "plain":
                    yield "lost" if note.kind == "lost" else "checked", note_words(note, lang)
            yield "lost", recorded_words(event.error, lang)
        case "by_rule":
            yield "lost", recorded_words(event.error, lang)
        case "tool":
            yield "asked", arguments_line(event.arguments)
            failed = event.outcome == "failed"
            yield "lost" if failed else "answered", event.excerpt if failed else ", ".join(event.sources)
        case "prompt":
            yield "lost", t("round.left_out", lang, count=len(event.left_out)) if event.left_out else ""
        case "verdict":
            yield "answered", event.value or event.reason
            refused = [evidence for evidence in event.evidence if evidence.refused]
            yield from (("checked", _refused(evidence, lang)) for evidence in refused[:MOST_LOST])
        case "merged":
            yield from (("lost", sentence) for sentence in event.dropped[:MOST_LOST])
            more = len(event.dropped) - MOST_LOST
            yield "lost", t("round.more", lang, count=more) if more > 0 else ""
        case "ignored":
            yield from (("lost", words) for words in event.ignored[:MOST_LOST])
        case "sent_back":
            yield "checked", about
        case "failed" if item.failure is not None:
            yield "lost", item.failure.reason
        case "failed":
            yield "lost", event.task.context
        case _:
            pass


def _refused(evidence: Evidence, lang: Lang) -> str:
    why = t(f"conflicts.weight.{evidence.refused}", lang)
    return t("round.refused", lang, source=evidence.source, quote=clip(evidence.quote, 90), why=why)


# -- answers ----------------------------------------------------------------------------------------------------------


def answer_words(event: Any, lang: Lang) -> str:
    """What a call answered, in a line; of an answer that is none of ours nothing."""
    answer: Mapping[str, Any] = event.answer
    match event.role:
        case "classification":
            topics = [str(topic.get("context", "")) for topic in listed(answer, "clusters")]
            return t("round.topics", lang, count=len(topics), topics=" · ".join(topics))
        case "structure":
            return str(answer.get("summary", ""))
        case "analysis":
            return _relations(answer, lang)
        case "integration":
            return str(answer.get("context", "")) or str(answer.get("summary", ""))
        case "planning":
            task = answer.get("next_task")
            return str(task.get("description", "")) if isinstance(task, Mapping) else t("round.no_task", lang)
        case _:
            return _turn(answer, lang)


def _relations(answer: Mapping[str, Any], lang: Lang) -> str:
    kinds = Counter(str(item.get("relationship", "")) for item in listed(answer, "relationships"))
    relations = ", ".join(
        t("round.relation", lang, count=count, relation=t(f"prompt.value.{kind}", lang))
        for kind in ("conflict", "merge", "related", "unrelated")
        if (count := kinds[kind])
    )
    return t("round.pairs", lang, count=sum(kinds.values()), relations=relations) if relations else ""


def _turn(answer: Mapping[str, Any], lang: Lang) -> str:
    try:
        turn = read_turn(REPLY.validate_python(dict(answer)), _TOOLS)
    except ValidationError:
        return str(answer.get("text", ""))
    if turn.answer is not None:
        return turn.answer
    if turn.calls:
        return t("round.calls", lang, tools=", ".join(call_words(call.name, lang) for call in turn.calls))
    return turn.text
