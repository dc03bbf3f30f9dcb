"""The label of a run, a small file in its folder: the name that a person gave it, and whether it is pinned."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from memorybank.errors import InputError
from memorybank.runs.files.plain import make_folder, reading, write_whole

LABEL = "label.json"
MOST_NAME = 120
"""The most characters of a name."""
_MOST_BYTES = 4_000


class RunLabel(BaseModel):
    model_config = ConfigDict(frozen=True)

    name: str = ""
    """The name; empty when the run is called by its task."""
    pinned: bool = False


def as_name(text: str) -> str:
    """Return a text as a name: one line, and not too long."""
    return " ".join(text.split())[:MOST_NAME].strip()


def read_label(folder: Path) -> RunLabel:
    """Return a run's label; an empty one where there is none, or one from elsewhere that cannot be read."""
    try:
        with reading(folder / LABEL) as file:
            return parse_label(file.read(_MOST_BYTES + 1))
    except (OSError, InputError):
        return RunLabel()


def parse_label(data: bytes) -> RunLabel:
    if len(data) > _MOST_BYTES:
        return RunLabel()
    try:
        label = RunLabel.model_validate_json(data)
    except ValidationError:
        return RunLabel()
    return RunLabel(name=as_name(label.name), pinned=label.pinned)


def write_label(folder: Path, label: RunLabel) -> None:
    if label == RunLabel():
        (folder / LABEL).unlink(missing_ok=True)
    else:
        make_folder(folder)
        write_whole(folder / LABEL, label_bytes(label))


def label_bytes(label: RunLabel) -> bytes:
    return label.model_dump_json(exclude_defaults=True).encode()
