"""The classification agent: the model names ranges of numbered units, it never copies text.

Units are those of the offline engine (sentences, turns, whole tables), and headings. Whatever the model answers, every
character of a text ends in exactly one span: a unit that two topics claim goes to the first, one that none claims to
the topic of the unit before it, a heading to that of the unit after it.

One call files several texts, each with topics of its own. Where an answer has room the same one holds the summary of
each topic; the structure agent holds it against the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

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
from memorybank.memory.contracts import (
    ClassificationInput,
    ClassificationOutput,
    ClusterDraft,
    StructureInput,
    TextToFile,
)

MOST_KEYWORDS = 10
ONE_CALL = 0.7
"""The share of an answer's tokens up to which texts are filed and summarised in one call. At their longest (0.7 of
the text) the summaries take half of the answer."""
LONG_TEXT = 1_500
"""Tokens of a text from which on its sentences are numbered a few at a time: a number costs tokens too. By estimate, so
that what a text is cut into does not depend on who counts."""
LEAST_UNIT = 80
"""The least tokens of such a group, by estimate."""
_TOPIC_CHARS = 240
TOPIC_TOKENS = 100
"""Tokens of the answer on one topic without its summary, generously."""
_NUMBER_TOKENS = 5
_GOAL_SHARE = 4
"""The task goal gets at most this part of the room; it only helps to tell topics apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """`text[start:end]` of one of the texts, as the model sees it."""

    number: int
    start: int
    end: int
    words: str
    tokens: int
    heading: bool
    whole: bool


class _Document(NamedTuple):
    """A text as the model sees it: its name, and its units by their numbers."""

    source: str
    units: tuple[tuple[int, _Shown], ...]


TOPICS_ONLY = edited(ClassificationAnswer, lambda schema: schema["$defs"]["Topic"]["properties"].pop("summary"))
"""The answer on a text whose topics are summarised later."""


class LLMClassification:
    def __init__(self, asker: Asker, structure: LLMStructure) -> None:
        self._asker = asker
        self._structure = structure

    def run(self, request: ClassificationInput) -> ClassificationOutput:
        """Makes one call for all texts that fit the window and an answer; a longer one is asked in runs of units."""
        filed = [(number, text) for number, text in enumerate(request.texts) if text.text.strip()]
        most = int(ONE_CALL * self._asker.window("classification").answer)
        drafts = [
            ClusterDraft(number=number, context="", keywords=(), spans=((0, len(text.text)),))
            for number, text in enumerate(request.texts)
            if not text.text.strip()
        ]
        for group in packed(filed, most, lambda entry: self._answer_tokens(entry[1])):
            drafts += self._classified(request, dict(group))
        drafts.sort(key=lambda draft: draft.number)
        return ClassificationOutput(should_cluster=len(drafts) > len(request.texts), clusters=tuple(drafts))

    def _answer_tokens(self, text: TextToFile) -> int:
        """Return the tokens of its topics in an answer: with their summaries, unless it is remembered as it stands."""
        return TOPIC_TOKENS if stays_whole(text.text.strip()) else self._asker.count(text.text)

    def _classified(self, request: ClassificationInput, texts: Mapping[int, TextToFile]) -> Iterator[ClusterDraft]:
        parts = {number: units(text.text, dialogue=text.dialogue) for number, text in texts.items()}
        summaries = self._summaries_fit(texts, parts)
        wanted = ClassificationAnswer if summaries else TOPICS_ONLY
        frame: dict[str, Any] = {
            "goal": self._goal(request),
            "dialogue": any(text.dialogue for text in texts.values()),
            "summaries": summaries,
        }
        names = [_Document(text.source, ()) for text in texts.values()]
        room = self._asker.room("classification", request.lang, wanted, documents=names, **frame)
        shown = [unit for number, text in texts.items() for unit in self._shown(number, text.text, parts[number], room)]
        for run in packed(shown, room, lambda part: part.tokens):
            answer = self._asker.ask(
                "classification",
                request.lang,
                wanted,
                items=max(2, min(len(run), self._asker.window("classification").answer // TOPIC_TOKENS)),
                documents=[
                    _Document(texts[number].source, tuple(units_of))
                    for number, units_of in groupby(enumerate(run), key=lambda unit: unit[1].number)
                ],
                **frame,
            )
            yield from self._drafts(request, texts, run, answer.topics)

    def _summaries_fit(self, texts: Mapping[int, TextToFile], parts: Mapping[int, Sequence[Unit]]) -> bool:
        """Whether one answer has room for topics and summaries, and there is something to condense."""
        answer = self._asker.window("classification").answer
        if answer < AMPLE or sum(map(self._answer_tokens, texts.values())) > ONE_CALL * answer:
            return False
        prose = [text for number, text in texts.items() if not any(part.whole for part in parts[number])]
        return not all(stays_whole(text.text.strip()) for text in prose)

    def _goal(self, request: ClassificationInput) -> str:
        limit = self._asker.window("classification").prompt // (2 * _GOAL_SHARE)
        first = pieces(request.task_goal, limit, self._asker.count)[0]
        return request.task_goal[: first.end].strip()

    def _shown(self, number: int, text: str, parts: Sequence[Unit], room: int) -> Iterator[_Shown]:
        grouped = _grouped(text, parts) if estimate(text) > LONG_TEXT else parts
        for part in (piece for unit in grouped for piece in _parted(text, unit)):
            for start, end in pieces(text[part.start : part.end], room - _NUMBER_TOKENS, self._asker.count):
                unit = text[
                    part.start + start : part.start + end
                ]  # prose on one line; of a table or code, all indented
                words = unit.strip().replace("\n", "\n    ") if part.whole else fold_space(unit)
                yield _Shown(
                    number=number,
                    start=part.start + start,
                    end=part.start + end,
                    words=words,
                    tokens=self._asker.count(words) + _NUMBER_TOKENS,
                    heading=bool(part.heading),
                    whole=part.whole,
                )

    def _drafts(
        self,
        request: ClassificationInput,
        texts: Mapping[int, TextToFile],
        run: Sequence[_Shown],
        topics: Sequence[Topic],
    ) -> Iterator[ClusterDraft]:
        """Yield the topics as clusters; one that joins two documents is one of each, summarised later."""
        owners = [(shown.number, owner) for shown, owner in zip(run, self._owners(run, topics), strict=True)]
        own = dict.fromkeys(owners)
        for number, owner in own:
            places = [place for place, pair in enumerate(owners) if pair == (number, owner)]
            spans = tuple(joined([(run[place].start, run[place].end) for place in places]))
            texts_of = [texts[number].text[start:end] for start, end in spans]
            body = "\n".join(texts_of)
            topic = topics[owner]
            draft = ClusterDraft(
                number=number,
                context=fold_space(topic.topic)[:_TOPIC_CHARS] or fold_space(body)[: _TOPIC_CHARS // 3],
                keywords=topic.keywords[:MOST_KEYWORDS] or _keywords(body),
                spans=spans,
            )
            is_prose = not any(run[place].whole for place in places)
            is_one = sum(topic_of == owner for _, topic_of in own) == 1
            summary = topic.summary if is_prose and is_one else ""
            yield self._summarised(draft, "".join(texts_of), summary, request)

    def _summarised(
        self, draft: ClusterDraft, content: str, summary: str, request: ClassificationInput
    ) -> ClusterDraft:
        """Return it with its summary: the content where it stays whole; without one where the model gave none."""
        content = content.strip()
        if stays_whole(content):
            return draft.model_copy(update={"summary": content})
        if not summary:
            return draft
        part = StructureInput(content=content, context=draft.context, keywords=draft.keywords, lang=request.lang)
        return draft.model_copy(update={"summary": self._structure.checked(part, summary)})

    def _owners(self, run: Sequence[_Shown], topics: Sequence[Topic]) -> list[int]:
        """Return the topic of each unit, all of them in one."""
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
    """Group short sentences of one paragraph."""
    current = parts[0]
    for unit in parts[1:]:
        goes_on = unit.before in (Before.SENTENCE, Before.ATTACHED) and not (unit.whole or current.whole)
        if goes_on and estimate(text[current.start : unit.end]) <= LEAST_UNIT:
            current = replace(current, end=unit.end)
        else:
            yield current
            current = unit
    yield current


def _parted(text: str, unit: Unit) -> Iterator[Unit]:
    """Yield the headings of a unit, each by itself, and the unit without them."""
    start = unit.start
    for block in blocks(text[start : unit.body]) if unit.body else ():
        yield replace(unit, start=start, end=unit.start + block.end, whole=False)
        start = unit.start + block.end
    yield replace(unit, start=start, heading="")


def _keywords(text: str) -> tuple[str, ...]:
    """Return the names and long words of a text, where a model gave no keywords."""
    sentence = Parsed(text, detect_lang(text))
    return keyphrases([sentence], background([[sentence]]))
