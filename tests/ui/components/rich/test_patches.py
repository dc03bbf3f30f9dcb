"""Patches of box trees: whatever the two trees, the browser ends with the new one; a list costs its new line."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memorybank.ui.components.rich.live import Patch, TreeSender, apply, patches

TEXT = st.text(alphabet="ab", max_size=2)
EXTRA = st.one_of(st.just(()), st.just(({"choose": "node:n1"},)))
CHILD: st.SearchStrategy[Any] = st.recursive(
    TEXT,
    lambda inside: st.builds(
        lambda tag, look, children, extra: [tag, look, children, *extra],
        st.sampled_from(["p", "li"]),
        TEXT,
        st.lists(inside, max_size=4),
        EXTRA,
    ),
    max_leaves=12,
)
TREE = st.lists(CHILD, max_size=6)


@given(old=TREE, new=TREE)
def test_patches_make_the_new_tree_of_the_old_one(old: list[Any], new: list[Any]) -> None:
    found = patches(old, new)
    assert apply(old, found) == new
    assert (found == []) == (old == new)


def feed(*lines: int) -> list[Any]:
    return [["ol", "feed", [["li", "plain", [f"line {line}"]] for line in lines]]]


def test_a_list_that_grows_at_its_beginning_costs_the_new_line() -> None:
    found = patches(feed(*range(200, 0, -1)), feed(*range(201, 0, -1)))
    assert found == [((0,), 0, 0, (["li", "plain", ["line 201"]],))]


def test_a_list_that_also_loses_its_end_costs_little() -> None:
    found = patches(feed(*range(200, 0, -1)), feed(*range(203, 50, -1)))
    assert apply(feed(*range(200, 0, -1)), found) == feed(*range(203, 50, -1))
    assert len(json.dumps(found)) < 200


def test_a_word_deep_inside_costs_the_word() -> None:
    def strip(time: str, look: str) -> list[Any]:
        return [["ol", "strip", [["li", "done", [["span", "name", ["Plan"]], ["span", look, [time]]]] for _ in "abc"]]]

    assert patches(strip("1 s", "time"), strip("2 s", "time"))[0] == ((0, 0, 1), 0, 1, ("2 s",))
    assert patches(strip("1 s", "time"), strip("1 s", "slow"))[0] == ((0, 0), 1, 1, (["span", "slow", ["1 s"]],))


@given(trees=st.lists(TREE, min_size=1, max_size=6))
def test_the_entries_of_the_channel_come_to_the_tree(trees: list[list[Any]]) -> None:
    sender = TreeSender()
    for tree in trees:
        message = sender.send(tree)
        assert sender.send(tree) is message, "what has not changed is sent as a reference"
    entries = [patch for entry in sender.channel.entries for patch in entry]
    assert apply([], [Patch(*patch) for patch in entries]) == trees[-1]


def test_a_browser_that_is_far_behind_is_sent_the_tree_and_not_its_history() -> None:
    sender = TreeSender()
    for last in range(20, 200):
        sender.send(feed(*range(last, 0, -1)))
    epoch, length = sender.channel.epoch, len(sender.channel.entries)
    near = {"epoch": epoch, "have": length - 2}
    assert sender.send(feed(*range(199, 0, -1)), request=near)["from"] == length - 2
    message = sender.send(feed(*range(199, 0, -1)), request={"epoch": epoch, "have": 1})
    assert (message["epoch"] != epoch, message["from"], message["total"]) == (True, 0, 1)
