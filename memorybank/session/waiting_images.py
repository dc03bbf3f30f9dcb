"""Images that wait while a round is on something else: `read_image` reads one, and it is a source like any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from memorybank.contradiction.votes import SourcePassage
from memorybank.memory.types import Lang, StagedImage, Value
from memorybank.prompts import say
from memorybank.runs.files.names import base_name
from memorybank.session.markup import images_of
from memorybank.tools.base import ToolResult

READER: Final = "read_image"
Used = tuple[str, Mapping[str, Any], ToolResult]
"""A tool call that brought something: the tool, its arguments, its result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadImage(Value):
    """A waiting image with its text."""

    image: StagedImage
    text: str
    readable: bool = True

    def passage(self, lang: Lang) -> SourcePassage:
        return SourcePassage(source=cited_name(self.image, lang), text=self.text, shown_by=self.image.found_in)


def images_read(answer: str, used: Iterable[Used], waiting: Iterable[StagedImage]) -> list[ReadImage]:
    """Return the waiting images that a round's calls read, each with the text that the answer has, else the reader's.

    A block on an image that was not read is no reading, and an image of which nothing was read waits on.
    """
    texts = {
        arguments["image_id"]: "" if result.empty else result.text.strip()
        for tool, arguments, result in used
        if tool == READER
    }
    written = images_of(answer)
    read = []
    for image in waiting:
        text, readable = written.get(image.id, (texts.get(image.id, ""), True))
        if image.id in texts and text:
            read.append(ReadImage(image=image, text=text, readable=readable))
    return read


def cited_name(image: StagedImage, lang: Lang) -> str:
    """Return an image's name, and the page or document it is from; one that stood alone has its address for a name."""
    if not image.found_in:
        return image.name
    try:
        alone = base_name(unquote(urlsplit(image.found_in).path)) == image.name
    except ValueError:  # a journal may say anything
        alone = False
    return image.found_in if alone else say("image_of_page", lang, name=image.name, page=image.found_in)
