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
└── StoreUnavailableError    a store of the writing studio (graph, vectors, queues) cannot be reached

Every message names the input and says what to do about it, in one line.
"""

from __future__ import annotations

from pathlib import Path

LONGEST = 1_000
"""Characters of a message that quotes what came from outside."""


class MemoryBankError(Exception):
    """Base of all errors of this library."""


class _OneLine:
    """Quotes what came from outside, whatever that holds: its message is one line of bounded length all the same."""

    def __str__(self) -> str:
        said = " ".join(super().__str__().splitlines())
        said = said if len(said) <= LONGEST else f"{said[:LONGEST]}…"
        return "".join(char if char.isprintable() else "\ufffd" for char in said)


class InputError(_OneLine, MemoryBankError):
    """What the caller gave cannot be used."""


class UnsafeInputError(InputError):
    """What the caller gave would leave its bounds (folder, size, network)."""


class JournalError(_OneLine, MemoryBankError):
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
    """A store of the writing studio cannot be reached."""


def message_of(error: BaseException) -> str:
    """One line, in English. Of a file only its base name is told."""
    if isinstance(error, MemoryBankError):
        return str(error)
    if isinstance(error, OSError):
        name = Path(str(error.filename)).name if error.filename else "a file"
        why = error.strerror or type(error).__name__
        return f"cannot read or write {name} ({why}): check the disk's space and permissions"
    return repr(error)
