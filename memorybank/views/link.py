"""Links: any piece of any page may lead to a node, an entry, a call, a conflict, a merge, a moment.

A link is a short text, `kind:id`, so that it travels through a component; what comes back from the browser is looked
up, never trusted (ui/shell/links.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

Kind = Literal["node", "tree", "entry", "conflict", "merge", "call", "prompt", "moment"]
PageName = Literal["session", "graph", "conflicts", "tree", "prompt", "replay", "compare", "settings", "studio"]

PAGES: dict[PageName, tuple[str, str]] = {
    "session": ("pages/1_session.py", ":material/play_circle:"),
    "graph": ("pages/2_graph.py", ":material/hub:"),
    "conflicts": ("pages/3_conflicts.py", ":material/call_merge:"),
    "tree": ("pages/4_tree.py", ":material/account_tree:"),
    "prompt": ("pages/5_prompt.py", ":material/data_object:"),
    "replay": ("pages/6_replay.py", ":material/history:"),
    "compare": ("pages/7_compare.py", ":material/compare_arrows:"),
    "settings": ("pages/8_settings.py", ":material/tune:"),
}
"""The pages in the order of the navigation: file and icon. `page.<name>` is the title. Other packages add their own."""
INSPECTOR = frozenset(PAGES)


def beside_the_bank() -> Iterator[PageName]:
    """Yield the pages of packages beside the bank: each is an entry of the header, and none of the inspector's."""
    yield from (name for name in PAGES if name not in INSPECTOR)


def link(kind: Kind, id_: str | int) -> str:
    """Return a link. node, tree: a node's id. entry, conflict, merge: its id. call, prompt, moment: an event's seq."""
    return f"{kind}:{id_}"
