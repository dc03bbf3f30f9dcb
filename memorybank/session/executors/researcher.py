"""OfflineResearcher: an executor without a model. It searches, reads, quotes; for a cross-validation it weighs.

It says nothing of its own: answers are quotes with their sources, verdicts come from counting independent sources
(engines/offline/ruling.py). Where nothing is found, it says so.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from memorybank.contradiction.votes import SourcePassage
from memorybank.engines.offline.asking import Question, question_of
from memorybank.engines.offline.planning import aspects
from memorybank.engines.offline.quotable import Passage
from memorybank.engines.offline.quoting import Quote, quotes
from memorybank.engines.offline.ruling import weigh
from memorybank.errors import ToolError
from memorybank.language.text import FUNCTION_WORDS, HAN
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import ClaimVerdict, ConflictId, Contradiction, TaskType
from memorybank.prompts import say
from memorybank.prompts.claim_words import quoted
from memorybank.session.answer_points import written
from memorybank.session.effects import Effects
from memorybank.session.executors.answering import goal_points
from memorybank.session.executors.base import OFFLINE_RESEARCHER, Assignment, Brief, Execution
from memorybank.session.markup import block, write_image
from memorybank.session.waiting_images import READER, images_read
from memorybank.tools.base import Material, ToolResult

DOCUMENTS = 8
"""The most documents that are read in a NORMAL round."""
EVIDENCE_DOCUMENTS = 8
"""The most documents that are read for each conflict."""
CLAIMS = 2
"""The most disputed claims of one conflict that are looked up."""
OPENED = 2
"""The most memories whose raw text is read in a NORMAL round, the best first."""
QUERY_CHARS = 200
QUOTES = 5
"""The most quotes in the answer of a NORMAL round."""


class OfflineResearcher:
    name = OFFLINE_RESEARCHER

    def run(self, assignment: Assignment, fx: Effects) -> Execution:
        work = _ResearchRound(assignment, fx)
        if assignment.images:
            return work.read_images()
        if assignment.task.type is TaskType.CROSS_VALIDATE:
            return work.validate()
        if assignment.task.final:
            return work.answer_goal()
        return work.search()


class _ResearchRound:
    """One round: the notes it takes become the transcript."""

    def __init__(self, assignment: Assignment, fx: Effects) -> None:
        self.given = assignment
        self.fx = fx
        self.lang = assignment.lang
        self.notes: list[str] = [assignment.prompt]
        self.calls = 0

    # -- NORMAL: look something up ------------------------------------------------------------------------------------

    def search(self) -> Execution:
        question = question_of(self.given.task.query or self.given.task.description, self.fx.parse)
        behind = list(self._behind_summaries(question))
        read = self._read(question.text, DOCUMENTS)
        whole = {material.source for material in read}  # what stands behind a memory may be a piece of it
        passages = [passage for passage in behind if passage.source not in whole]
        passages += [Passage(source=material.source, text=material.text) for material in read]
        return self._finish(self._quoted(question.own, self._quotes(question, passages)))

    def _behind_summaries(self, question: Question) -> Iterator[Passage]:
        """Yield the raw text behind memories that name what is asked about, but whose summaries do not say it."""
        opened = 0
        for node in self.given.memories:
            raw = [origin for origin in self.given.origins if origin.node_id == node.id]
            is_shortened = sum(len(origin.text) for origin in raw) > len(node.summary)
            named = bool(question.names) and any(map(question.is_named_in, (node.context, node.summary)))
            if opened == OPENED or not (named and is_shortened):
                continue
            if self._quotes(question, [Passage(source=node.id, text=node.summary)]):
                continue
            self._think(say("thought_deep", self.lang, node=node.id))
            opened += 1
            if self._use("deep_retrieval", node_id=node.id).text:
                yield from (Passage(source=origin.source, text=origin.text) for origin in raw)

    def _quotes(self, question: Question, passages: Sequence[Passage]) -> list[Quote]:
        return quotes(question, passages, self.fx.embedder, self.fx.parse, QUOTES)

    def _read(self, query: str, limit: int, known: Container[str] = ()) -> list[Material]:
        """Search, then read whole the documents that were found and are not known yet."""
        self._think(say("thought_search", self.lang, query=query))
        materials = self._use("search", query=query, limit=limit).materials
        names = list(dict.fromkeys(material.source for material in materials))
        read: list[Material] = []
        for name in names[:limit]:
            if name in known:
                continue
            self._think(say("thought_read", self.lang, source=name))
            read.extend(self._use("visit", url=name).materials)
        return read

    def _quoted(self, question: str, best: list[Quote]) -> str:
        if not best:
            return say("answer_nothing", self.lang, question=quoted(question))
        lead = say("answer_lead", self.lang, question=quoted(question))
        lines = [say("answer_quote", self.lang, quote=f"{quote.text} [{quote.passage.source}]") for quote in best]
        return "\n".join([lead, *lines])

    # -- the last task: answer from memory ----------------------------------------------------------------------------

    def answer_goal(self) -> Execution:
        self._think(say("thought_memory", self.lang, nodes=", ".join(node.id for node in self.given.memories) or "-"))
        parts = aspects(self.given.goal, self.lang, self.fx.parse)
        points = goal_points(self.given, parts, self.fx.embedder, self.fx.parse)
        return replace(self._finish(written(points, self.given.ground, self.lang)), points=points)

    # -- CROSS_VALIDATE: weigh independent sources --------------------------------------------------------------------

    def validate(self) -> Execution:
        """Weigh all conflicts of the round on all that was read in it: they are on one matter, and a search for
        one of them may miss a source that another's found."""
        read = [SourcePassage(source=source, text=text) for source, text in self._evidence(self.given.briefs).items()]
        read += self._waiting_images()
        verdicts = [self._rule(brief, read) for brief in self.given.briefs]
        lines = [
            say("validate_reason", self.lang, conflict=verdict.conflict, reason=verdict.reasoning)
            for verdict in verdicts
        ]
        return self._finish("\n".join(lines), verdicts)

    def _evidence(self, briefs: Sequence[Brief]) -> dict[str, str]:
        """Return the texts by source, first what the conflicts' own sides stand in, then what the searches found.

        Where those find no other source, what is disputed is searched for by its name alone: another source may say
        "height" where both sides say "tall".
        """
        texts = {passage.source: passage.text for brief in briefs for passage in (*brief.left, *brief.right)}
        for brief in briefs:
            known = len(texts)
            self._look_up(self._queries(brief), texts)
            if len(texts) == known:
                claims = [claim for pair in brief.conflict.contradictions[:CLAIMS] for claim in (pair.left, pair.right)]
                subjects = dict.fromkeys(claim.subject.strip()[:QUERY_CHARS] for claim in claims)
                self._look_up([subject for subject in subjects if subject], texts)
        return texts

    def _look_up(self, queries: Sequence[str], texts: dict[str, str]) -> None:
        for query in queries:
            for material in self._read(query, EVIDENCE_DOCUMENTS, known=texts):
                texts.setdefault(material.source, material.text)

    def _waiting_images(self) -> list[SourcePassage]:
        """Reads the images that wait: they are given or met as documents are, and may say what is disputed."""
        for image in self.given.waiting:
            self._use(READER, image_id=image.id)
        return [reading.passage(self.lang) for reading in images_read("", self.fx.used, self.given.waiting)]

    def _rule(self, brief: Brief, read: Sequence[SourcePassage]) -> StatedVerdict:
        conflict = brief.conflict
        sources = {party.source: party for party in brief.parties}
        for passage in read:
            sources.setdefault(passage.source, passage)
        shown_by = dict(self.given.shown_by)
        passages = [replace(each, shown_by=each.shown_by or shown_by.get(each.source, "")) for each in sources.values()]
        ruling = weigh(conflict.contradictions, passages, self.fx.parse, self.lang)
        return StatedVerdict(
            conflict=ConflictId(conflict.id),
            status=ruling.status,
            winner=ruling.winner,
            value=ruling.value,
            reasoning=ruling.reason,
            evidence=ruling.evidence,
            claims=tuple(
                ClaimVerdict(contradiction=at, status=part.status, winner=part.winner, value=part.value)
                for at, part in enumerate(ruling.each)
            ),
        )

    def _queries(self, brief: Brief) -> list[str]:
        """List queries, short first: a whole sentence finds its own document, subject and attribute find others."""
        queries_in_order: list[str] = []
        for pair in brief.conflict.contradictions[:CLAIMS]:
            for claim in (pair.left, pair.right):
                queries_in_order.append(" ".join(part for part in (claim.subject, claim.attribute, claim.unit) if part))
            queries_in_order.append(search_words(pair))
        queries = dict.fromkeys(query.strip()[:QUERY_CHARS] for query in queries_in_order if query.strip())
        return list(queries) or [brief.conflict.description]

    # -- images -------------------------------------------------------------------------------------------------------

    def read_images(self) -> Execution:
        lines = [say("images_done", self.lang)]
        for image in self.given.images:
            try:
                result = self.fx.use(READER, image_id=image.id)
            except ToolError as error:
                self._observe(str(error))
                continue
            self._observe(result.text)
            lines.append(write_image(image.id, result.text, readable=not result.empty))
        return self._finish("\n".join(lines), trusted=True)

    # -- notes --------------------------------------------------------------------------------------------------------

    def _use(self, tool: str, **arguments: object) -> ToolResult:
        """Return a tool's result; a tool that fails is an observation, and the round goes on without it."""
        if self.calls >= self.given.max_tool_calls:
            return ToolResult(text="")
        self.calls += 1
        try:
            result = self.fx.use(tool, **arguments)
        except ToolError as error:
            self._observe(str(error))
            return ToolResult(text="")
        self._observe(result.text)
        return result

    def _think(self, text: str) -> None:
        self.notes.append(block("think", text))

    def _observe(self, text: str) -> None:
        self.notes.append(block("tool_response", text))

    def _finish(self, answer: str, verdicts: Sequence[StatedVerdict] = (), *, trusted: bool = False) -> Execution:
        """End the round. What an answer quotes, the goal too, opens no block in it; `trusted`: it holds its own."""
        marked = block("answer", answer, trusted=trusted)
        transcript = "\n\n".join([*self.notes, marked])
        return Execution(answer=marked, transcript=transcript, verdicts=tuple(verdicts), quotes_only=True)


_WORD_RE = re.compile(rf"[A-Za-zÀ-ɏ0-9][\w'’.-]*\w|[{HAN}]+|\w")


def search_words(contradiction: Contradiction) -> str:
    """Return a neutral query: the words of the subject and of both claims, without the disputed values."""
    left, right = contradiction.left, contradiction.right
    said = (claim.text.replace(claim.value, " ") if claim.value else claim.text for claim in (left, right))
    words: dict[str, str] = {}
    for text in (left.subject, left.unit, *said):
        for word in _WORD_RE.findall(text):
            if word.lower() not in FUNCTION_WORDS and (len(word) > 1 or not word.isascii()):
                words.setdefault(word.lower(), word)
    return " ".join(list(words.values())[:16])
