"""What all tasks of a batch have in common: settings over this machine's own, which is where keys are, and stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.batch.task import BatchTask
from memorybank.errors import InputError
from memorybank.settings import env
from memorybank.settings.config import Preset, Settings

System = Literal["bank", "plain"]
"""Who works on a task: a session with its memory, or the same agent and tools without one."""

_MACHINE = ("allowed_hosts", "storage_dir", "stores.", "studio.", "temp_dir", "watch_dir", "batch_dir", "llm.hand_dir")
"""Parts of `Settings` that are a machine's or the app's: no setting of a batch."""
_REACH = ("embedding_endpoint.", "web.", "llm.base_url", "llm.provider")
"""Parts that say where texts and keys are sent: the command line's to say, for a file of tasks may be anybody's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPlan:
    """Holds no key and no path, so it may be written down and sent to another machine."""

    engine: Literal["offline", "llm"] | None = None
    """None: as the machine's settings say."""
    preset: Preset | None = None
    embedding_model: str = ""
    """Empty: as the machine's settings say."""
    settings: tuple[tuple[str, str], ...] = ()
    """Variables of settings/env.py and their texts, over the preset."""
    systems: tuple[System, ...] = ("bank",)

    def settings_of(self, task: BatchTask, local: Settings | None = None) -> Settings:
        """The task's settings: `local` (this machine's), then the plan's, then those of the task's own line."""
        settings = local or env.load().settings
        if self.engine:
            settings = replace(settings, engine=self.engine)
        if self.preset:
            settings = settings.with_preset(self.preset)
        if self.embedding_model:
            settings = replace(settings, embedding_model=self.embedding_model)
        settings = env.with_variables(settings, {**dict(self.settings), **dict(task.settings)})
        return replace(settings, corpus=task.corpus, lang=task.lang or settings.lang)


def plan_settings(assignments: list[str]) -> tuple[tuple[str, str], ...]:
    """The settings that `--set NAME=VALUE` gives, each checked. Raises InputError that names what cannot be used."""
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
    """The same, once each of them may stand in a task's line. Raises InputError."""
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
