"""The arguments of a foreign agent's calls of the bank: texts of bounded length, turns of a dialogue, a verdict."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, ValidationError

from memorybank.documents.dialogue import DialogueTurn
from memorybank.errors import InputError
from memorybank.language.text import encodable
from memorybank.memory.contracts import StatedVerdict
from memorybank.runs.files.names import name_of_address, shown

LONGEST = {
    "query": 4_000,
    "node_id": 100,
    "attachment_id": 100,
    "conflict_id": 100,
    "value": 1_000,
    "reasoning": 20_000,
    "speaker": 200,
    "time": 200,
    "image_caption": 2_000,
}
"""The most characters of an argument; a text to remember may have any number."""
LONGEST_NAME = 500
"""The most characters of a source's name, which may be a path."""


class Utterance(BaseModel):
    """A turn of a dialogue."""

    model_config = ConfigDict(extra="forbid")

    speaker: str
    text: str
    time: str = ""
    image_caption: str = ""


def source_name(name: str, default: str) -> str:
    """Name a source: a URL as it is, a file by its path as far as it says nothing of the machine."""
    if name.startswith(("https://", "http://")):
        return shown(name.strip())[:LONGEST_NAME]
    return name_of_address(name, default=default)[-LONGEST_NAME:]


def dialogue_turn(number: int, turn: Utterance | Mapping[str, str]) -> DialogueTurn:
    """Return a turn as a document holds it. Raises InputError that names its number."""
    try:
        stated = Utterance.model_validate(turn).model_dump()
    except ValidationError:
        raise InputError("bank.bad_turn", number=number) from None
    if not stated["speaker"].strip() or not stated["text"].strip():
        raise InputError("bank.bad_turn", number=number)
    return DialogueTurn(**{name: argument(name, text) if name in LONGEST else text for name, text in stated.items()})


def argument(name: str, text: str) -> str:
    """Return a tool's argument as a journal can hold it. Raises InputError when it is too long."""
    if len(text) > LONGEST[name]:
        raise InputError("bank.too_long", name=name, count=len(text), most=LONGEST[name])
    return encodable(text)


def stated_verdict(conflict_id: str, status: str, winner: str, value: str, reasoning: str) -> StatedVerdict:
    """Return a verdict on a conflict. Raises InputError where its parts do not hold together."""
    fields = {
        "conflict": argument("conflict_id", conflict_id),
        "status": status,
        "winner": winner,
        "value": argument("value", value),
        "reasoning": argument("reasoning", reasoning),
    }
    if status == "both_wrong" and not value.strip():
        raise InputError("bank.value_missing")
    try:
        return StatedVerdict.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "verdict"
        raise InputError("text.at", place=where, reason=first["msg"].removeprefix("Value error, ")) from None
