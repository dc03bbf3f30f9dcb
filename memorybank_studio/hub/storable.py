"""What can stand in a property of the graph: text that has a UTF-8 form, whole numbers in range."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.errors import InputError

_MOST = 2**31 - 1
LONGEST_ID = 256
"""Characters of what is indexed: servers take some kilobytes at most there."""


def text(value: str, name: str) -> str:
    """The text itself. Raises InputError, which names it as `name`, for half a surrogate pair: it has no UTF-8 form."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError("hub.half_character", name=name, place=error.start) from None
    return value


def identifier(value: str, name: str) -> str:
    """The id itself. Raises InputError when it is longer than an index takes."""
    if len(value) > LONGEST_ID:
        raise InputError("hub.id_too_long", name=name, count=len(value), most=LONGEST_ID)
    return text(value, name)


def texts(values: Iterable[str], name: str) -> list[str]:
    return [text(value, name) for value in values]


def number(value: int, name: str) -> int:
    """The number itself, from 0 to 2,147,483,647. Raises InputError."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise InputError("hub.bad_number", name=name, value=str(value)[:40], most=_MOST)
    return value


def numbers(values: Iterable[int], name: str) -> list[int]:
    return [number(value, name) for value in values]


def optional_number(value: int | None, name: str) -> int | None:
    return None if value is None else number(value, name)
