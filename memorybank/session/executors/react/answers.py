"""What a round's answer has to hold beside its words: a verdict for each conflict, a text for each image."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from memorybank.contradiction.ruling import SourcePassage
from memorybank.contradiction.votes import checked, unproven
from memorybank.errors import AgentError
from memorybank.llm.repair import parse_json
from memorybank.memory.types import StagedImage
from memorybank.prompts import say
from memorybank.session.executors.base import Assignment
from memorybank.session.markup import bracket_free, images_of, verdict_json, verdicts_of, write_image
from memorybank.session.waiting_images import Used, images_read

_VERDICT_RE = re.compile(r"(<verdict(?:\s[^>]*)?>)(.*?)(</verdict\s*>)", re.DOTALL | re.IGNORECASE)


def with_repaired_verdicts(answer: str) -> str:
    """The answer with its verdicts' JSON repaired where it can be; what cannot stays as it was."""
    return _VERDICT_RE.sub(lambda match: f"{match[1]}{_mended_json(match[2])}{match[3]}", answer)


def _mended_json(body: str) -> str:
    with suppress(ValueError):
        verdict_json(body)
        return body
    with suppress(AgentError):
        value, _ = parse_json(body)
        if isinstance(value, dict):
            return bracket_free(json.dumps(value, ensure_ascii=False))
    return body


def problems(answer: str, given: Assignment, used: Sequence[Used] = (), shown: Iterable[StagedImage] = ()) -> list[str]:
    """What keeps the answer from being used, in words for the model.

    `used`: the round's tool calls. `shown`: images beside the task that the model asked to read, and saw.
    """
    lang = given.lang
    written = images_of(answer)
    return [
        *(_of_verdicts(answer, given, _sources_read(answer, given, used)) if given.briefs else ()),
        *(say("image_missing", lang, id=image.id) for image in (*given.images, *shown) if image.id not in written),
    ]


def _of_verdicts(answer: str, given: Assignment, read: Iterable[SourcePassage]) -> Iterator[str]:
    known = [*given.documents, *read]
    verdicts, unread = verdicts_of(answer)
    stated = {verdict.conflict: verdict for verdict in verdicts}
    yield from (say("verdict_unread", given.lang, problem=problem) for problem in unread)
    for brief in given.briefs:
        verdict = stated.get(brief.conflict.id)
        if verdict is None:
            yield say("verdict_missing", given.lang, id=brief.conflict.id)
            continue
        ruled = {claim.contradiction for claim in verdict.claims}
        missing = [f"[{number}]" for number in range(len(brief.conflict.contradictions)) if number not in ruled]
        if missing and len(brief.conflict.contradictions) > 1:
            yield say("points_missing", given.lang, id=brief.conflict.id, numbers=", ".join(missing))
        weighed = verdict.model_copy(update={"evidence": checked(verdict.evidence, [*brief.parties, *known])})
        lacking = unproven(weighed, given.lang)
        yield from (reason for _, reason in lacking)
        if lacking:
            yield say("unproven_remedy", given.lang)


def _sources_read(answer: str, given: Assignment, used: Sequence[Used]) -> list[SourcePassage]:
    """What tools brought, and the waiting images that they read."""
    materials = (material for _, _, result in used for material in result.materials)
    return [
        *(SourcePassage(source=material.source, text=material.text) for material in materials),
        *(image.passage(given.lang) for image in images_read(answer, used, given.waiting)),
    ]


def with_images(answer: str, read: Mapping[str, tuple[str, bool]]) -> str:
    """The answer, with a block for each image that it left out and the local OCR read (text, whether readable)."""
    written = images_of(answer)
    blocks = [
        write_image(image_id, text, readable=readable)
        for image_id, (text, readable) in read.items()
        if image_id not in written and text.strip()
    ]
    return "\n".join([answer, *blocks]).strip()
