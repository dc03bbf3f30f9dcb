"""The integration agent: several nodes about one thing become one (final specification, section 7.4).

One call where the nodes fit the window and their unions fit an answer. Longer ones are united part by part: their
statements are put together by what they speak of, so that what repeats or disputes a statement stands in its part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any

from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.schemas import without_neighbors
from memorybank.engines.llm.shortening import shortened
from memorybank.engines.llm.wire import (
    IntegrationAnswer,
    IntegrationsAnswer,
    NeighborAnswer,
    NeighborsAnswer,
    UnionAnswer,
)
from memorybank.engines.offline.statements import Statement, statements
from memorybank.engines.pieces import packed, pieces
from memorybank.errors import AgentError
from memorybank.language.text import fold_space
from memorybank.memory.contracts import (
    IntegrationInput,
    IntegrationOutput,
    NeighborInfo,
    NeighborUpdate,
    NodeInfo,
    NodeWithNeighbors,
    PairVerdict,
)
from memorybank.memory.types import Claim, Lang
from memorybank.prompts import say

MOST_KEYWORDS = 12
TOPIC_CHARS = 240
"""The most characters of a topic line."""
NEIGHBOR_TOKENS = 40
"""Tokens of the answer on one neighbour, generously: it bounds the neighbours of a call."""
_FRAME_TOKENS = 12
_SHARE = 5
"""Neighbours, advice and the validation's report get at most this part of the room each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdict:
    """The verdict on a pair, as it is shown: once, with all its rulings."""

    left: int
    right: int
    rulings: tuple[tuple[PairVerdict, tuple[tuple[str, str], ...]], ...]
    """Each with what the sides say on its points."""
    reasoning: str
    sources: tuple[str, ...]


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
        if request.sizes:
            return self._together(request, frame, shown)
        bare = [node.model_copy(update={"summary": ""}) for node in request.nodes]
        wanted = IntegrationAnswer if shown else without_neighbors(IntegrationAnswer)
        room = self._asker.room(
            "integration", request.lang, wanted, nodes=bare, neighbors=shown, part=1, parts=2, **frame
        )
        limit = min(room, self._asker.window("integration").answer)
        parts = list(aligned(request.nodes, limit, self._asker.count))
        if len(parts) > 1:
            self._asker.note(f"integration: the nodes are long and were united in {len(parts)} parts")
        answers = []
        for number, nodes in enumerate(parts, start=1):
            near = shown if number == 1 else ()
            values = frame | {"nodes": nodes, "neighbors": near, "part": number, "parts": len(parts)}
            wanted = IntegrationAnswer if near else without_neighbors(IntegrationAnswer)
            answers.append(self._asker.ask("integration", request.lang, wanted, items=len(near), **values))
        united = _union(answers, request.nodes, request.lang)
        updates = list(self._updates(answers[0].neighbor_updates, shown))
        for group in further:
            updates += self._updates(self._ask_further(group, united, request), group)
        return united.model_copy(update={"neighbor_updates": tuple(updates)})

    def _together(
        self, request: IntegrationInput, frame: dict[str, Any], shown: Sequence[_Neighbor]
    ) -> IntegrationOutput:
        """Ask for several unions in one call. What is said of a neighbour goes with the first one that it is one of."""
        ends = list(accumulate(request.sizes))
        groups = [range(end - size, end) for size, end in zip(request.sizes, ends, strict=True)]
        wanted = IntegrationsAnswer if shown else without_neighbors(IntegrationsAnswer)
        values = frame | {"nodes": request.nodes, "neighbors": shown, "part": 1, "parts": 1, "groups": groups}
        items = max(len(shown), len(groups))
        answer = self._asker.ask("integration", request.lang, wanted, items=items, **values)
        if len(answer.unions) != len(groups):
            raise AgentError("agent.unions", given=len(answer.unions), asked=len(groups))
        owner = {each.ref: next(group for group in groups if each.of[0] in group) for each in shown}
        updates = list(self._updates(answer.neighbor_updates, shown))
        first, *others = (
            _union([union], [request.nodes[place] for place in group], request.lang).model_copy(
                update={"neighbor_updates": tuple(update for update in updates if owner[update.ref] == group)}
            )
            for union, group in zip(answer.unions, groups, strict=True)
        )
        return first.model_copy(update={"further": tuple(others)})

    def _frame(self, request: IntegrationInput) -> dict[str, Any]:
        """Return the values of the prompt beside the nodes, each within its share of the window."""
        share = self._asker.window("integration").prompt // _SHARE
        validation, left_out = shortened(request.validation_result, share, self._asker.count)
        if left_out:
            self._asker.note(f"integration: {left_out} sentences at the end of the validation's report did not fit")
        return {
            "trigger": request.trigger,
            "strategies": shortened("\n".join(request.merge_strategies), share, self._asker.count)[0].splitlines(),
            "verdicts": _verdicts(request.verdicts),
            "validation": validation,
            "refuted": list(dict.fromkeys(sentence for node in request.nodes for sentence in node.refuted)),
            "groups": [],
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
        self, group: Sequence[_Neighbor], united: IntegrationOutput, request: IntegrationInput
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

    def _updates(self, answers: Sequence[NeighborAnswer], shown: Sequence[_Neighbor]) -> Iterable[NeighborUpdate]:
        """Yields the updates of neighbours that were shown; what an answer leaves empty stays as it was."""
        waiting = {neighbor.ref: neighbor for neighbor in shown}
        for answer in answers:
            neighbor = waiting.pop(answer.neighbor, None)
            if neighbor is None:
                self._asker.note(f"integration: unknown or repeated neighbour {answer.neighbor}")
                continue
            yield NeighborUpdate(
                ref=neighbor.ref,
                context=fold_space(answer.context)[:TOPIC_CHARS] or neighbor.context,
                keywords=answer.keywords[:MOST_KEYWORDS] or neighbor.keywords,
            )


def _verdicts(verdicts: Sequence[PairVerdict]) -> list[_Verdict]:
    """Return the verdicts, those on one conflict as one; reasons that several share, and their sources, stand once, and
    a sentence once, then its value."""
    shown: list[_Verdict] = []
    told: dict[str, set[str]] = {}
    quoted: set[tuple[int, str]] = set()

    def quote(memory: int, claim: Claim) -> str:
        again = (memory, claim.text) in quoted
        quoted.add((memory, claim.text))
        return fold_space(claim.value if again and claim.value else claim.text)

    for (left, right, _), on_pair in groupby(
        verdicts, key=lambda verdict: (verdict.left, verdict.right, verdict.conflict)
    ):
        same = list(on_pair)
        reasoning = " ".join(dict.fromkeys(fold_space(verdict.reasoning) for verdict in same))
        sources = dict.fromkeys(source for verdict in same for source in verdict.sources)
        if reasoning in told and told[reasoning].issuperset(sources):
            reasoning, sources = "", {}
        told.setdefault(reasoning, set()).update(sources)
        rulings = tuple(
            (ruling, tuple((quote(left, point.left), quote(right, point.right)) for point in ruling.contradictions))
            for ruling in same
        )
        shown.append(_Verdict(left=left, right=right, rulings=rulings, reasoning=reasoning, sources=tuple(sources)))
    return shown


def _neighbors(nodes: Sequence[NodeWithNeighbors]) -> list[_Neighbor]:
    """Return all neighbours of all nodes, each once."""
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


def _union(answers: Sequence[UnionAnswer], nodes: Sequence[NodeInfo], lang: Lang) -> IntegrationOutput:
    """Return what nodes become by the answers on their parts, without what is said of neighbours."""
    words = [word for answer in answers for word in answer.keywords]
    words = words or [word for node in reversed(nodes) for word in node.keywords]
    unique: dict[str, str] = {}
    for word in words:
        unique.setdefault(word.casefold(), word)
    descriptions = dict.fromkeys(answer.description for answer in answers if answer.description)
    told = " ".join(descriptions) or answers[0].reasoning or say("integration_united", lang, count=len(nodes))
    return IntegrationOutput(
        summary="\n".join(answer.summary for answer in answers),
        context=fold_space(answers[0].context) or nodes[-1].context,
        keywords=tuple(unique.values())[:MOST_KEYWORDS],
        interaction_tree_description=told,
    )


_Row = list[tuple[int, str]]
"""Statements that speak of the same: (node, text)."""


def aligned(nodes: Sequence[NodeInfo], limit: int, count_tokens: Callable[[str], int]) -> Iterator[list[NodeInfo]]:
    """Yield the nodes, once if their summaries fit `limit` tokens, else in parts that do.

    Each part has every node, with the statements of it that belong there; each statement is in exactly one part. The
    longest node gives the order; a statement of another node goes with the one of those that shares most with it.
    """
    if sum(count_tokens(node.summary) for node in nodes) <= limit:
        yield list(nodes)
        return
    rows = _rows(nodes, limit, count_tokens)
    for part in packed(rows, limit, lambda row: sum(count_tokens(text) for _, text in row)):
        yield _nodes(nodes, part)


def _rows(nodes: Sequence[NodeInfo], limit: int, count_tokens: Callable[[str], int]) -> Iterator[_Row]:
    longest = max(range(len(nodes)), key=lambda place: (len(nodes[place].summary), place))
    base = statements(nodes[longest].summary)
    rows: list[_Row] = [[(longest, statement.text)] for statement in base]
    alone: list[_Row] = []
    for place, node in enumerate(nodes):
        if place == longest:
            continue
        for statement in statements(node.summary):
            nearest = max(range(len(base)), key=lambda at: (_shared(statement, base[at]), -at), default=None)
            if nearest is None or not _shared(statement, base[nearest]):
                alone.append([(place, statement.text)])
            else:
                rows[nearest].append((place, statement.text))
    for row in (*rows, *alone):
        yield from _fitting(row, limit, count_tokens)


def _shared(left: Statement, right: Statement) -> int:
    """Count what two statements share. Numbers, dates and names count double: they are what a statement is about."""
    return 2 * len(left.keys & right.keys) + len(left.words & right.words)


def _fitting(row: _Row, limit: int, count_tokens: Callable[[str], int]) -> Iterator[_Row]:
    """Yield the row, cut where it alone is too long."""
    cut = ((place, text[start:end]) for place, text in row for start, end in pieces(text, limit, count_tokens))
    yield from packed(cut, limit, lambda piece: count_tokens(piece[1]))


def _nodes(nodes: Sequence[NodeInfo], part: Sequence[_Row]) -> list[NodeInfo]:
    texts: list[list[str]] = [[] for _ in nodes]
    for row in part:
        for place, text in row:
            texts[place].append(text)
    return [
        node.model_copy(update={"summary": "\n".join(statements_of_node)})
        for node, statements_of_node in zip(nodes, texts, strict=True)
    ]
