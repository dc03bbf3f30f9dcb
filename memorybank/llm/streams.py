"""An answer that came as server-sent events though none were asked for: its pieces put together to one completion."""

from __future__ import annotations

import json
import re
from typing import Any

STREAM_RE = re.compile(r"\s*(?:data|event|id|retry)?:")


def streamed(body: str) -> dict[str, Any]:
    """Return the completion that the events make up. Raises ValueError when one of them is no JSON, or ends midway."""
    completion: dict[str, Any] = {}
    choice: dict[str, Any] = {}
    message: dict[str, Any] = {}
    ended = False
    for event in re.split(r"\r?\n\r?\n", body):
        lines = re.findall(r"^data:[ ]?(.*?)\r?$", event, re.MULTILINE)
        data = "\n".join(lines).strip()
        ended = ended or data == "[DONE]"
        piece = json.loads(data) if data and data != "[DONE]" else {}
        if not isinstance(piece, dict):
            raise ValueError("an event is no object")
        choices = piece.pop("choices", None)
        completion |= {name: value for name, value in piece.items() if value is not None}
        first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        delta = first.get("delta") or first.get("message")
        _join(message, delta if isinstance(delta, dict) else {})
        if first:
            choice |= {"finish_reason": first.get("finish_reason") or choice.get("finish_reason")}
    if choice and not (ended or choice["finish_reason"]):
        raise ValueError("the events end before the answer does")
    return completion | ({"choices": [choice | {"message": message}]} if choice else {})


def _join(whole: dict[str, Any], delta: dict[str, Any]) -> None:
    """Add a piece: texts go on, lists are put together by `index`, the rest is replaced."""
    for name, value in delta.items():
        known = whole.get(name)
        if isinstance(value, str) and isinstance(known, str) and name not in ("id", "type", "role", "name"):
            whole[name] = known + value
        elif isinstance(value, dict) and isinstance(known, dict):
            _join(known, value)
        elif isinstance(value, list) and isinstance(known, list):
            for part in value:
                index = part.get("index") if isinstance(part, dict) else None
                same = [
                    old for old in known if index is not None and isinstance(old, dict) and old.get("index") == index
                ]
                _join(same[0], part) if same else known.append(part)
        elif value is not None or name not in whole:
            whole[name] = value
