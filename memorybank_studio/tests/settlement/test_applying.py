"""A confirmed set reaches the stores whole, whatever store is down, and no reader sees half of it."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError, ModelUnavailableError, StoreUnavailableError
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.events import SettlementFailed
from memorybank_studio.settlement import applying
from memorybank_studio.tests.settlement.settling import propose, settled, ticked
from memorybank_studio.tests.tasks.studio import Studio, open_studio
from memorybank_studio.types import SettlementId, TaskState
from tests.waiting import wait_until

LINES = ("fact: Lin OWNS Frost Sword @3", "plan: The siege", "setting: Jade = cold")
NOT_WHOLE = "not yet wholly in the hub"


def written(stores: Stores) -> tuple[bool, bool, bool]:
    return bool(stores.facts.count()[1]), bool(stores.plans.all()), bool(stores.settings.all())


def later(studio: Studio) -> tuple[bool, bool, bool]:
    """What a reader finds when a store may be asked again."""
    studio.clock.now += 10
    with studio.hub.reading() as read:
        return written(read)


def expect_nobody_gets_in(studio: Studio) -> None:
    for enter in (studio.hub.reading, studio.hub.changing):
        with pytest.raises(StoreUnavailableError, match=NOT_WHOLE), enter():
            pytest.fail("somebody got in")
    for call in (studio.hub.stores.settings.all, lambda: studio.hub.step_by_step().plans.apply([], [])):
        with pytest.raises(StoreUnavailableError, match=NOT_WHOLE):
            call()


# -- stores that are down ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["facts", "plans", "settings"])
def test_a_store_that_is_down_at_confirm_gets_it_when_it_is_back(cut: Studio, stores: Stores, which: str) -> None:
    task, table = propose(cut, *LINES)
    store: Any = getattr(cut.stores, which)
    store.down = True
    confirmed = cut.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "start it" in str(confirmed.problem)
    assert written(stores) == (False, False, False), "nothing was begun that could not be ended"
    assert cut.gateway.waiting() == (task,)
    with pytest.raises(InputError, match="settled and waits for a store"):
        cut.gateway.handle("more", task=task)
    store.down = False
    assert later(cut) == (True, True, True)
    assert cut.gateway.waiting() == ()
    assert cut.states() == [TaskState.CLOSED]


@pytest.mark.parametrize(
    ("which", "call", "error"),
    [
        ("facts", "apply", StoreUnavailableError),
        ("plans", "apply", StoreUnavailableError),
        ("settings", "put", StoreUnavailableError),
        ("settings", "put", ModelUnavailableError),
    ],
)
@pytest.mark.parametrize("restarted", [False, True], ids=["same program", "program restarted"])
def test_a_store_lost_in_the_middle_keeps_readers_out_until_all_is_written(
    cut: Studio, which: str, call: str, error: type[Exception], restarted: bool
) -> None:
    """Also the embedding model of the settings, which are written last: facts and plans are in by then."""
    task, table = propose(cut, *LINES)
    store: Any = getattr(cut.stores, which)
    store.dies_in, store.error = call, error
    confirmed = cut.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "start it" in str(confirmed.problem)
    studio = cut.reopened() if restarted else cut  # while it is down still: the studio opens all the same
    assert studio.gateway.waiting() == (task,)
    for _ in range(2):
        expect_nobody_gets_in(studio)
    store.dies_in, store.down = "", False
    assert later(studio) == (True, True, True)
    assert studio.states() == [TaskState.CLOSED]
    studio.gateway.close()


def test_a_store_that_is_down_is_not_asked_at_every_reading(cut: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    task, table = propose(cut, *LINES)
    cut.stores.settings.down = True  # type: ignore[attr-defined]
    cut.gateway.confirm(task, table.proposals)
    tries = []
    parts = applying._parts
    monkeypatch.setattr(applying, "_parts", lambda *given: tries.append(1) or parts(*given))
    for seen in (1, 2):
        cut.clock.now += 10
        for _ in range(20):
            with suppress(StoreUnavailableError), cut.hub.reading():
                pass
        assert len(tries) == seen, "one try in three seconds"


def test_two_confirmed_sets_are_written_in_their_order(cut: Studio, stores: Stores) -> None:
    first, table = propose(cut, "setting: Jade = first")
    second, other = propose(cut, "setting: Jade = second", title="Two")
    cut.stores.settings.down = True  # type: ignore[attr-defined]
    assert not cut.gateway.confirm(first, table.proposals).applied
    assert not cut.gateway.confirm(second, other.proposals).applied
    assert cut.gateway.waiting() == (first, second)
    cut.stores.settings.down = False  # type: ignore[attr-defined]
    reopened = cut.reopened()
    assert stores.settings.exact("Jade").text == "second"  # type: ignore[union-attr]
    assert reopened.gateway.waiting() == ()
    reopened.gateway.close()


def test_a_set_confirmed_unchecked_that_is_refused_later_opens_its_task_again_and_holds_up_no_other(
    cut: Studio, stores: Stores
) -> None:
    wrong, table = propose(cut, "status: Nowhere = Completed")
    right, other = propose(cut, "plan: The siege", title="Two")
    cut.stores.plans.down = True  # type: ignore[attr-defined]
    assert not cut.gateway.confirm(wrong, ticked(table.proposals)).applied
    assert not cut.gateway.confirm(right, other.proposals).applied
    cut.stores.plans.down = False  # type: ignore[attr-defined]
    third, last = propose(cut, "plan: The march", title="Three")
    assert cut.gateway.confirm(third, last.proposals).applied, "another task's fault is not this one's"
    assert later(cut) == (False, True, False)
    assert {plan.title for plan in stores.plans.all()} == {"The siege", "The march"}
    assert cut.states() == [TaskState.OPEN, TaskState.CLOSED, TaskState.CLOSED]
    assert cut.gateway.waiting() == ()
    failure = cut.gateway.failure(wrong)
    assert failure is not None, "and the author can be told"
    assert "names no plan" in str(failure)
    assert "不是任何一条规划" in failure.in_language("zh")
    of_before = SettlementFailed(settlement=SettlementId("s1"), reason="words of before", at=0.0)
    assert of_before.why.in_language("zh") == "words of before", "a journal without codes is shown as it is"
    cut.gateway.handle("let us see", task=wrong)
    cut.propose(wrong)
    assert cut.gateway.failure(wrong) is None


@pytest.mark.parametrize("restarted", [False, True], ids=["same program", "program restarted"])
@pytest.mark.parametrize(("which", "call"), [("facts", "apply"), ("settings", "put")])
def test_what_is_refused_when_a_part_is_written_lets_no_reader_in(
    cut: Studio, stores: Stores, which: str, call: str, restarted: bool
) -> None:
    """Another program has changed the store since the set was checked."""
    task, table = propose(cut, *LINES)
    store: Any = getattr(cut.stores, which)
    store.refuses = call
    confirmed = cut.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "a part of the settlement is in the hub" in str(confirmed.problem)
    assert stores.plans.all(), "a part is written"
    studio = cut.reopened() if restarted else cut
    for _ in range(3):
        studio.clock.now += 10
        expect_nobody_gets_in(studio)
    assert studio.gateway.waiting() == (task,)
    store.refuses = ""
    assert later(studio) == (True, True, True)
    assert studio.gateway.waiting() == ()
    assert studio.states() == [TaskState.CLOSED]
    studio.gateway.close()


def test_what_the_first_store_refuses_is_given_back_and_readers_go_on(cut: Studio) -> None:
    task, table = propose(cut, *LINES)
    cut.stores.plans.refuses = "apply"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="the store has changed"):
        cut.gateway.confirm(task, table.proposals)
    cut.stores.plans.refuses = ""  # type: ignore[attr-defined]
    assert written(cut.hub.stores) == (False, False, False)
    assert cut.gateway.confirm(task, cut.propose(task).proposals).applied


# -- all or nothing for every reader ----------------------------------------------------------------------------------


class Slow:
    """A real store that takes its time to write."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        if name in ("apply", "put"):
            threading.Event().wait(0.02)
        return getattr(self._store, name)


def test_readers_in_other_threads_see_all_of_a_settlement_or_nothing(tmp_path: Path, stores: Stores) -> None:
    facts, plans, settings = (Slow(one) for one in (stores.facts, stores.plans, stores.settings))
    slow = Stores(facts=facts, plans=plans, settings=settings, archive=stores.archive)  # type: ignore[arg-type]
    studio = open_studio(tmp_path / "s", slow)
    seen: set[tuple[int, int, int]] = set()
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            with studio.hub.reading() as hub:
                facts = hub.facts.count()[1]
                ended.wait(0.01)
                plans = len(hub.plans.all())
                ended.wait(0.01)
                settings = len(hub.settings.all())
            seen.add((facts, plans, settings))

    readers = [threading.Thread(target=read) for _ in range(3)]
    [one.start() for one in readers]
    for number in range(1, 9):
        lines = (f"fact: P{number} OWNS Frost{number} Sword @3", f"plan: Plan {number}", f"setting: Key {number} = x")
        settled(studio, *lines, title=f"Task {number}")
        wait_until(lambda number=number: (number, number, number) in seen, 10, lambda: seen)
    ended.set()
    [one.join() for one in readers]
    assert seen <= {(number, number, number) for number in range(9)}
    assert len(seen) >= 8
    studio.gateway.close()


def test_a_reader_may_read_within_its_reading_and_the_lock_lets_writers_through(studio: Studio) -> None:
    with studio.hub.reading() as hub:
        assert studio.hub.stores.facts.count() == hub.facts.count()
        with studio.hub.reading(), pytest.raises(RuntimeError, match="would wait for itself"), studio.hub.changing():
            pytest.fail("a reader became a writer")
    with studio.hub.changing(), studio.hub.reading():
        pass
    order: list[str] = []
    reading, release = threading.Event(), threading.Event()

    def first() -> None:
        with studio.hub.reading():
            reading.set()
            release.wait(10)
            order.append("reader")

    def enter(door: Any, name: str) -> None:
        with door():
            order.append(name)

    threads = [
        threading.Thread(target=first),
        threading.Thread(target=enter, args=(studio.hub.changing, "writer")),
        threading.Thread(target=enter, args=(studio.hub.reading, "late reader")),
    ]
    threads[0].start()
    assert reading.wait(10)
    threads[1].start()
    wait_until(lambda: studio.hub._lock._waiting == 1, 10)
    threads[2].start()
    release.set()
    [one.join() for one in threads]
    assert order == ["reader", "writer", "late reader"], "a writer that waits goes before readers that come later"
