"""The parts that a round's answer must hold beside its words: a verdict for each conflict, a text for each image."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memorybank.contradiction.disputes.gathering import Point
from memorybank.contradiction.votes import SourcePassage, checked, unproven
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import StagedImage
from memorybank.prompts import say
from memorybank.session.executors.base import Assignment
from memorybank.session.markup import images_of, verdicts_of, write_image
from memorybank.session.waiting_images import Used, images_read


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """An answer as the model gave it, with its verdicts as values: they are read here and nowhere else."""

    text: str = ""
    verdicts: tuple[StatedVerdict, ...] = ()
    unread: tuple[str, ...] = ()
    """Verdicts that could not be read, each with what is wrong with it, in words."""

    @classmethod
    def of(cls, text: str, given: Assignment) -> ReadAnswer:
        return cls(text, *verdicts_of(text, given.matters))


def missing_images(text: str, given: Assignment, shown: Iterable[StagedImage] = ()) -> list[str]:
    """Return the images whose text is not written down, in words for the model.

    `shown`: images beside the task that the model asked to read, and saw.
    """
    written = images_of(text)
    wanted = (image.id for image in (*given.images, *shown) if image.id not in written)
    return [say("image_missing", given.lang, id=image_id) for image_id in wanted]


def refused_verdicts(answer: ReadAnswer, given: Assignment, used: Sequence[Used] = ()) -> Iterator[str]:
    """Yield the faults that bar the answer's verdicts, in words for the model. `used`: the round's tool calls."""
    if not given.briefs:
        return
    materials = (material for _, _, result in used for material in result.materials)
    known = [
        *given.documents,
        *(SourcePassage(source=material.source, text=material.text) for material in materials),
        *(image.passage(given.lang) for image in images_read(answer.text, used, given.waiting)),
    ]
    stated = {verdict.conflict: verdict for verdict in answer.verdicts}
    yield from (say("verdict_unread", given.lang, problem=problem) for problem in answer.unread)
    asked = {brief.conflict.id for brief in given.briefs}
    for matter in given.matters:
        points = (point for point, _ in matter.pairs if point.conflict.id in asked)
        if not all(_is_ruled(point, stated.get(point.conflict.id)) for point in points):
            yield say("verdict_missing", given.lang, id=matter.id)
    for brief in given.briefs:
        verdict = stated.get(brief.conflict.id)
        if verdict is None:
            continue
        weighed = verdict.model_copy(update={"evidence": checked(verdict.evidence, [*brief.parties, *known])})
        lacking = unproven(weighed, given.lang)
        yield from (reason for _, reason in lacking)
        if lacking:
            yield say("unproven_remedy", given.lang)


def _is_ruled(point: Point, verdict: StatedVerdict | None) -> bool:
    ruled = {claim.contradiction for claim in verdict.claims} if verdict else set[int]()
    return verdict is not None and (not ruled or point.number in ruled)


def with_images(answer: str, read: Mapping[str, tuple[str, bool]]) -> str:
    """Return the answer with a block for each image it left out that the local OCR read (text, whether readable)."""
    written = images_of(answer)
    blocks = [
        write_image(image_id, text, readable=readable)
        for image_id, (text, readable) in read.items()
        if image_id not in written and text.strip()
    ]
    return "\n".join([answer, *blocks]).strip()
