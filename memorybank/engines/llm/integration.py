"""The integration agent: several nodes about one thing become one (final specification, section 7.4).

One call where the nodes fit the window and their union fits an answer. Longer ones are united part by part: their
statements are put together by what they speak of, so that what repeats or disputes a statement stands in its part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from memorybank.contracts import IntegrationInput, IntegrationOutput, NeighborInfo, NeighborUpdate, NodeInfo
from memorybank.engines.llm.alignment import aligned
from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.shortening import shortened
from memorybank.engines.llm.wire import IntegrationAnswer, NeighborAnswer
from memorybank.prompts import say
from memorybank.text import fold_space

MOST_KEYWORDS = 12
_SHARE = 5
"""Neighbours, advice and the validation's report get at most this part of the room each."""


class LLMIntegration:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, given: IntegrationInput) -> IntegrationOutput:
        frame = self._frame(given)
        neighbors: tuple[NeighborInfo, ...] = frame["neighbors"]
        bare = [NodeInfo(summary="", context=node.context, keywords=node.keywords) for node in given.nodes]
        room = self._asker.room("integration", given.lang, IntegrationAnswer, nodes=bare, part=1, parts=2, **frame)
        limit = min(room, self._asker.window("integration").answer)
        parts = list(aligned(given.nodes, limit, self._asker.count))
        if len(parts) > 1:
            self._asker.note(f"integration: the nodes are long and were united in {len(parts)} parts")
        answers = []
        for number, nodes in enumerate(parts, start=1):
            told = frame if number == 1 else frame | {"neighbors": ()}
            told = told | {"nodes": nodes, "part": number, "parts": len(parts)}
            answer = self._asker.ask("integration", given.lang, IntegrationAnswer, items=len(neighbors), **told)
            answers.append(answer)
        first = answers[0]
        summary = self._verified("\n".join(answer.summary for answer in answers), given)
        return IntegrationOutput(
            summary=summary,
            context=fold_space(first.context) or given.nodes[-1].context,
            keywords=_keywords(answers, given),
            neighbor_updates=tuple(self._updates(first.neighbor_updates, neighbors)),
            interaction_tree_description=_description(answers, given),
        )

    # -- what stands beside -------------------------------------------------------------------------------------------

    def _frame(self, given: IntegrationInput) -> dict[str, Any]:
        """What is told beside the nodes, each within its share of the window."""
        share = self._asker.window("integration").prompt // _SHARE
        validation, left_out = shortened(given.validation_result, share, self._asker.count)
        if left_out:
            self._asker.note(f"integration: {left_out} sentences at the end of the validation's report did not fit")
        return {
            "trigger": given.trigger,
            "strategies": self._fitting(given.merge_strategies, "pieces of advice", share),
            "verdicts": given.verdicts,
            "validation": validation,
            "neighbors": self._neighbors(given, share),
        }

    def _neighbors(self, given: IntegrationInput, share: int) -> tuple[NeighborInfo, ...]:
        known = {neighbor.ref: neighbor for node in given.nodes for neighbor in node.neighbors}
        ordered = [known[ref] for ref in sorted(known)]
        lines = [f"{neighbor.context} {' '.join(neighbor.keywords)} [0]" for neighbor in ordered]
        return tuple(ordered[: len(self._fitting(lines, "neighbours", share))])

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

    def _verified(self, summary: str, given: IntegrationInput) -> str:
        """After a conflict the verdict wins: a value that holds and is not in the summary is written behind it."""
        for verdict in given.verdicts:
            if verdict.status.merges and verdict.value and not _says(summary, verdict.value):
                self._asker.note(f"integration: the summary left out what the verdict says: {verdict.value}")
                line = say(
                    "integration_verified", given.lang, value=verdict.value.rstrip(".。"), reasoning=verdict.reasoning
                )
                summary = f"{summary.rstrip()}\n{line.strip()}"
        return summary

    def _updates(self, answers: Sequence[NeighborAnswer], shown: Sequence[NeighborInfo]) -> Iterable[NeighborUpdate]:
        """Only of neighbours that were shown, each once; a part left empty stays as it was."""
        waiting = {neighbor.ref: neighbor for neighbor in shown}
        for answer in answers:
            neighbor = waiting.pop(answer.neighbor, None)
            if neighbor is None:
                self._asker.note(f"integration: unknown or repeated neighbour {answer.neighbor}")
                continue
            yield NeighborUpdate(
                ref=neighbor.ref,
                context=fold_space(answer.context) or neighbor.context,
                keywords=answer.keywords[:MOST_KEYWORDS] or neighbor.keywords,
            )


def _says(text: str, value: str) -> bool:
    return fold_space(value).rstrip(".。").casefold() in fold_space(text).casefold()


def _keywords(answers: Sequence[IntegrationAnswer], given: IntegrationInput) -> tuple[str, ...]:
    found = [word for answer in answers for word in answer.keywords]
    found = found or [word for node in reversed(given.nodes) for word in node.keywords]
    unique: dict[str, str] = {}
    for word in found:
        unique.setdefault(word.casefold(), word)
    return tuple(unique.values())[:MOST_KEYWORDS]


def _description(answers: Sequence[IntegrationAnswer], given: IntegrationInput) -> str:
    said = dict.fromkeys(answer.description for answer in answers if answer.description)
    return " ".join(said) or answers[0].reasoning or say("integration_united", given.lang, count=len(given.nodes))
