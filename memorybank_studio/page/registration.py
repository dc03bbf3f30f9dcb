"""How the studio comes into the app: its page in the navigation, its part of a tab's address.

The app's entry calls `register` where the package and its stores are installed; without them the app is whole.
"""

from __future__ import annotations

from importlib.util import find_spec

from memorybank.ui.shell import state
from memorybank.views.link import PAGES
from memorybank_studio.page.tab import studio_tab

STUDIO = "studio"
"""Query parameter: the open studio's id."""
TASK = "task"
"""Query parameter: the studio's task that the tab talks to."""


STORES = ("arcadedb_embedded", "chromadb", "docx", "neo4j", "redis")
"""What the extra `studio` installs (`make studio` in a checkout)."""


def register() -> None:
    """Add the studio to the app, if its stores are installed; once more changes nothing."""
    if not all(map(find_spec, STORES)):
        return
    PAGES["studio"] = ("pages/9_studio.py", ":material/edit_note:")
    state.said_in_address["studio"] = _said_in_address


def arrived_at() -> tuple[str, str]:
    """Return the studio and the task that the address named when the tab came, once; empty for none."""
    mine = studio_tab()
    if mine.desk.id or mine.is_address_read:
        return "", ""
    mine.is_address_read = True
    return state.addressed(STUDIO), state.addressed(TASK)


def _said_in_address() -> dict[str, str | None]:
    desk = studio_tab().desk
    return {STUDIO: desk.id, TASK: desk.task if desk.id else None}
