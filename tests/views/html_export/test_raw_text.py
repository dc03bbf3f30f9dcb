"""An entry's pieces, joined, are the entry; what is marked is what the node stands on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memorybank.memory.events import NodeCreated
from memorybank.memory.types import Entry, EntryId, NodeId, Span
from memorybank.runs.journal import Record
from memorybank.views.box import Box
from memorybank.views.html_export.raw_text import RawTexts

ID = EntryId("e1")


def entry_of(text: str) -> Entry:
    return Entry(id=ID, kind="document", text=text, source="a.md", sha256="")


def born(name: str, *spans: Span) -> Record[NodeCreated]:
    node = NodeCreated(node_id=NodeId(name), summary="", context="", keywords=(), vector=b"", spans=spans)
    return Record(1, 0.0, node)


def pieces_of(shown: Box) -> list[tuple[str, bool]]:
    raw = shown.inside[0]
    assert isinstance(raw, Box)
    return [(one, False) if isinstance(one, str) else (str(one.inside[0]), True) for one in raw.inside]


@given(st.text(min_size=1, max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5))
def test_pieces_joined_are_the_text(text: str, places: list[tuple[int, int]]) -> None:
    spans = [
        Span(entry_id=ID, start=min(pair), end=max(pair))
        for pair in ((min(one, len(text)), min(other, len(text))) for one, other in places)
    ]
    raw, entry = RawTexts([born(f"n{at}", span) for at, span in enumerate(spans)]), entry_of(text)
    assert "".join(raw.whole(entry, "en")[0]) == text
    for span in spans:
        shown = pieces_of(raw.marked(entry, [span], "en"))
        assert "".join(piece for piece, _ in shown) == text
        marked = "".join(piece for piece, is_marked in shown if is_marked)
        owns_all = not text[: span.start].strip() and not text[span.end :].strip()
        assert marked == ("" if owns_all else text[span.start : span.end])


def test_two_nodes_of_one_entry_share_its_pieces() -> None:
    text = "One sentence. Another one. A third."
    one, other = Span(entry_id=ID, start=0, end=13), Span(entry_id=ID, start=14, end=26)
    raw, entry = RawTexts([born("n1", one), born("n2", other)]), entry_of(text)
    whole = set(raw.whole(entry, "en")[0])
    for span in (one, other):
        assert {piece for piece, _ in pieces_of(raw.marked(entry, [span], "en"))} == whole


def test_of_a_long_entry_what_lies_around_the_marks_is_shown_and_the_rest_is_told() -> None:
    text = "".join(f"Sentence {number} of a long book. " for number in range(2_000))
    span = Span(entry_id=ID, start=30_000, end=30_030)
    raw, entry = RawTexts([born("n1", span)]), entry_of(text)
    shown = raw.marked(entry, [span], "en")
    assert len("".join(piece for piece, _ in pieces_of(shown))) < 4_000
    assert text[30_000:30_030] in dict(pieces_of(shown))
    note = shown.inside[1]
    assert isinstance(note, Box)
    assert f"{len(text)}" in str(note.inside[0]).replace(",", "")


def test_a_text_too_long_for_the_file_is_cut_and_that_is_said() -> None:
    raw, entry = RawTexts([]), entry_of("a" * 300_000)
    pieces, note = raw.whole(entry, "en")
    assert (len("".join(pieces)), note is not None) == (200_000, True)
    for _ in range(120):
        pieces, note = raw.whole(entry, "zh")
    assert pieces == ()
    assert note is not None
    assert "300,000" in str(note.inside)
