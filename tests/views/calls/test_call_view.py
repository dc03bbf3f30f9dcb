"""One call whole, from its event and the run's blobs; a blob that is gone is said."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import InputError
from memorybank.memory.events import ToolUsed
from memorybank.runs.run_folder import load, state_at
from memorybank.views.calls.call_view import agent_view, exchanges, messages, subject, tool_view
from tests.reading import call_rows
from tests.recorded import recorded_run
from tests.ui.llm_run import llm_run


def gone(digest: str) -> str:
    raise InputError("there is no such blob")


def test_an_offline_call_has_its_input_and_no_questions() -> None:
    folder = recorded_run("en")
    records = load(folder.path)
    row = next(row for row in call_rows(records) if row.name == "analysis")
    view = agent_view(records[row.seq - 1], row, folder.blobs.text)
    assert view.input_fields is not None
    assert set(view.input_fields) >= {"new", "candidates"}
    assert (view.input_blob, view.output_blob, view.exchanges) == ("kept", "", ())
    assert subject(view.input_text) == view.input_fields["new"]["context"]
    missing = agent_view(records[row.seq - 1], row, gone)
    assert (missing.input_blob, missing.input_fields, missing.event.answer) == ("missing", None, view.event.answer)


def test_a_model_s_call_has_every_question_with_its_raw_answer() -> None:
    run = llm_run("en")
    records = load(run.folder.path)
    rows = call_rows(records)
    asked = 0
    for row in rows:
        if row.kind == "agent" and row.model:
            view = agent_view(records[row.seq - 1], row, run.folder.blobs.text)
            assert view.exchanges
            asked += sum(one.call.attempts for one in view.exchanges)
            for one in view.exchanges:
                assert [role for role, _ in one.messages][:2] == ["system", "user"]
                assert one.reply
                assert one.call.model == "scripted"
    assert asked == len(run.requests)
    missing = agent_view(records[rows[0].seq - 1], rows[0], gone)
    assert (missing.output_blob, missing.exchanges) == ("missing", ())


def test_a_tool_s_call_leads_to_the_entries_of_its_sources() -> None:
    folder = recorded_run("en")
    records = load(folder.path)
    row = next(row for row in reversed(call_rows(records)) if row.name == "visit")
    event = records[row.seq - 1].event
    assert isinstance(event, ToolUsed)
    view = tool_view(records[row.seq - 1], row, folder.blobs.text, state_at(records))
    assert view.result is not None
    assert view.result.text.startswith(event.excerpt[:100])
    assert [state_at(records).tree.entries[one].source for one in view.entries] == list(event.sources)
    missing = tool_view(records[row.seq - 1], row, gone, state_at(records))
    assert (missing.result, missing.blob) == (None, "missing")
    broken = tool_view(records[row.seq - 1], row, lambda digest: "{}", state_at(records))
    assert (broken.result, broken.blob) == (None, "missing")


def test_blobs_of_any_kind_are_read_as_far_as_they_go() -> None:
    for text in ("", "null", "[", "[1, 2]", '{"a": 1}', '[{"model": "m"}]', "[" * 100_000):
        assert exchanges(text) == ()
        assert subject(text) == ""
    whole = json.dumps([{"model": "m", "prompt": "no JSON", "reply": "r", "future": 1, "notes": ["n"]}])
    (one,) = exchanges(whole)
    assert (one.messages, one.reply, one.call.notes) == ((), "r", ("n",))
    said = messages(
        [
            {"role": "user", "content": "look", "images": [{"sha256": "ab"}, 7]},
            {"role": "assistant", "content": "", "tool_calls": [{"name": "f", "arguments": "{}"}]},
            "nonsense",
        ]
    )
    assert said == (("user", "look\n[image ab]"), ("assistant", "<tool_call>f {}</tool_call>"))


_KEYS = ("model", "prompt", "reply", "notes", "ms", "input_tokens", "role", "content", "images", "tool_calls", "name",
         "new", "nodes", "finished", "messages", "context", "summary", "text", "sha256")  # fmt: skip
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
_JSON = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(_JSON, st.dictionaries(st.sampled_from(_KEYS[:6]), _JSON))
@settings(max_examples=300, deadline=None)
def test_whatever_a_blob_holds_can_be_shown(value: object, call: dict[str, object]) -> None:
    """A run from elsewhere brings its blobs with it; their names are checked, and not what they hold."""
    for held in (value, [value], [{"model": "m", "prompt": "p", "reply": "r", **call}]):
        text = json.dumps(held)
        assert isinstance(subject(text), str)
        for one in exchanges(text):
            assert one.call.ms >= 0
            assert all(isinstance(part, str) for pair in one.messages for part in pair)
        assert isinstance(messages(held), tuple)
    asked = {"model": "m", "prompt": "[]", "reply": "r", "notes": ["waited"]}
    assert [one.call.notes for one in exchanges(json.dumps([asked, value]))][:1] == [("waited",)]
