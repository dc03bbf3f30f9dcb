"""Every shortcut of the app, as data: the browser listens by it, the help lists it, a test looks for what it presses.

A shortcut presses what is on the page: an element that was given a key. So nothing can be done by a key that cannot be
done by a button, and a button that is disabled or not there says so. R and C alone belong to Streamlit. What has no
key of its own is in the list of everything on the page (`o`), and chosen there by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank.views.link import PAGES, PageName

Group = Literal["everywhere", "present", "page", "run", "moment", "find"]
Act = Literal["press", "focus", "cycle", "page", "help", "actions", "present", "theme", "lang", "leave", "black"]

GROUPS: tuple[Group, ...] = ("everywhere", "present", "page", "run", "moment", "find")
"""In the order of the help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    keys: tuple[str, ...]
    """Pressed one after the other: the browser's names of keys (`s`, `ArrowRight`, ` `), `Shift+` before an arrow."""
    words: str
    """Key of the sentence that says what it does."""
    group: Group
    act: Act = "press"
    """press: click. focus: put the cursor there. cycle: the next of several choices. The rest needs no target."""
    target: tuple[str, ...] = ()
    """Keys of elements, of which the first that can be used is taken. `a > b`: a must be opened to reach b. `a :: .b`:
    the element of class b inside the component a. Of act `page`: its name."""
    pages: tuple[PageName, ...] = ()
    """Where it is; empty: everywhere."""
    presenting: bool = False
    """Only while the page is presented, and instead of what the key does otherwise: the keys that a clicker sends."""


_RUN: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (" ", "shell.keys.run", ("story-pause", "pause", "run", "demo")),
    ("s", "shell.keys.step", ("step",)),
    ("x", "shell.keys.stop", ("stop",)),
    ("k", "shell.keys.change", ("popover-change",)),
    ("a", "action.ask", ("popover-ask",)),
    ("+", "action.add", ("popover-add",)),
    ("n", "action.new_session", ("new-session",)),
    ("i", "shell.keys.task", ("new-prompt",)),
)
_UNTIL = (("c", "conflict"), ("m", "merge"), ("p", "plan"), ("e", "execute"), ("i", "intercept"))
_MOMENT: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("ArrowRight", "shell.keys.next", ("story-next", "timeline :: .forward", "timeline-line :: .forward")),
    ("ArrowLeft", "shell.keys.previous", ("story-previous", "timeline :: .back", "timeline-line :: .back")),
    ("Shift+ArrowRight", "shell.keys.next_stage", ("timeline :: .stage_forward", "timeline-line :: .stage_forward")),
    ("Shift+ArrowLeft", "shell.keys.previous_stage", ("timeline :: .stage_back", "timeline-line :: .stage_back")),
    (".", "shell.keys.now", ("timeline :: .now", "timeline-line :: .now")),
)
_NEXT, _PREVIOUS = (target for key, _, target in _MOMENT if key in ("ArrowRight", "ArrowLeft"))
_PRESENT: tuple[tuple[str, str, Act, tuple[str, ...]], ...] = (
    ("PageDown", "shell.keys.next", "press", _NEXT),
    ("PageUp", "shell.keys.previous", "press", _PREVIOUS),
    ("b", "shell.keys.black", "black", ()),
    (".", "shell.keys.black", "black", ()),
)
_REPLAY: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (" ", "shell.keys.play", ("story-pause", "timeline :: .play", "start-demo")),
    ("[", "shell.keys.set_a", ("set-a",)),
    ("]", "shell.keys.set_b", ("set-b",)),
    ("w", "shell.keys.swap", ("diff-swap",)),
    ("b", "shell.keys.fork", ("fork-here",)),
)
SEARCHES: dict[PageName, tuple[str, ...]] = {
    "session": ("feed-text",),
    "graph": ("graph-search",),
    "conflicts": ("conflicts-search",),
    "tree": ("tree-search",),
}
VIEWS: dict[PageName, tuple[str, ...]] = {
    "graph": ("graph-view",),
    "conflicts": ("conflicts-view",),
    "tree": ("tree-view",),
    "prompt": ("prompt-view",),
    "replay": ("replay-section",),
}

SHORTCUTS: tuple[Shortcut, ...] = (
    Shortcut(keys=("?",), words="shell.keys.help", group="everywhere", act="help"),
    Shortcut(keys=("o",), words="shell.keys.actions", group="everywhere", act="actions"),
    Shortcut(keys=("t",), words="shell.keys.story", group="everywhere", target=("story-leave", "story-start")),
    Shortcut(keys=("p",), words="shell.keys.present", group="everywhere", act="present"),
    Shortcut(keys=("m",), words="shell.keys.speaker", group="everywhere", target=("story-speaker :: button",)),
    Shortcut(keys=("l",), words="shell.keys.lang", group="everywhere", act="lang"),
    Shortcut(keys=("d",), words="shell.keys.theme", group="everywhere", act="theme"),
    Shortcut(keys=("g",), words="shell.continue", group="everywhere", target=("continue-run", "take-over", "reopen")),
    Shortcut(keys=("Escape",), words="shell.keys.leave", group="everywhere", act="leave", target=("story-leave",)),
    *(
        Shortcut(keys=(key,), words=words, group="present", act=act, target=target, presenting=True)
        for key, words, act, target in _PRESENT
    ),
    *(
        Shortcut(keys=(str(place),), words=f"page.{name}", group="page", act="page", target=(name,))
        for place, name in enumerate(PAGES, start=1)
    ),
    *(
        Shortcut(
            keys=(key,),
            words=words,
            group="run",
            act="focus" if key == "i" else "press",
            target=target,
            pages=("session",),
        )
        for key, words, target in _RUN
    ),
    *(
        Shortcut(
            keys=("u", letter),
            words=f"shell.keys.until_{until}",
            group="run",
            target=(f"popover-until > until-{until}",),
            pages=("session",),
        )
        for letter, until in _UNTIL
    ),
    Shortcut(
        keys=(" ",),
        words="home.demo",
        group="run",
        target=("story-pause", "start-demo"),
        pages=("graph", "conflicts", "tree", "prompt"),
    ),
    Shortcut(
        keys=(" ",), words="shell.keys.compare", group="run", target=("story-pause", "compare-run"), pages=("compare",)
    ),
    *(Shortcut(keys=(key,), words=words, group="moment", target=target) for key, words, target in _MOMENT),
    *(
        Shortcut(keys=(key,), words=words, group="moment", target=target, pages=("replay",))
        for key, words, target in _REPLAY
    ),
    Shortcut(
        keys=("/",),
        words="shell.keys.search",
        group="find",
        act="focus",
        target=tuple(key for keys in SEARCHES.values() for key in keys),
        pages=tuple(SEARCHES),
    ),
    Shortcut(
        keys=("v",),
        words="shell.keys.view",
        group="find",
        act="cycle",
        target=tuple(key for keys in VIEWS.values() for key in keys),
        pages=tuple(VIEWS),
    ),
    Shortcut(
        keys=("w",), words="shell.keys.next_unread", group="find", target=("studio-unread-next",), pages=("studio",)
    ),
    Shortcut(keys=("f",), words="shell.keys.filter", group="find", target=("graph-filters",), pages=("graph",)),
    Shortcut(
        keys=("j",),
        words="shell.keys.next_found",
        group="find",
        target=("graph-next", "call-newer"),
        pages=("graph", "prompt"),
    ),
    Shortcut(
        keys=("h",),
        words="shell.keys.previous_found",
        group="find",
        target=("graph-previous", "call-older"),
        pages=("graph", "prompt"),
    ),
    Shortcut(
        keys=("Backspace",),
        words="shell.keys.close",
        group="find",
        target=("close-node", "close-edge", "call-back"),
        pages=("session", "graph", "prompt", "replay"),
    ),
)


def listed(lang: Lang) -> tuple[dict[str, Any], ...]:
    """The shortcuts as the browser gets them, in the order of the help."""
    return tuple(
        {
            "keys": shortcut.keys,
            "words": t(shortcut.words, lang),
            "group": shortcut.group,
            "act": shortcut.act,
            "target": tuple(path_of(path) for path in shortcut.target),
            "pages": shortcut.pages,
            "presenting": shortcut.presenting,
        }
        for shortcut in SHORTCUTS
    )


def path_of(target: str) -> tuple[str, ...]:
    """The presses that lead to a target, in order."""
    return tuple(step.strip() for step in target.split(">"))
