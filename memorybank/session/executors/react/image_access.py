"""Images for a model that sees, and the local OCR for one that does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from memorybank.errors import MemoryBankError
from memorybank.llm.base import ImagePart
from memorybank.memory.types import Lang, StagedImage
from memorybank.prompts import say
from memorybank.prompts.tags import block, neutralise
from memorybank.prompts.templates import render_parts
from memorybank.session.effects import Effects
from memorybank.session.executors.react.protocol import Observed
from memorybank.session.waiting_images import READER
from memorybank.tools.base import ToolImage, ToolResult

MOST_AT_ONCE = 4
"""Images of one recalled memory that are shown; more are asked for one by one."""


@dataclass(slots=True)
class ImageAccess:
    """The images of one round. `sees` turns False when the model refuses an image, and stays so."""

    fx: Effects
    lang: Lang
    sees: bool
    read: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """Maps an image's id to the text that the local OCR read, and to whether anything was readable."""
    to_write: list[StagedImage] = field(default_factory=list)
    """Waiting images that the model was shown because it asked to read them."""

    def show(self, images: Iterable[StagedImage]) -> tuple[list[tuple[str, ImagePart]], list[str]]:
        """Parts by name for the model, and what to say about those that cannot be shown."""
        return self._parts((f"{image.id} ({neutralise(image.name)})", image) for image in images)

    def read_out(self, images: Iterable[StagedImage]) -> list[str]:
        """The images' texts by the local OCR, each marked as such, as blocks for the model."""
        blocks = []
        for image in images:
            text, result = self.ocr(image.id, f"{image.id} ({image.name})")
            if result is not None:
                self.read[image.id] = (result.text, not result.empty)
            blocks.append(block("tool_response", text))
        return blocks

    def ocr(self, image_id: str, name: str) -> tuple[str, ToolResult | None]:
        """Reads one image with the local OCR, and says so in a first line. No result when it cannot be read."""
        try:
            result = self.fx.use(READER, image_id=image_id)
        except MemoryBankError as error:
            return say("image_gone", self.lang, name=name, problem=str(error)), None
        mark = say("image_ocr_none" if result.empty else "image_ocr", self.lang, name=name)
        return f"{mark}\n{result.text}", result

    def how_to_write(self, results: Iterable[Observed], waiting: Iterable[StagedImage]) -> str:
        """How to write down the waiting images that these results show; empty where they show none for the first time.

        The model sees more in an image than the local OCR reads.
        """
        ids = {result.call.arguments["image_id"] for result in results if result.call.name == READER and result.images}
        shown = [image for image in waiting if image.id in ids and image not in self.to_write]
        if not shown:
            return ""
        self.to_write += shown
        reading = render_parts("vision", self.lang, goal="", images=shown).system
        ids_shown = say("sources_between", self.lang).join(image.id for image in shown)
        return f"{say('images_to_write', self.lang, ids=ids_shown)}\n\n{reading}"

    def recalled(self, images: tuple[ToolImage, ...]) -> tuple[list[tuple[str, ImagePart]], str]:
        """Images that a tool speaks of, for a model that sees; and a line on those left out."""
        shown, notes = self._parts((image.name, image) for image in images[:MOST_AT_ONCE])
        if len(images) > MOST_AT_ONCE:
            notes.append(say("images_more", self.lang, count=len(images) - MOST_AT_ONCE))
        return shown, "\n".join(notes)

    def _parts(
        self, images: Iterable[tuple[str, StagedImage | ToolImage]]
    ) -> tuple[list[tuple[str, ImagePart]], list[str]]:
        shown: list[tuple[str, ImagePart]] = []
        notes: list[str] = []
        for name, image in images:
            try:
                shown.append((name, ImagePart(data=self.fx.image_bytes(image.sha256), media_type=image.media_type)))
            except MemoryBankError as error:
                notes.append(say("image_gone", self.lang, name=name, problem=neutralise(str(error))))
        return shown, notes
