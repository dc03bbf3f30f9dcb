"""The tasks of a batch and what they have in common: settings over this machine's own, which is where keys stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.settings import env
from memorybank.settings.config import Preset, Settings

MOST_ID_BYTES = 100
"""UTF-8 bytes of an id: names of files may have 255, and a few are longer than the id they are made of."""
_ID_RE = re.compile(r"[\w-][\w.-]*")
_RESERVED_RE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|.*\.", re.IGNORECASE)
"""Matches what Windows takes for a device, and a dot at the end, which it drops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchTask:
    """A task as a worker gets it; it holds no key, so it may travel."""

    id: str
    task: str
    context: tuple[Path, ...] = ()
    corpus: Path | None = None
    images: tuple[Path, ...] = ()
    lang: Lang | None = None
    settings: tuple[tuple[str, str], ...] = ()
    """Variables of settings/env.py and their texts, over those of the plan."""
    expect: tuple[str | int | float, ...] = ()
    """Strings or numbers of which one must appear in the answer; empty: nothing is expected."""
    digest: str = ""
    """SHA-256 of the line's values but `expect`: a task that has begun must not become another."""


def names_a_folder(id_: str) -> bool:
    """Say whether an id can be the name of a task's folder on any system, and of no other folder."""
    return (
        _ID_RE.fullmatch(id_) is not None
        and _RESERVED_RE.fullmatch(id_) is None
        and len(id_.encode("utf-8", "surrogatepass")) <= MOST_ID_BYTES
    )


System = Literal["bank", "plain"]
"""The system that works on a task: a session with its memory, or the same agent and tools without one."""

_MACHINE = ("allowed_hosts", "storage_dir", "stores.", "studio.", "temp_dir", "watch_dir", "batch_dir", "llm.hand_dir")
"""Parts of `Settings` that are a machine's or the app's: no setting of a batch."""
_REACH = ("embedding_endpoint.", "web.", "llm.base_url", "llm.provider")
"""Parts that say where texts and keys are sent: the command line's to say, for a file of tasks may be anybody's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPlan:
    """Holds no key and no path, so it may be written down and sent to another machine."""

    engine: Literal["offline", "llm"] | None = None
    """The engine; None for the one that the machine's settings name."""
    preset: Preset | None = None
    embedding_model: str = ""
    """The embedding model; empty for the one that the machine's settings name."""
    settings: tuple[tuple[str, str], ...] = ()
    """Variables of settings/env.py and their texts, over the preset."""
    systems: tuple[System, ...] = ("bank",)

    def settings_of(self, task: BatchTask) -> Settings:
        """Return the task's settings: this machine's, then the plan's, then those of the task's own line."""
        settings = env.load().settings
        if self.engine:
            settings = replace(settings, engine=self.engine)
        if self.preset:
            settings = settings.with_preset(self.preset)
        if self.embedding_model:
            settings = replace(settings, embedding_model=self.embedding_model)
        settings = env.with_variables(settings, {**dict(self.settings), **dict(task.settings)})
        return replace(settings, corpus=task.corpus, lang=task.lang or settings.lang)


def plan_settings(assignments: list[str]) -> tuple[tuple[str, str], ...]:
    """Return the settings that `--set NAME=VALUE` gives. Raises InputError that names what cannot be used."""
    texts: dict[str, str] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals or not name.strip() or not text.strip():
            raise InputError("batch.no_assignment", given=assignment[:80])
        texts[name.strip()] = text.strip()
    _check(texts, _MACHINE)
    env.with_variables(Settings(), texts)
    return tuple(texts.items())


def for_a_task(texts: Mapping[str, str]) -> Mapping[str, str]:
    """Return the same settings, once each of them may stand in a task's line. Raises InputError."""
    _check(texts, (*_MACHINE, *_REACH))
    return texts


def _check(names: Mapping[str, str], barred: tuple[str, ...]) -> None:
    variables = {variable.name: variable for variable in env.VARIABLES}
    for name in names:
        variable = variables.get(name)
        if variable is None:
            continue  # said by whoever lays it over
        if variable.secret:
            raise InputError("batch.secret_setting", name=name)
        own = variable.path.startswith("llm.roles.") and not variable.path.endswith(".model")
        if variable.path.startswith(barred) or (own and _REACH[0] in barred):
            raise InputError("batch.machine_setting", name=name)
