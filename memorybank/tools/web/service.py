"""A request to a web service the user has chosen (its base URL and key are settings): not guarded, but as bounded.

Proxies from the environment are not used here either; a service behind one is named by its base URL.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from memorybank.errors import InputError
from memorybank.memory.types import Value
from memorybank.tools.web.exchange import HttpResponse, TransferError, exchange, within
from memorybank.tools.web.guard import Guard, resolve
from memorybank.tools.web.reading_process import ask_process
from memorybank.tools.web.urls import parse_url

_STARTS: Final = 5.0
"""Seconds that a process may take to begin, beside those of its request."""
_LONGEST_PAUSE: Final = 5.0
"""Seconds before the second try, whatever Retry-After says: somebody is waiting."""

NO_TEXT_RE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters and halves of characters, which JSON and pages may hold and a journal may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service(Value):
    """`name` and `key_name` are for messages; the key itself never is."""

    name: str
    key_name: str
    base_url: str
    headers: Mapping[str, str] = field(repr=False)
    seconds: float
    """The most seconds for one request with its second try."""
    most_bytes: int = 5_000_000

    def ask(self, path: str = "", body: object = None, *, leads_to: str = "", guard: Guard | None = None) -> Any:
        """Send JSON and return JSON, in a process of its own. Raises ToolError, Cancelled when stopped.

        `leads_to`: a URL that the service is to visit, which the guard must allow. Raises as that does, too.
        """
        task = {"do": "service", **asdict(self), "path": path, "body": body, "leads_to": leads_to}
        try:
            answer = ask_process({**task, "guard": (guard or Guard()).stored()}, self.seconds + _STARTS)
        except TimeoutError:
            raise self._failed(TransferError("web.not_in_time", seconds=self.seconds)) from None
        return answer["answer"]

    def carry_out(self, path: str, body: object) -> Any:
        """Send the request in the process, once more after 429 and 5xx, and return the answer's JSON value."""
        headers = {"Accept": "application/json", **self.headers}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        method = "GET" if data is None else "POST"
        try:
            base = parse_url(self.base_url)
            target = replace(base, path=base.path.rstrip("/") + "/" + path)
            with within(self.seconds):
                addresses = resolve(target.host, target.port)
                for pause in (True, False):
                    with exchange(target, addresses, method=method, headers=headers, body=data) as answer:
                        if answer.status != 429 and answer.status < 500:
                            return self._json(answer)
                        status, wait = answer.status_line, _pause(answer)
                    if pause:
                        time.sleep(wait)
        except (TransferError, InputError) as error:
            raise self._failed(error) from None
        raise TransferError("web.service_fails", name=self.name, status=status)

    def _failed(self, error: TransferError | InputError) -> TransferError:
        return TransferError("text.at", place=self.name, reason=error)

    def _json(self, answer: HttpResponse) -> Any:
        if answer.status in (401, 403):
            raise TransferError("web.key_refused", status=answer.status, variable=self.key_name)
        if not 200 <= answer.status < 300:
            raise TransferError("web.service_answers", status=answer.status_line)
        try:
            return json.loads(answer.body(self.most_bytes))
        except ValueError:
            raise TransferError("web.no_json") from None


def _pause(answer: HttpResponse) -> float:
    try:
        seconds = float(answer.header("Retry-After") or 1.0)
    except ValueError:  # a date: no matter which
        seconds = 1.0
    return min(max(seconds, 0.1), _LONGEST_PAUSE)


def text_of(answer: Any, name: str) -> str:
    """Return a field of an answer as clean text; empty when it is missing or something else."""
    value = answer.get(name) if isinstance(answer, dict) else None
    return NO_TEXT_RE.sub("", value).strip() if isinstance(value, str) else ""
