"""The statements of an answer in blocks of its own: verdicts on conflicts, texts of images. `prompts/tags.py` has the
blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from memorybank.errors import AgentError
from memorybank.llm.repair import CUT_OFF, FULL_WIDTH, MISSPELT, parse_json
from memorybank.memory.contracts import StatedVerdict
from memorybank.prompts.tags import TAGS, answer_of, block, blocks_of, neutralise
from memorybank.session.matters import Matter, MatterVerdict, verdicts_on

__all__ = [
    "TAGS", "answer_of", "block", "blocks_of", "images_of", "neutralise", "verdict_json", "verdicts_of",
    "without_images", "write_image"
]  # fmt: skip

_IMAGE_RE = re.compile(
    r'<image\s+id="(?P<id>i\d+)"(?P<unread>\s+readable="no")?\s*>(?P<text>.*?)</image\s*>', re.DOTALL
)


# -- verdicts ---------------------------------------------------------------------------------------------------------


def verdicts_of(text: str, matters: Iterable[Matter] = ()) -> tuple[tuple[StatedVerdict, ...], tuple[str, ...]]:
    """Return an answer's verdicts, and what could not be read, in words. Of two on one conflict the later counts, and
    one on that conflict alone before one on its matter.

    This is the one place where they are read out of words, once for each answer; from here on they are values.
    """
    on_matters: dict[str, MatterVerdict] = {}
    verdicts: dict[str, StatedVerdict] = {}
    unread: list[str] = []
    for body in blocks_of("verdict", text):
        try:
            stated = verdict_json(body)[0]
            if isinstance(stated, dict) and "matter" in stated:
                ruling = MatterVerdict.model_validate(stated)
                on_matters[ruling.matter.strip(" []").casefold()] = ruling
            else:
                verdict = StatedVerdict.model_validate(stated)
                verdicts[verdict.conflict] = verdict
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            unread.append(f"{'.'.join(str(part) for part in first['loc']) or 'verdict'}: {first['msg']}")
        except ValueError as error:
            unread.append(f"not JSON: {error}")
    verdicts = {verdict.conflict: verdict for verdict in verdicts_on(matters, on_matters)} | verdicts
    return tuple(verdicts.values()), tuple(unread)


def verdict_json(body: str) -> tuple[Any, bool]:
    """Return a block's JSON, and whether it had to be repaired to be read. Raises ValueError when there is none."""
    try:
        value, repairs = parse_json(body)
    except AgentError as error:
        raise ValueError(str(error)) from None
    return value, bool({MISSPELT, FULL_WIDTH, CUT_OFF} & set(repairs))


# -- recognised images ------------------------------------------------------------------------------------------------


def write_image(image_id: str, text: str, *, readable: bool) -> str:
    attributes = {"id": image_id} if readable else {"id": image_id, "readable": "no"}
    return block("image", text, attributes)


def images_of(text: str) -> dict[str, tuple[str, bool]]:
    """Return, by image id, (recognised text, whether anything was readable)."""
    return {
        match["id"]: (match["text"].strip(), match["unread"] is None)
        for match in _IMAGE_RE.finditer(text)
        if match["text"].strip()
    }


def without_images(text: str) -> str:
    """Return the text around the images' blocks."""
    return _IMAGE_RE.sub("", text).strip()
