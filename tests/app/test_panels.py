"""What the panels make of data, without a page: marks, citations, raw text. Nothing is lost and nothing is added."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.memory.events import AgentCalled, TaskReceived
from memorybank.runs.journal import Record
from memorybank.session.phase import Phase
from memorybank.ui.session.feed import feed_box, feed_line, matching
from memorybank.views.box import Box, box
from memorybank.views.boxes.answer_card import answer_boxes, answer_lines
from memorybank.views.boxes.conflicts import ClaimSide, mark_claims
from memorybank.views.boxes.state import run_state
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.playback import Playback
from tests.boxes_read import boxes_of, words_of

HOSTILE = "<script>alert(1)</script> $a$ :red[b]"
WORDS = st.text(alphabet="abc 九章<>&\n12.", max_size=60)


def marks_of(side: ClaimSide) -> list[str]:
    return [words_of(piece) for piece in side.pieces if isinstance(piece, Box)]


def test_sentences_built_alike_are_marked_by_word() -> None:
    left, right = mark_claims(("Willow has 105 qubits.", "105"), ("Willow has 98 qubits.", "98"))
    assert (marks_of(left), marks_of(right)) == (["105"], ["98"])


def test_sentences_with_little_in_common_are_marked_by_value() -> None:
    left, right = mark_claims(
        ("其一，“九章”于2020年8月发布，消息一出，讨论持续了好几个星期。", "2020年8月"),
        ("二〇二〇年十二月，团队发布了“九章”。", "二〇二〇年十二月"),
    )
    assert (marks_of(left), marks_of(right)) == (["2020年8月"], ["二〇二〇年十二月"])


@given(left=WORDS, right=WORDS, one=WORDS, other=WORDS)
def test_marks_never_change_a_claim(left: str, right: str, one: str, other: str) -> None:
    for side, text in zip(mark_claims((left, one), (right, other)), (left, right), strict=True):
        assert "".join(map(words_of, side.pieces)) == text


@pytest.mark.parametrize("phase", [Phase.PARKED, Phase.RESTING])
def test_a_run_that_rests_is_not_shown_as_disputed(phase: Phase) -> None:
    """Amber is kept for what is disputed: the chip says in words that nothing runs."""
    words, look = run_state(Playback().at(()), phase)
    assert (words, look) == ("session.stopped" if phase is Phase.PARKED else "run.paused", "")


def test_a_citation_becomes_a_link_to_its_node() -> None:
    lines = answer_lines(
        "On it:\n- Willow has 105 qubits. [n7: a.md, b.md]\n- Opened in 1961. [n1: one.txt]\n[not one]", "en"
    )
    links = [piece for line in lines for piece in line.inside if isinstance(piece, Box)]
    assert [(link.choose, words_of(link)) for link in links] == [("node:n7", "2 sources"), ("node:n1", "one.txt")]
    assert links[0].title == "n7\na.md\nb.md"
    assert words_of(lines[-1]) == "[not one]"


def test_an_answer_shows_its_list_as_a_list() -> None:
    answer = "On it:\n- one [n1: a.md]\n\n* two - with a dash\nBut:\n• 三\n-5 degrees\n- \n**bold**"
    found = answer_boxes(answer, "en")
    assert [(one.tag, words_of(one)) for one in found] == [
        ("p", "On it:"),
        ("ul", "onea.mdtwo - with a dash"),
        ("p", "But:"),
        ("ul", "三"),
        ("p", "-5 degrees"),
        ("p", "- "),
        ("p", "**bold**"),
    ]
    assert [one.tag for one in found[1].inside if isinstance(one, Box)] == ["li", "li"]


def feed_items(count: int) -> list[FeedItem]:
    return [
        FeedItem(
            record=Record(seq, 0.0, TaskReceived(doc_id="d", goal=f"goal {seq} {HOSTILE}")),
            tone="plain",
            stage="analyse",
            round=1 + seq // 400,
            targets=(("node", "n1"), ("call", str(seq))),
        )
        for seq in range(1, count + 1)
    ]


def test_of_two_thousand_events_a_window_is_drawn() -> None:
    drawn = feed_box(feed_items(2_000), "en")
    assert "1970 earlier" in words_of(drawn)
    assert len(json.dumps(drawn.data())) < 9_000


def test_each_line_leads_to_what_it_is_about() -> None:
    (item,) = feed_items(1)
    line = feed_line(item, "en")
    assert [piece.choose for piece in boxes_of(line) if piece.choose] == ["node:n1"]
    assert HOSTILE in words_of(line)


def test_the_feed_is_searched_by_every_word_and_calls_are_shown_when_they_are_sought() -> None:
    called = AgentCalled(role="planning", engine="offline", key="k", outcome="ok", answer={}, ms=1.0)
    calls = [replace(item, record=Record(item.seq, 0.0, called), tone="quiet") for item in feed_items(2)]
    items = [*feed_items(3), *calls]
    assert matching(items, "", "en") == items[:3]
    assert matching(items, "GOAL 2", "en") == items[1:2]
    assert matching(items, "PLANNING", "en") == calls
    assert matching(items, "nothing", "en") == []


def test_what_is_sent_holds_no_control_characters_and_no_markup_of_ours() -> None:
    data = box("p", "text", "<b>\u202ebold\x00</b>", None, box("mark", "", "[x](javascript:1)"), title="a\x07b").data()
    assert data == ["p", "text", ["<b>bold</b>", ["mark", "", ["[x](javascript:1)"]]], {"title": "ab"}]
