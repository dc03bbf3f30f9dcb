"""What the calls come to: by agent, by tool, by stage. Money only where this machine's user has set prices."""

from __future__ import annotations

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.session.usage import AgentUsage
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, box, chip
from memorybank.views.boxes.call_words import call_words, stage_words
from memorybank.views.calls.call_table import Totals
from memorybank.views.i18n import t
from memorybank.views.text.quantities import format_duration, format_tokens


def draw_totals(totals: Totals, lang: Lang) -> None:
    agents, tools = totals.agents_all, totals.tools_all
    facts = [
        t("prompt.totals.agents", lang, count=agents.calls),
        t("prompt.totals.tools", lang, count=tools.calls),
        format_duration((agents.ms + tools.ms) / 1000, lang),
    ]
    tokens = agents.input_tokens + agents.output_tokens
    if tokens:
        facts.append(format_tokens(tokens, lang))
    if agents.cached_input_tokens:
        facts.append(t("prompt.call.prefix", lang, count=f"{agents.cached_input_tokens:,}"))
    if agents.cost is not None:
        facts.append(t("prompt.totals.cost", lang, cost=money(agents.cost)))
    failed = agents.failed + tools.failed
    draw(
        box(
            "div",
            "row call-facts",
            *(box("span", "fact", fact) for fact in facts),
            chip(t("prompt.totals.failed", lang, count=failed), "failure") if failed else None,
            chip(t("prompt.totals.cached", lang, count=agents.cached), "node") if agents.cached else None,
        ),
        key="call-facts",
    )
    with st.expander(t("prompt.totals", lang), icon=":material/functions:"):
        left, right = st.columns(2, gap="large")
        with left:
            rows = [(call_words(agent.name, lang), agent.usage) for agent in totals.agents]
            rows += [(call_words(tool.name, lang), tool.usage) for tool in totals.tools]
            draw(_table("agents", rows, lang), key="totals-agents")
        with right:
            rows = [(stage_words(stage.name, lang), stage.usage) for stage in totals.stages]
            draw(_table("stages", rows, lang), key="totals-stages")


def _table(which: str, rows: list[tuple[str, AgentUsage]], lang: Lang) -> Box:
    priced = any(usage.cost is not None for _, usage in rows)
    names = ["calls", "time"]
    names += ["failed"] if any(usage.failed for _, usage in rows) else []
    names += ["cached"] if any(usage.cached for _, usage in rows) else []
    names += ["tokens"] if any(usage.input_tokens or usage.output_tokens for _, usage in rows) else []
    names += ["prefix"] if any(usage.cached_input_tokens for _, usage in rows) else []
    names += ["cost"] if priced else []
    head = [box("th", "", t(f"prompt.totals.by_{which}", lang))]
    head += [box("th", "number", t(f"prompt.totals.head.{name}", lang)) for name in names]
    return box(
        "table",
        "totals",
        box("thead", "", box("tr", "", *head)),
        box("tbody", "", *(_row(words, usage, names, lang) for words, usage in rows)),
    )


def _row(words: str, usage: AgentUsage, names: list[str], lang: Lang) -> Box:
    tokens = usage.input_tokens + usage.output_tokens
    texts = {
        "calls": f"{usage.calls:,}",
        "time": format_duration(usage.ms / 1000, lang),
        "failed": str(usage.failed) if usage.failed else "",
        "cached": str(usage.cached) if usage.cached else "",
        "tokens": f"{tokens:,}" if tokens else "",
        "prefix": f"{usage.cached_input_tokens:,}" if usage.cached_input_tokens else "",
        "cost": money(usage.cost) if usage.cost is not None else "",
    }
    cells = [box("td", f"number {name if texts[name] else ''}".strip(), texts[name]) for name in names]
    return box("tr", "", box("td", "strong", words), *cells)


def money(cost: float) -> str:
    """In the user's own currency, which nobody names here."""
    return f"{cost:,.2f}" if cost >= 1 else f"{cost:.4f}"
