"""`FAULTS`: everything an endpoint or a model can do wrong, by name, each as a change to a good answer.

    script = Faulty(scripted_agents(), FAULTS["rate_limited"], when=asks(schema="analysis"), times=1)

runs a session in which the first analysis call meets a 429, so a test can play every fault at every call site. A fault
of the family `capability` shows itself only to a request that uses what the server lacks; give it no `times`, because
a server without JSON schema stays without it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memorybank_lab.scripted.model_faults import ANSWERS, SPELLING
from memorybank_lab.scripted.replies import Change, ScriptedReply, Table
from memorybank_lab.scripted.script import Predicate, Scripted
from memorybank_lab.scripted.seen import SeenRequest
from memorybank_lab.scripted.server_faults import CAPABILITIES, ENVELOPE, STATUSES, TRANSPORT

Family = Literal["status", "transport", "envelope", "answer", "spelling", "capability"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    name: str
    family: Family
    about: str
    change: Change

    @property
    def lasts(self) -> bool:
        """The server is like this: it will not go away when asked again."""
        return self.family == "capability"


class Faulty:
    """A script with a fault laid over it, for the requests that `when` picks, the first `times` of them (None: all)."""

    def __init__(
        self,
        script: Scripted,
        fault: Fault,
        when: Predicate = lambda request: request.kind == "chat",
        times: int | None = None,
    ) -> None:
        self.played = 0
        """How often the fault was shown."""
        self._script = script
        self._fault = fault
        self._when = when
        self._times = times
        self._lost: dict[str, ScriptedReply] = {}
        self._lock = threading.Lock()

    def reply(self, request: SeenRequest) -> ScriptedReply | None:
        if not self._when(request):
            return self._script.reply(request)
        if self._fault.family in ("status", "capability"):  # nothing was answered, so nothing of the script is used up
            return self._bad(ScriptedReply(), request) or self._script.reply(request)
        good = self._lost_reply(request) or self._script.reply(request)
        return good and (self._bad(good, request) or good)

    def _bad(self, good: ScriptedReply, request: SeenRequest) -> ScriptedReply | None:
        """The faulty answer; None when this request has nothing that would show the fault, or it was shown enough."""
        bad = self._fault.change(good, request)
        with self._lock:
            if bad == good or (self._times is not None and self.played >= self._times):
                return None
            self.played += 1
            if bad.delivery != "whole" or bad.raw is not None or bad.edit is not None or bad.error is not None:
                self._lost[_digest(request)] = good
        return bad

    def _lost_reply(self, request: SeenRequest) -> ScriptedReply | None:
        """An answer that was lost on its way is given when the same is asked again."""
        with self._lock:
            return self._lost.pop(_digest(request), None)


def _digest(request: SeenRequest) -> str:
    return json.dumps(request.body, sort_keys=True)


_FAMILIES: Mapping[Family, Table] = {
    "status": STATUSES,
    "transport": TRANSPORT,
    "envelope": ENVELOPE,
    "answer": ANSWERS,
    "spelling": SPELLING,
    "capability": CAPABILITIES,
}

FAULTS: Mapping[str, Fault] = {
    name: Fault(name=name, family=family, about=about, change=change)
    for family, faults in _FAMILIES.items()
    for name, (about, change) in faults.items()
}
