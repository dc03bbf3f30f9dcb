"""Text in images without a network: PP-OCRv6 (English and Chinese) through the package `rapidocr`, which ships weights.

The models are loaded at the first image, once a process. They are named by their paths in the package, so that a
version with other defaults stops with an error instead of fetching what it lacks.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from memorybank.errors import ModelUnavailableError, Notice, ToolError
from memorybank.language.text import fold_space
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Attachment, AttachmentId, AttachmentType, ImageId, Lang, StagedImage
from memorybank.prompts import say
from memorybank.runs.files.images import open_image
from memorybank.tools.base import Tool, ToolImage, ToolResult
from memorybank.tools.reading_order import Box, reading_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

NOTHING_READ: Final[dict[Lang, str]] = {"en": "no readable text", "zh": "没有可读的文字"}

_LEAST_CONFIDENCE = 0.6
"""The least confidence in a piece of text, in [0, 1]; below it the model guesses at patterns that are no letters."""
_LONG_SIDE = 1536
"""Pixels that the detector sees. Smaller images are not enlarged: blown up to a fixed height, as by default, a strip of
one line loses its text and takes thirty times as long."""
_THREADS: Final = max(1, min(2, os.cpu_count() or 1))

_running = threading.Lock()


class Recognised(NamedTuple):
    """The text that was read in an image."""

    text: str
    """The lines in reading order; when nothing was read a sentence in the session's language that says so."""
    is_readable: bool


def recognise(image: bytes, lang: Lang = "en") -> Recognised:
    """Read an image, top to bottom and left to right, column by column where a page has columns.

    The text itself may be in English or Chinese, or both; `lang` is the session's. Raises InputError for bytes that are
    no image, ModelUnavailableError when the models cannot be loaded.
    """
    picture = open_image("image", image)
    lines = [" ".join(box.text for box in row) for row in reading_order(_detect(_pixels(picture)))]
    if lines:
        return Recognised("\n".join(lines), True)
    return Recognised(f"{NOTHING_READ[lang]} ({picture.format}, {picture.width}×{picture.height})", False)


def _pixels(picture: Image) -> NDArray[np.uint8]:
    """Shape (height, width, 3), blue first. What is transparent takes the colour that the drawing stands out from."""
    import numpy as np
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(picture)
    if upright.mode in ("LA", "PA", "RGBA") or "transparency" in upright.info:
        upright = upright.convert("RGBA")
        drawn = np.asarray(upright)[..., 3] > 127
        light = float(np.asarray(upright.convert("L"))[drawn].mean()) if drawn.any() else 0.0
        ground = Image.new("RGBA", upright.size, "white" if light < 128 or drawn.mean() > 0.9 else "black")
        upright = Image.alpha_composite(ground, upright)
    return np.ascontiguousarray(np.asarray(upright.convert("RGB"))[..., ::-1])


def _detect(pixels: NDArray[np.uint8]) -> list[Box]:
    model = _model()
    with _running:  # the package keeps the size of the image at hand between its steps
        detected = model(pixels)
    if detected.txts is None:
        return []
    boxes = []
    for corners, text, confidence in zip(detected.boxes, detected.txts, detected.scores, strict=True):
        folded = fold_space(text)
        if folded and confidence >= _LEAST_CONFIDENCE:
            left, top = (float(edge) for edge in corners.min(axis=0))
            right, bottom = (float(edge) for edge in corners.max(axis=0))
            boxes.append(Box(left, top, right, bottom, folded))
    return boxes


@cache
def _model() -> Any:
    try:
        from rapidocr import RapidOCR
    except ModuleNotFoundError as error:
        raise ModelUnavailableError("integration.not_installed", name=error.name, extra="ocr") from error
    except ImportError as error:
        raise ModelUnavailableError("ocr.unloadable", reason=error) from error
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Det.model_path": _weights("det"),
            "Cls.model_path": _weights("cls"),
            "Rec.model_path": _weights("rec"),
            "Det.limit_type": "max",
            "Det.limit_side_len": _LONG_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": _THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _weights(step: str) -> str:
    """Return the model's file for one step (detection, classification, recognition) in the installed package."""
    package = find_spec("rapidocr")
    folder = Path(package.origin).with_name("models") if package and package.origin else Path("models")
    files = sorted(folder.glob(f"*_{step}_*.onnx"))
    if not files:
        raise ModelUnavailableError("ocr.no_model", step=step)
    return str(files[0])


# -- the tool ---------------------------------------------------------------------------------------------------------


def read_image_tool(state: Callable[[], MemoryState], read: Callable[[str], bytes], lang: Lang) -> Tool:
    """`read` gives an image's bytes by its SHA-256, wherever it is kept."""

    def read_image(image_id: str) -> ToolResult:
        image = _known_image(state(), image_id)
        recognised = recognise(read(image.sha256), lang)
        shown = ToolImage(sha256=image.sha256, media_type=image.media_type, name=f"{image_id} ({image.name})")
        return ToolResult(text=recognised.text, images=(shown,), empty=not recognised.is_readable)

    return Tool(read_image, "read_image", say("image_tool", lang))


def _known_image(state: MemoryState, image_id: str) -> StagedImage | Attachment:
    staged = state.tree.staged.get(ImageId(image_id))
    if staged is not None:
        return staged
    filed = state.tree.attachments.get(AttachmentId(image_id))
    if filed is not None and filed.type is AttachmentType.IMAGE:
        return filed
    known = [
        *state.tree.staged,
        *(attachment.id for attachment in state.tree.attachments.values() if attachment.type is AttachmentType.IMAGE),
    ]
    raise ToolError("tool.no_image", name=image_id, known=", ".join(known) or Notice("text.none"))
