"""`read_image`: the text of an image, by the OCR package that ships its weights (English and Chinese)."""

from __future__ import annotations

from collections.abc import Callable

from memorybank.engines.offline.ocr import OcrReader
from memorybank.errors import Notice, ToolError
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import AttachmentId, AttachmentType, ImageId, Lang
from memorybank.prompts import say
from memorybank.tools.base import Tool, ToolResult


def read_image_tool(state: Callable[[], MemoryBank], read: Callable[[str], bytes], lang: Lang) -> Tool:
    """`read` gives an image's bytes by its SHA-256, wherever it is kept."""
    reader = OcrReader(lang)

    def read_image(image_id: str) -> ToolResult:
        recognised = reader.read(read(_digest(state(), image_id)))
        return ToolResult(text=recognised.text, empty=not recognised.lines)

    return Tool(read_image, "read_image", say("image_tool", lang))


def _digest(state: MemoryBank, image_id: str) -> str:
    staged = state.tree.staged.get(ImageId(image_id))
    if staged is not None:
        return staged.sha256
    filed = state.tree.attachments.get(AttachmentId(image_id))
    if filed is not None and filed.type is AttachmentType.IMAGE:
        return filed.sha256
    known = [
        *state.tree.staged,
        *(attachment.id for attachment in state.tree.attachments.values() if attachment.type is AttachmentType.IMAGE),
    ]
    raise ToolError("tool.no_image", name=image_id, known=", ".join(known) or Notice("text.none"))
