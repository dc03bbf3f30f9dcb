"""The one comparison of frames: do two texts contradict each other, and in what?

Two frames contradict each other when they are of one slot, say two values that exclude each other (`exclusion`), and
speak of one matter (`same_matter`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from memorybank.contradiction.describe import claim_of, reason
from memorybank.contradiction.exclusion import exclude, restates, share_a_name
from memorybank.contradiction.frame import Frame, Reading
from memorybank.contradiction.readers import READERS, read
from memorybank.contradiction.readers.relations import joined_sentences
from memorybank.contradiction.same_matter import are_set_apart, same_matter, times_differ
from memorybank.contradiction.same_topic import topic_of
from memorybank.language import dates
from memorybank.memory.types import Contradiction, Reader

MOST = 8
"""Contradictions told of one pair of texts."""
SURE, LIKELY = 0.9, 0.6
"""Confidence where both sides name the same thing, and where nothing tells their things apart."""


def contradictions(
    left: str, right: str, *, left_topic: str = "", right_topic: str = "", without: Collection[Reader] = ()
) -> tuple[Contradiction, ...]:
    """What two texts contradict each other in, best first; empty when they can both be true.

    `left_topic` and `right_topic` say what a text is about, for texts that only say "it". `without`: readers that are
    switched off, to measure what each gains.
    """
    one, other = read(left, left_topic), read(right, right_topic)
    for reader in READERS:
        if reader not in without and (found := _by(reader, one, other)):
            return found
    return ()


def clash(left: Frame, right: Frame, one: Reading, other: Reading) -> float:
    """How sure it is that two frames, each of its own text, cannot both hold; 0 when they can."""
    if left.slot != right.slot or left.hedges != right.hedges or left.hedged or not exclude(left, right, one, other):
        return 0.0
    return {"same": SURE, "unknown": LIKELY, "different": 0.0}[same_matter(left, right, one, other)]


def _by(reader: Reader, left: Reading, right: Reading) -> tuple[Contradiction, ...]:
    """What the frames of one reader contradict each other in; the first that a relation gives, of which it has one."""
    found: dict[tuple[str, ...], Contradiction] = {}
    for one, other, confidence in _clashing(reader, left, right):
        mark = (one.relation,) if reader == "relations" else (one.sentence, other.sentence, one.slot[1])
        if mark in found and (reader == "relations" or found[mark].confidence >= confidence):
            continue
        found[mark] = _contradiction(one, other, left, right, confidence)
    ranked = sorted(found.values(), key=lambda item: -item.confidence)[:MOST]
    if reader == "relations":
        ranked += [again for one in ranked for again in _elsewhere(one, left.text, right.text)]
    return tuple(one for one in ranked if not are_set_apart(one))


def _clashing(reader: Reader, left: Reading, right: Reading) -> Iterator[tuple[Frame, Frame, float]]:
    groups = _by_slot(right.frames)
    for one in left.frames:
        if one.found_by == reader:
            for other in groups.get(one.slot, ()):
                if confidence := clash(one, other, left, right):
                    yield one, other, confidence


def _by_slot(frames: Sequence[Frame]) -> dict[tuple[str, str, str], list[Frame]]:
    groups: dict[tuple[str, str, str], list[Frame]] = defaultdict(list)
    for frame in frames:
        groups[frame.slot].append(frame)
    return groups


def _contradiction(one: Frame, other: Frame, left: Reading, right: Reading, confidence: float) -> Contradiction:
    topic = ""
    if (
        one.found_by == "relations"
    ):  # in the words of the text that has the longer name: the other may be of something else
        written = topic_of(one, other, left.text, right.text), topic_of(other, one, right.text, left.text)
        topic = max(sorted(written), key=len)
    return Contradiction(
        left=claim_of(one, topic), right=claim_of(other, topic), reason=reason(one, other, topic),
        confidence=confidence, found_by=one.found_by,
    )  # fmt: skip


def _elsewhere(contradiction: Contradiction, left: str, right: str) -> Iterator[Contradiction]:
    """The same two values in the other sentences that write them: what settles one is to be written in all."""
    one, other = contradiction.left, contradiction.right
    for sentence in joined_sentences(left):
        if one.value in sentence and sentence != one.text:
            yield replace(contradiction, left=replace(one, text=sentence))
    for sentence in joined_sentences(right):
        if other.value in sentence and sentence != other.text:
            yield replace(contradiction, right=replace(other, text=sentence))


# -- agreement --------------------------------------------------------------------------------------------------------


def shared_values(left: Reading, right: Reading) -> tuple[int, int]:
    """How many values (numbers, dates, names, places) both texts state of the same thing, and how many the one states
    that states fewer."""
    one, other = _valued(left), _valued(right)
    groups = _by_slot(other)
    shared = sum(any(_agree(frame, against, left, right) for against in groups.get(frame.slot, ())) for frame in one)
    return min(shared, len(other)), min(len(one), len(other))


def _valued(reading: Reading) -> list[Frame]:
    """One frame for each value a sentence states."""
    claims = (one for one in reading.frames if one.found_by == "claims" and one.relation != "state")
    return list({(one.sentence, one.start, one.kind): one for one in claims}.values())


def _agree(left: Frame, right: Frame, one: Reading, other: Reading) -> bool:
    """Whether two frames state the same value of the same thing."""
    if left.hedges != right.hedges or times_differ(left, right, varying=False):
        return False
    if left.measure is not None and right.measure is not None:
        agree = restates(left, right) and not left.measure.scope ^ right.measure.scope
    elif left.date is not None and right.date is not None:
        agree = dates.relate(left.date, right.date) != "different"
    else:
        agree = share_a_name(left, right)
    return agree and same_matter(left, right, one, other) != "different"
