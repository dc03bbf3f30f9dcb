"""Somebody who answers the requests in a folder: by a script, as a scripted model would."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

from memorybank.llm.hand.folder import HandFolder, HandRequest
from memorybank_lab.scripted import Script, SeenRequest

Answerer = Callable[[HandRequest], str]


def by_script(script: Script) -> Answerer:
    """Answers a request with what the scripted model would say to it over HTTP."""

    def answer(request: HandRequest) -> str:
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        format_ = {"type": "json_schema", "json_schema": {"name": request.role, "schema": request.schema}}
        body = {"messages": messages, **({"response_format": format_} if request.schema is not None else {})}
        reply = script.reply(SeenRequest(number=1, method="POST", path="/v1/chat/completions", body=body))
        assert reply is not None, request.role
        return reply.text

    return answer


class Reader:
    """A thread that answers every request of a folder once, as long as the block lasts; or those of one role."""

    def __init__(self, folder: Path, answer: Answerer, *, role: str = "") -> None:
        self.folder = HandFolder(folder)
        self.answered: list[str] = []
        self._failed: list[BaseException] = []
        self._answer, self._role = answer, role
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def _work(self) -> None:
        try:
            while not self._ended.wait(0.05):
                for name in [name for name in self.folder.waiting() if name.endswith(self._role)]:
                    request = self.folder.request(name)
                    assert request is not None, name
                    self.folder.give(name, self._answer(request))
                    self.answered.append(name)
        except BaseException as failure:  # noqa: BLE001 - raised again where the test waits
            self._failed.append(failure)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        self._thread.join()
        if self._failed:
            raise self._failed[0]
