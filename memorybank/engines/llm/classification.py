"""The classification agent: the model names ranges of numbered units, it never copies text.

Units are those of the offline engine (sentences, turns, whole tables), and headings. Whatever the model answers, every
character of the text ends in exactly one span: a unit that two topics claim goes to the first, one that none claims to
the topic of the unit before it, a heading to that of the unit after it.

Of a short text the same answer holds the summary of each topic; the structure agent holds it against the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.schemas import AMPLE, edited
from memorybank.engines.llm.structure import LLMStructure, stays_whole
from memorybank.engines.llm.wire import ClassificationAnswer, Topic
from memorybank.engines.offline.classification import joined
from memorybank.engines.offline.keyphrases import background, keyphrases
from memorybank.engines.offline.units import Before, Unit, units
from memorybank.engines.pieces import packed, pieces
from memorybank.language.parse import Parsed
from memorybank.language.text import blocks, detect_lang, fold_space
from memorybank.llm.tokens import estimate
from memorybank.memory.contracts import ClassificationInput, ClassificationOutput, ClusterDraft, StructureInput

MOST_KEYWORDS = 10
ONE_CALL = 0.7
"""Of an answer's tokens: a text up to so long is summarised in the call that finds its topics. At their longest (0.7 of
the text) its summaries take half of the answer."""
LONG_TEXT = 1_500
"""Tokens of a text from which on its sentences are numbered a few at a time: a number costs tokens too. By estimate, so
that what a text is cut into does not depend on who counts."""
LEAST_UNIT = 80
"""Tokens of such a group, by estimate."""
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
    heading: bool


def _without_summaries(schema: dict[str, Any]) -> None:
    del schema["$defs"]["Topic"]["properties"]["summary"]


TOPICS_ONLY = edited(ClassificationAnswer, _without_summaries)
"""The answer on a text whose topics are summarised later."""


class LLMClassification:
    def __init__(self, asker: Asker, structure: LLMStructure) -> None:
        self._asker = asker
        self._structure = structure

    def run(self, request: ClassificationInput) -> ClassificationOutput:
        """Makes one call for a text that fits the window; a longer one is classified in runs of units."""
        if not request.text.strip():
            return _one_topic(len(request.text))
        parts = units(request.text, dialogue=request.dialogue)
        summaries = self._summaries_fit(request.text, parts)
        wanted = ClassificationAnswer if summaries else TOPICS_ONLY
        frame: dict[str, Any] = {"goal": self._goal(request), "dialogue": request.dialogue, "summaries": summaries}
        room = self._asker.room("classification", request.lang, wanted, units=(), **frame)
        drafts: list[ClusterDraft] = []
        for run in packed(self._shown(request, parts, room), room, lambda part: part.tokens):
            answer = self._asker.ask(
                "classification",
                request.lang,
                wanted,
                items=max(2, min(len(run), self._asker.window("classification").answer // 100)),
                units=[shown.words for shown in run],
                **frame,
            )
            drafts.extend(self._drafts(request, run, answer.topics))
        return ClassificationOutput(should_cluster=len(drafts) > 1, clusters=tuple(drafts))

    def _summaries_fit(self, text: str, parts: Sequence[Unit]) -> bool:
        """Whether one answer has room for topics and summaries, and there is something to condense."""
        answer = self._asker.window("classification").answer
        if answer < AMPLE or self._asker.count(text) > ONE_CALL * answer:
            return False
        return not (any(part.whole for part in parts) or stays_whole(text.strip()))

    def _goal(self, request: ClassificationInput) -> str:
        limit = self._asker.window("classification").prompt // (2 * _GOAL_SHARE)
        first = pieces(request.task_goal, limit, self._asker.count)[0]
        return request.task_goal[: first.end].strip()

    def _shown(self, request: ClassificationInput, parts: Sequence[Unit], room: int) -> list[_Shown]:
        grouped = _grouped(request.text, parts) if estimate(request.text) > LONG_TEXT else parts
        shown: list[_Shown] = []
        for part in (piece for unit in grouped for piece in _parted(request.text, unit)):
            text = request.text[part.start : part.end]
            for start, end in pieces(text, room - _NUMBER_TOKENS, self._asker.count):
                words = _on_one_line(text[start:end], whole=part.whole)
                shown.append(
                    _Shown(
                        start=part.start + start,
                        end=part.start + end,
                        words=words,
                        tokens=self._asker.count(words) + _NUMBER_TOKENS,
                        heading=bool(part.heading),
                    )
                )
        return shown

    def _drafts(
        self, request: ClassificationInput, run: Sequence[_Shown], topics: Sequence[Topic]
    ) -> Iterator[ClusterDraft]:
        owners = self._owners(run, topics)
        for number in dict.fromkeys(owners):
            places = [place for place, owner in enumerate(owners) if owner == number]
            spans = tuple(joined([(run[place].start, run[place].end) for place in places]))
            texts = [request.text[start:end] for start, end in spans]
            body = "\n".join(texts)
            topic = topics[number]
            draft = ClusterDraft(
                context=fold_space(topic.topic)[:_TOPIC_CHARS] or fold_space(body)[: _TOPIC_CHARS // 3],
                keywords=topic.keywords[:MOST_KEYWORDS] or _keywords(body),
                spans=spans,
            )
            yield self._summarised(draft, "".join(texts), topic.summary, request)

    def _summarised(
        self, draft: ClusterDraft, content: str, summary: str, request: ClassificationInput
    ) -> ClusterDraft:
        """With its summary; without one where the model gave none, or the content stays whole."""
        if not summary or stays_whole(content.strip()):
            return draft
        part = StructureInput(content=content, context=draft.context, keywords=draft.keywords, lang=request.lang)
        return draft.model_copy(update={"summary": self._structure.checked(part, summary)})

    def _owners(self, run: Sequence[_Shown], topics: Sequence[Topic]) -> list[int]:
        """The topic of each unit, all of them in one."""
        count = len(run)
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
        for place in reversed(range(count - 1)):
            if owners[place] is None and run[place].heading:
                owners[place] = owners[place + 1]
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


def _grouped(text: str, parts: Sequence[Unit]) -> Iterator[Unit]:
    """Short sentences of one paragraph taken together."""
    current = parts[0]
    for unit in parts[1:]:
        goes_on = unit.before in (Before.SENTENCE, Before.ATTACHED) and not (unit.whole or current.whole)
        if goes_on and estimate(text[current.start : unit.end]) <= LEAST_UNIT:
            current = replace(current, end=unit.end)
        else:
            yield current
            current = unit
    yield current


def _one_topic(length: int) -> ClassificationOutput:
    draft = ClusterDraft(context="", keywords=(), spans=((0, length),))
    return ClassificationOutput(should_cluster=False, clusters=(draft,))


def _parted(text: str, unit: Unit) -> Iterator[Unit]:
    """The headings of a unit, each by itself, and the unit without them."""
    start = unit.start
    for block in blocks(text[start : unit.body]) if unit.body else ():
        yield replace(unit, start=start, end=unit.start + block.end, whole=False)
        start = unit.start + block.end
    yield replace(unit, start=start, heading="")


def _on_one_line(text: str, *, whole: bool) -> str:
    """Writes a unit as it stands under its number: prose on one line, the lines of a table or code indented."""
    return text.strip().replace("\n", "\n    ") if whole else fold_space(text)


def _keywords(text: str) -> tuple[str, ...]:
    """Names and long words of a text, where a model gave no keywords."""
    sentence = Parsed(text, detect_lang(text))
    return keyphrases([sentence], background([[sentence]]))
