"""The page tells beside a run what an agent's failure left out of the memory, and a button does it again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memorybank.hosting.run import Run, Until
from memorybank.memory.state import MemoryState
from memorybank.memory.types import EntryId, Lang
from memorybank.session.phase import Phase
from memorybank.session.stages.agent_failures import unfiled_entries
from memorybank.session.unread import not_read
from memorybank.ui.shell.switch import button
from memorybank.views.box import Box, box, muted, note
from memorybank.views.i18n import t
from memorybank.views.link import link

_MOST_UNREAD = 12


def draw_refile(worker: Run, lang: Lang, rest: Sequence[EntryId] = ()) -> None:
    """Draw the button that files what failed; with `rest`, what no node took for another reason."""
    name = "refile_rest" if rest else "refile"
    button(
        t(f"action.{name}", lang),
        name.replace("_", "-"),
        partial(worker.obey, lambda session: session.refile(*rest), Until.END),
        icon="inbox",
        disabled=worker.busy or worker.phase is Phase.FAILED,
        help_text=t(f"action.{name}_help", lang),
    )


def left_out_box(bank: MemoryState, lang: Lang) -> Box | None:
    """Return how much was left out and why, with the way to it; None when nothing was."""
    entries, nodes = unfiled_entries(bank), bank.uncompared()
    if not (entries or nodes):
        return None
    whys = dict.fromkeys(
        t("session.left_undone_why", lang, agent=t(f"role.{failure.agent}", lang), reason=failure.reason)
        for failure in (*entries.values(), *nodes.values())
    )
    first = next(iter(entries), None)
    target = link("entry", first) if first else link("tree", next(iter(nodes)))
    return box(
        "div",
        "notice failure",
        box("p", "strong", t("session.left_undone", lang, count=len(entries) + len(nodes))),
        *(box("p", "text muted small", why) for why in whys),
        box("p", "small", box("span", "", t("session.left_undone_where", lang), choose=target)),
    )


def unread_box(bank: MemoryState, engine: str, lang: Lang) -> Box | None:
    """Return which texts of a run were not read in whole, and why; None: all were."""
    lines = [muted(notice.in_language(lang)) for notice in not_read(bank, engine)]
    return note(*lines[:_MOST_UNREAD], muted(f"… {len(lines)}") if lines[_MOST_UNREAD:] else None) if lines else None
