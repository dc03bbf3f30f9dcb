"""The reader of known relations: who directed it, who won it, when it came out, in loose prose.

Headlines and snippets of pages say who won, who directed, when it came out in a hundred shapes, and break off in
mid-sentence. What they say of a relation is found beside the words that tell it (after Hearst 1992, "Automatic
acquisition of hyponyms from large text corpora": lexical patterns).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memorybank.contradiction.describe import is_chinese
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.readers import relations_en
from memorybank.language.text import sentences

_LONGEST_SENTENCE = 500
_FORM_RE = re.compile(
    r"\b(?:[Dd]ate|[Dd]irector|[Aa]uthor|[Ww]inner|CEO|[Pp]resident)s?\.\s*$|(?:导演|作者|编剧|时间|日期|原名)[.。]\s*$"
)
"""Words of a form that a value follows, as in a table that was made flat."""
_UNSURE_RE = re.compile(r"\b(?:if|may|might|could|would|perhaps|possibly|rumou?r\w*)\b|如果|可能|或许|也许")


def read(text: str) -> Iterator[Frame]:
    """The frames of a text; the nearest value of each relation in a sentence first."""
    for sentence in joined_sentences(text):
        if not sentence or len(sentence) > _LONGEST_SENTENCE or sentence.endswith(("?", "？")):
            continue
        if _UNSURE_RE.search(sentence):
            continue
        near = sorted(_frames(sentence), key=lambda candidate: candidate[0])
        yield from (frame for _, frame in near if not _is_wider(frame, text))


def _frames(sentence: str) -> Iterator[tuple[int, Frame]]:
    if not is_chinese(sentence):
        return relations_en.frames(sentence)
    from memorybank.contradiction.readers import relations_zh  # its patterns take long to compile

    return relations_zh.frames(sentence)


def _is_wider(frame: Frame, text: str) -> bool:
    """Whether a text writes a place within this one: "Bergen, Norway ... was held in Norway"."""
    if frame.kind != "place":
        return False
    return re.search(rf"\b[A-Z][\w’'-]*, {re.escape(frame.value)}(?=[,.;)]|\s*$)", text) is not None


def joined_sentences(text: str) -> Iterator[str]:
    """The sentences; one that ends in a word of a form ("Release date.") goes on in the next."""
    start: int | None = None
    for piece in sentences(text):
        start = piece.start if start is None else start
        if not _FORM_RE.search(text[start : piece.end]):
            yield text[start : piece.end].strip()
            start = None
    if start is not None:
        yield text[start:].strip()
