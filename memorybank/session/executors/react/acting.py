"""Tool calls of a turn: checked, made through `fx`, and turned into what the model observes. Nothing here raises."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from memorybank.errors import MemoryBankError, ToolError
from memorybank.language.text import fold_space, one_form, sentences
from memorybank.llm.base import ImagePart
from memorybank.memory.types import Lang, StagedImage
from memorybank.prompts import say
from memorybank.prompts.excerpts import GAP
from memorybank.prompts.tags import block, neutralise
from memorybank.prompts.templates import render_parts
from memorybank.session.effects import Effects
from memorybank.session.executors.react.parsing import ParsedCall
from memorybank.session.executors.react.protocol import Observed
from memorybank.session.waiting_images import READER
from memorybank.tools.base import Tool, ToolImage, ToolResult

MOST_AT_ONCE = 4
"""The most images of one recalled memory that are shown; more are asked for one by one."""


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
        """Return the parts by name for the model, and what to say about those that cannot be shown."""
        return self._parts((f"{image.id} ({neutralise(image.name)})", image) for image in images)

    def read_out(self, images: Iterable[StagedImage]) -> list[str]:
        """Return the images' texts by the local OCR, each marked as such, as blocks for the model."""
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
        """Say how to write down the waiting images that these results show; empty where they show none that is new.

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
        """Return the images that a tool speaks of, for a model that sees; and a line on those left out."""
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


NAME_CHARS = 80
"""The most characters that are repeated of a tool's or an argument's name that the model made up."""


class Toolbox:
    """The tools of one round and what became of them."""

    def __init__(self, fx: Effects, lang: Lang, sight: ImageAccess) -> None:
        self.used = 0
        """Calls that reached a tool."""
        self._fx = fx
        self._tools: Mapping[str, Tool] = fx.tools
        self._lang = lang
        self._sight = sight
        self._prompt = ""
        self._made: dict[str, str] = {}
        """Calls, each with the documents and words that it showed."""
        self._arguments = {name: tool.parameters.get("properties", {}) for name, tool in self._tools.items()}

    def observe(self, call: ParsedCall, *, allowed: bool) -> Observed:
        """Make a call and return its result. A repeated one is not made again: its result stands in the history."""
        problem = self._problem(call)
        if problem:
            return Observed(call=call, text=problem)
        if not allowed:
            return Observed(call=call, text=say("call_over", self._lang))
        key = _key(call)
        if key in self._made:
            return Observed(call=call, text=say("call_again", self._lang))
        self.used += 1
        try:
            result = self._fx.use(call.name, **call.arguments)
        except ToolError as error:
            return Observed(call=call, text=str(error))
        return self._observed(call, replace(result, text=self._unrepeated(key, result)))

    def read_out(self, call: ParsedCall) -> str:
        """Return the local OCR's reading of the image that a call named; empty when it named none."""
        attachment = call.arguments.get("attachment_id")
        return block("tool_response", self._sight.ocr(str(attachment), str(attachment))[0]) if attachment else ""

    def forget(self, call: ParsedCall) -> None:
        """Let the call be made again: its result was shown in part."""
        self._made.pop(_key(call), None)

    def begin(self, prompt: str) -> None:
        """Let every call be made again, below a prompt: no result is shown any more."""
        self._prompt = fold_space(prompt)
        self._made.clear()

    def _unrepeated(self, key: str, result: ToolResult) -> str:
        """Return the text, with one line in place of a document whose sentences stand above letter by letter: in an
        earlier result, or in the prompt as a memory."""
        text, mark = result.text, say("stands_above", self._lang)
        for each in result.materials:
            whole = neutralise(one_form(each.text))
            printed = "\n   ".join(filter(str.strip, whole.split("\n"))) if each.excerpt else whole
            pieces = [fold_space(whole[start:end]) for start, end in sentences(whole)]
            above = (shown for shown in (self._prompt, *self._made.values()) if each.source in shown)
            place = text.find(printed, max(0, text.find(each.source)))
            if place >= 0 and len(printed) > len(mark) and any(all(map(shown.__contains__, pieces)) for shown in above):
                text = text[:place] + mark + text[place + len(printed) :]
        text = re.sub(rf"(?:{re.escape(mark)}[\s{GAP}]*)+(?={re.escape(mark)})", "", text)  # of two excerpts
        self._made[key] = fold_space(" ".join([*(each.source for each in result.materials), text]))
        return text

    def _observed(self, call: ParsedCall, result: ToolResult) -> Observed:
        text, attachment = result.text, call.arguments.get("attachment_id")
        shown, note = self._sight.recalled(result.images) if self._sight.sees else ([], "")
        if result.images and attachment:  # what is shown, or read, need not be spelt out in base64 as well
            text = say("image_here", self._lang) if shown else self._sight.ocr(str(attachment), str(attachment))[0]
        told = "\n".join(part for part in (text, note) if part) or "-"
        return Observed(call=call, text=told, images=tuple(shown), takes_offset=result.takes_offset)

    def _problem(self, call: ParsedCall) -> str:
        """Return why the call cannot be made, in words for the model; empty when it can."""
        tools, name = ", ".join(self._tools), call.name[:NAME_CHARS]
        if call.problem == "no_name":
            return say("call_no_name", self._lang, tools=tools)
        if call.problem == "bad_arguments":
            return say("call_bad_arguments", self._lang, name=name)
        if call.problem == "not_json":
            return say("call_not_json", self._lang, problem=call.detail)
        if call.problem:
            return say("call_empty", self._lang)
        if call.name not in self._tools:
            return say("call_no_tool", self._lang, name=name, tools=tools)
        known = self._arguments[call.name]
        unknown = next((name for name in call.arguments if name not in known), None)
        if unknown is not None:
            given = unknown[:NAME_CHARS]
            return say("call_unknown_argument", self._lang, name=name, argument=given, known=", ".join(known))
        return ""


def _key(call: ParsedCall) -> str:
    return json.dumps([call.name, call.arguments], sort_keys=True, default=str)
