"""What a session tells about its sources and disputes, and whether it is so: independence, states, counts, origins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from memorybank.batch.plan import BatchTask
from memorybank.batch.results import row_of
from memorybank.contradiction.disputes.dispute import title
from memorybank.hosting.saved import summarise
from memorybank.integrations.answers import ConflictView, InsightView
from memorybank.memory.events import ConflictClosed
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictStatus
from memorybank.prompts import say
from memorybank.runs.export import fingerprint
from memorybank.runs.journal import schema_of
from memorybank.runs.run_folder import SESSION, RunFolder
from memorybank.session.answer_points import is_same_value
from memorybank.session.phase import Phase
from memorybank.views.box import Box
from memorybank.views.boxes.conflicts import dispute_line
from memorybank.views.boxes.state import state_box
from memorybank.views.html_export.panels import cases
from memorybank.views.i18n import catalogue, t
from memorybank.views.run.comparison import figures
from memorybank.views.run.playback import Moment, Playback
from memorybank.views.story.scene import VALUE
from memorybank.views.text.display import clip
from tests.boxes_read import words_of
from tests.truth.crawler import SURFACES as TEXTS
from tests.truth.crawler import Records, Session, _split, drawn
from tests.truth.library import states, words_stand


class Told(NamedTuple):
    """A statement about sources or disputes."""

    kind: str
    where: str
    says: str
    is_so: str = ""
    """What is the case instead; empty: it holds."""


def tellings(session: Session, folder: Path | None = None) -> Iterator[Told]:
    for surface in SURFACES:
        yield from surface(session)
    yield from counts(session, folder)


def _party_texts(session: Session, conflict_ids: tuple[str, ...]) -> list[str]:
    entries = session.bank.tree.entries
    ids = {entry_id for each in conflict_ids for entry_id in session.origins.parties.get(each, ())}  # type: ignore[call-overload]
    return [entries[entry_id].body for entry_id in sorted(ids) if entries[entry_id].is_source]


def evidence_independence(session: Session) -> Iterator[Told]:
    """Evidence that counts as independent is neither a party's nor a copy, within its conflict."""
    for conflict in session.bank.conflicts.all.values():
        parties = _party_texts(session, (conflict.id,))
        heard: dict[tuple[int, ...], list[str]] = {}
        for piece in conflict.evidence:
            if not piece.independent or not piece.is_said or piece.supports == "neither":
                continue
            others = heard.setdefault(piece.contradictions, [])
            is_so = ""
            if piece.source in others:
                continue
            if not session.library.independent([piece.source], parties):
                is_so = "a party, or a copy of one"
            elif session.library.independent([*others, piece.source], parties) == session.library.independent(
                others, parties
            ):
                is_so = "a copy of another that counts"
            others.append(piece.source)
            yield Told("independent evidence", conflict.id, f"{piece.source} is independent", is_so)


def counted_independent(session: Session) -> Iterator[Told]:
    """The card's count of independent documents."""
    for point in session.points:
        names = [session.bank.tree.entries[at.entry_id].source for value in point.values for at in value.sources]
        parties = _party_texts(session, point.conflict_ids)
        most = session.library.independent(names, parties)
        is_so = f"{most} of {names}" if point.independent > most else ""
        yield Told("independent count", point.about, f"{point.state}: {point.independent} independent", is_so)


def new_in_story(session: Session) -> Iterator[Told]:
    """A source that is marked as brought by the check was no party."""
    for scene in session.scenes:
        parties = _party_texts(session, scene.conflicts)
        for side in scene.sides:
            for source in side.sources:
                if source.is_new:
                    texts = session.library.texts.get(source.name, ())
                    is_so = "a party" if any(text in parties for text in texts) else ""
                    yield Told("story new source", f"{scene.kind} at {scene.seq}", f"{source.name} is new", is_so)


def origins(session: Session) -> Iterator[Told]:
    """The documents that a memory is said to come from, in its card and in prompts: evidence is none of them."""
    bank = session.bank
    for node_id in bank.graph.nodes:
        made_of = session.made_of(node_id)
        for name in bank.tree.sources_of(node_id):
            is_so = "" if name in made_of else f"read in a check; made of {list(made_of)}"
            yield Told("node origin", node_id, f"comes from {name}", is_so)
    head = say("memory_sources", session.lang, sources="\0").partition("\0")[0]
    for record, _, made in session.at_prompts:
        for part in record.event.parts:
            if part.name != "memory" or part.node_id is None:
                continue
            text = record.event.prompt[part.start : part.end]
            for line in text.splitlines():
                if not line.startswith(head):
                    continue
                for name in _split(line.removeprefix(head), session.library.texts):
                    if name in session.library.texts:
                        is_so = "" if name in made.get(part.node_id, ()) else "read in a check"
                        yield Told("prompt origin", f"{part.node_id} at {record.seq}", f"comes from {name}", is_so)


def parties(session: Session) -> Iterator[Told]:
    """The parties of a conflict are the documents of its two nodes when it was found."""
    for conflict in session.bank.conflicts.all.values():
        if conflict.parties is not None:
            entries = [session.bank.tree.entries[each] for each in session.origins.parties.get(conflict.id, ())]
            made_of = {entry.source for entry in entries}
            said = {*conflict.parties.left, *conflict.parties.right}
            is_so = "" if said == made_of else f"{sorted(made_of)}"
            yield Told("parties", conflict.id, f"parties {sorted(said)}", is_so)


def refuted(session: Session) -> Iterator[Told]:
    """Words that are marked as refuted are not those that hold."""
    for node in session.bank.graph.nodes.values():
        for check in node.checks:
            pairs = session.bank.conflicts.all[check.conflict_id].contradictions[check.point :][:1]
            for mark in check.refuted:
                words = mark.words or node.summary[mark.start : mark.end]
                won = [pair.left if check.winner == "left" else pair.right for pair in pairs if check.winner]
                valued = [claim.value for claim in won if claim.kind in ("number", "date") and claim.value]
                holding = [value for value in valued if states(words, value)]
                is_so = f"{holding} holds" if holding and mark.words else ""
                yield Told("refuted words", node.id, words, is_so)


def states_of_disputes(session: Session) -> Iterator[Told]:
    """One dispute has one state in the list, on its page, for agents, in the story; a side that holds is resolved."""
    bank = session.bank
    disputes = session.disputes
    last = {
        scene.dispute.points: scene for scene in session.scenes if scene.kind == "verdict" and scene.dispute is not None
    }  # one that has grown since may be open again
    for dispute in disputes:
        words = {"list": dispute.status}
        members = [bank.conflicts.all[conflict_id] for conflict_id in dispute.conflict_ids]
        alone = [each for each in members if len([one for one in disputes if each.id in one.conflict_ids]) == 1]
        if len(members) == len(alone) == 1:
            words["page"] = _of_a_dispute(members[0].status)
            words["agents"] = _of_a_dispute(ConflictView.of(bank, members[0]).status)
        if dispute.points in last:
            scene = last[dispute.points]
            was_taken_back = all(each.undone for each in members) and any(
                later.kind == "undone"
                and later.seq > scene.seq
                and any(set(later.nodes).intersection(each.node_ids) for each in members)
                for later in session.scenes
            )
            told = ConflictStatus.INCONCLUSIVE if was_taken_back else _told_in_story(scene.words)
            words["story"] = told or dispute.status
        is_so = (
            ", ".join(f"{place}: {status}" for place, status in words.items()) if len(set(words.values())) > 1 else ""
        )
        yield Told("dispute state", dispute.id, str(dispute.status), is_so)
        if dispute.holds is not None and dispute.status is ConflictStatus.BOTH_WRONG:
            sides = {claim.value for claim in dispute.claims}
            held = any(is_same_value(dispute.holds.text, side) or states(dispute.holds.text, side) for side in sides)
            yield Told(
                "both wrong", dispute.id, f"both wrong, {dispute.holds.text} holds", "it is a side's" if held else ""
            )


def _of_a_dispute(status: ConflictStatus) -> ConflictStatus:
    """How a pair's state is told of its dispute: that both sides were wrong, or stay two nodes, is the pair's."""
    return ConflictStatus.RESOLVED if status.decides else status


def _told_in_story(words: str) -> ConflictStatus | None:
    name = words.removeprefix("verdict_").removesuffix("_many").removesuffix("_again")
    return ConflictStatus(name) if name in list(ConflictStatus) else None


def titles(session: Session) -> Iterator[Told]:
    """The sides of a card belong to the dispute whose title stands above; in the story and on slides."""
    for scene in session.scenes:
        if scene.dispute is not None and scene.dispute.values:
            known = {clip(value.text, VALUE) for value in scene.dispute.values}
            strange = [side.value for side in scene.sides if side.value not in known]
            where, head = f"{scene.kind} at {scene.seq}", title(scene.dispute, session.lang)
            yield Told("title and sides", where, head, f"shows {strange} of another" if strange else "")


def unmarked(session: Session) -> Iterator[Told]:
    """A statement that is disputed, or was refuted, is not given as the answer without a word of it."""
    answer = session.bank.progress.answer
    if not answer:
        return
    for dispute in session.disputes:
        if any(session.bank.conflicts.all[each].undone for each in dispute.conflict_ids):
            continue  # it was settled when the answer was given
        for claim in dispute.claims:
            if not claim.text.strip() or claim.text not in answer:
                continue
            # Of statements that deny each other all words but one are in both: there it is the words that tell.
            gives = states if claim.value else words_stand
            holds = dispute.holds
            if dispute.status is ConflictStatus.FALSE_ALARM or (holds and gives(claim.text, holds.text)):
                continue
            others = [value.text for value in dispute.values if not gives(claim.text, value.text)]
            told = any(gives(answer, other) for other in others)
            yield Told("answer unmarked", dispute.id, claim.text, "" if told else f"{dispute.status}: {others}")


def counts(session: Session, folder: Path | None) -> Iterator[Told]:
    """Whatever says "n conflicts" says the same number: that of the tab's list."""
    bank = session.bank
    disputes = session.disputes
    listed = len(disputes)
    moment = Playback().at(session.records)
    found = {
        "chip": _count(state_box(moment, Phase.PARKED, session.lang), session),
        "exported chip": _count(state_box(moment, None, session.lang), session),
        "compared": figures(session.records, bank).values["conflicts"],
    }
    for scene in session.scenes:
        if (
            scene.kind == "answer"
            and "count" in scene.values
            and scene.words.startswith(("answer_settled", "answer_disputed", "answer_undecided"))
        ):
            found["story"] = int(str(scene.values["count"]))
    if folder is not None and (folder / "journal.jsonl").is_file():
        stored = summarise("run", (folder / "journal.jsonl").read_bytes())
        found["list of runs"] = stored.conflicts if stored else None
        yield from elsewhere(session, folder, moment)
    for where, number in found.items():
        if number is not None:
            yield Told("count of conflicts", where, f"{number}", "" if number == listed else f"{listed} in the list")
    open_ones = sum(dispute.status is ConflictStatus.OPEN for dispute in disputes)
    told = InsightView.of(bank).open_conflicts
    yield Told("count of conflicts", "agents, open", str(told), "" if told == open_ones else f"{open_ones} in the list")


def elsewhere(session: Session, folder: Path, moment: Moment) -> Iterator[Told]:
    """A dispute has the same state in a line of its own, in the exported page, in the feed, and in a batch's row."""
    exported = {case.attrib["id"]: case.attrib["class"] for case in cases(list(session.records), moment, session.lang)}
    closed = {
        item.dispute.id: item.dispute.status
        for item in moment.feed
        if isinstance(item.record.event, ConflictClosed) and item.dispute
    }
    for dispute in session.disputes:
        line = words_of(dispute_line(dispute, session.lang), " ")
        places = {
            "line": t(f"conflict.status.{dispute.status}", session.lang) in line,
            "export": exported[f"dispute-{dispute.id}"] == f"case {dispute.status}",
            "feed": closed.get(dispute.id, dispute.status) is dispute.status,
        }
        others = [place for place, agrees in places.items() if not agrees]
        yield Told("dispute state", dispute.id, str(dispute.status), f"another in {others}" if others else "")
    counted = Counter(dispute.status.value for dispute in session.disputes)
    row = row_of(BatchTask(id="t", task="?"), folder).conflicts
    yield Told("count of conflicts", "batch", str(row), "" if row == counted else f"{dict(counted)} in the list")


def _count(shown: Box, session: Session) -> int | None:
    """The number of a chip that counts conflicts; None where there is none."""
    for chip in drawn(shown, "conflict"):
        for name in ("run.conflicts", "run.conflicts.one"):
            pattern = re.escape(catalogue(session.lang).get(name, "\0")).replace(r"\{count\}", r"(\d[\d,]*)")
            if match := re.fullmatch(pattern, words_of(chip)):
                return int(match[1].replace(",", "")) if match.groups() else 1
    return None


def names(session: Session) -> Iterator[Told]:
    """A name that is shown tells one source."""
    for name, texts in session.library.texts.items():
        is_so = f"{len(texts)} sources have it" if len(texts) > 1 else ""
        yield Told("name", name, "names one source", is_so)


SURFACES: tuple[Callable[[Session], Iterator[Told]], ...] = (
    evidence_independence,
    counted_independent,
    new_in_story,
    origins,
    parties,
    refuted,
    states_of_disputes,
    titles,
    unmarked,
    names,
)

STATED: Final = frozenset(
    {"independent evidence", "prompt origin", *(f"text: {name}" for name in ("evidence side", "mcp", "node", "prompt"))}
)
"""Kinds that sessions of other tests are not held to: there a test states verdicts and evidence of its own making."""


VALUES_SINCE: Final = 4
"""The schema from which on what a check found is a value, and a prompt is made of such values (crawler.py)."""


class Wrong(NamedTuple):
    run: str
    kind: str
    where: str
    says: str
    source: str
    is_so: str

    def __str__(self) -> str:
        source = f" | {self.source}" if self.source else ""
        return f"{self.run} | {self.kind} | {self.where} | {self.says[:160]}{source} | {self.is_so}"


@dataclass
class Table:
    """How much of each kind was held against its source, and what did not hold."""

    held: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)

    def add(
        self,
        run: str,
        records: Records,
        *,
        folder: Path | None = None,
        documents: Mapping[str, str] | None = None,
        stated: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        with_prompts = folder is None or _schema(folder) >= VALUES_SINCE
        session = Session.of(records, documents, stated, with_prompts=with_prompts)
        library = session.library
        for each in (each for surface in TEXTS for each in surface(session)):
            kind = f"text: {each.surface}"
            self.held[kind] += 1
            lacks = library.lacks(each.text, each.source, is_value=each.is_value, quotes=each.quotes)
            if lacks:
                self.wrong.append(Wrong(run, kind, each.where, each.text, each.source, lacks))
        for told in tellings(session, folder):
            self.held[told.kind] += 1
            if told.is_so:
                self.wrong.append(Wrong(run, told.kind, told.where, told.says, "", told.is_so))


def _schema(folder: Path) -> int:
    """The schema that a run's journal was written in."""
    path = RunFolder(folder).journal
    with path.open("rb") as file:
        return schema_of(path, file.readline(), SESSION)


MOST_NODES, MOST_RECORDS = 60, 1_500
_SEEN: set[str] = set()


def wrong_in(records: Records, bank: MemoryState) -> list[Wrong]:
    """What is wrong in a finished session of any test; each memory is looked at once.

    A large one is not. The executors of tests may name sources of a world that is nowhere.
    """
    told = bool(bank.conflicts.all or bank.progress.answer)
    if not told or not bank.progress.result or len(records) > MOST_RECORDS or bank.graph.created > MOST_NODES:
        return []
    print_ = fingerprint(bank)
    if print_ in _SEEN:
        return []
    _SEEN.add(print_)
    table = Table()
    table.add(records[0].event.run_id, records)
    return [each for each in table.wrong if each.kind not in STATED and each.is_so != "no such source"]
