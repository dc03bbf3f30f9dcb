"""The classification agent without a model of language: which topics a text has, and where they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memorybank.embedding.base import Embedder, WorksAhead
from memorybank.engines.offline import segmentation
from memorybank.engines.offline.keyphrases import Background, background, keyphrases
from memorybank.engines.offline.naming import Spoken, name_of_topic, said_in, spoken_in
from memorybank.engines.offline.units import Before, Unit, units
from memorybank.language.parse import Parse, Parsed
from memorybank.memory.contracts import ClassificationInput, ClassificationOutput, ClusterDraft

_LONGEST_MARKS = 20
"""Characters of a text of marks alone that name it."""
_RUN = 1_000
"""Units looked at together; a longer text is taken in runs of at most so many, so that memory stays bounded."""


class OfflineClassification:
    """Segments the text at its topic borders and joins segments of the same topic. The text's own words name it."""

    def __init__(self, embedder: Embedder, parse: Parse) -> None:
        self._embedder, self._parse = embedder, parse

    def run(self, request: ClassificationInput) -> ClassificationOutput:
        """Every character of the text is in exactly one span, white space too."""
        parts = units(request.text, dialogue=request.dialogue)
        if isinstance(self._embedder, WorksAhead):  # the sentences are parsed while the topics are found and counted
            self._embedder.ahead([text for part in parts if not part.whole for text in said_in(part)], "parse")
        topics = [
            topic
            for run in (parts[at : at + _RUN] for at in range(0, len(parts), _RUN))
            for topic in self._topics(run, long=len(parts) > segmentation.MOST_EMBEDDED)
        ]
        said = {part.start: list[Spoken]() for part in parts}
        known = background(self._read(parts, said))
        drafts = [self._draft(topic, said, known) for topic in topics]
        if len(drafts) < 2 and not (drafts and drafts[0].context):  # no text, or marks alone
            whole = ((0, len(request.text)),)
            drafts = [ClusterDraft(context=request.text.strip()[:_LONGEST_MARKS], keywords=(), spans=whole)]
        return ClassificationOutput(should_cluster=len(drafts) > 1, clusters=tuple(drafts))

    def _read(self, parts: Sequence[Unit], said: Mapping[int, list[Spoken]]) -> Iterator[list[Parsed]]:
        """Parse the units one by one, and yield the sentences of each."""
        for part in parts:
            said[part.start].extend(spoken_in(part, self._parse))
            yield [each.sentence for each in said[part.start]]

    def _topics(self, run: Sequence[Unit], *, long: bool) -> list[list[Unit]]:
        kinds = {unit.before for unit in run[1:]}
        small = len(run) <= segmentation.SURELY_WHOLE and sum(unit.size for unit in run) <= segmentation.FULL_SIZE
        if small and len(kinds) < 2 and Before.SECTION not in kinds:
            return [list(run)]
        texts = [unit.words for unit in run]
        cohesion = segmentation.by_company(texts) if long else segmentation.by_meaning(texts, self._embedder)
        groups = segmentation.clusters(run, segmentation.segments(run, cohesion), cohesion)
        return [[run[place] for start, end in group for place in range(start, end)] for group in groups]

    def _draft(self, topic: Sequence[Unit], said: Mapping[int, Sequence[Spoken]], known: Background) -> ClusterDraft:
        spoken = [each for unit in topic for each in said[unit.start]]
        keywords = keyphrases([each.sentence for each in spoken], known)
        heading = next((unit.heading for unit in topic if unit.heading), "")
        return ClusterDraft(
            context=name_of_topic([heading] if heading else [], spoken, keywords, self._parse),
            keywords=keywords,
            spans=tuple(joined([(unit.start, unit.end) for unit in topic])),
        )


def joined(ranges: Sequence[segmentation.Segment]) -> list[segmentation.Segment]:
    """Ascending ranges with those that touch made one."""
    spans: list[segmentation.Segment] = []
    for start, end in ranges:
        if spans and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans
