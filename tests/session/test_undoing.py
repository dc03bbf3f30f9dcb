"""What a person takes back: one node of a merge, that two are about one thing, and either of these again."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError, MergeUndoError
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import AgentCalled, ConflictFound, NodesMerged
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus, Lang, NodeId
from memorybank.runs.export import fingerprint, to_json
from memorybank.runs.run_folder import load, state_at
from memorybank.runs.stages import placed
from memorybank.session.assembly import offline_parts
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from tests.scripted import Failing, numbered, parts, source, start
from tests.tables import tables

TABLES = tables(__file__)

WHEN = "When was the Tamar Bridge opened?"
BRIDGE: dict[Lang, tuple[str, str, str]] = TABLES["bridge"]
FALSE_ALARM = ConflictStatus.FALSE_ALARM


def bridges(folder: Path, lang: Lang) -> Session:
    """Three documents that a check has made one node, on the offline engine."""
    goal = WHEN if lang == "en" else "青岚大桥哪一年通车？"
    session = Session.start(
        folder, offline_parts(Settings(), lang, HashedNgrams()), goal=goal, sources=numbered(*BRIDGE[lang])
    )
    session.run()
    assert [len(merge.sources) for merge in session.bank.graph.merges.values()] == [3], "the scene needs three"
    return session


def contents(bank: MemoryState) -> object:
    """All that a reader sees of a memory."""
    known = to_json(bank)
    nodes = {
        node.id: (node.summary, node.context, node.keywords, set(node.links), node.checks, node.vector)
        for node in bank.graph.nodes.values()
    }
    spans = {node_id: (bank.tree.spans.get(node_id), bank.tree.validations.get(node_id)) for node_id in nodes}
    return nodes, spans, known["conflicts"], dict(bank.graph.gone), bank.told_apart()


def reopened(session: Session, folder: Path) -> Session:
    """The same run as whoever opens it next has it: what is on disk leads to what was there."""
    there = fingerprint(session.bank)
    session.close()
    assert fingerprint(state_at(load(folder))) == there
    return Session.open(folder, lambda begun: offline_parts(Settings(), begun.lang, HashedNgrams()))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_node_is_split_off_and_comes_together_again(run_dir: Path, lang: Lang, tmp_path: Path) -> None:
    session = bridges(run_dir, lang)
    whole = contents(session.bank)
    merge = session.bank.graph.merges["m1"]  # type: ignore[index]
    first, odd, third = merge.sources
    forks_at = len(session.records)
    with pytest.raises(MergeUndoError, match=odd.id):
        session.undo_merge("m1", "n99")
    session.undo_merge("m1", odd.id)
    bank = session.bank
    came_back, united = bank.graph.nodes[odd.id], bank.graph.nodes[bank.graph.successor(first.id)]
    assert (came_back.summary, came_back.context, came_back.keywords) == (odd.summary, odd.context, odd.keywords)
    assert united.id == bank.graph.successor(third.id)
    assert "335" in united.summary
    assert "1962" not in united.summary, "what only the split one said has left"
    assert bank.tree.sources_of(united.id) == ("note1.txt", "note3.txt")
    assert {conflict.status for conflict in bank.conflicts.all.values()} == {ConflictStatus.INCONCLUSIVE}
    assert session.next_stage is None, "nobody has to go on for it"
    act = [place.stage for record, place in placed(session.records) if record.seq > forks_at]
    assert set(act) == {"undo"}, "the call that united the others belongs to the act"

    session = reopened(session, run_dir)
    split = contents(session.bank)
    session.add(source(BRIDGE[lang][1], "later.txt"))
    session.run()
    assert len({session.bank.graph.successor(node.id) for node in merge.sources}) == 2, "not even through a third node"
    session.close()
    fork = Session.open(run_dir, lambda begun: offline_parts(Settings(), begun.lang, HashedNgrams()))
    before_it = fork.fork(forks_at, tmp_path / "fork")
    fork.close()
    session = Session.open(before_it, lambda begun: offline_parts(Settings(), begun.lang, HashedNgrams()))
    assert contents(session.bank) == whole
    session.undo_merge("m1", odd.id)
    assert contents(session.bank) == split
    session.restore_merge("m1")
    assert contents(session.bank) == whole
    session = reopened(session, before_it)
    session.undo_merge("m1")
    assert {source.id for source in merge.sources} <= session.bank.graph.nodes.keys()
    assert len(session.bank.told_apart()) == 3
    session = reopened(session, before_it)
    session.restore_merge("m1")
    assert contents(session.bank) == whole
    with pytest.raises(MergeUndoError, match="none"):
        session.restore_merge("m1")
    session.close()


@pytest.mark.parametrize("status", ["open", "inconclusive", "checked"])
def test_a_conflict_in_any_state_is_told_apart_and_gets_it_back(run_dir: Path, status: str) -> None:
    if status == "checked":
        offline = offline_parts(Settings(), "en", HashedNgrams())
        offline.engine.integration = Failing(None, lambda given: True)  # type: ignore[misc]
        begun = Session.start(run_dir, offline, goal=WHEN, sources=numbered(*BRIDGE["en"]))
    else:
        begun = start(run_dir, "qubits: 105\nmaker: Google\n", "qubits: 98\nmaker: Google\n", goal="How many?")
    with begun as session:
        if status == "open":
            session.run_until(lambda report: report.stage == "plan")
        else:
            session.run()
        before = session.bank.conflicts.all[ConflictId("c1")]
        assert before.status == status
        stood, need = contents(session.bank), session.next_stage
        refuted = [
            mark for node in session.bank.graph.nodes.values() for check in node.checks for mark in check.refuted
        ]
        assert bool(refuted) is (status == "checked")
        session.resolve(StatedVerdict(conflict=before.id, status=FALSE_ALARM, reasoning="two chips"), by="ada")
        closed = session.bank.conflicts.all[before.id]
        assert (closed.status, closed.closed_by, closed.reason) == (FALSE_ALARM, "ada", "two chips")
        checks = [check for node_id in before.node_ids for check in session.bank.graph.nodes[node_id].checks]
        assert all(
            (check.state, check.refuted) == (FALSE_ALARM, ()) for check in checks if check.conflict_id == before.id
        )
        assert need != "enhance" or session.next_stage == "plan", "a task that was to check it is planned anew"
        session.take_back(before.id)
        assert contents(session.bank) == stood
        session.tell_apart(before.id)
        for name, text in (("third.txt", "maker: Google\n"), ("later.txt", "qubits: 98\n")):
            session.add(source(text, name))
            session.run()
        live = session.bank.graph.successor
        pair = {live(NodeId(one)) for one in ("n1", "n2")}
        assert len(pair) == 2, "nor does a third node unite them"
        assert session.bank.conflicts.all[before.id].status is FALSE_ALARM
        assert not [one for one in session.bank.conflicts.open() if {*map(live, one.node_ids)} == pair]
        assert fingerprint(state_at(load(run_dir))) == fingerprint(session.bank)


def test_what_stands_in_the_way_is_named_and_nothing_is_changed(run_dir: Path) -> None:
    """A later merge; a source that went elsewhere; an agent without an answer; never a conflict with others."""
    willow = "willow qubits: 105\n"
    with start(run_dir, willow, f"{willow}maker: Google\n", f"{willow}year: 2024\n") as session:
        session.run()
        assert [len(merge.sources) for merge in session.bank.graph.merges.values()] == [3]
        working = session.parts.engine.integration
        session.parts.engine.integration = parts(failing={"integration": lambda given: True}).engine.integration  # type: ignore[misc]
        before = len([record for record in session.records if not isinstance(record.event, AgentCalled)])
        with pytest.raises(MergeUndoError, match="no JSON in two tries"):
            session.undo_merge("m1", "n1")
        assert len([record for record in session.records if not isinstance(record.event, AgentCalled)]) == before
        session.parts.engine.integration = working  # type: ignore[misc]
        session.undo_merge("m1", "n1")
        merged = [record.event for record in session.records if isinstance(record.event, NodesMerged)]
        assert [(event.merged_node_ids, event.rest_of) for event in merged[1:]] == [(("n2", "n3"), "m1")]
        session.add(source("maker: Google\nweight: 2 kg\n", "later.txt"))
        session.run()
        later = session.bank.graph.merge_of(session.bank.graph.merges["m2"].new_node_id)  # type: ignore[index]
        assert later is not None, "the scene needs a merge on what stayed together"
        for call in (lambda: session.undo_merge("m2", "n2"), lambda: session.restore_merge("m1")):
            with pytest.raises(MergeUndoError, match=later.event_id):
                call()
        session.undo_merge(later.event_id)
        session.add(source("willow qubits: 98\n", "against.txt"))
        session.run_until(lambda report: any(isinstance(fact, ConflictFound) for fact in report.facts))
        found = next(iter(session.bank.conflicts.open()))
        with pytest.raises(InputError, match="c1"):
            session.tell_apart("c99")
        session.restore_merge("m1")
        assert "n4" in {session.bank.graph.successor(one) for one in found.node_ids}, "it is disputed as what it is now"
        session.tell_apart(found.id)
        assert {session.bank.graph.successor(NodeId(one)) for one in ("n1", "n2", "n3")} == {"n4"}
        assert session.bank.conflicts.all[found.id].status is FALSE_ALARM
        assert fingerprint(state_at(load(run_dir))) == fingerprint(session.bank)


@pytest.mark.parametrize("seed", [*range(11), 93])
def test_whatever_a_person_takes_back_the_memory_is_whole_and_the_run_leads_to_it(run_dir: Path, seed: int) -> None:
    """Documents come in between; what was told apart never becomes one thing, through no node and by no act."""
    chance, done = random.Random(seed), Counter[str]()
    lines = [f"{thing}: {value}" for thing in ("qubits", "maker", "year") for value in ("105", "98")]

    def text() -> str:
        return "\n".join(chance.sample(lines, chance.choice([1, 2]))) + "\n"

    with start(run_dir, text(), text(), text(), goal="How many?", world={"qubits": "105", "maker": "98"}) as session:
        session.run()
        for number in range(25):
            graph, conflicts = session.bank.graph, session.bank.conflicts
            merges = [(merge.event_id, source.id) for merge in graph.merges.values() for source in merge.sources]
            acts = {
                "add": [partial(session.add, source(text(), f"more{number}.txt"))],
                "split": [partial(session.undo_merge, *each) for each in merges],
                "undo": [partial(session.undo_merge, each) for each in graph.merges],
                "restore": [partial(session.restore_merge, each) for each in graph.undone],
                "tell apart": [partial(session.tell_apart, each) for each in conflicts.all],
                "take back": [partial(session.take_back, each) for each in conflicts.told],
            }
            name = chance.choice([name for name, ways in acts.items() if ways])
            before = fingerprint(session.bank)
            try:
                chance.choice(acts[name])()
                done[name] += 1
            except (MergeUndoError, InputError):
                done["refused"] += 1
                assert fingerprint(session.bank) == before
            if name == "add" or chance.random() < 0.3:
                session.run()
            bank = session.bank
            nodes, live = bank.graph.nodes, bank.graph.successor
            for node in nodes.values():
                assert all(node.id in nodes[other].links for other in node.links)
                assert bank.tree.spans[node.id]
                assert all(check.conflict_id in bank.conflicts.all for check in node.checks)
            assert all(live(one) in nodes for one in bank.graph.gone)
            assert all(live(one) in nodes for known in bank.conflicts.all.values() for one in known.node_ids)
            assert all(len(set(map(live, pair))) == 2 for pairs in bank.conflicts.apart.values() for pair in pairs)
            assert set(bank.graph.merges) == {one.id for one in bank.tree.merge_events.values() if not one.undone}
        assert fingerprint(state_at(load(run_dir))) == fingerprint(session.bank)
        assert contents(state_at(load(run_dir))) == contents(session.bank)
    assert done.total() - done["refused"] > 8, done


def test_an_act_that_was_killed_has_not_happened_and_asks_nothing_twice(
    run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = bridges(run_dir, "en")
    whole = contents(session.bank)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(session, "_commit", killed)
        with pytest.raises(KeyboardInterrupt):
            session.undo_merge("m1", "n2")
    session = reopened(session, run_dir)
    assert contents(session.bank) == whole
    asked = [record for record in session.records if isinstance(record.event, AgentCalled)]
    session.undo_merge("m1", "n2")
    assert [record for record in session.records if isinstance(record.event, AgentCalled)] == asked
    assert len(session.bank.graph.nodes) == 2
    reopened(session, run_dir).close()
