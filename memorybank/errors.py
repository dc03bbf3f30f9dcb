"""The errors this library raises.

MemoryBankError              catch this to catch all of them
├── InputError               what the caller gave cannot be used: an argument, a file, an image, an unknown id
│   └── UnsafeInputError     it would leave its bounds: a path outside, a decompression bomb, a private address
├── JournalError             a run's journal or export is torn, foreign, newer, or contradicts itself
│   ├── JournalBrokenError   a write failed and what the disk holds is unknown: its writer has stopped; open it again
│   └── DamagedError         it is damaged behind stages that are whole: these can be opened, if asked for by name
├── LockedError              another process is writing this run
├── MergeUndoError           this merge cannot be undone now; the message names what stands on it
├── EndpointLostError        no call of a step got through; the run stands where it was and resumes
├── AgentError               an agent gave no usable answer; the session records it and goes on
│   └── EndpointError        the model's endpoint gave no answer: unreachable, refused, out of attempts
├── ToolError                a tool failed; the executor sees the message as an observation
├── ModelUnavailableError    an embedding or OCR model cannot be loaded on this machine
├── StoreUnavailableError    a store (of a studio: graph, vectors, queues; of a run: vectors) cannot be reached
└── NotSentError             a receiver of traces did not take them; the run itself is as it was

Every message names the input and says what to do about it, in one line. An error is raised with a code and values,
`InputError("document.empty", name=name)`; the words stand in `errors.en.toml` and `errors.zh.toml` beside this file.
"""

from __future__ import annotations

import errno
import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LONGEST = 1_000
"""The most characters of a message that quotes what came from outside."""


@functools.cache
def catalogue(lang: str) -> Mapping[str, str]:
    """Return the sentences by code, read when the first of them is shown."""
    import tomllib

    tables = tomllib.loads(Path(__file__).with_name(f"errors.{lang}.toml").read_text("utf-8"))
    return {f"{table}.{name}": words for table, sentences in tables.items() for name, words in sentences.items()}


class Notice:
    """A message to a person: a code and values, which become words in the reader's language.

    A notice or an error among the values is worded in the same language. A code that no catalogue holds is the text
    itself: that of a tool or an engine from outside.
    """

    def __init__(self, code: str, /, **values: object) -> None:
        self.code, self.values = code, values

    def __str__(self) -> str:
        return self.in_language("en")

    def __repr__(self) -> str:
        return repr(str(self))

    def stored(self) -> dict[str, Any]:
        """Return it as JSON values, for a journal; `restored` reads them."""
        return {"code": self.code, "values": {name: _stored(value) for name, value in self.values.items()}}

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> Notice | None:
        """Return the stored notice; None for what is none of this version."""
        try:
            values = {name: cls.restored(v) if isinstance(v, dict) else v for name, v in stored["values"].items()}
            notice = cls(stored["code"], **values)
            sound = notice.is_ours and None not in values.values() and all(map(notice.in_language, ("en", "zh")))
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            return None
        return notice if sound else None

    @property
    def is_ours(self) -> bool:
        """Whether its words are the library's own, and not a text from outside."""
        return self.code != "text.outside" and self.code in catalogue("en")

    def in_language(self, lang: str) -> str:
        try:
            sentence = catalogue(lang).get(self.code)
        except OSError:  # no more files can be opened: no second error may hide the first
            return f"{self.code} {self.values}"
        if sentence is None:
            return self.code
        return sentence.format_map(
            {
                name: value.in_language(lang) if isinstance(value, Notice | MemoryBankError) else value
                for name, value in self.values.items()
            }
        )


def _stored(value: object) -> object:
    if isinstance(value, MemoryBankError):
        value = value.notice
    if isinstance(value, Notice):
        return value.stored()
    return value if isinstance(value, int | float) else str(value)


class MemoryBankError(Exception):
    """Base of all errors of this library."""

    def __init__(self, code: str | Notice = "", /, **values: object) -> None:
        self.notice = code if isinstance(code, Notice) else Notice(code, **values)
        super().__init__(self.notice)

    def __str__(self) -> str:
        return self.in_language("en")

    def in_language(self, lang: str) -> str:
        """Return one line of bounded length, whatever it quotes: names, paths and answers come from outside."""
        return _one_line(self.notice.in_language(lang))


def _one_line(words: str) -> str:
    line = " ".join(words.splitlines())
    line = line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
    return "".join(char if char.isprintable() else "\ufffd" for char in line)


class InputError(MemoryBankError):
    """The error of an input that cannot be used."""


class UnsafeInputError(InputError):
    """The error of an input that would leave its bounds (folder, size, network)."""


class JournalError(MemoryBankError):
    """A journal or export cannot be read."""


class JournalBrokenError(JournalError):
    """A write to a journal failed in a way that cannot be taken back; its writer writes nothing more."""


class DamagedError(JournalError):
    """A journal is damaged behind stages that are whole."""


class LockedError(MemoryBankError):
    """Another process is writing this run."""


class MergeUndoError(MemoryBankError):
    """This merge cannot be undone now."""


class EndpointLostError(MemoryBankError):
    """The endpoint of a language model answered nothing of what a step asked."""


class AgentError(MemoryBankError):
    """An agent gave no usable answer."""


class EndpointError(AgentError):
    """The endpoint of a language model gave no answer."""


class ToolError(MemoryBankError):
    """A tool failed; its message is meant for the executor."""


class ModelUnavailableError(MemoryBankError):
    """A model cannot be loaded on this machine."""


class StoreUnavailableError(MemoryBankError):
    """A store of the writing studio or of a run's vectors, or storage that a batch shares, cannot be reached."""


class NotSentError(MemoryBankError):
    """A receiver of traces did not take them."""


_HASH_RE = re.compile(r"\.?[0-9a-f]{32}")


def name_of(path: Path) -> str:
    """Return the name that a person knows a file by: its folder's where the file is named by a hash, else its own."""
    return path.parent.name if _HASH_RE.match(path.name) else path.name


def message_of(error: BaseException, lang: str = "en") -> str:
    """Return an error's message in one line. Of a file only its base name is told."""
    if isinstance(error, MemoryBankError):
        return error.in_language(lang)
    if isinstance(error, OSError):
        name = name_of(Path(str(error.filename or ""))) or Notice("file.a_file")
        if error.errno == errno.ENOSPC:
            return _one_line(Notice("disk.full", name=name).in_language(lang))
        return _one_line(Notice("disk.failed", name=name, why=error.strerror or type(error).__name__).in_language(lang))
    return _one_line(repr(error))
