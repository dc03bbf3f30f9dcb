"""config: the settings in force on this machine, with secrets masked, and where each came from."""

from __future__ import annotations

import argparse
import json

from memorybank.settings import env


def config(arguments: argparse.Namespace) -> int:
    """Print every variable: its value, its origin (default, .env, environment), what it is."""
    rows = env.load().rows
    if arguments.json:
        print(json.dumps({row.name: {"value": row.value, "from": row.origin} for row in rows}, ensure_ascii=False))
        return 0
    width = max(len(row.name) for row in rows)
    for row in rows:
        note = f"   ({row.says})" if row.says else ""
        print(f"{row.name:<{width}}  {row.value or '-':<28}  {row.origin}{note}")
    return 0
