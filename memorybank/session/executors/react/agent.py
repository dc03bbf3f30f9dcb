"""ReActAgent: think, act, observe, on any chat model (Yao et al. 2023; narrative specification, "ReAct Agent").

Every model call, tool and second comes from `fx`, so a round that was killed or paused goes on where it was. A limit
ends no round in silence: near one the model is asked for its answer, past it a last call without tools forces one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from memorybank.errors import AgentError, EndpointError, EndpointLostError
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest, ImagePart, ToolCall
from memorybank.memory.types import Lang, Value
from memorybank.prompts import say
from memorybank.prompts.tags import block
from memorybank.session.effects import Effects
from memorybank.session.executors.base import REACT_AGENT, RULE_LIMIT, Assignment, Execution, sources_named
from memorybank.session.executors.react.acting import ImageAccess, Toolbox
from memorybank.session.executors.react.answers import ReadAnswer, missing_images, refused_verdicts, with_images
from memorybank.session.executors.react.conversation import Conversation, Limit, ReActResult, Termination, transcript
from memorybank.session.executors.react.parsing import STOP, ModelTurn, read_turn, remarks
from memorybank.session.executors.react.protocol import (
    Observed,
    as_text,
    deliver,
    refusals,
    specs_text,
    storable,
    system_prompt,
    tool_specs,
    without_images,
)
from memorybank.session.waiting_images import READER
from memorybank.settings.llm import HAND, RECORDING, SAMPLING
from memorybank.tools.reading import MAX_QUERIES

NEAR = 0.85
"""Share of the tokens or seconds after which the model is asked for its answer."""
NEAR_CALLS = 3
"""Calls left at which it is asked; a quarter of them where there are few."""
MIN_ANSWER = 64
"""Tokens below which asking for an answer makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent(Value):
    calls: int
    """Turns taken or tools used, whichever is more."""
    tokens: int
    """The tokens of the conversation as it would be sent now."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Value):
    calls: int
    context: int
    """The most tokens that the model takes, conversation and answer together."""
    answer: int
    """The most tokens of one reply."""
    seconds: float

    @classmethod
    def of(cls, *, calls: int, context: int, max_tokens: int, seconds: float) -> Limits:
        """`max_tokens` is what a reply may have where the context is large; a small one is shared out."""
        return cls(calls=calls, context=context, answer=max(MIN_ANSWER, min(max_tokens, context // 6)), seconds=seconds)

    @property
    def tokens(self) -> int:
        """Return the most tokens of a conversation that goes on: one turn and the forced answer still fit behind it."""
        return max(1, self.context - 2 * self.answer)

    def reached(self, spent: Spent) -> Limit | None:
        if spent.calls >= self.calls:
            return "calls"
        if spent.tokens >= self.tokens:
            return "tokens"
        return "time" if spent.seconds >= self.seconds else None

    def warning(self, spent: Spent, lang: Lang) -> str:
        """Warns the model when a limit is near; empty while none is."""
        left = self.calls - spent.calls
        if left <= max(1, min(NEAR_CALLS, self.calls // 4)):
            return say("calls_left", lang, left=max(0, left))
        if spent.tokens >= NEAR * self.tokens:
            return say("tokens_left", lang, left=max(0, self.tokens - spent.tokens))
        if spent.seconds >= NEAR * self.seconds:
            return say("seconds_left", lang, left=max(0, int(self.seconds - spent.seconds)))
        return ""


ROUND_SECONDS = 1_800.0
ROOM = 0.95
"""Share of the tokens that results may fill: the rest is for what is said about them."""
EMPTY_TURNS = 3
"""Empty replies one after the other, then the round is given up."""
REMINDERS = 2
"""Turns without a block that are asked to use one; the next such text is taken as the answer."""
VERDICT_CORRECTIONS = 2
"""Times a round is told what its verdicts lack, before they count as they are."""
OVERFLOWS = 3
"""Times the last results are shortened because the server's context is smaller than was known."""


class ReActRound:
    """One round, from its prompt to its answer."""

    def __init__(self, given: Assignment, fx: Effects, seconds: float) -> None:
        llm = fx.settings.llm
        self.given, self.fx, self.lang, self.seconds = given, fx, given.lang, seconds
        self.native = llm.native_tools and llm.of_role("react").provider not in (HAND, RECORDING)
        self.sight = ImageAccess(fx, given.lang, sees=llm.vision)
        self.toolbox = Toolbox(fx, given.lang, self.sight)
        self.listed = [tool for tool in fx.tools.values() if given.waiting or tool.name != READER]
        self.specs = tool_specs(self.listed) if self.native and not given.images else ()
        self.limits = self._limits(min(llm.max_context_tokens, fx.context_window("react") or llm.max_context_tokens))
        self.talk = Conversation(fx.embedder.count_tokens)
        self.turns = 0
        self.empty = 0
        self.reminded = 0
        self.overflows = 0
        self.best = ReadAnswer()
        """The last answer that was given, usable or not."""
        self.asked_whole = False
        self.corrections = 0
        self.last: tuple[tuple[int, int], tuple[Observed, ...]] | None = None
        """The place of the last results in the conversation, and the results, to say them shorter."""

    def _limits(self, context: int) -> Limits:
        calls, most = self.given.max_tool_calls, self.fx.settings.llm.max_tokens
        return Limits.of(calls=calls, context=context, max_tokens=most, seconds=self.seconds)

    def run(self) -> ReActResult:
        try:
            self._open()
            while True:
                limit = self.limits.reached(self._spent())
                result = self._step() if limit is None else self.at_limit(limit)
                if result is not None:
                    return result
        except AgentError as error:
            return self._ended("error", self.best, failure="" if self.best.text else str(error))

    def at_limit(self, limit: Limit) -> ReActResult | None:
        """Return the forced answer; None would go on."""
        return self._force(limit)

    def _open(self) -> None:
        """Begin with system prompt and enhanced prompt; images as parts, or as what the local OCR reads in them."""
        images = self.given.images
        system = system_prompt(self.listed, self.lang, native=self.native, images=images)
        self.talk = Conversation(self.fx.embedder.count_tokens, fixed=specs_text(self.specs))
        self.talk.add(ChatMessage(role="system", content=system))
        lines = [self.given.prompt]
        shown: list[tuple[str, ImagePart]] = []
        if images and self.sight.sees:
            shown, notes = self.sight.show(images)
            lines += notes
        elif images:
            lines += self.sight.read_out(images)
        names = [name for name, _ in shown]
        if names:
            lines.append(say("images_shown", self.lang, names=", ".join(names)))
        parts = tuple(part for _, part in shown)
        self.talk.add(ChatMessage(role="user", content="\n\n".join(lines), images=parts), images=names)
        self.toolbox.begin(self.given.prompt)
        for name, arguments in self._calls_by_rule():
            self._call(name, arguments)

    def _calls_by_rule(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the calls that a round begins with, for they are known before the model speaks: a check searches for
        its matters, another task for what its plan names. The goal as it was asked is left to the model to take apart.
        """
        given, task = self.given, self.given.task
        named = [] if task.final or task.query == given.goal else task.queries or tuple(filter(None, [task.query]))
        read = sources_named(named, self.fx.tools)
        if read:
            yield "visit", {"url": read}
        checked = {brief.conflict.id for brief in given.briefs}
        matters = (each for each in given.matters if checked & set(each.conflict_ids))
        queries = [each.query(self.lang) for each in matters][:MAX_QUERIES]
        queries += [each for each in named if each not in read]
        limit = RULE_LIMIT // 2 if named else RULE_LIMIT
        for start in range(0, len(queries) if "search" in self.fx.tools else 0, MAX_QUERIES):
            yield "search", {"query": queries[start : start + MAX_QUERIES], "limit": limit}

    def _call(self, name: str, arguments: dict[str, Any]) -> None:
        """Make a call by rule, in the form of a turn of the model's."""
        written = json.dumps(arguments if self.native else {"name": name, "arguments": arguments}, ensure_ascii=False)
        reply = ChatReply(
            text="" if self.native else block("tool_call", written),
            reasoning=say("thought_first", self.lang),
            tool_calls=(ToolCall(id=f"call_by_rule_{self.toolbox.used}", name=name, arguments=written),)
            if self.native
            else (),
        )
        turn = read_turn(reply, self.fx.tools)
        self.talk.answered(reply, turn.text, turn.thought)
        self._act(turn)

    def _step(self) -> ReActResult | None:
        """Take one turn of the model and do what follows from it; return a result when that ends the round."""
        reply = self._ask(self.limits.answer)
        self.turns += 1
        turn = read_turn(reply, self.fx.tools)
        self.talk.answered(reply, turn.text, turn.thought)
        if not turn.answer and not turn.calls:
            turn = self._without_block(turn)
        if turn.answer:
            return self._answered(turn, reply)
        if turn.calls:
            self._act(turn)
        return None

    def _ask(self, max_tokens: int, last_word: str = "") -> ChatReply:
        """Ask for one reply. With a last word the conversation goes as text, that behind it, and without tools.

        Raises EndpointLostError when the round's first call does not get through: then nothing is known of the task.
        """
        plain = self.native or bool(last_word)
        sampling = self.fx.settings.llm.sampling.get("react", SAMPLING["react"])
        while True:
            messages = tuple(self.talk.sent)
            if last_word:
                messages = as_text([*messages, ChatMessage(role="user", content=last_word)])
            request = ChatRequest(
                messages=messages,
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                max_tokens=max_tokens,
                tools=() if last_word else self.specs,
                stop=() if self.specs and not last_word else STOP,
            )
            try:
                reply = self.fx.chat(
                    request, role="react", remarks=lambda said: remarks(said, self.fx.tools, plain=plain)
                )
            except EndpointError as error:
                if self._yield_to(str(error)):
                    continue
                if not self.turns and not refusals(str(error)):
                    raise EndpointLostError("session.endpoint_lost", reason=error) from None
                raise
            if reply.finish == "refused":
                raise AgentError("text.outside", text=say("failed_refused", self.lang, text=reply.text[:200]))
            self.talk.measured(reply.usage)
            return storable(reply, self.turns)

    def _spent(self) -> Spent:
        calls = max(self.turns, self.toolbox.used)
        return Spent(calls=calls, tokens=self.talk.tokens, seconds=self.fx.elapsed())

    def _act(self, turn: ModelTurn) -> None:
        """Make the calls of a turn, one after the other, and say what came of them."""
        self.empty = self.reminded = 0
        results = tuple(
            self.toolbox.observe(call, allowed=self.toolbox.used < self.limits.calls) for call in turn.calls
        )
        notes = [say("own_response", self.lang)] if turn.own_response else []
        notes += [say("answer_aside", self.lang)] if turn.set_aside else []
        self.last = (self.talk.mark(), results)
        self._deliver(results)
        notes += [self.sight.how_to_write(results, self.given.waiting), self.limits.warning(self._spent(), self.lang)]
        if told := "\n".join(filter(None, notes)):
            self.talk.tell(told)

    def _deliver(self, results: tuple[Observed, ...]) -> None:
        room = int(ROOM * self.limits.tokens) - self.talk.tokens
        for result in deliver(self.talk, results, max(0, room), self.lang):
            self.toolbox.forget(result.call)

    def _without_block(self, turn: ModelTurn) -> ModelTurn:
        """Ask for a block where a text has none, and at last take it as the answer; natively it is the answer."""
        if not turn.text or turn.answer == "":
            self.empty += 1
            if self.empty >= EMPTY_TURNS:
                raise AgentError("text.outside", text=say("failed_empty", self.lang, count=self.empty))
            self.talk.tell(say("own_response" if turn.own_response else "reply_empty", self.lang))
            return turn
        self.empty = 0
        if self.native or self.reminded >= REMINDERS:
            return replace(turn, answer=turn.text, closed=False)
        self.reminded += 1
        self.talk.tell(say("reply_without_block", self.lang))
        return turn

    def _answered(self, turn: ModelTurn, reply: ChatReply) -> ReActResult | None:
        """End with the answer, or ask for what is missing in it: once for an image, twice for a verdict."""
        assert turn.answer is not None, "called with an answer"
        self.best = ReadAnswer.of(turn.answer, self.given)
        if reply.finish == "length" and not turn.closed and not self.asked_whole:
            self.asked_whole = True
            self.talk.tell(say("answer_cut", self.lang, tokens=self.limits.answer))
            return None
        whole = replace(self.best, text=with_images(turn.answer, self.sight.read))
        refused = list(refused_verdicts(whole, self.given, self.fx.used))
        problems = [*refused, *missing_images(whole.text, self.given, self.sight.to_write)]
        if problems and self.corrections < (VERDICT_CORRECTIONS if refused else 1):
            self.corrections += 1
            self.talk.tell(say("answer_checked", self.lang, problems=say("answer_between", self.lang).join(problems)))
            return None
        return self._ended("answer", self.best)

    def _force(self, limit: Limit) -> ReActResult:
        """Make one last call without tools. Raises AgentError when not even that fits the context."""
        last_word = f"{say(f'force_{limit}', self.lang)} {say('force', self.lang)}"
        left = self.limits.context - self.talk.tokens - self.talk.cost(last_word)
        if left < MIN_ANSWER:
            problem = say("failed_prompt", self.lang, tokens=self.talk.tokens, context=self.limits.context)
            raise AgentError("text.outside", text=problem)
        reply = self._ask(min(left, self.limits.answer), last_word)
        self.talk.add(ChatMessage(role="user", content=last_word))
        turn = read_turn(reply, ())
        self.talk.answered(reply, turn.text, turn.thought)
        plain = "" if turn.calls else turn.text
        last = turn.answer or plain
        answer = ReadAnswer.of(last, self.given) if last else self.best
        failure = "" if answer.text else say("failed_no_answer", self.lang, limit=limit)
        return self._ended(limit, answer, failure=failure)

    def _ended(self, termination: Termination, answer: ReadAnswer, *, failure: str = "") -> ReActResult:
        prediction = with_images(answer.text, self.sight.read) if answer.text else ""
        task = self.given.task
        return ReActResult(
            question=self.given.goal if task.final else task.description,
            prediction=prediction,
            messages=tuple(self.talk.record),
            termination=termination,
            failure=failure,
            verdicts=answer.verdicts,
        )

    def _yield_to(self, error: str) -> bool:
        """Do without what the endpoint refuses. False: there is nothing left to do without."""
        for refused in refusals(error):
            last = self.last if self.turns or not self.overflows else None  # a search by rule is shortened once
            if refused == "context" and self.overflows < OVERFLOWS and (last or self._halve_memories()):
                self.overflows += 1
                if last:
                    self._shorten(*last)
                return True
            if refused == "images" and any(message.images for message in self.talk.sent):
                self._go_blind()
                return True
            if refused == "tools" and self.specs and self.turns == 0:
                self.native, self.specs = False, ()
                self._open()
                return True
        return False

    def _shorten(self, mark: tuple[int, int], results: tuple[Observed, ...]) -> None:
        """Say the last results shorter, for the context is smaller than was known."""
        self.limits = self._limits(int(ROOM * min(self.limits.context, self.talk.tokens)))
        self.talk.rewind(mark)
        self._deliver(results)
        if warning := self.limits.warning(self._spent(), self.lang):
            self.talk.tell(warning)

    def _halve_memories(self) -> bool:
        """Drop the last half of the memories in a first prompt that is too long; `deep_retrieval` has them."""
        head, opening, rest = self.given.prompt.partition("<memory>")
        shown, closing, tail = rest.rpartition("</memory>")
        kept = shown[: len(shown) // 2].rpartition("\n")[0]
        if self.turns or not closing or not kept.strip():
            return False
        self.given = replace(self.given, prompt=f"{head}{opening}{kept}\n…\n{closing}{tail}")
        self._open()
        return True

    def _go_blind(self) -> None:
        """Put the local OCR's text in the place of the images, for the model takes none."""
        self.sight.sees = False
        self.sight.to_write.clear()
        if self.turns == 0:
            self._open()
            return
        self.talk.drop_images()
        texts = self.sight.read_out(self.given.images)
        if self.last:
            mark, results = self.last
            texts += [self.toolbox.read_out(result.call) for result in results if result.images]
            self.last = (mark, without_images(results))
        self.talk.tell("\n".join(part for part in texts if part))


class ReActAgent:
    """An Executor on a chat model."""

    name = REACT_AGENT
    round = ReActRound

    def __init__(self, *, seconds: float = ROUND_SECONDS) -> None:
        self._seconds = seconds

    def run(self, assignment: Assignment, fx: Effects) -> Execution:
        result = self.solve(assignment, fx)
        answer = f"<answer>\n{result.prediction}\n</answer>" if result.prediction else ""
        return Execution(answer=answer, transcript=transcript(result), failure=result.failure, verdicts=result.verdicts)

    def solve(self, assignment: Assignment, fx: Effects) -> ReActResult:
        """Do the round in the specification's form. Raises for nothing that a model or a tool does, but
        EndpointLostError where not even the first call gets through.
        """
        return self.round(assignment, fx, self._seconds).run()
