"""The prompts of the agents: one Markdown file a role and language, `agents/<name>.<lang>.md`.

What two agents are told alike is one file in `shared/`, included by both. A file with the headings `## system` and
`## user` is two messages, any other is one. Rendering is strict both ways: a value that is missing fails, and so does
a value that no part uses. Values are data: whatever a file writes out is neutralised (prompts/tags.py), so no text
from outside can open or close a block of the prompt.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, meta

from memorybank.memory.types import Lang
from memorybank.prompts.tags import neutralise

_PARTS_RE = re.compile(r"\A\s*## system\n(?P<system>.*?)^## user\n(?P<user>.*)\Z", re.DOTALL | re.MULTILINE)


class PromptMessages(NamedTuple):
    """The two messages that ask an agent. `system` is empty where the file has one part."""

    system: str
    user: str


def render(name: str, lang: Lang, /, **values: Any) -> str:
    """Return the prompt as one text. Raises jinja2.UndefinedError for a missing value, ValueError for a surplus one."""
    return "\n\n".join(part for part in render_parts(name, lang, **values) if part)


def render_parts(name: str, lang: Lang, /, **values: Any) -> PromptMessages:
    """Return the prompt as system and user message. Raises as `render` does."""
    source = _load(name, lang)
    surplus = values.keys() - source.values
    if surplus:
        raise ValueError(f"the prompt {name}.{lang} does not use {', '.join(sorted(surplus))}")
    return PromptMessages(system=source.system.render(values).strip(), user=source.user.render(values).strip())


def values_of(name: str, lang: Lang) -> frozenset[str]:
    """Return the values a prompt takes: all of them have to be given."""
    return _load(name, lang).values


def names() -> tuple[str, ...]:
    """Return all prompts there are, by name."""
    found = (entry.name for entry in _FOLDER.joinpath("agents").iterdir())
    return tuple(sorted({name.split(".")[0] for name in found if name.endswith(".md")}))


class _Source(NamedTuple):
    system: Template
    user: Template
    values: frozenset[str]


def _data(value: object) -> object:
    return neutralise(value) if isinstance(value, str) else value


_FOLDER = files("memorybank.prompts")
_ENVIRONMENT = Environment(
    loader=FunctionLoader(lambda name: _FOLDER.joinpath("shared", name).read_text("utf-8")),
    undefined=StrictUndefined,
    autoescape=False,  # noqa: S701 - no HTML is made here; `_data` does what a prompt needs
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=_data,
)


@cache
def _load(name: str, lang: Lang) -> _Source:
    text = _FOLDER.joinpath("agents", f"{name}.{lang}.md").read_text("utf-8")
    parts = _PARTS_RE.match(text)
    system, user = (parts["system"], parts["user"]) if parts else ("", text)
    return _Source(
        system=_ENVIRONMENT.from_string(system),
        user=_ENVIRONMENT.from_string(user),
        values=frozenset(meta.find_undeclared_variables(_ENVIRONMENT.parse(f"{system}\n{user}"))),
    )
