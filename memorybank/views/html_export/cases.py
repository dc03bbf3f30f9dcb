"""Disputes and merges at a moment, each as the app tells it: a head, and the parts that unfold below it."""

from __future__ import annotations

from typing import Any

from memorybank.contradiction.disputes import describe
from memorybank.memory.types import Conflict, ConflictId, ConflictStatus, Lang, MergeEventId
from memorybank.views.box import Box, Piece, box, note, row_of
from memorybank.views.boxes.conflict_claims import PAGE, claims
from memorybank.views.boxes.conflict_evidence import evidence, verdict
from memorybank.views.boxes.conflict_timeline import timeline
from memorybank.views.boxes.conflicts import merge_chip, status_chip
from memorybank.views.boxes.merge_cause import cause
from memorybank.views.boxes.merge_story import after, before, headline, lineage
from memorybank.views.html_export.pool import Pool
from memorybank.views.i18n import t
from memorybank.views.memory.conflict_life import LifeReader, LifeStep
from memorybank.views.memory.lineage import MergeReader, MergeStory, judgements
from memorybank.views.run.commits import Records, commits
from memorybank.views.run.origin import origin_chip
from memorybank.views.run.playback import Moment

MOST_SOURCES = 12
"""Nodes of one merge that are shown before it."""

Json = Any


class Cases:
    """The conflicts and merges of a run, moment by moment, in order."""

    def __init__(self, records: Records, pool: Pool, lang: Lang) -> None:
        self._records, self._pool, self._lang = records, pool, lang
        self._commits, self._seq = commits(records), 0
        self._lives, self._merges = LifeReader(), MergeReader()
        self._judged = judgements(records)
        self._known: dict[str, tuple[Any, Json]] = {}

    def read(self, moment: Moment) -> None:
        """Follow the run up to a moment."""
        while self._seq < moment.at and (commit := next(self._commits, None)) is not None:
            self._seq = commit.seq
            self._lives.take(commit)
            self._merges.take(commit)

    def conflicts(self, moment: Moment) -> dict[str, Json]:
        """Of each dispute: number of its head, of its parts, its status, its conflicts.

        Of several conflicts each has a head and parts of its own; a single one has only its id there.
        """
        cases = dict[str, Json]()
        for dispute in moment.disputes:
            head = self._pool.put(_head(dispute.status, describe(dispute, self._lang), self._lang))
            status = dispute.status.value
            members = [
                self._conflict(moment.bank.conflicts.all[conflict_id], moment) for conflict_id in dispute.conflict_ids
            ]
            if len(members) == 1:
                cases[dispute.id] = [head, members[0][1], status, [dispute.conflict_ids]]
                continue
            words = note(t("conflicts.in_pairs", self._lang, count=len(members)))
            pairs = [[conflict_id, *member] for conflict_id, member in zip(dispute.conflict_ids, members, strict=True)]
            cases[dispute.id] = [head, [self._pool.put(words)], status, pairs]
        return cases

    def _conflict(self, conflict: Conflict, moment: Moment) -> Json:
        """Number of its head, of its parts, its status."""
        bank = moment.bank
        steps = tuple(self._lives.steps.get(conflict.id, ()))
        plan = bank.doc.current_task if not steps or conflict.status == "open" else None
        live = [bank.graph.nodes.get(bank.graph.successor(node_id)) for node_id in conflict.node_ids]
        says = (conflict, len(steps), plan, live, [bank.tree.spans.get(node_id) for node_id in conflict.node_ids])
        if self._is_new(conflict.id, says):
            head = _head(conflict.status, conflict.description, self._lang)
            parts = conflict_parts(conflict, steps, moment, self._records, self._lang)
            self._keep(conflict.id, says, head, parts, conflict.status.value)
        return self._known[conflict.id][1]

    def merges(self, moment: Moment) -> dict[str, Json]:
        """Of each merge: number of its head, of its parts, whether it stands."""
        bank, cases = moment.bank, dict[str, Json]()
        stories, settled = self._merges.stories, self._settled()
        for merge_id, story in stories.items():
            live = bank.graph.successor(story.result.id)
            says = (story, live, bank.graph.nodes.get(live))
            if self._is_new(merge_id, says):
                words = story.result.context or story.description
                head = row_of(merge_chip(story, self._lang), box("span", "strong text", words))
                why = cause(story, self._judged, settled.get(merge_id, ()), bank, self._records, self._lang)
                parts = merge_parts(story, stories, why, moment, self._records, self._lang)
                self._keep(merge_id, says, head, parts, "undone" if story.undone else "merged")
            cases[merge_id] = self._known[merge_id][1]
        return cases

    def _settled(self) -> dict[MergeEventId, list[ConflictId]]:
        """The conflicts that each merge settled."""
        settled: dict[MergeEventId, list[ConflictId]] = {}
        for conflict_id, steps in self._lives.steps.items():
            for step in steps:
                if step.kind == "merged" and step.merge:
                    settled.setdefault(step.merge, []).append(conflict_id)
        return settled

    def _is_new(self, name: str, says: Any) -> bool:
        return name not in self._known or self._known[name][0] != says

    def _keep(self, name: str, says: Any, head: Box, parts: list[Box], state: str) -> None:
        self._known[name] = (says, [self._pool.put(head), self._pool.put_all(parts), state])


def _head(status: ConflictStatus, words: str, lang: Lang) -> Box:
    return row_of(status_chip(status, lang), box("span", "strong text", words))


def _part(title: str, *inside: Piece | None) -> Box:
    return box("div", "part", box("h3", "", title), *inside)


def conflict_parts(
    conflict: Conflict, steps: tuple[LifeStep, ...], moment: Moment, records: Records, lang: Lang
) -> list[Box]:
    """Both claims with their sources, the evidence, the verdict, and how it went."""
    bank = moment.bank
    closed = next((step for step in reversed(steps) if step.kind == "closed"), None)
    by = None
    if closed is not None and conflict.closed_by:
        by = origin_chip(records[: closed.place.seq], lang, by=conflict.closed_by)
    verdict_words = "conflicts.where_it_stands" if conflict.status == "open" else "conflict.verdict"
    return [
        _part(t("conflicts.claims", lang, count=len(conflict.contradictions)), *claims(conflict, bank, PAGE, lang)),
        _part(t("conflict.evidence", lang), *evidence(conflict, bank, PAGE, lang)),
        _part(t(verdict_words, lang), *verdict(conflict, steps, bank, by, lang)),
        _part(t("conflicts.life", lang), timeline(conflict, steps, bank, lang)),
    ]


def merge_parts(
    story: MergeStory,
    stories: dict[MergeEventId, MergeStory],
    why: list[Box],
    moment: Moment,
    records: Records,
    lang: Lang,
) -> list[Box]:
    """What was merged and why, before and after, and which merges it stands on."""
    bank = moment.bank
    by = origin_chip(records[story.call - 1].event, lang) if story.call and not story.imported else None
    family = lineage(story, stories, lang)
    return [
        headline(story, by, lang),
        _part(t("conflicts.cause", lang), *why),
        _part(
            t("conflicts.before", lang, count=len(story.sources)),
            box("p", "lead", t("conflicts.before_help", lang, count=len(story.dropped))),
            *before(story, bank, MOST_SOURCES, lang),
        ),
        _part(t("conflicts.after_undone" if story.undone else "conflicts.after", lang), after(story, bank, lang)),
        *([_part(t("conflicts.lineage", lang), *family)] if family else []),
    ]
