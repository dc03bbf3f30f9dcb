"""Text in images without a network: PP-OCRv6 (English and Chinese) through the package `rapidocr`, which ships weights.

The models are loaded at the first image and shared by all readers of the process. They are named by their paths in the
package, so that a version with other defaults stops with an error instead of fetching what it lacks.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memorybank.errors import ModelUnavailableError
from memorybank.language.text import fold_space
from memorybank.memory.types import Lang
from memorybank.runs.files.images import open_image
from memorybank.tools.reading_order import Box, reading_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

NOTHING_READ: Final[dict[Lang, str]] = {"en": "no readable text", "zh": "没有可读的文字"}

_LEAST_CONFIDENCE = 0.6
"""Of a piece of text, in [0, 1]; below it the model guesses at patterns that are no letters."""
_LONG_SIDE = 1536
"""Pixels that the detector sees. Smaller images are not enlarged: blown up to a fixed height, as by default, a strip of
one line loses its text and takes thirty times as long."""
_THREADS = 2

_running = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrLine:
    text: str
    confidence: float
    """In [0, 1], the mean over its characters, rounded to 4 decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrText:
    text: str
    """The lines in reading order; when nothing was read a sentence in the session's language that says so."""
    lines: tuple[OcrLine, ...]
    confidence: float
    """Mean over all characters; 0 when nothing was read."""

    @property
    def readable(self) -> bool:
        return bool(self.lines)


class OcrReader:
    """Reads images for a session in this language (the text itself may be in English or Chinese, or both)."""

    def __init__(self, lang: Lang = "en", *, threads: int = _THREADS) -> None:
        self._lang: Lang = lang
        self._threads = max(1, min(threads, os.cpu_count() or 1))

    def read(self, image: bytes) -> OcrText:
        """The text in an image, top to bottom and left to right, column by column where a page has columns.

        Raises InputError for bytes that are no image, ModelUnavailableError when the models cannot be loaded.
        """
        picture = open_image("image", image)
        boxes = _detect(_pixels(picture), self._threads)
        lines = tuple(_line(row) for row in reading_order(boxes))
        if not lines:
            size = f"({picture.format}, {picture.width}×{picture.height})"
            return OcrText(text=f"{NOTHING_READ[self._lang]} {size}", lines=(), confidence=0.0)
        return OcrText(
            text="\n".join(line.text for line in lines),
            lines=lines,
            confidence=_mean([(line.text, line.confidence) for line in lines]),
        )


def _line(row: list[Box]) -> OcrLine:
    return OcrLine(
        text=" ".join(box.text for box in row), confidence=_mean([(box.text, box.confidence) for box in row])
    )


def _mean(texts: list[tuple[str, float]]) -> float:
    return round(sum(len(text) * sure for text, sure in texts) / sum(len(text) for text, _ in texts), 4)


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


def _detect(pixels: NDArray[np.uint8], threads: int) -> list[Box]:
    model = _model(threads)
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
            boxes.append(Box(left, top, right, bottom, folded, float(confidence)))
    return boxes


@cache
def _model(threads: int) -> Any:
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
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _weights(step: str) -> str:
    """The file of the model for one step (detection, classification, recognition) inside the installed package."""
    package = find_spec("rapidocr")
    folder = Path(package.origin).with_name("models") if package and package.origin else Path("models")
    files = sorted(folder.glob(f"*_{step}_*.onnx"))
    if not files:
        raise ModelUnavailableError("ocr.no_model", step=step)
    return str(files[0])
