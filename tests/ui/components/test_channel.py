"""The protocol under rich text, graph and timeline: whatever is lost or late, the browser has it in the end."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.runs.run_folder import load
from memorybank.ui.components.graph.component import Channel, Sender
from memorybank.views.graph.moment_view import view_of
from memorybank.views.run.playback import Playback
from tests.recorded import recorded_run

CODE = Path(__file__).parents[3] / "memorybank" / "views" / "drawing"


class Receiver:
    """The real code of one page, in another process."""

    def __init__(self, *code: str) -> None:
        command = [str(shutil.which("node")), str(Path(__file__).with_name("receiver.js"))]
        command += [str(CODE / name) for name in ("channel.js", *code)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.asked: dict[str, Any] | None = None
        """Kept by Streamlit until the browser asks again."""
        self.is_asking = False

    def hear(self, step: Mapping[str, Any] | None, *, turning: bool = False) -> Any:
        """What is there afterwards. None: the message was lost. `turning`: another page was just asked for."""
        assert self.process.stdin
        assert self.process.stdout
        data = step and {**step, "key": "g", "height": 1}
        message = {"step": data, "turning": turning}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.is_asking = answer["asked"] is not None
        self.asked = answer["asked"] or self.asked
        return answer["there"]


@contextmanager
def receiver(*code: str) -> Iterator[Receiver]:
    if shutil.which("node") is None:
        pytest.skip("no node on this machine")
    running = Receiver(*code)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()


# -- the protocol under rich text, graph and timeline -----------------------------------------------------------------


FATES = st.sampled_from(["kept", "lost", "anew"])
ENTRIES = st.lists(st.text(alphabet="主a<", max_size=3), max_size=4)


def settle(channel: Channel, page: Receiver, key: str = "g") -> object:
    for _ in range(60):
        channel.hear(key, page.asked)
        there = page.hear(channel.next())
        if not page.is_asking:
            return there
    pytest.fail("the browser never has it all")


def test_whatever_is_lost_the_browser_has_it_in_the_end() -> None:
    with receiver() as page:

        @given(steps=st.lists(st.tuples(ENTRIES, FATES), max_size=8), server_forgets=st.booleans())
        @settings(max_examples=60, deadline=None)
        def check(steps: list[tuple[list[str], str]], server_forgets: bool) -> None:
            channel = Channel()
            for entries, fate in steps:
                if fate == "anew":
                    channel.begin()
                channel.entries.extend(entries)
                channel.hear("g", page.asked)
                message = channel.next()
                page.hear(None if fate == "lost" else message)
            if server_forgets:  # the page stays open
                channel = Channel(entries=channel.entries)
            assert settle(channel, page) == channel.entries

        check()


def test_a_message_that_comes_late_or_twice_changes_nothing_and_one_too_early_is_asked_for() -> None:
    channel = Channel(entries=["a" * 900])
    messages = [channel.next()]
    for entry in ("b" * 900, "c" * 900):
        channel.entries.append(entry)
        messages.append(channel.next())
    first, second, third = messages
    assert [message["from"] for message in messages] == [0, 1, 2], "too large to be repeated"
    with receiver() as page:
        page.hear(first)
        assert page.hear(third) == channel.entries[:1]
        assert page.asked is not None
        assert (page.asked["epoch"], page.asked["have"]) == (channel.epoch, 1)
        assert page.hear(second) == channel.entries[:2]
        assert page.hear(third) == page.hear(first) == page.hear(second) == channel.entries
        assert not page.is_asking


def test_a_reload_and_a_second_tab_get_all_and_disturb_nobody() -> None:
    one, other = Channel(entries=["a", "b"]), Channel(entries=["x"])
    with receiver() as page, receiver() as second:
        assert settle(one, page) == ["a", "b"]
        assert settle(other, second) == ["x"]
        one.entries.append("c")
        assert settle(one, page) == ["a", "b", "c"]
        assert settle(other, second) == ["x"]
    with receiver() as reloaded:  # the same tab of the server, an empty page
        one.entries.append("d" * 900)
        assert settle(one, reloaded) == one.entries
    assert one.epoch != other.epoch


def test_nothing_is_asked_while_a_page_is_being_turned() -> None:
    channel = Channel(entries=["a"], sent=1)
    with receiver() as page:
        page.hear(channel.next(), turning=True)
        assert not page.is_asking
        page.hear(channel.next())
        assert page.is_asking


def test_what_is_asked_counts_once_and_nonsense_does_no_harm() -> None:
    channel = Channel(entries=["a"] * 9)
    channel.next()
    for asked in ({"have": "x"}, {"epoch": channel.epoch, "have": -5}, {"epoch": "other", "have": 3}, {"have": 10**12}):
        assert channel.hear("g", asked)
        assert channel.sent == 0, asked
        channel.next()
        assert not channel.hear("g", asked), "answered already"
    assert not channel.hear("g", {"code": True})
    assert channel.hear("g", {"epoch": channel.epoch, "have": 7})
    message = channel.next()
    assert (message["from"], len(message["items"])) == (7, 2)
    assert channel.hear("g", {"epoch": channel.epoch, "have": 10**12})
    assert not channel.next()["items"]


GRAPH = ("graph/mount.js",)


def sorted_picture(shown: dict[str, Any]) -> dict[str, Any]:
    return {
        **shown,
        "nodes": sorted(shown["nodes"], key=lambda node: str(node["id"])),
        "edges": sorted(shown["edges"], key=lambda edge: str(edge["id"])),
    }


def test_a_growing_run_is_sent_as_it_grows_and_a_stage_costs_what_it_changed() -> None:
    records, playback, sender, sizes = load(recorded_run().path), Playback(), Sender(), []
    with receiver(*GRAPH) as running:
        for k in range(0, len(records), 4):
            view = view_of(playback.at(records, k), None, "en")
            message = sender.send(view, request=running.asked)
            frame = {key: view.parts["frame"][key] for key in ("legend", "words", "looks", "notice")}
            shown = json.loads(json.dumps({"nodes": view.nodes, "edges": view.edges, **frame}))
            assert sorted_picture(running.hear(message)) == sorted_picture(shown), "in any order: a canvas has none"
            sizes.append(len(json.dumps(message)))
    assert sorted(sizes)[len(sizes) // 2] < 5_000, "but for the first, and where the log is begun anew"
