"""Text in images without a network: PP-OCRv6 (English and Chinese) through the package `rapidocr`, which ships weights.

The models are loaded at the first image, once a process. They are named by their paths in the package, so that a
version with other defaults stops with an error instead of fetching what it lacks. Their boxes of text are put in the
order in which a person reads them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memorybank.errors import ModelUnavailableError, Notice, ToolError
from memorybank.language.text import fold_space
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Attachment, AttachmentId, AttachmentType, ImageId, Lang, StagedImage
from memorybank.prompts import say
from memorybank.runs.files.images import open_image
from memorybank.tools.base import Tool, ToolImage, ToolResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

_Relation = NDArray[np.bool_]
"""Shape (boxes, boxes): whether it holds between row and column."""

_MARGIN = 0.25
"""Line heights by which a detected box reaches beyond its letters, on every side."""
_WIDE = 6.0
"""Line heights: a box of running text is at least this wide."""
_COLUMN_BOXES = 6
_COLUMN_SHARE = 0.5
"""A page is in columns when this many boxes, and this share of them, are wide and stand beside a wide one."""
_MOST_BOXES = 600
"""A page with more boxes is read row by row: the rules look at all triples."""


class Box(NamedTuple):
    """A piece of text with its bounds in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


def reading_order(boxes: Sequence[Box]) -> list[list[Box]]:
    """Return the lines of the page in reading order, each a list of boxes from left to right."""
    page = sorted(boxes, key=lambda box: (box.top, box))
    if len(page) < _COLUMN_BOXES or len(page) > _MOST_BOXES:
        return _rows(page)
    # Each box with its margins taken off.
    edges = np.array([box[:4] for box in page], dtype=np.float64)
    heights = edges[:, 3] - edges[:, 1]
    across = np.minimum(_MARGIN * heights, (edges[:, 2] - edges[:, 0]) / 2.01)
    down = _MARGIN * heights
    left, top, right, bottom = edges[:, 0] + across, edges[:, 1] + down, edges[:, 2] - across, edges[:, 3] - down
    over_x = (left[:, None] < right) & (left < right[:, None])
    over_y = (top[:, None] < bottom) & (top < bottom[:, None])
    if not _in_columns(right - left, median(box.bottom - box.top for box in page), ~over_x & over_y):
        return _rows(page)
    above = over_x & (top[:, None] < top)
    beside = (right[:, None] <= left) & ~_parted(top, bottom, over_x)
    return [[page[place]] for place in _sorted(above | beside)]


def _in_columns(widths: NDArray[np.float64], height: float, side_by_side: _Relation) -> bool:
    wide = widths >= _WIDE * height
    standing = int((wide & (side_by_side & wide).any(axis=1)).sum())
    return standing >= max(_COLUMN_BOXES, _COLUMN_SHARE * len(widths))


def _parted(top: NDArray[np.float64], bottom: NDArray[np.float64], over_x: _Relation) -> _Relation:
    """Whether a third box lies between the two in height and reaches over both: a heading across columns."""
    parted = np.zeros_like(over_x)
    for place in range(len(top)):
        reached = over_x[place]
        if not (~over_x[reached][:, reached]).any():
            continue
        higher, lower = bottom <= top[place], top >= bottom[place]
        between = (higher[:, None] & lower) | (lower[:, None] & higher)
        parted |= reached[:, None] & reached & between
    return parted


def _sorted(before: _Relation) -> list[int]:
    """Topological order; of those that are free the highest comes first, and a circle is broken at its highest."""
    waiting = before.sum(axis=0).astype(np.int64)
    left = list(range(len(before)))
    order: list[int] = []
    while left:
        place = next((block for block in left if waiting[block] == 0), left[0])
        left.remove(place)
        waiting -= before[place]
        order.append(place)
    return order


def _rows(page: Sequence[Box]) -> list[list[Box]]:
    """Boxes whose middle lies within the height of a row's first box stand on that row."""
    rows: list[list[Box]] = []
    for box in sorted(page, key=lambda box: (box.top + box.bottom, box)):
        first = rows[-1][0] if rows else None
        if first is not None and first.top <= (box.top + box.bottom) / 2 <= first.bottom:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row) for row in rows]


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
