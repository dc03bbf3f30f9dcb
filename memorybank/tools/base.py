"""A tool is a typed function; its name, its words in the session's language and its signature are what an executor is
told.

What a tool brings back is in two parts: the text that is shown, and the outside sources that text stands on
(`Material`), which may become memory. A tool that reads memory (`deep_retrieval`) has no materials: recalled text is
never filed a second time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError, validate_call

from memorybank.errors import ToolError
from memorybank.language.text import encodable
from memorybank.memory.types import AttachmentType, StagedImage, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Original(Value):
    """The file a source came as, already in the formal store: it becomes an attachment of the source's entry."""

    type: AttachmentType
    name: str
    path: str
    sha256: str
    size: int
    media_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Material(Value):
    """An outside source that was read: a document, a page, a search result's excerpt."""

    source: str
    """File name inside the corpus, or URL."""
    text: str
    excerpt: bool = False
    """Only a piece of the source; the whole was not read."""
    original: Original | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", encodable(self.source))
        object.__setattr__(self, "text", encodable(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolImage(Value):
    """A stored image that a tool speaks of. An executor whose model sees fetches it by its hash (`fx.image_bytes`)."""

    sha256: str
    media_type: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult(Value):
    text: str
    materials: tuple[Material, ...] = ()
    images: tuple[ToolImage, ...] = ()
    met: tuple[StagedImage, ...] = ()
    """Images in what was read: verified, in the temp store, and staged when the round is recorded."""
    empty: bool = False
    """The tool worked and there was nothing: an image without readable text."""
    takes_offset: bool = False
    """The text is one text from the offset that was asked for: for what is cut off it, one can ask by its offset."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", encodable(self.text))


RESULT: TypeAdapter[ToolResult] = TypeAdapter(ToolResult)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function an executor may call."""

    function: Callable[..., ToolResult]
    name: str
    description: str = ""
    """A text on when to use it and what it gives; empty for a tool that no model is shown."""
    knows: Callable[[str], bool] = field(default=lambda name: False, repr=False, compare=False)
    """Tells whether a text is, by itself, the name of a source that the tool reads."""
    _schemas: list[dict[str, Any]] = field(default_factory=list, init=False, repr=False, compare=False)
    """The schema, once it was asked for: making it takes longer than most calls, and each round asks several times."""

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments."""
        if not self._schemas:
            called: Any = validate_call(self.function)  # which finds the hints of a method, too
            schema = TypeAdapter[Any](called).json_schema()
            for argument in schema.get("properties", {}).values():
                argument.pop("title", None)  # its name in other letters
            self._schemas.append(schema)
        return self._schemas[0]

    def run(self, arguments: Mapping[str, Any]) -> ToolResult:
        """Call with arguments as an executor wrote them. Raises ToolError when they do not fit the signature."""
        try:
            return validate_call(self.function)(**arguments)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"])[:100]
            raise ToolError("tool.bad_argument", name=self.name, where=where, reason=first["msg"]) from None


def arguments_json(name: str, arguments: Mapping[str, Any] | None) -> str:
    """Return what a tool or a store is given as a file keeps it. Raises ToolError for what is no JSON."""
    try:
        return json.dumps(arguments, sort_keys=True, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise ToolError("tool.not_json", name=name) from None
