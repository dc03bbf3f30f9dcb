"""What an MCP client sends, before the SDK reads it: JSON it cannot read is refused, halves of characters are replaced.

Without this a request that is nested too deeply or holds a number too long ends as an internal error of the server,
and a text with a lone surrogate, which JSON can spell and UTF-8 cannot, is never answered.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

from memorybank.errors import InputError
from memorybank.settings.hosts import Application, ASGIMessage, Receive, Scope, Send

DEEPEST = 50
"""Levels of nesting; the tools' own arguments have three."""
CHECKED_BYTES = 4 * 2**20
"""Of a request; the SDK refuses longer ones unread."""
PARSE_ERROR = -32_700


class MessageGuard:
    """Stands before the SDK's HTTP application."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body, ended = await _body(receive)
        message: ASGIMessage = {"type": "http.request", "body": body, "more_body": not ended}
        if ended:
            try:
                message["body"] = well_formed(checked(body)).encode()
            except InputError as error:
                await _refuse(send, str(error))
                return
        first = iter((message,))

        async def replay() -> ASGIMessage:
            return next(first, None) or await receive()

        await self._app(scope, replay, send)


async def _body(receive: Receive) -> tuple[bytes, bool]:
    """The body, or the first of it, and whether that is all."""
    parts, size, more = list[bytes](), 0, True
    while more and size <= CHECKED_BYTES:
        message = await receive()
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        more = message.get("more_body", False)
    return b"".join(parts), not more


def checked(body: bytes) -> str:
    """The text of a message that can be read; other broken JSON is the SDK's to refuse. Raises InputError."""
    try:
        text = body.decode("utf-8")
        if _depth(json.loads(text, parse_constant=_no_number)) <= DEEPEST:
            return text
    except UnicodeDecodeError:
        raise InputError("mcp.not_utf8") from None
    except json.JSONDecodeError:
        return text
    except RecursionError:
        pass
    except ValueError:
        raise InputError("mcp.number_too_long") from None
    raise InputError("mcp.too_deep", most=DEEPEST)


def _no_number(name: str) -> None:
    raise InputError("mcp.not_finite", name=name)


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level := [
        inner
        for outer in level
        if isinstance(outer, dict | list)
        for inner in (outer.values() if isinstance(outer, dict) else outer)
    ]:
        depth += 1
    return depth


def well_formed(text: str) -> str:
    """Put a question mark for each half of a character in a message; as it is where it holds none or cannot be read."""
    if "\\ud" not in text.lower():
        return text
    try:
        written = json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
    return written.encode("utf-8", "replace").decode("utf-8")


async def well_formed_lines(lines: AsyncIterable[str]) -> AsyncIterator[str]:
    """Messages as they come over standard input, one a line."""
    async for line in lines:
        yield well_formed(line)


async def _refuse(send: Send, problem: str) -> None:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": PARSE_ERROR, "message": problem}}
    body = json.dumps(error).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": body})
