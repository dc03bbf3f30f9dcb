"""What the panels make of data, without a page: marks, citations, raw text. Nothing is lost and nothing is added."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memorybank.journal import Record
from memorybank.ui.feed import FeedItem, Tone
from memorybank.ui.panels.answer import answer_lines
from memorybank.ui.panels.conflicts import Side, mark_claims
from memorybank.ui.panels.feed import MOST_QUIET, newest
from memorybank.ui.rich import Box, Piece, box

WORDS = st.text(alphabet="abc 九章<>&\n12.", max_size=60)


def text_of(piece: Piece) -> str:
    return piece if isinstance(piece, str) else "".join(map(text_of, piece.inside))


def marks_of(side: Side) -> list[str]:
    return [text_of(piece) for piece in side.pieces if isinstance(piece, Box)]


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
        assert "".join(map(text_of, side.pieces)) == text


def test_a_citation_becomes_a_link_to_its_node() -> None:
    lines = answer_lines(
        "On it:\n- Willow has 105 qubits. [n7: a.md, b.md]\n- Opened in 1961. [n1: one.txt]\n[not one]", "en"
    )
    links = [piece for line in lines for piece in line.inside if isinstance(piece, Box)]
    assert [(link.choose, text_of(link)) for link in links] == [("node:n7", "2 sources"), ("node:n1", "one.txt")]
    assert links[0].title == "n7\na.md\nb.md"
    assert text_of(lines[-1]) == "[not one]"


def test_quiet_lines_give_way_first() -> None:
    def item(seq: int, tone: Tone) -> FeedItem:
        return FeedItem(record=Record(seq, 0.0, None), tone=tone, stage="analyse", round=1)

    items = [item(1, "conflict"), *(item(seq, "quiet") for seq in range(2, 500)), item(500, "merge")]
    shown = newest(items)
    assert [one.seq for one in shown[:2]] == [500, 499]
    assert shown[-1].tone == "conflict"
    assert len(shown) == MOST_QUIET + 2


def test_what_is_sent_holds_no_control_characters_and_no_markup_of_ours() -> None:
    data = box("p", "text", "<b>\u202ebold\x00</b>", None, box("mark", "", "[x](javascript:1)"), title="a\x07b").data()
    assert data == ["p", "text", ["<b>bold</b>", ["mark", "", ["[x](javascript:1)"]]], {"title": "ab"}]
