"""`read_image`: the text of an image, by the OCR package that ships its weights (English and Chinese)."""

from __future__ import annotations

from collections.abc import Callable

from memorybank.errors import Notice, ToolError
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Attachment, AttachmentId, AttachmentType, ImageId, Lang, StagedImage
from memorybank.prompts import say
from memorybank.tools.base import Tool, ToolImage, ToolResult
from memorybank.tools.ocr import OcrReader


def read_image_tool(state: Callable[[], MemoryState], read: Callable[[str], bytes], lang: Lang) -> Tool:
    """`read` gives an image's bytes by its SHA-256, wherever it is kept."""
    reader = OcrReader(lang)

    def read_image(image_id: str) -> ToolResult:
        image = _known_image(state(), image_id)
        recognised = reader.read(read(image.sha256))
        shown = ToolImage(sha256=image.sha256, media_type=image.media_type, name=f"{image_id} ({image.name})")
        return ToolResult(text=recognised.text, images=(shown,), empty=not recognised.lines)

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
