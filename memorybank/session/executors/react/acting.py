"""Tool calls of a turn: checked, made through `fx`, and turned into what the model observes. Nothing here raises."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memorybank.errors import ToolError
from memorybank.memory.types import Lang
from memorybank.prompts import say
from memorybank.prompts.tags import block
from memorybank.session.effects import Effects
from memorybank.session.executors.react.image_access import ImageAccess
from memorybank.session.executors.react.parsing import ParsedCall
from memorybank.session.executors.react.protocol import Observed
from memorybank.tools.base import Tool, ToolResult

NAME_CHARS = 80
"""Characters that are repeated of a tool's or an argument's name that the model made up."""


class Toolbox:
    """The tools of one round and what became of them."""

    def __init__(self, fx: Effects, lang: Lang, sight: ImageAccess) -> None:
        self.used = 0
        """Calls that reached a tool."""
        self._fx = fx
        self._tools: Mapping[str, Tool] = fx.tools
        self._lang = lang
        self._sight = sight
        self._made: set[str] = set()
        self._arguments = {name: tool.parameters.get("properties", {}) for name, tool in self._tools.items()}

    def observe(self, call: ParsedCall, *, allowed: bool) -> Observed:
        """What comes of a call. One that repeats an earlier one is not made again: its result stands in the history."""
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
        self._made.add(key)
        return self._observed(call, result)

    def read_out(self, call: ParsedCall) -> str:
        """What the local OCR reads in the image that a call named; empty when it named none."""
        attachment = call.arguments.get("attachment_id")
        return block("tool_response", self._sight.ocr(str(attachment), str(attachment))[0]) if attachment else ""

    def forget(self, call: ParsedCall) -> None:
        """The call may be made again: its result was shown in part."""
        self._made.discard(_key(call))

    def forget_all(self) -> None:
        """Every call may be made again: no result is shown any more."""
        self._made.clear()

    def _observed(self, call: ParsedCall, result: ToolResult) -> Observed:
        text, attachment = result.text, call.arguments.get("attachment_id")
        shown, note = self._sight.recalled(result.images) if self._sight.sees else ([], "")
        if result.images and attachment:  # what is shown, or read, need not be spelt out in base64 as well
            text = say("image_here", self._lang) if shown else self._sight.ocr(str(attachment), str(attachment))[0]
        return Observed(
            call=call,
            text="\n".join(part for part in (text, note) if part) or "-",
            images=tuple(shown),
            takes_offset=result.takes_offset,
        )

    def _problem(self, call: ParsedCall) -> str:
        """Why the call cannot be made, in words for the model; empty when it can."""
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
