"""What the calls come to: by agent and by tool. Money only where this machine's user has set prices."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.session.usage import AgentUsage
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, box, chip, table_of
from memorybank.views.boxes.call_words import call_words
from memorybank.views.boxes.shares import token_bar, token_legend
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
        draw(token_legend([agents], lang), key="totals-legend")
        rows = [(call_words(made.name, lang), made.usage) for made in (*totals.agents, *totals.tools)]
        draw(_table(rows, lang), key="totals-agents")


def _table(rows: list[tuple[str, AgentUsage]], lang: Lang) -> Box:
    names = _filled([usage for _, usage in rows])
    largest = max((usage.input_tokens + usage.output_tokens for _, usage in rows), default=0)
    heads = (box("th", "", t("prompt.totals.by_agents", lang)), *_heads(names, lang))
    return table_of("totals", heads, (_usage_row(words, usage, names, largest, lang) for words, usage in rows))


def _filled(usages: Sequence[AgentUsage]) -> list[str]:
    """Columns that say something."""
    names = ["calls", "time"]
    names += ["failed"] if any(usage.failed for usage in usages) else []
    names += ["cached"] if any(usage.cached for usage in usages) else []
    names += ["sent"] if any(usage.input_tokens for usage in usages) else []
    names += ["prefix"] if any(usage.cached_input_tokens for usage in usages) else []
    names += ["answered"] if any(usage.output_tokens for usage in usages) else []
    return [*names, "cost"] if any(usage.cost is not None for usage in usages) else names


def _heads(names: Sequence[str], lang: Lang) -> list[Box]:
    return [box("th", "number", t(f"prompt.totals.head.{name}", lang)) for name in names]


def _usage_row(words: str, usage: AgentUsage, names: Sequence[str], largest: int, lang: Lang) -> Box:
    """What it is, with the bar of its tokens below, and the numbers."""
    texts = {
        "calls": f"{usage.calls:,}",
        "time": format_duration(usage.ms / 1000, lang),
        "failed": str(usage.failed) if usage.failed else "",
        "cached": str(usage.cached) if usage.cached else "",
        "sent": f"{usage.input_tokens:,}" if usage.input_tokens else "",
        "prefix": f"{usage.cached_input_tokens:,}" if usage.cached_input_tokens else "",
        "answered": f"{usage.output_tokens:,}" if usage.output_tokens else "",
        "cost": money(usage.cost) if usage.cost is not None else "",
    }
    cells = [box("td", f"number {name if texts[name] else ''}".strip(), texts[name]) for name in names]
    return box("tr", "", box("td", "strong", words, token_bar(usage, largest)), *cells)


def money(cost: float) -> str:
    """In the user's own currency, which nobody names here."""
    return f"{cost:,.2f}" if cost >= 1 else f"{cost:.4f}"
