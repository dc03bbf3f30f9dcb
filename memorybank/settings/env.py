"""Settings from the environment and from `.env`, under the specifications' names, and where each came from.

Only the edge (command line, app, your program) calls `load`; below it settings are plain values. The environment wins
over `.env`, an option of the command line over both.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast, get_args

from memorybank.errors import InputError, Notice, catalogue
from memorybank.memory.types import Lang, Relation
from memorybank.settings.config import MergeAfterVerdict, Settings, Strategy
from memorybank.settings.hosts import read_names
from memorybank.settings.llm import AGENTS, PROVIDERS, WINDOW
from memorybank.settings.redaction import without_password

SettingOrigin = Literal["default", ".env", "environment", "command line"]
SECRET_MASK = "set (hidden)"  # noqa: S105 - what is shown in place of a secret
NOT_SET, BY_AGENT = "not set", "by agent"
"""The words for a secret that is not there, and for a setting that each agent has its own default of."""


def _switch(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off"):
        return False
    raise ValueError(Notice("settings.true_or_false"))


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in choices:
            raise ValueError(Notice("settings.choose", choices=", ".join(choices)))
        return text.lower()

    return read


def _relations(text: str) -> tuple[Relation, ...]:
    known = (Relation.CONFLICT, Relation.MERGE, Relation.RELATED)
    wanted = {part.strip().lower() for part in text.split(",") if part.strip()}
    if not wanted or wanted - {relation.value for relation in known}:
        raise ValueError(Notice("settings.list_some", known=", ".join(known)))
    return tuple(relation for relation in known if relation.value in wanted)


def _lang(text: str) -> Lang | None:
    return None if text.lower() == "auto" else cast(Lang, _one_of("en", "zh")(text))


def _folder(text: str) -> Path:
    return Path(text).expanduser()


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """One variable: what it sets, as a dotted path into `Settings`, and how its text is read."""

    name: str
    path: str
    read: Callable[[str], Any] = str
    secret: bool = False


def _role_variables() -> list[Variable]:
    """Return the variables that place the model of one role, where it is not that of all."""
    return [
        Variable(name=f"LLM_{name}_{role.upper()}", path=f"llm.roles.{role}.{name.lower()}", secret=name == "API_KEY")
        for role in AGENTS
        for name in ("PROVIDER", "API_KEY", "BASE_URL", "MODEL")
    ]


def _agent_variables() -> list[Variable]:
    variables = []
    for agent in AGENTS:
        stem = f"{agent.upper()}_AGENT"
        variables += [
            Variable(name=f"{stem}_TEMPERATURE", path=f"llm.sampling.{agent}.temperature", read=float),
            Variable(name=f"{stem}_TOP_P", path=f"llm.sampling.{agent}.top_p", read=float),
        ]
        if agent != "react":  # its bound is MAX_CONTEXT_TOKENS
            variables.append(Variable(name=f"{stem}_WINDOW", path=f"llm.windows.{agent}", read=int))
    return variables


_READERS: Mapping[str, Callable[[str], Any]] = {
    "text": str, "secret": str, "number": float, "whole": int, "switch": _switch, "folder": _folder, "lang": _lang,
    "names": read_names, "relations": _relations, "engine": _one_of("offline", "llm"),
    "strategy": _one_of(*get_args(Strategy)), "merge": _one_of(*get_args(MergeAfterVerdict)),
}  # fmt: skip
_DECLARED = tomllib.loads((files(__package__) / "variables.toml").read_text("utf-8"))


def _declared(part: Literal["models", "others"]) -> list[Variable]:
    return [
        Variable(name=name, path=path, read=_READERS[reader], secret=reader == "secret")
        for name, (path, reader) in _DECLARED[part].items()
    ]


VARIABLES = (*_declared("models"), *_role_variables(), *_agent_variables(), *_declared("others"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One line of `memorybank config`."""

    name: str
    value: str
    """The value, masked when it is a secret."""
    origin: SettingOrigin

    @property
    def says(self) -> Notice | None:
        """Return what the variable is for; None where its name tells all."""
        return _says(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effective:
    settings: Settings
    rows: tuple[SettingRow, ...]


def _says(name: str) -> Notice | None:
    role = name.removeprefix("LLM_PROVIDER_").lower()
    if role in AGENTS:
        return Notice("settings.of_role", role=role)
    code = f"variable.{name}"
    return Notice(code, providers=", ".join(PROVIDERS)) if code in catalogue("en") else None


def load(environment: Mapping[str, str] | None = None, dotenv: Path | None = Path(".env")) -> Effective:
    """Return settings as this machine has them. An empty variable counts as not set.

    Raises InputError that names the variable and what it takes.
    """
    outside = os.environ if environment is None else environment
    inside = _dotenv(dotenv) if dotenv is not None else {}
    settings = Settings()
    given: dict[str, tuple[str, SettingOrigin]] = {}
    for variable in VARIABLES:
        origin: SettingOrigin = "environment" if outside.get(variable.name, "").strip() else ".env"
        text = (outside if origin == "environment" else inside).get(variable.name, "").strip()
        if text:
            if any("\ud800" <= character <= "\udfff" for character in text):  # as bytes that are no text come
                raise InputError("settings.not_utf8", name=variable.name)
            given[variable.name] = (text, origin)
    settings = with_variables(settings, {name: text for name, (text, _) in given.items()})
    rows = tuple(_row(variable, settings, given) for variable in VARIABLES)
    return Effective(settings=settings, rows=rows)


def with_variables(settings: Settings, given: Mapping[str, str]) -> Settings:
    """Return the same settings, with the variables that are given laid over them.

    Raises InputError that names the variable and what it takes, or that no variable has such a name.
    """
    known = {variable.name: variable for variable in VARIABLES}
    for name in given:
        if name not in known:
            raise InputError("settings.unknown_name", name=name)
    changes = {name: _read(known[name], text) for name, text in given.items()}
    # General before particular: an agent's own temperature wins over LLM_TEMPERATURE.
    for variable in sorted(VARIABLES, key=lambda declared: "*" not in declared.path):
        if variable.name in changes:
            try:
                settings = _set(settings, variable.path.split("."), changes[variable.name])
            except InputError as error:
                raise InputError("text.at", place=variable.name, reason=error) from None
    return settings


def _dotenv(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        return {name: value for name, value in dotenv_values(path, interpolate=False).items() if value}
    except (OSError, UnicodeDecodeError):
        raise InputError("settings.unreadable", name=path.name) from None


def _read(variable: Variable, text: str) -> Any:
    try:
        return variable.read(text)
    except ValueError as error:
        value = Notice("settings.its_value") if variable.secret else repr(text)
        codes = {int: "settings.give_whole_number", float: "settings.give_number"}
        code = codes.get(cast(type, variable.read))
        remedy = error.args[0] if code is None else Notice(code)
        raise InputError("settings.unusable", name=variable.name, value=value, remedy=remedy) from None


def _set(value: Any, path: list[str], new: Any) -> Any:
    """Return the same frozen value with one part replaced; `*` means every key of a mapping."""
    step, *rest = path
    if isinstance(value, Mapping):
        keys = list(value) if step == "*" else [step]
        return {**value, **{key: _set(value[key], rest, new) if rest else new for key in keys}}
    return replace(value, **{step: _set(getattr(value, step), rest, new) if rest else new})


def _get(value: Any, path: list[str]) -> Any:
    step, *rest = path
    part = value.get(step) if isinstance(value, Mapping) else getattr(value, step)
    return _get(part, rest) if rest and part is not None else part


def _row(variable: Variable, settings: Settings, given: Mapping[str, tuple[str, SettingOrigin]]) -> SettingRow:
    origin: SettingOrigin = given[variable.name][1] if variable.name in given else _general(variable, given)
    if "*" in variable.path:
        shown = given[variable.name][0] if variable.name in given else BY_AGENT
    else:
        shown = _shown(variable, settings)
    return SettingRow(name=variable.name, value=shown, origin=origin)


def _general(variable: Variable, given: Mapping[str, tuple[str, SettingOrigin]]) -> SettingOrigin:
    """Return the origin of an agent's value, which may come from the variable for all agents."""
    for general in VARIABLES:
        first, star, last = general.path.partition("*")
        if star and general.name in given and variable.path.startswith(first) and variable.path.endswith(last):
            return given[general.name][1]
    return "default"


def _shown(variable: Variable, settings: Settings) -> str:
    value = _get(settings, variable.path.split("."))
    if variable.secret:
        return SECRET_MASK if value else NOT_SET
    if variable.name == "LLM_BASE_URL":
        return without_password(settings.llm.endpoint) if settings.llm.provider in PROVIDERS or value else ""
    if variable.name == "LLM_MODEL":
        return settings.llm.model_name if settings.llm.provider in PROVIDERS or value else ""
    if value is None:
        return str(WINDOW) if variable.name.endswith("_WINDOW") else "auto" if variable.name == "SESSION_LANG" else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(str(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else without_password(str(value))


def example() -> str:
    """Return the text of `.env.example`: every variable, commented out, at its default."""
    rows = {row.name: row for row in load({}, None).rows}
    lines = ["# Copy to .env and uncomment what you need. `memorybank config` shows what is in force and why.", ""]
    for variable in VARIABLES:
        value = "" if variable.secret or variable.name in ("LLM_BASE_URL", "LLM_MODEL") else rows[variable.name].value
        value = "" if value == BY_AGENT else value
        lines.append(f"#{variable.name}={value}" + (f"   # {says}" if (says := _says(variable.name)) else ""))
    return "\n".join(lines) + "\n"
