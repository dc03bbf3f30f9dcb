"""The integration agent: several nodes about one thing become one (final specification, section 7.4).

One call where the nodes fit the window and their union fits an answer. Longer ones are united part by part: their
statements are put together by what they speak of, so that what repeats or disputes a statement stands in its part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.engines.llm.alignment import aligned
from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.shortening import shortened
from memorybank.engines.llm.wire import IntegrationAnswer, NeighborAnswer, NeighborsAnswer
from memorybank.errors import AgentError
from memorybank.language.text import fold_space
from memorybank.memory.contracts import (
    IntegrationInput,
    IntegrationOutput,
    NeighborInfo,
    NeighborUpdate,
    NodeInfo,
    NodeWithNeighbors,
)
from memorybank.prompts import say

MOST_KEYWORDS = 12
TOPIC_CHARS = 240
"""Characters of a topic line."""
NEIGHBOR_TOKENS = 40
"""Tokens of the answer on one neighbour, generously: it bounds the neighbours of a call."""
_FRAME_TOKENS = 12
_SHARE = 5
"""Neighbours, advice and the validation's report get at most this part of the room each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Neighbor:
    """A neighbour as it is shown: once, with the memories that it is a neighbour of."""

    ref: int
    context: str
    keywords: tuple[str, ...]
    of: tuple[int, ...]


class LLMIntegration:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, request: IntegrationInput) -> IntegrationOutput:
        frame = self._frame(request)
        shown, *further = self._groups(_neighbors(request.nodes)) or [()]
        bare = [NodeInfo(summary="", context=node.context, keywords=node.keywords) for node in request.nodes]
        room = self._asker.room(
            "integration", request.lang, IntegrationAnswer, nodes=bare, neighbors=shown, part=1, parts=2, **frame
        )
        limit = min(room, self._asker.window("integration").answer)
        parts = list(aligned(request.nodes, limit, self._asker.count))
        if len(parts) > 1:
            self._asker.note(f"integration: the nodes are long and were united in {len(parts)} parts")
        answers = []
        for number, nodes in enumerate(parts, start=1):
            near = shown if number == 1 else ()
            values = frame | {"nodes": nodes, "neighbors": near, "part": number, "parts": len(parts)}
            answer = self._asker.ask("integration", request.lang, IntegrationAnswer, items=len(near), **values)
            answers.append(answer)
        first = answers[0]
        summary = self._verified("\n".join(answer.summary for answer in answers), request)
        context = fold_space(first.context) or request.nodes[-1].context
        keywords = _keywords(answers, request)
        united = NodeInfo(summary=summary, context=context, keywords=keywords)
        updates = list(self._updates(first.neighbor_updates, shown))
        for group in further:
            updates += self._updates(self._ask_further(group, united, request), group)
        return IntegrationOutput(
            summary=summary,
            context=context,
            keywords=keywords,
            neighbor_updates=tuple(updates),
            interaction_tree_description=_description(answers, request),
        )

    # -- what stands beside -------------------------------------------------------------------------------------------

    def _frame(self, request: IntegrationInput) -> dict[str, Any]:
        """The values of the prompt beside the nodes, each within its share of the window."""
        share = self._asker.window("integration").prompt // _SHARE
        validation, left_out = shortened(request.validation_result, share, self._asker.count)
        if left_out:
            self._asker.note(f"integration: {left_out} sentences at the end of the validation's report did not fit")
        return {
            "trigger": request.trigger,
            "strategies": self._fitting(request.merge_strategies, "pieces of advice", share),
            "verdicts": request.verdicts,
            "validation": validation,
        }

    def _groups(self, neighbors: Sequence[_Neighbor]) -> list[tuple[_Neighbor, ...]]:
        """Groups neighbours by what one call can show and its answer can name beside a summary."""
        size = self._asker.window("integration")
        share = size.prompt // _SHARE
        most = max(1, size.answer // (_SHARE * NEIGHBOR_TOKENS))
        groups: list[list[_Neighbor]] = []
        used = 0
        for neighbor in neighbors:
            tokens = self._asker.count(f"{neighbor.context} {' '.join(neighbor.keywords)}") + _FRAME_TOKENS
            if not groups or used + tokens > share or len(groups[-1]) == most:
                groups.append([])
                used = 0
            groups[-1].append(neighbor)
            used += tokens
        return [tuple(group) for group in groups]

    def _ask_further(
        self, group: Sequence[_Neighbor], united: NodeInfo, request: IntegrationInput
    ) -> tuple[NeighborAnswer, ...]:
        """Asks about neighbours that had no room; a failure leaves them as they are, for the memories are united."""
        size = self._asker.window("integration")
        known, _ = shortened(united.summary, size.prompt // 2, self._asker.count)
        try:
            return self._asker.ask(
                "integration",
                request.lang,
                NeighborsAnswer,
                prompt="neighbors",
                items=len(group),
                new=united.model_copy(update={"summary": known}),
                nodes=request.nodes,
                neighbors=group,
            ).neighbor_updates
        except AgentError as error:
            self._asker.note(f"integration: {len(group)} neighbours were left as they are: {error}")
            return ()

    def _fitting(self, lines: Sequence[str], what: str, share: int) -> tuple[str, ...]:
        kept: list[str] = []
        used = 0
        for line in lines:
            used += self._asker.count(line)
            if used > share:
                break
            kept.append(line)
        if len(kept) < len(lines):
            self._asker.note(f"integration: {len(lines) - len(kept)} {what} were not shown for lack of room")
        return tuple(kept)

    # -- what comes back ----------------------------------------------------------------------------------------------

    def _verified(self, summary: str, request: IntegrationInput) -> str:
        """After a conflict the verdict wins: a value that holds and is not in the summary is written behind it."""
        for verdict in request.verdicts:
            if verdict.status.merges and verdict.value and not _contains_value(summary, verdict.value):
                self._asker.note(f"integration: the summary left out what the verdict says: {verdict.value}")
                line = say(
                    "integration_verified", request.lang, value=verdict.value.rstrip(".。"), reasoning=verdict.reasoning
                )
                summary = f"{summary.rstrip()}\n{line.strip()}"
        return summary

    def _updates(self, answers: Sequence[NeighborAnswer], shown: Sequence[_Neighbor]) -> Iterable[NeighborUpdate]:
        """Yields one update for each neighbour that was shown; what the answer left empty stays as it was."""
        answered: dict[int, NeighborAnswer] = {}
        waiting = {neighbor.ref for neighbor in shown}
        for answer in answers:
            if answer.neighbor in waiting:
                waiting.remove(answer.neighbor)
                answered[answer.neighbor] = answer
            else:
                self._asker.note(f"integration: unknown or repeated neighbour {answer.neighbor}")
        if waiting:
            self._asker.note(f"integration: nothing was said of {len(waiting)} neighbours, which stay as they were")
        for neighbor in shown:
            reply = answered.get(neighbor.ref)
            yield NeighborUpdate(
                ref=neighbor.ref,
                context=fold_space(reply.context)[:TOPIC_CHARS] if reply and reply.context else neighbor.context,
                keywords=reply.keywords[:MOST_KEYWORDS] if reply and reply.keywords else neighbor.keywords,
            )


def _neighbors(nodes: Sequence[NodeWithNeighbors]) -> list[_Neighbor]:
    """All of all nodes, each once."""
    of: dict[int, list[int]] = {}
    known: dict[int, NeighborInfo] = {}
    for place, node in enumerate(nodes):
        for neighbor in node.neighbors:
            known.setdefault(neighbor.ref, neighbor)
            of.setdefault(neighbor.ref, []).append(place)
    return [
        _Neighbor(ref=ref, context=known[ref].context, keywords=known[ref].keywords, of=tuple(of[ref]))
        for ref in sorted(known)
    ]


def _contains_value(text: str, value: str) -> bool:
    return fold_space(value).rstrip(".。").casefold() in fold_space(text).casefold()


def _keywords(answers: Sequence[IntegrationAnswer], request: IntegrationInput) -> tuple[str, ...]:
    words = [word for answer in answers for word in answer.keywords]
    words = words or [word for node in reversed(request.nodes) for word in node.keywords]
    unique: dict[str, str] = {}
    for word in words:
        unique.setdefault(word.casefold(), word)
    return tuple(unique.values())[:MOST_KEYWORDS]


def _description(answers: Sequence[IntegrationAnswer], request: IntegrationInput) -> str:
    descriptions = dict.fromkeys(answer.description for answer in answers if answer.description)
    return (
        " ".join(descriptions)
        or answers[0].reasoning
        or say("integration_united", request.lang, count=len(request.nodes))
    )
