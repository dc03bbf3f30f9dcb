"""`read_image`: the text of a staged image, by the OCR package that ships its weights (English and Chinese)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memorybank.engines.offline.ocr import OcrReader
from memorybank.errors import ToolError
from memorybank.tools.base import Tool, ToolResult
from memorybank.types import ImageId, Lang, StagedImage


def read_image_tool(
    staged: Callable[[], Mapping[ImageId, StagedImage]], read: Callable[[str], bytes], lang: Lang
) -> Tool:
    reader = OcrReader(lang)

    def read_image(image_id: str) -> ToolResult:
        """Read the text in a staged image, by its id as given in the task (for example i1)."""
        image = staged().get(ImageId(image_id))
        if image is None:
            raise ToolError(f"there is no staged image {image_id!r} (there are: {', '.join(staged()) or 'none'})")
        found = reader.read(read(image.sha256))
        return ToolResult(text=found.text, empty=not found.lines)

    return Tool(read_image, "read_image")
