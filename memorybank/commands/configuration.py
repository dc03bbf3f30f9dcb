"""config: the settings in force on this machine, secrets masked, and where each came from; what its models can do."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from memorybank.settings import env
from memorybank.settings.llm import LLMSettings

if TYPE_CHECKING:
    from memorybank.hosting.health import Health


def config(arguments: argparse.Namespace) -> int:
    """Print every variable: its value, its origin (default, .env, environment), what it is."""
    effective = env.load()
    if arguments.check:
        return _check(effective.settings.llm, as_json=arguments.json)
    rows = effective.rows
    if arguments.json:
        print(json.dumps({row.name: {"value": row.value, "from": row.origin} for row in rows}, ensure_ascii=False))
        return 0
    width = max(len(row.name) for row in rows)
    for row in rows:
        note = f"   ({row.says})" if row.says else ""
        print(f"{row.name:<{width}}  {row.value or '-':<28}  {row.origin}{note}")
    return 0


def _check(llm: LLMSettings, *, as_json: bool) -> int:
    """Ask each model what it can do. Fails when one of them does not answer."""
    from memorybank.hosting.health import ask_llm

    checked = [(roles, ask_llm(model)) for roles, model in llm.groups.items()]
    if as_json:
        print(json.dumps([_json(roles, health) for roles, health in checked], ensure_ascii=False))
    else:
        print("\n\n".join(_text(roles, health) for roles, health in checked))
    return 1 if any(health.problem for _, health in checked) else 0


def _json(roles: tuple[str, ...], health: Health) -> dict[str, Any]:
    return {
        "model": health.name,
        "host": health.host,
        "roles": roles,
        "seconds": round(health.seconds, 2),
        "facts": {name: _words(value) for name, value in health.facts},
        "notes": health.notes,
        "problem": str(health.problem or ""),
    }


def _text(roles: tuple[str, ...], health: Health) -> str:
    from memorybank.views.i18n import t

    rows = [("Model", f"{health.name} at {health.host}" if health.host else health.name), ("Serves", ", ".join(roles))]
    rows += [(t(f"settings.fact.{name}", "en"), _words(value)) for name, value in health.facts]
    rows += [("Note", note) for note in health.notes]
    rows += [("Problem", str(health.problem))] if health.problem else []
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _words(value: str) -> str:
    from memorybank.views.i18n import catalogue, t

    return t(value, "en") if value in catalogue("en") else value
