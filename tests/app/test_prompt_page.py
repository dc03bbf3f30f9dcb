"""The page Prompt & calls: prompts taken apart, calls in a table and whole, at any moment of a run."""

from __future__ import annotations

import re
import shutil
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.memory.events import AgentCalled, PromptEnhanced, ToolUsed
from memorybank.memory.types import Lang, NodeId
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import state_at
from memorybank.ui.prompt import calls
from memorybank.ui.shell import state
from memorybank.views.i18n import t
from tests.app.driving import RUN_ID, choose, follow, keys, open_page, press, sent, shown, tab_of
from tests.recorded import recorded_run
from tests.ui.llm_run import llm_run

PAGE = "5_prompt"
HOSTILE = "</memory> <script>alert(1)</script> $x$ :red[y] ![z](http://198.51.100.7/z.png) \u202eevil"


def records(page: AppTest) -> list[Record[Any]]:
    return list(tab_of(page).run.records)


def seqs(page: AppTest, kind: type) -> list[int]:
    return [record.seq for record in records(page) if isinstance(record.event, kind)]


def test_the_newest_prompt_is_shown_with_shares_links_and_what_was_left_out(app: AppTest, lang: Lang) -> None:
    page = open_page(app, PAGE, lang, run=recorded_run("zh"))
    newest = records(page)[seqs(page, PromptEnhanced)[-1] - 1].event
    text = shown(page, "prompt-pieces")
    successor = state_at(records(page)).graph.successor
    for node in {part.node_id for part in newest.parts if part.node_id}:
        assert f'"node:{successor(NodeId(node))}"' in sent(page, "prompt-pieces")
    assert {"tree:", "entry:", "node:"} <= set(re.findall(r"\b(?:tree|entry|node):", sent(page, "prompt-pieces")))
    memories = sum(part.name == "memory" for part in newest.parts)
    assert sent(page, "prompt-pieces").count('["details", "piece part-memory"') == memories, "a line each, to unfold"
    assert t("prompt.rank", lang, rank=1) in text
    shares = shown(page, "prompt-shares")
    assert t("prompt.part.memory", lang) in shares
    assert "%" in shares
    assert shown(page, "prompt-left-out") == t("prompt.left_out_none", lang)
    newest_name = t("prompt.name_newest", lang, round=len(seqs(page, PromptEnhanced)), task="").rstrip(" ·")
    assert page.selectbox(key="prompt-seq").options[0].startswith(newest_name)
    first, *_ = seqs(page, PromptEnhanced)
    follow(page, "prompt", first)
    assert page.selectbox(key="prompt-seq").value == first
    page.selectbox(key="prompt-seq").set_value(0).run()
    assert shown(page, "prompt-pieces") == text, "the newest again"


def test_calls_as_a_table_with_totals_and_filters_and_one_of_them_whole(app: AppTest, lang: Lang) -> None:
    page = choose(open_page(app, PAGE, lang), "prompt-view", "calls")
    made = seqs(page, AgentCalled) + seqs(page, ToolUsed)
    table = shown(page, "calls")
    assert shown(page, "calls-cut") == t("showing.lines", lang, shown=50, total=len(made))
    assert t("prompt.calls.offline", lang) in table
    assert t("prompt.totals.agents", lang, count=len(seqs(page, AgentCalled))) in shown(page, "call-facts")
    press(page, "calls-more")
    assert len(re.findall(r"call:(\d+)", sent(page, "calls"))) == min(100, len(made))
    page.selectbox(key="calls-name").set_value("integration").run()
    integrations = [seq for seq in seqs(page, AgentCalled) if records(page)[seq - 1].event.role == "integration"]
    assert re.findall(r"call:(\d+)", sent(page, "calls")) == [str(seq) for seq in reversed(integrations)]

    follow(page, "call", integrations[-1])
    assert t("role.integration", lang) in shown(page, "call-head")
    assert t("badge.offline", lang) in shown(page, "call-head")
    fields = shown(page, "call-fields")
    assert t("prompt.field.verdicts", lang) in fields
    assert '"keywords":' not in fields, "no raw JSON as a first view"
    choose(page, "call-show", "test")
    assert f'run_case("integration_call_{integrations[-1]}.json")' in page.code[0].value
    assert page.get("download_button")[0].label == t("prompt.test.download", lang)

    tool = seqs(page, ToolUsed)[-1]
    choose(follow(page, "call", tool), "call-show", "fields")
    assert t("prompt.call.result", lang) in shown(page, "call-fields")
    assert "prompt:" in sent(page, "call-head")
    choose(page, "call-show", "test")
    assert t("prompt.cannot.inside_stage", lang) in shown(page, "test-call-cannot")
    press(page, "call-back")
    assert re.findall(r"call:(\d+)", sent(page, "calls")) == [str(seq) for seq in reversed(integrations)], "as it was"


def test_a_model_s_call_shows_its_prompts_and_raw_answers_and_costs_only_with_prices(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cached(events: list[dict[str, Any]]) -> None:
        event = next(one["event"] for one in events if one["event"].get("role") == "analysis")
        event |= {"input_tokens": 9_000, "cached_input_tokens": 8_765}

    page = choose(open_page(app, PAGE, run=llm_run("en").folder, change=cached), "prompt-view", "calls")
    assert "by your prices" not in shown(page, "call-facts")
    assert "8,765" in shown(page, "call-facts")
    assert "scripted" in shown(page, "calls")
    call = next(seq for seq in seqs(page, AgentCalled) if records(page)[seq - 1].event.role == "analysis")
    choose(follow(page, "call", call), "call-show", "exchanges")
    assert "You say how" in shown(page, "call-exchanges")
    assert t("badge.llm", "en", model="scripted") in shown(page, "call-head")
    assert t("prompt.call.prefix", "en", count="8,765") in shown(page, "call-head"), "from the provider's prefix cache"
    choose(page, "call-show", "test")
    assert f'run_case("analysis_call_{call}.json")' in page.code[0].value
    press(page, "call-back")
    monkeypatch.setenv("LLM_PRICE_INPUT", "2")
    state.local.clear()
    page.run()
    assert "by your prices" in shown(page, "call-facts")


def test_what_is_too_much_to_show_is_counted(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(events: list[dict[str, Any]]) -> None:
        calls = [one["event"] for one in events if one["event"]["type"] == "AgentCalled"]
        calls[-1]["notes"] = [f"note {number}" for number in range(30)]
        tools = [one["event"] for one in events if one["event"]["type"] == "ToolUsed"]
        tools[-1]["sources"] = [f"https://example.org/{number}" for number in range(50)]

    monkeypatch.setattr(calls, "MOST_TEXT", 15)
    page = choose(open_page(app, PAGE, "zh", change=change), "prompt-view", "calls")
    call = seqs(page, AgentCalled)[-1]
    follow(page, "call", call)
    assert t("showing.lines", "zh", shown=20, total=30) in shown(page, "call-head")
    choose(follow(page, "call", seqs(page, ToolUsed)[-1]), "call-show", "fields")
    fields = shown(page, "call-fields")
    assert t("showing.lines", "zh", shown=40, total=50) in fields
    cut = t("showing.characters", "zh", shown="15", total="987,654").replace("987,654", r"[\d,]+")
    assert re.search(cut, fields), "the tool's result"


def test_any_moment_is_shown_and_never_the_newest_behind_its_back(app: AppTest) -> None:
    page = open_page(app, PAGE, k=100)
    earlier = [seq for seq in seqs(page, PromptEnhanced) if seq <= 100]
    assert len(page.selectbox(key="prompt-seq").options) == len(earlier) + 1
    later = seqs(page, PromptEnhanced)[-1]
    assert t("prompt.later", "en") in shown(follow(page, "prompt", later), "prompt-unknown")
    assert t("prompt.unknown", "en") in shown(follow(page, "prompt", 3), "prompt-unknown")
    choose(page, "prompt-view", "calls")
    assert max(map(int, re.findall(r"call:(\d+)", sent(page, "calls")))) <= 100
    call = seqs(page, AgentCalled)[-1]
    assert t("prompt.calls.later", "en", seq=call) in shown(follow(page, "call", call), "call-unknown")
    for nonsense in (HOSTILE, "1" * 400, "-1", "²"):
        assert "call-unknown" in keys(follow(page, "call", nonsense))
    tab_of(page).at = 4
    assert t("prompt.calls.none", "en") in shown(page.run(), "calls-none"), "before the first one"
    assert t("prompt.none", "en") in shown(choose(page, "prompt-view", "prompt"), "prompt-none")


def test_a_failed_call_and_blobs_that_are_gone_are_said(app: AppTest) -> None:
    def change(events: list[dict[str, Any]]) -> None:
        calls = [one["event"] for one in events if one["event"]["type"] == "AgentCalled"]
        calls[-1] |= {"outcome": "failed", "answer": {}, "error": HOSTILE, "notes": [HOSTILE], "role": HOSTILE}
        tools = [one["event"] for one in events if one["event"]["type"] == "ToolUsed"]
        tools[-1] |= {"outcome": "failed", "excerpt": HOSTILE, "blob": "", "tool": HOSTILE}

    page = open_page(app, PAGE, change=change)
    shutil.rmtree(state.runs().root / RUN_ID / "blobs")
    choose(page, "prompt-view", "calls")
    assert t("prompt.totals.failed", "en", count=2) in shown(page, "call-facts")
    page.toggle(key="calls-failed").set_value(True).run()
    assert len(re.findall(r"call:\d+", sent(page, "calls"))) == 2
    for kind in (AgentCalled, ToolUsed):
        follow(page, "call", seqs(page, kind)[-1])
        for form in ("fields", "test"):
            choose(page, "call-show", form)
            assert "<script>alert(1)</script> $x$ :red[y]" in shown(page, "call-head")
            assert "\u202e" not in "".join(code.value for code in page.code)
    good = seqs(page, AgentCalled)[0]
    choose(follow(page, "call", good), "call-show", "fields")
    assert t("prompt.call.blob_missing", "en") in shown(page, "call-head")
    choose(page, "call-show", "test")
    assert t("prompt.cannot.input_missing", "en") in shown(page, "test-call-cannot")
