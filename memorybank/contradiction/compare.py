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
    switched off, to see what the others find.
    """
    left_reading, right_reading = read(left, left_topic), read(right, right_topic)
    for reader in READERS:
        if reader not in without and (clashes := _by(reader, left_reading, right_reading)):
            return clashes
    return ()


def clash(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> float:
    """How sure it is that two frames, each of its own text, cannot both hold; 0 when they can."""
    if (
        left.slot != right.slot
        or left.hedges != right.hedges
        or left.hedged
        or not exclude(left, right, left_reading, right_reading)
    ):
        return 0.0
    return {"same": SURE, "unknown": LIKELY, "different": 0.0}[same_matter(left, right, left_reading, right_reading)]


def _by(reader: Reader, left: Reading, right: Reading) -> tuple[Contradiction, ...]:
    """What the frames of one reader contradict each other in; the first that a relation gives, of which it has one."""
    strongest: dict[tuple[str, ...], Contradiction] = {}
    for left_frame, right_frame, confidence in _clashing(reader, left, right):
        mark = (
            (left_frame.relation,)
            if reader == "relations"
            else (left_frame.sentence, right_frame.sentence, left_frame.slot[1])
        )
        if mark in strongest and (reader == "relations" or strongest[mark].confidence >= confidence):
            continue
        strongest[mark] = _contradiction(left_frame, right_frame, left, right, confidence)
    ranked = sorted(strongest.values(), key=lambda item: -item.confidence)[:MOST]
    if reader == "relations":
        ranked += [again for contradiction in ranked for again in _elsewhere(contradiction, left.text, right.text)]
    return tuple(contradiction for contradiction in ranked if not are_set_apart(contradiction))


def _clashing(reader: Reader, left: Reading, right: Reading) -> Iterator[tuple[Frame, Frame, float]]:
    groups = _by_slot(right.frames)
    for left_frame in left.frames:
        if left_frame.found_by == reader:
            for right_frame in groups.get(left_frame.slot, ()):
                if confidence := clash(left_frame, right_frame, left, right):
                    yield left_frame, right_frame, confidence


def _by_slot(frames: Sequence[Frame]) -> dict[tuple[str, str, str], list[Frame]]:
    groups: dict[tuple[str, str, str], list[Frame]] = defaultdict(list)
    for frame in frames:
        groups[frame.slot].append(frame)
    return groups


def _contradiction(
    left_frame: Frame, right_frame: Frame, left: Reading, right: Reading, confidence: float
) -> Contradiction:
    topic = ""
    if left_frame.found_by == "relations":  # the longer of the two names: the shorter may be of something else
        written = (
            topic_of(left_frame, right_frame, left.text, right.text),
            topic_of(right_frame, left_frame, right.text, left.text),
        )
        topic = max(sorted(written), key=len)
    return Contradiction(
        left=claim_of(left_frame, topic), right=claim_of(right_frame, topic),
        reason=reason(left_frame, right_frame, topic), confidence=confidence, found_by=left_frame.found_by,
    )  # fmt: skip


def _elsewhere(contradiction: Contradiction, left: str, right: str) -> Iterator[Contradiction]:
    """The same two values in the other sentences that write them: what settles one is to be written in all."""
    left_claim, right_claim = contradiction.left, contradiction.right
    for sentence in joined_sentences(left):
        if left_claim.value in sentence and sentence != left_claim.text:
            yield replace(contradiction, left=replace(left_claim, text=sentence))
    for sentence in joined_sentences(right):
        if right_claim.value in sentence and sentence != right_claim.text:
            yield replace(contradiction, right=replace(right_claim, text=sentence))


# -- agreement --------------------------------------------------------------------------------------------------------


def shared_values(left: Reading, right: Reading) -> tuple[int, int]:
    """How many values (numbers, dates, names, places) both texts state of the same thing, and how many the one states
    that states fewer."""
    left_frames, right_frames = _valued(left), _valued(right)
    groups = _by_slot(right_frames)
    shared = sum(
        any(_agree(frame, against, left, right) for against in groups.get(frame.slot, ())) for frame in left_frames
    )
    return min(shared, len(right_frames)), min(len(left_frames), len(right_frames))


def _valued(reading: Reading) -> list[Frame]:
    """One frame for each value a sentence states."""
    claims = (frame for frame in reading.frames if frame.found_by == "claims" and frame.relation != "state")
    return list({(frame.sentence, frame.start, frame.kind): frame for frame in claims}.values())


def _agree(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> bool:
    """Whether two frames state the same value of the same thing."""
    if left.hedges != right.hedges or times_differ(left, right, varying=False):
        return False
    if left.measure is not None and right.measure is not None:
        agree = restates(left, right) and not left.measure.scope ^ right.measure.scope
    elif left.date is not None and right.date is not None:
        agree = dates.relate(left.date, right.date) != "different"
    else:
        agree = share_a_name(left, right)
    return agree and same_matter(left, right, left_reading, right_reading) != "different"
