"""The chat model over an OpenAI-compatible endpoint. It learns what the server can do by what it refuses.

A request is asked as if the server could do everything it is not known to lack. A refusal that names something teaches
(capabilities.py), and the request is asked again at once; any other failure is an AttemptError, which around.py may
answer. Everything learnt is touched on the loop's thread only, so parallel calls need no lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from dataclasses import replace

from memorybank.errors import Notice
from memorybank.llm import wire
from memorybank.llm.base import ChatReply, ChatRequest, TokenUsage
from memorybank.llm.capabilities import (
    Capabilities,
    blames_this_image,
    is_overflow,
    learn,
    prompt_in,
    refuses_images,
    window_in,
)
from memorybank.llm.connection import Connection
from memorybank.llm.faults import AttemptError, ImagesRefusedError, TooLongError
from memorybank.llm.listing import ModelCard, card_of
from memorybank.llm.loop import LoopThread
from memorybank.llm.tokens import LEAST_ANSWER, estimate_prompt
from memorybank.settings.llm import LLMSettings

PROBE_TIMEOUT = 3.0
"""Seconds to find out what the server says of its model."""
_WITHOUT_WINDOWS = ("api.openai.com", "api.deepseek.com")
"""Their `/models` says nothing about the context."""
_LESSONS = 12
"""Refusals that one request may run into; a server that refuses more refuses everything."""
_TEACHING = (400, 404, 405, 413, 415, 422, 500, 501)
"""Statuses whose words may name what is not taken."""
_FILTERED_RE = re.compile(
    r"content_filter|content_policy|content management policy|content exists risk|data_inspection"
)


class OpenAIChat:
    """Answers requests at `settings.endpoint`. Thread-safe; its connections and its one thread end with `close`.

    Raises EndpointError (always an AttemptError) and Cancelled, InputError for an address or key of no use.
    """

    def __init__(
        self, settings: LLMSettings, *, thread_name: str = "memorybank-llm", notes: tuple[str, ...] = ()
    ) -> None:
        """`notes`: what was decided before the first request; the first reply tells it."""
        self._model = settings.model_name
        self._connection = Connection(settings)
        self._loop = LoopThread(thread_name)
        self._known = Capabilities(images=settings.vision)
        self._scale = 1.0
        """Tokens the server counts for one that is estimated."""
        self._card = ModelCard()
        self._probe: asyncio.Task[None] | None = None
        self._news = list(notes)
        """Learnt beside the requests; the next reply tells it."""

    @property
    def name(self) -> str:
        return self._model

    @property
    def capabilities(self) -> Capabilities:
        """Return the abilities of the server that have been learnt so far."""
        return self._known

    @property
    def context_window(self) -> int | None:
        """Ask the server for it once, within 3 s, unless a refusal has told it. May raise Cancelled.

        Ollama says it of a model that is loaded, so it is made to load it first: it cuts a longer prompt silently.
        """
        if self._known.context is None and self._connection.host not in _WITHOUT_WINDOWS:
            self._find_card()
        return self._known.context

    @property
    def card(self) -> ModelCard:
        """Return the server's description of its model, asked for once, within 3 s. May raise Cancelled."""
        self._find_card()
        return self._card

    def complete(self, request: ChatRequest) -> ChatReply:
        """Return the answer; its notes tell what was learnt on the way, its attempts how often the server was asked."""
        return self._loop.run(lambda: self._complete(request))

    def prepare(self) -> None:
        """Load what the first question needs, in the background: it takes a second or two."""
        self._loop.begin(self._prepare)

    async def _prepare(self) -> None:
        with contextlib.suppress(AttemptError):  # the first question will say so
            self._connection.open()

    def close(self) -> None:
        self._loop.close(self._connection.close)

    # -- asking -------------------------------------------------------------------------------------------------------

    async def _complete(self, request: ChatRequest) -> ChatReply:
        notes: list[str] = []
        guess: Capabilities | None = None
        for attempt in range(1, _LESSONS + 1):
            sent, guessed = guess or self._known, guess is not None
            self._refuse_images(request, sent, notes, attempt - 1)
            try:
                reply = await self._ask(request, sent, notes)
            except AttemptError as error:
                error.notes, error.attempts, guess = tuple(notes), attempt, None
                if error.status == 400 and _FILTERED_RE.search(error.words.lower()):
                    usage = TokenUsage(input_tokens=estimate_prompt(request), measured=False)
                    return ChatReply(text="", finish="refused", usage=usage, attempts=attempt, notes=tuple(notes))
                if guessed:  # leaving the response format out was no help: nothing was learnt
                    raise
                if not self._learn_from(error, request, sent, notes):
                    guess = _plainer(sent, request, error)
                    if guess is None:
                        raise
                continue
            if guessed:
                self._known = sent
                notes.append("the server refused a JSON schema without saying why: asked in words")
            self._observe(reply, request, sent, notes)
            return replace(reply, attempts=attempt, notes=(*self._take_news(), *notes))
        raise AttemptError(
            "llm.refused_forms",
            host=self._connection.host,
            count=_LESSONS,
            url_variable=self._connection.endpoint.variable("BASE_URL"),
            model_variable=self._connection.endpoint.variable("MODEL"),
            notes=tuple(notes),
            attempts=_LESSONS,
        )

    async def _ask(self, request: ChatRequest, known: Capabilities, notes: list[str]) -> ChatReply:
        room = self._room(request, known)
        if known.sums and room < min(request.max_tokens, known.most_tokens or request.max_tokens):
            _note(notes, f"the answer is limited to {room} tokens by the context of {known.context}")
        body = await self._connection.complete(wire.payload(request, known, self._model, room))
        return wire.reply_of(body, request, known, self._connection.endpoint)

    def _refuse_images(self, request: ChatRequest, known: Capabilities, notes: list[str], attempts: int) -> None:
        if not known.images and any(message.images for message in request.messages):
            refused = Notice("llm.takes_no_images", model=self._model, host=self._connection.host)
            raise ImagesRefusedError(refused, notes=tuple(notes), attempts=attempts)

    def _room(self, request: ChatRequest, known: Capabilities) -> int:
        """Return the tokens to allow the answer: what was asked for, within what the server takes."""
        room = min(request.max_tokens, known.most_tokens or request.max_tokens)
        if known.sums and known.context is not None:
            room = min(room, max(LEAST_ANSWER, self._room_left(request, known.context)))
        return room

    def _room_left(self, request: ChatRequest, context: int) -> int:
        """Return the tokens that the prompt leaves for an answer, by what is known of the server's counting."""
        return context - int(estimate_prompt(request) * self._scale * 1.02) - 8

    # -- learning -----------------------------------------------------------------------------------------------------

    def _learn_from(self, error: AttemptError, request: ChatRequest, sent: Capabilities, notes: list[str]) -> bool:
        """Whether to ask again, differently. Raises TooLongError when only the caller can ask differently."""
        if error.status not in _TEACHING or not error.words:
            return False
        if refuses_images(request, error.words):
            if blames_this_image(error.words):
                refused = Notice("llm.cannot_read_image", model=self._model, host=self._connection.host)
                raise ImagesRefusedError(refused, status=error.status, notes=tuple(notes), attempts=error.attempts)
            self._known = replace(self._known, images=False)
            _note(notes, "the model takes no images")
            return True
        if is_overflow(error.words):
            self._learn_context(error, request, sent, notes)
            return True
        if self._known is not sent and self._known.mode_for(request) != sent.mode_for(request):
            return True  # another call has learnt meanwhile: ask as it does now
        lesson = learn(self._known, request, error.words, broke=error.status >= 500)
        if lesson is None:
            return self._known is not sent
        self._known = lesson.known
        _note(notes, lesson.note)
        return True

    def _learn_context(self, error: AttemptError, request: ChatRequest, sent: Capabilities, notes: list[str]) -> None:
        """Ask for a shorter answer, if any fits, where prompt and answer do not fit together."""
        total = estimate_prompt(request) + self._room(request, sent)
        size, prompt = window_in(error.words, total) or self._known.context, prompt_in(error.words)
        if prompt is not None:
            self._scale = max(self._scale, prompt / max(1, estimate_prompt(request)))
        if size is None or (prompt is None and sent.sums and total < size):
            size = total // 2  # nothing says how much is too much: half of it is tried
            _note(notes, f"the server does not say its context: {size} tokens are assumed")
        elif size != self._known.context:
            _note(notes, f"the server's context is {size} tokens")
        self._known = replace(self._known, context=size)
        if prompt is None or prompt < size:
            allowed = self._room(request, sent)
            self._known = replace(self._known, sums=True)
            if self._room_left(request, size) >= LEAST_ANSWER and self._room(request, self._known) < allowed:
                return
        host = self._connection.host
        too_long = Notice("llm.prompt_over_context", model=self._model, host=host, tokens=size)
        raise TooLongError(too_long, status=error.status, notes=tuple(notes), attempts=error.attempts) from None

    def _observe(self, reply: ChatReply, request: ChatRequest, sent: Capabilities, notes: list[str]) -> None:
        """Learn from an answer: how tokens are counted, and whether a schema is held to."""
        if reply.usage.measured and not any(message.images for message in request.messages):
            ratio = reply.usage.input_tokens / max(1, estimate_prompt(request))
            self._scale = max(ratio, 0.9 * self._scale)
        ignored = reply.mode == "schema" and reply.finish == "stop" and bool(reply.text) and not _is_json(reply.text)
        if ignored and self._known.obeys and sent.obeys:
            self._known = replace(self._known, obeys=False)
            _note(notes, "the server takes a JSON schema but does not hold to it: from now on it is put in words too")

    def _find_card(self) -> None:
        if self._probe is None or not self._probe.done():
            self._loop.run(self._wait_for_card)

    async def _wait_for_card(self) -> None:
        if self._probe is None:
            self._probe = asyncio.ensure_future(self._ask_card())
        await asyncio.shield(self._probe)  # a caller that is stopped leaves the answer to the next one

    async def _ask_card(self) -> None:
        try:
            self._connection.open()
            patience = PROBE_TIMEOUT + (self._connection.timeout if self._connection.is_ollama else 0)  # to load it
            async with asyncio.timeout(patience):
                self._card = await card_of(self._connection)
        except (TimeoutError, AttemptError):
            return
        size = self._card.context
        if size is not None and self._known.context is None:
            self._known = replace(self._known, context=size)
            self._news.append(f"the server's context is {size} tokens")

    def _take_news(self) -> tuple[str, ...]:
        news, self._news = tuple(self._news), []
        return news


def _note(notes: list[str], line: str) -> None:
    if line not in notes:
        notes.append(line)


def _plainer(sent: Capabilities, request: ChatRequest, error: AttemptError) -> Capabilities | None:
    """After a refusal that names nothing: the same without a response format, kept only if that was it."""
    unexplained = error.status in (400, 422) and "model" not in error.words.lower()
    return replace(sent, mode="text") if unexplained and sent.mode_for(request) != "text" else None


def _is_json(text: str) -> bool:
    """Whether the text is, or holds in one fence, JSON as a grammar would have made it."""
    bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        json.loads(bare)
    except (ValueError, RecursionError):
        return False
    return True
