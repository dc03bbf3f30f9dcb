"""Where words stand in raw text, and how a long text is cut into pages and marks: nothing is added, nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memorybank.contradiction.disputes.gathering import stated_at
from memorybank.language.text import sha256
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import Claim, Entry, EntryId, EntryKind, Lang, NodeId, Span
from memorybank.runs.run_folder import load, state_at
from memorybank.views.text import passages
from tests.recorded import recorded_run

E1 = EntryId("e1")
N1, N2 = NodeId("n1"), NodeId("n2")


def entry(text: str, id_: EntryId = E1, kind: EntryKind = "document", body_start: int = 0) -> Entry:
    digest = sha256(text[body_start:])
    return Entry(id=id_, kind=kind, text=text, source=f"{id_}.md", sha256=digest, body_start=body_start)


def span(start: int, end: int, id_: EntryId = E1) -> Span:
    return Span(entry_id=id_, start=start, end=end)


def tree(*entries: Entry, **spans: tuple[Span, ...]) -> InteractionTree:
    return InteractionTree(
        entries={one.id: one for one in entries}, spans={NodeId(name): owned for name, owned in spans.items()}
    )


def test_words_are_found_over_line_breaks_and_not_as_patterns() -> None:
    text = "It was\n  launched (from)\tKourou. 九章于2020年\n12月发布。"
    place = passages.find(text, "was launched (from) Kourou.")
    assert place is not None
    assert text[place[0] : place[1]] == "was\n  launched (from)\tKourou."
    assert passages.find(text, "2020年 12月") == (text.index("2020"), text.index("发布"))
    assert passages.find(text, "w.s") is None
    assert passages.find(text, "   ") is None
    odd = "旧\u00ad的⻘岚\u200b塔，\n⾼34⽶。"
    place = passages.find(odd, "青岚塔， 高34米", odd.index("⻘"), odd.index("。"))
    assert place is not None
    assert odd[place[0] : place[1]] == "⻘岚\u200b塔，\n⾼34⽶"
    assert passages.find(odd, "青岚塔", odd.index("岚")) is None
    assert passages.find(text, "Kourou", 0, 10) is None


def test_claims_of_a_recorded_run_stand_in_its_raw_text(lang: Lang) -> None:
    bank = state_at(load(recorded_run(lang).path))
    checked = 0
    for conflict in bank.conflicts.all.values():
        for one in conflict.contradictions:
            for claim, node_id in zip((one.left, one.right), conflict.node_ids, strict=True):
                spans = bank.tree.spans[node_id]
                found = [(one, at) for one in spans if (at := stated_at(claim, bank.tree.text(one)))]
                assert found
                for one, at in found:
                    shown = passages.passage(bank.tree.entries[one.entry_id], one.start + at[0], one.start + at[1])
                    assert " ".join(shown.match.split()).strip(".。") == " ".join(claim.text.split()).strip(".。")
                    assert f"{shown.before}{shown.match}{shown.after}" in shown.entry.text
                    assert shown.entry.kind != "transcript"
                checked += 1
        claims = {
            "left": [one.left for one in conflict.contradictions],
            "right": [one.right for one in conflict.contradictions],
        }
        for voice in conflict.evidence:
            place = passages.place_of(bank.tree, voice)
            assert place is not None
            assert bank.tree.text(place).split() == voice.quote.split()
            assert passages.weight_of(voice, claims) in (
                ("counted",) if voice.independent else ("own", "repeats", "party", "copy")
            )
        own = [one for one in conflict.evidence if passages.weight_of(one, claims) == "own"]
        assert {one.supports for one in own} == {"left", "right"}, "each side has the voice of its own source"
    assert checked


def test_a_claim_that_is_not_there_word_for_word_stands_in_the_sentence_like_it_that_has_its_value() -> None:
    claim = Claim(text="The bridge opened in 1961.", kind="date", subject="bridge", attribute="opened", value="1961")
    text = "A tram ran in 1961. The bridge opened, they say, in 1961. The bridge opened in 1968."
    at = stated_at(claim, text)
    assert at is not None
    assert text[slice(*at)] == "The bridge opened, they say, in 1961."
    assert stated_at(claim, "The bridge opened. A tram ran in 1961.") is None
    shown = passages.passage(entry(f"{'x' * 500} {text}"), 501 + at[0], 501 + at[1])
    assert (shown.match, shown.cut_before, shown.cut_after) == (text[slice(*at)], True, False)
    assert len(shown.before) == passages.AROUND


@given(start=st.integers(0, 10**9), size=st.integers(0, 10**6))
def test_an_address_is_read_as_it_was_written(start: int, size: int) -> None:
    read = passages.read_address(passages.address(E1, start, start + size))
    assert read == (passages.Address(E1, start, start + size) if size else passages.Address(E1))


@pytest.mark.parametrize("text", ["", "e1@", "e1@5", "e1@a-b", "@1-2", "e1@-1-2", "e1@1-2-3", "e1@" + "9" * 40 + "-1"])
def test_nonsense_is_an_entry_that_is_not_there(text: str) -> None:
    assert passages.read_address(text) == passages.Address(EntryId(text))


TEXTS = st.text(alphabet=st.sampled_from("ab \n九"), max_size=900)


@given(text=TEXTS, size=st.integers(201, 320))
@example(text="a" * 900, size=201)
def test_reading_on_from_page_to_page_is_the_text(text: str, size: int) -> None:
    read, at = "", 0
    while True:
        page = passages.page_at(text, at, size)
        assert page.start == at or not text
        assert page.end - page.start <= size
        read += text[page.start : page.end]
        if page.next is None:
            break
        assert page.next > at
        at = page.next
    assert read == text


@given(text=TEXTS, size=st.integers(201, 320), place=st.integers(0, 1_000))
def test_going_back_leaves_no_gap_and_a_place_is_on_its_page(text: str, size: int, place: int) -> None:
    start = passages.opening(text, place, 500)
    page = passages.page_at(text, start, 500)
    if place < len(text):
        assert page.start <= place < page.end
    at = passages.page_at(text, start, size)
    while at.previous is not None:
        before = passages.page_at(text, at.previous, size)
        assert before.start < at.start <= before.end
        at = before
    assert at.start == 0


CUTS = st.lists(st.tuples(st.sampled_from([N1, N2]), st.integers(0, 60), st.integers(0, 60)), max_size=6)


@given(
    cuts=CUTS,
    edges=st.tuples(st.integers(0, 60), st.integers(0, 60)),
    point=st.tuples(st.integers(0, 60), st.integers(0, 60)),
)
def test_segments_are_the_text_and_name_every_owner(
    cuts: list[tuple[NodeId, int, int]], edges: tuple[int, int], point: tuple[int, int]
) -> None:
    text = "".join(chr(0x4E00 + place) for place in range(60))
    spans = [(node_id, span(min(a, b), max(a, b))) for node_id, a, b in cuts]
    start, end = min(edges), max(edges)
    pointed = (min(point), max(point))
    found = list(passages.segments(spans, start, end, pointed))
    assert "".join(text[one.start : one.end] for one in found) == text[start:end]
    for one in found:
        for place in range(one.start, one.end):
            holding = {node_id for node_id, owned in spans if owned.start <= place < owned.end}
            assert set(one.owners) == holding
            assert one.pointed == (pointed[0] <= place < pointed[1])


def test_owners_are_live_nodes_and_all_of_an_entry_is_told_apart() -> None:
    text = "[attachment a1: a.pdf]\nIts text."
    raw = tree(entry(text, body_start=23), n1=(span(23, 32),), n2=(span(23, 26),), n3=(span(0, 32),))
    standing = passages.owners(raw, [N1, N2])
    assert [node_id for node_id, _ in standing[E1]] == [N1, N2]
    assert passages.owns_all(raw.spans[N1], raw.entries[E1])
    assert not passages.owns_all(raw.spans[N2], raw.entries[E1])
    assert not passages.owns_all((), raw.entries[E1])


def test_a_text_that_was_changed_is_told() -> None:
    kept = entry("As it was.")
    assert passages.hash_covers(kept) == "all"
    changed = Entry(id=E1, kind="text", text="As it is now.", source="a", sha256=kept.sha256)
    assert passages.hash_covers(changed) == ""
