"""Conflicts & merges: what each state shows, and what can be done in it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.contradiction.disputes.dispute import title
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.embedding.hashed import DIM
from memorybank.hosting.run import Until
from memorybank.memory.events import ConflictFound, NodesMerged, PlanUpdated, StageFinished
from memorybank.memory.types import ConflictId, ConflictStatus, Lang, MergeEventId, TaskType
from memorybank.runs.run_folder import load, state_at
from memorybank.session.intake import text_source
from memorybank.views.boxes.conflicts import MOST_VALUES, VALUE
from memorybank.views.graph.items import node_label, node_title
from memorybank.views.i18n import t
from memorybank.views.memory.conflict_life import lives
from memorybank.views.memory.lineage import merge_stories
from memorybank.views.text.display import clip
from tests.app.driving import (
    RUN_ID,
    bank_of,
    choose,
    follow,
    keys,
    open_page,
    order,
    press,
    rest,
    says,
    shown,
    start,
    tab_of,
    targets,
    worker_of,
    write_run,
)
from tests.made_events import created, n
from tests.recorded import recorded_run

PAGE = "3_conflicts"
M1 = MergeEventId("m1")


def after_plan(lang: Lang = "en") -> int:
    """Events up to the plan that has the first conflicts checked."""
    records = load(recorded_run(lang).path)
    planned = next(
        record.seq
        for record in records
        if isinstance(record.event, PlanUpdated)
        and record.event.next_task is not None
        and record.event.next_task.type is TaskType.CROSS_VALIDATE
    )
    return next(one.seq for one in records if isinstance(one.event, StageFinished) and one.seq > planned)


def offered(app: AppTest, *beginnings: str) -> set[str]:
    """The buttons whose keys begin so."""
    return {str(one.key) for one in app.button if str(one.key).startswith(beginnings)}


def test_nothing_found_yet(app: AppTest) -> None:
    found = next(one.seq for one in load(recorded_run("zh").path) if isinstance(one.event, ConflictFound))
    open_page(app, PAGE, "zh", events=found - 1)
    assert says(app, t("conflict.none", "zh"))
    choose(app, "conflicts-view", "merges")
    assert says(app, t("conflicts.merges_none", "zh"))


def test_what_is_only_read_shows_each_conflict_and_merge_whole_and_offers_nothing_to_write(
    app: AppTest, lang: Lang
) -> None:
    open_page(app, PAGE, lang)
    bank, records = bank_of(app), worker_of(app).records
    life, disputes, stories = lives(records), disputes_of(bank), merge_stories(records)
    assert [one for one in targets(app) if one.startswith("conflict:")]
    for conflict in bank.conflicts.all.values():
        follow(app, "conflict", conflict.id)
        whole = shown(app, f"conflict-{conflict.id}")
        dispute = next(one for one in disputes if conflict.id in one.conflict_ids)
        assert title(dispute, lang) in whole
        assert all(clip(value.text, VALUE) in whole for value in dispute.values[:MOST_VALUES])
        assert {f"conflict:{one}" for one in dispute.conflict_ids if one != conflict.id} <= targets(app)
        told = [t(f"conflict.status.{conflict.status}", lang), t(f"conflicts.means.{conflict.status}", lang)]
        told += [side.text for one in conflict.contradictions for side in (one.left, one.right)]
        told += [words for voice in conflict.evidence for words in (voice.quote, voice.source)]
        kinds = {step.kind for step in life[conflict.id]}  # one for which another's verdict stands was not checked
        told += [t(f"conflicts.step.{kind}", lang) for kind in kinds & {"found", "planned", "checked"}]
        assert [words for words in (*told, conflict.reason) if words not in whole] == []
    for merge in bank.graph.merges.values():
        follow(app, "merge", merge.event_id)
        before, after = shown(app, f"merge-{merge.event_id}-before"), shown(app, f"merge-{merge.event_id}-after")
        assert all(source.summary in before and node_title(source, lang) in before for source in merge.sources)
        assert stories[merge.event_id].result.summary in after
        sources = {source.id for source in merge.sources}
        settled = [one for one in bank.conflicts.all.values() if one.status.merges and sources.issuperset(one.node_ids)]
        assert settled or stories[merge.event_id].trigger == "merge"
        assert {f"conflict:{one.id}" for one in settled} <= targets(app)
    assert says(app, t("conflicts.undo_read_only", lang))
    assert not offered(app, "undo-", "decide-")
    follow(app, "conflict", "c99")
    assert says(app, t("conflicts.unknown", lang, id="c99"))
    follow(app, "merge", "<img src=x onerror=alert(1)>")
    assert says(app, t("conflicts.merge_unknown", lang, id="<img src=x onerror=alert(1)>"))


def test_filter_by_state_and_no_verdict_on_what_is_only_read(app: AppTest) -> None:
    open_page(app, PAGE, "en", events=when_states_differ("en"))
    by_state = Counter(one.status for one in disputes_of(bank_of(app)))
    assert len(by_state) > 1
    for chosen, count in by_state.items():
        choose(app, "conflicts-status", str(chosen))
        rows = shown(app, "conflict-rows")
        assert {state: rows.count(t(f"conflict.status.{state}", "en")) for state in by_state} == {
            state: count if state is chosen else 0 for state in by_state
        }
    choose(app, "conflicts-status", None)
    waits = next(one.id for one in bank_of(app).conflicts.all.values() if one.status is ConflictStatus.OPEN)
    follow(app, "conflict", waits)
    assert says(app, t("conflicts.decide_read_only", "en"))
    assert not app.radio


def when_states_differ(lang: Lang) -> int:
    """Events of the recorded run after which its conflicts were in several states, one of them open."""
    records = load(recorded_run(lang).path)
    for count in range(len(records), 0, -10):
        states = {one.status for one in disputes_of(state_at(records[:count]))}
        if len(states) > 1 and ConflictStatus.OPEN in states:
            return count
    raise AssertionError("the recorded run never has conflicts in several states")


def test_at_a_past_moment_the_page_knows_no_more_than_was_known(app: AppTest, lang: Lang) -> None:
    open_page(app, PAGE, lang, own=True)
    tab_of(app).at = after_plan(lang)
    follow(app, "conflict", "c1")
    whole = shown(app, "conflict-c1")
    for known in ("conflict.status.open", "conflicts.step.ahead", "conflicts.ahead.check", "conflict.evidence_none"):
        assert t(known, lang) in whole
    assert t("conflict.verdict", lang) not in whole
    assert says(app, t("conflicts.decide_past", lang))
    assert not offered(app, "decide-")
    choose(app, "conflicts-view", "merges")
    assert says(app, t("conflicts.merges_none", lang))
    press(choose(app, "conflicts-view", "conflicts"), "conflicts-newest")
    assert t("conflict.status.open", lang) not in shown(app, "conflict-c1")


@pytest.mark.parametrize(
    ("choice", "status"),
    [
        ("left", ConflictStatus.RESOLVED),
        ("other", ConflictStatus.BOTH_WRONG),
        ("false_alarm", ConflictStatus.FALSE_ALARM),
        ("unknown", ConflictStatus.INCONCLUSIVE),
    ],
)
def test_a_conflict_is_decided_by_the_reader(app: AppTest, choice: str, status: ConflictStatus) -> None:
    open_page(app, PAGE, events=after_plan(), own=True)
    chosen = next(one for one in bank_of(app).conflicts.all.values() if one.contradictions[0].left.kind == "place")
    follow(app, "conflict", chosen.id)
    press(app, f"decide-{chosen.id}-now")
    assert says(app, t("conflicts.decide_choice_missing", "en"))
    app.radio(key=f"decide-{chosen.id}-choice").set_value(choice).run()
    if choice == "other":
        press(app, f"decide-{chosen.id}-now")
        assert says(app, t("conflicts.decide_value_missing", "en"))
        app.text_input(key=f"decide-{chosen.id}-value").set_value("Baikonur")
    assert worker_of(app).session.bank.conflicts.all[chosen.id] == chosen  # type: ignore[union-attr]
    app.text_area(key=f"decide-{chosen.id}-reason").set_value("I was there.")
    order(app, f"decide-{chosen.id}-now")
    bank = worker_of(app).session.bank  # type: ignore[union-attr]
    conflict = bank.conflicts.all[chosen.id]
    assert (conflict.status, conflict.closed_by, conflict.reason) == (status, "user", "I was there.")
    assert conflict.value == {"left": chosen.contradictions[0].left.value, "other": "Baikonur"}.get(choice, "")
    one_node = len({bank.graph.successor(one) for one in conflict.node_ids}) == 1
    assert one_node is status.merges
    whole = shown(app, f"conflict-{chosen.id}")
    assert "I was there." in whole
    assert t("conflict.decided_by_user", "en") in whole
    told_apart = choice == "false_alarm"
    assert t("conflicts.means.told_apart" if told_apart else "conflicts.step.stated", "en") in whole
    assert (t("conflicts.one_node", "en") in whole) is status.merges
    assert (t("conflicts.left_open", "en") in whole) is (choice == "unknown")
    # The others of the group still wait for their check.
    others = [one for one in bank.conflicts.all.values() if one.id != chosen.id]
    assert all(one.status is ConflictStatus.OPEN for one in others)


def test_a_branch_begins_before_the_merge(app: AppTest) -> None:
    follow(open_page(app, PAGE), "merge", "m1")
    parent = list(worker_of(app).records)
    merged = next(one.seq for one in parent if isinstance(one.event, NodesMerged))
    branch = worker_of(order(app, "branch-m1"))
    assert branch.run_id != RUN_ID
    border = next(one.seq for one in reversed(parent[: merged - 1]) if isinstance(one.event, StageFinished))
    assert list(branch.records[:border]) == parent[:border]
    assert not [one for one in branch.records if isinstance(one.event, NodesMerged)]


def test_a_merge_is_undone_and_stays_in_the_list(app: AppTest) -> None:
    follow(open_page(app, PAGE, own=True), "merge", "m1")
    said = shown(app, "merge-m1-undo")
    sources = bank_of(app).tree.merge_events[M1].merged_node_ids
    said_then = [one.summary for one in bank_of(app).graph.merges[M1].sources]
    assert f"its {len(sources)} nodes return" in said
    assert re.search(r"conflicts? between them becomes? inconclusive", said)
    order(app, "undo-m1")
    assert set(sources) <= bank_of(app).graph.nodes.keys()
    assert "Undone" in shown(app, "merge-rows")
    assert f"its {len(sources)} nodes are as they were" in shown(app, "merge-m1-undo")
    before = shown(app, "merge-m1-before")
    assert all(one in before for one in said_then), "its sources are told from the events"
    assert "undo-m1" not in keys(app)
    settled = next(one.id for one in bank_of(app).conflicts.all.values() if set(one.node_ids) <= set(sources))
    whole = shown(follow(app, "conflict", settled), f"conflict-{settled}")
    for told in ("conflicts.step.undone", "conflicts.undone_help", "conflict.decided_by_user"):
        assert t(told, "en") in whole
    order(follow(app, "merge", "m1"), "restore-m1")
    assert "Undone" not in shown(app, "merge-rows")
    assert "undo-m1" in keys(app)
    whole = shown(follow(app, "conflict", settled), f"conflict-{settled}")
    assert t("conflicts.step.restored", "en") in whole
    assert t("conflicts.undone_help", "en") not in whole
    assert t("conflicts.one_node", "en") in whole


def test_a_settled_conflict_is_about_different_things_and_back(app: AppTest) -> None:
    open_page(app, PAGE, own=True)
    chosen = next(one for one in bank_of(app).conflicts.all.values() if one.status.merges)
    follow(app, "conflict", chosen.id)
    app.text_area(key=f"decide-{chosen.id}-reason").set_value("Two telescopes.")
    order(app, f"tell-apart-{chosen.id}")
    left, right = map(bank_of(app).graph.successor, chosen.node_ids)
    assert left != right
    whole = shown(app, f"conflict-{chosen.id}")
    for told in (t("conflicts.means.told_apart", "en"), "Two telescopes.", t("conflict.decided_by_user", "en")):
        assert told in whole
    assert t("conflicts.one_node", "en") not in whole
    order(app, f"take-back-{chosen.id}")
    assert bank_of(app).conflicts.all[chosen.id] == chosen
    whole = shown(app, f"conflict-{chosen.id}")
    assert t("conflicts.one_node", "en") in whole
    assert t("conflicts.step.restored", "en") in whole


ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."
MORE = f"{ONE} Its towers are 73 metres high."
MOST = f"{MORE} Ferries run beside it, day and night."


def test_a_merge_that_carries_another_names_it(app: AppTest) -> None:
    rest(start(app, "", ("one.txt", ONE.encode()), ("more.txt", MORE.encode())))
    worker = worker_of(app)
    worker.obey(lambda session: session.add(text_source(MOST, "most.txt")), then=Until.END)
    rest(app)
    assert list(bank_of(app).graph.merges) == ["m1", "m2"], "the scene needs a merge on a merge"
    app.switch_page(f"pages/{PAGE}.py").run()
    follow(app, "merge", "m1")
    assert t("conflicts.undo_blocked", "en") in shown(app, "merge-m1-undo")
    assert "merge:m2" in targets(app)
    assert "undo-m1" not in keys(app)
    worker.obey(lambda session: session.undo_merge(M1))  # from a page that was drawn before
    rest(app)
    assert not app.exception
    assert says(app, "undo m2 first")
    assert "merge:m2" in targets(app)
    assert t("conflicts.undo_blocked_go", "en") in shown(app, "conflicts-problem-links")
    follow(app, "merge", "m2")


def test_one_node_of_three_is_split_off(app: AppTest) -> None:
    start(app, "", ("one.txt", ONE.encode()), ("more.txt", MORE.encode()), ("most.txt", MOST.encode()))
    rest(app)
    app.session_state["lang"] = "zh"
    app.switch_page(f"pages/{PAGE}.py").run()
    follow(app, "merge", "m1")
    sources = bank_of(app).tree.merge_events[M1].merged_node_ids
    assert len(sources) == 3, "the scene needs three"
    order(app, f"split-m1-{sources[2]}")
    graph = bank_of(app).graph
    united = graph.nodes[graph.successor(sources[0])]
    assert united.id == graph.successor(sources[1])
    assert "Ferries" in graph.nodes[sources[2]].summary
    assert "Ferries" not in united.summary
    split = f"{node_label(graph.nodes[sources[2]], 'zh')} (3)"
    assert t("conflicts.was_split", "zh", nodes=split) in shown(app, "merge-m1-undo")
    follow(app, "merge", "m2")
    assert t("conflicts.rest_of", "zh") in shown(app, "merge-m2-cause")
    assert not offered(app, "split-"), "of two, one off is both off"


def test_hundreds_of_conflicts_are_listed_a_part_at_a_time(app: AppTest) -> None:
    found = [
        ConflictFound(
            conflict_id=ConflictId(f"c{number}"), node_ids=(n(1), n(number + 1)), description=f"matter {number}"
        )
        for number in range(1, 300)
    ]
    write_run(app, PAGE, [*(created(number, vector=bytes(2 * DIM)) for number in range(1, 301)), *found])
    assert {one for one in targets(app) if one.startswith("conflict:")} == {f"conflict:c{n}" for n in range(270, 300)}
    assert says(app, "Showing 30 of 299")
    press(app, "conflict-rows-more")
    assert says(app, "Showing 60 of 299")
    follow(app, "conflict", "c3")
    assert "matter 3" in shown(app, "conflict-rows"), "the chosen one is in the list wherever it stands"
    app.text_input(key="conflicts-search").set_value("MATTER 29").run()
    listed = {one for one in targets(app) if one.startswith("conflict:")}
    assert listed == {f"conflict:c{number}" for number in (29, *range(290, 300))}
