"""The answers that a model fills in: one a role, `reasoning` before the verdict, small integers for ids.

Strict in what is asked (`llm.schemas` requires every field and allows no other), lenient in what is taken: a field that
came as a word instead of a list, a number in quotes, or not at all is still read. What would leave an answer
without a meaning (no topics, no summary) is refused, so that the model is asked to repair it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

_INTEGER_RE = re.compile(r"-?\d+")
_LIST_MARK_RE = re.compile(r"[,，、;；\n]")
_QUERY_MARK_RE = re.compile(r"[;；\n]")


def _text(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(str(item).strip() for item in value)
    return str(value).strip() if isinstance(value, str | int | float) else value


def _words(value: Any) -> Any:
    if value is None:
        return ()
    parts = _LIST_MARK_RE.split(value) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        return value
    return tuple(dict.fromkeys(word for word in (str(part).strip() for part in parts) if word))


def _integer(value: Any) -> Any:
    if isinstance(value, str) and (match := _INTEGER_RE.search(value)):
        return int(match[0])
    return value


def _objects(value: Any) -> Any:
    if value is None:
        return ()
    return (value,) if isinstance(value, dict) else value


def _yes_or_no(value: Any) -> Any:
    """Only a clear no is a no: what is left out, or reads as neither, changes nothing."""
    return str(value).strip().casefold().rstrip(".。") not in ("false", "no", "0", "否", "不是")


_LABEL_RE = re.compile(r"[A-Z]+|\d+")


def _pair(value: Any) -> Any:
    """Two labels, however they are set apart; the letter of a new memory stands first."""
    labels = _LABEL_RE.findall(" ".join(map(str, value)) if isinstance(value, list) else str(value))
    return "-".join(sorted(labels, key=str.isdigit)) if len(labels) == 2 else str(value)


def _share(value: Any) -> Any:
    """Read a confidence: a share, a percentage, or either in quotes; kept within [0, 1]."""
    if isinstance(value, str):
        value = value.strip().rstrip("%％")
        value = float(value) if re.fullmatch(r"\d*\.?\d+", value) else 1.0
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        return 1.0
    return max(0.0, min(1.0, value / 100 if value > 1 else value))


_RELATION_WORDS = {
    "contradiction": "conflict",
    "冲突": "conflict",
    "矛盾": "conflict",
    "合并": "merge",
    "重复": "merge",
    "相关": "related",
    "none": "unrelated",
    "无关": "unrelated",
    "不相关": "unrelated",
}


def _relation(value: Any) -> Any:
    word = str(value).strip().casefold().rstrip(".。")
    return _RELATION_WORDS.get(word, word)


def _not_empty(value: str, info: ValidationInfo) -> str:
    if not value.strip():
        raise ValueError(f"{info.field_name} is empty")
    return value


Text = Annotated[str, BeforeValidator(_text)]
Written = Annotated[Text, AfterValidator(_not_empty)]
Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
Number = Annotated[int, BeforeValidator(_integer)]
Pair = Annotated[str, BeforeValidator(_pair)]
Share = Annotated[float, BeforeValidator(_share)]
YesOrNo = Annotated[bool, BeforeValidator(_yes_or_no)]


class ModelAnswer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")
    edits: ClassVar[tuple[Callable[[dict[str, Any]], None], ...]] = ()
    """Functions that make the schema ask for less, in order (schemas.py)."""
    listed: ClassVar[str] = ""
    """The field that a bare list stands for."""

    @model_validator(mode="before")
    @classmethod
    def _bare_list(cls, value: Any) -> Any:
        return {cls.listed: value} if cls.listed and isinstance(value, list) else value

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        schema = super().model_json_schema(*args, **options)
        for part in (schema, *schema.get("$defs", {}).values()):
            part.pop("description", None)  # a docstring is for us, not for the model
        for edit in cls.edits:
            edit(schema)
        return schema


class UnitRange(ModelAnswer):
    first: Number
    last: Number


class Topic(ModelAnswer):
    topic: Text = ""
    keywords: Words = ()
    ranges: Annotated[tuple[UnitRange, ...], BeforeValidator(_objects)] = ()
    summary: Text = ""


class ClassificationAnswer(ModelAnswer):
    listed = "topics"
    reasoning: Text = ""
    topics: Annotated[tuple[Topic, ...], BeforeValidator(_objects)] = Field(min_length=1)


class StructureAnswer(ModelAnswer):
    summary: Written


class DisputedPoint(ModelAnswer):
    """One point on which two memories contradict each other."""

    subject: Text = ""
    attribute: Text = ""
    existing_quote: Text = ""
    existing_value: Text = ""
    new_quote: Text = ""
    new_value: Text = ""
    why: Text = ""


class RelationJudgement(ModelAnswer):
    """What belongs to one kind of relation is asked for in `details` (schemas.py) and read wherever it stands."""

    pair: Pair
    """The pair as the prompt lists it: "A-0" is the new memory A and the existing one 0."""
    reasoning: Text = ""
    relationship: Annotated[Literal["conflict", "merge", "related", "unrelated"], BeforeValidator(_relation)]
    confidence: Share = 1.0
    conflict_description: Text = ""
    contradictions: Annotated[tuple[DisputedPoint, ...], BeforeValidator(_objects)] = ()
    same_subject: YesOrNo = True
    merge_strategy: Text = ""
    context_update_new: Text = ""
    context_update_existing: Text = ""
    keywords_update_new: Words = ()
    keywords_update_existing: Words = ()

    @model_validator(mode="before")
    @classmethod
    def _lifted(cls, value: Any) -> Any:
        details = value.get("details") if isinstance(value, dict) else None
        return {**value, **details} if isinstance(details, dict) else value


class AnalysisAnswer(ModelAnswer):
    listed = "relationships"
    relationships: Annotated[tuple[RelationJudgement, ...], BeforeValidator(_objects)]
    unrelated: Annotated[tuple[Pair, ...], BeforeValidator(_words)] = ()
    """Pairs that are plainly about other things, without a word on each."""


class NeighborAnswer(ModelAnswer):
    neighbor: Number
    context: Text = ""
    keywords: Words = ()


class NeighborsAnswer(ModelAnswer):
    """The updates of neighbours that had no room beside the memories that were united."""

    listed = "neighbor_updates"
    neighbor_updates: Annotated[tuple[NeighborAnswer, ...], BeforeValidator(_objects)] = ()


class UnionAnswer(ModelAnswer):
    reasoning: Text = ""
    summary: Written
    context: Text = ""
    keywords: Words = ()
    description: Text = ""


class IntegrationAnswer(UnionAnswer):
    neighbor_updates: Annotated[tuple[NeighborAnswer, ...], BeforeValidator(_objects)] = ()


class IntegrationsAnswer(ModelAnswer):
    """The answer where several unions are asked for: each by itself, what is said of neighbours once."""

    listed = "unions"
    unions: Annotated[tuple[UnionAnswer, ...], BeforeValidator(_objects)] = Field(min_length=1)
    neighbor_updates: Annotated[tuple[NeighborAnswer, ...], BeforeValidator(_objects)] = ()


def _queries(value: Any) -> Any:
    parts = _QUERY_MARK_RE.split(value) if isinstance(value, str) else value
    return _words(parts) if isinstance(parts, list) else ()


class PlannedTask(ModelAnswer):
    description: Written
    queries: Annotated[tuple[str, ...], BeforeValidator(_queries)] = Field(
        default=(), validation_alias=AliasChoices("queries", "query")
    )


class NextTask(PlannedTask):
    final: bool = False


def _no_task(value: Any) -> Any:
    """Return None for an empty object, an empty word and "null": there is no next task."""
    empty = not value or (isinstance(value, str) and value.strip().casefold() in ("", "null", "none", "无"))
    return None if empty else value


class PlanningAnswer(ModelAnswer):
    reasoning: Text = ""
    finished_context: Text = ""
    next_task: Annotated[NextTask | SkipJsonSchema[None], BeforeValidator(_no_task)] = None
    then: Annotated[tuple[PlannedTask, ...], BeforeValidator(_objects)] = ()
