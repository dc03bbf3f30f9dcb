"""The classification agent: the model names ranges of numbered units, it never copies text.

Units are those of the offline engine (sentences, turns, whole tables). Whatever the model answers, every character of
the text ends in exactly one span: a unit that two topics claim goes to the first, one that none claims to the topic of
the unit before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.wire import ClassificationAnswer, Topic
from memorybank.engines.offline.classification import joined
from memorybank.engines.offline.keyphrases import background, keyphrases
from memorybank.engines.offline.units import Before, Unit, units
from memorybank.engines.pieces import packed, pieces
from memorybank.language.text import fold_space
from memorybank.memory.contracts import ClassificationInput, ClassificationOutput, ClusterDraft

MOST_KEYWORDS = 10
LONG_TEXT = 6_000
"""Characters of a text from which on its sentences are numbered a few at a time: a number costs tokens too."""
LEAST_UNIT = 240
"""Characters of such a group."""
_TOPIC_CHARS = 240
_NUMBER_TOKENS = 5
_GOAL_SHARE = 4
"""The task goal gets at most this part of the room; it only helps to tell topics apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """`text[start:end]` as the model sees it."""

    start: int
    end: int
    words: str
    tokens: int


class LLMClassification:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, request: ClassificationInput) -> ClassificationOutput:
        """Makes one call for a text that fits the window; a longer one is classified in runs of units."""
        if not request.text.strip():
            return _one_topic(len(request.text))
        frame: dict[str, Any] = {"goal": self._goal(request), "dialogue": request.dialogue}
        room = self._asker.room("classification", request.lang, ClassificationAnswer, units=(), **frame)
        drafts: list[ClusterDraft] = []
        for run in packed(self._shown(request, room), room, lambda part: part.tokens):
            answer = self._asker.ask(
                "classification",
                request.lang,
                ClassificationAnswer,
                items=max(2, min(len(run), self._asker.window("classification").answer // 100)),
                units=[shown.words for shown in run],
                **frame,
            )
            drafts.extend(self._drafts(request.text, run, answer.topics))
        return ClassificationOutput(should_cluster=len(drafts) > 1, clusters=tuple(drafts))

    def _goal(self, request: ClassificationInput) -> str:
        limit = self._asker.window("classification").prompt // (2 * _GOAL_SHARE)
        first = pieces(request.task_goal, limit, self._asker.count)[0]
        return request.task_goal[: first.end].strip()

    def _shown(self, request: ClassificationInput, room: int) -> list[_Shown]:
        all_units = units(request.text, dialogue=request.dialogue)
        parts = list(_grouped(all_units)) if len(request.text) > LONG_TEXT else all_units
        shown: list[_Shown] = []
        for part in parts:
            text = request.text[part.start : part.end]
            for start, end in pieces(text, room - _NUMBER_TOKENS, self._asker.count):
                words = _on_one_line(text[start:end], whole=part.whole)
                tokens = self._asker.count(words) + _NUMBER_TOKENS
                shown.append(_Shown(start=part.start + start, end=part.start + end, words=words, tokens=tokens))
        return shown

    def _drafts(self, text: str, run: Sequence[_Shown], topics: Sequence[Topic]) -> Iterator[ClusterDraft]:
        owners = self._owners(len(run), topics)
        for number in dict.fromkeys(owners):
            places = [place for place, owner in enumerate(owners) if owner == number]
            spans = tuple(joined([(run[place].start, run[place].end) for place in places]))
            body = "\n".join(text[start:end] for start, end in spans)
            topic = topics[number]
            yield ClusterDraft(
                context=fold_space(topic.topic)[:_TOPIC_CHARS] or fold_space(body)[: _TOPIC_CHARS // 3],
                keywords=topic.keywords[:MOST_KEYWORDS] or keyphrases(body, background([body])),
                spans=spans,
            )

    def _owners(self, count: int, topics: Sequence[Topic]) -> list[int]:
        """The topic of each unit, all of them in one."""
        owners: list[int | None] = [None] * count
        outside = doubles = 0
        for number, topic in enumerate(topics):
            for bounds in topic.ranges:
                first, last = sorted((bounds.first, bounds.last))
                outside += first < 0 or last >= count
                for place in range(max(0, first), min(count - 1, last) + 1):
                    if owners[place] is None:
                        owners[place] = number
                    else:
                        doubles += owners[place] != number
        missing = owners.count(None)
        for amount, what in (
            (outside, "ranges named units that are not there"),
            (doubles, "units were in two topics: the first has them"),
            (missing, "units were in no topic: they go with the ones before them"),
        ):
            if amount:
                self._asker.note(f"classification: {amount} {what}")
        return _filled(owners)


def _filled(owners: Sequence[int | None]) -> list[int]:
    current = next((owner for owner in owners if owner is not None), 0)
    filled: list[int] = []
    for owner in owners:
        current = current if owner is None else owner
        filled.append(current)
    return filled


def _one_topic(length: int) -> ClassificationOutput:
    draft = ClusterDraft(context="", keywords=(), spans=((0, length),))
    return ClassificationOutput(should_cluster=False, clusters=(draft,))


def _grouped(units: Sequence[Unit]) -> Iterator[Unit]:
    """Short sentences of one paragraph taken together."""
    current = units[0]
    for unit in units[1:]:
        if unit.before in (Before.SENTENCE, Before.ATTACHED) and not unit.whole and _short(current, unit):
            current = Unit(start=current.start, end=unit.end, before=current.before, words=current.words)
        else:
            yield current
            current = unit
    yield current


def _short(current: Unit, unit: Unit) -> bool:
    return not current.whole and unit.end - current.start <= LEAST_UNIT


def _on_one_line(text: str, *, whole: bool) -> str:
    """Writes a unit as it stands under its number: prose on one line, the lines of a table or code indented."""
    return text.strip().replace("\n", "\n    ") if whole else fold_space(text)
