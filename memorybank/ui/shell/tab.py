"""A browser tab's memory is one `Tab`, kept by Streamlit for each of its sessions and reached by `this_tab()`.

    this_tab().run                  the run that is shown
    this_tab().at                   the moment that every page looks at
    FEED_TEXT.value("")             what a widget holds; the names of widgets are in widgets.py

Nothing else in the product touches Streamlit's `session_state`. Two tabs have two sessions and share nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.memory.types import EntryId, Lang, NodeId

if TYPE_CHECKING:
    from memorybank.hosting.run import Run
    from memorybank.hosting.storage import Deleted
    from memorybank.runs.salvage import DamagedPart
    from memorybank.views.link import Kind, PageName
    from memorybank.views.run.playback import Moment, Playback

T = TypeVar("T")

_KEY = "tab"
"""The name under which Streamlit keeps the `Tab`. No widget has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFile:
    """The run as one file, kept by the tab until it makes another of the kind."""

    run_id: str
    lang: Lang
    events: int
    data: bytes
    name: str
    mime: str
    left_out: int = 0
    """The number of pictures that were too large for the file."""


@dataclass
class Problems:
    """The problems of this tab, until the reader has seen them."""

    waiting: BaseException | None = None
    """A callback's problem, which is drawn with the next page."""
    shown: BaseException | None = None
    shown_since: float | None = None
    """The time of `time.monotonic()`, in seconds."""
    damaged_run: str = ""
    """The last address that led to a run which can be read in part."""
    left_out: tuple[str, DamagedPart | None] = ("", None)
    """The run that was opened without its damaged part, and that part."""
    refused_run: str = ""
    """An address whose run was open in another tab."""


@dataclass
class Address:
    """The address bar as it was when the tab came."""

    arrived: dict[str, str] | None = None
    """The query parameters with which the tab came; those of a run are dropped once it is shown."""
    missing: tuple[list[tuple[str, str]], int, object] | None = None
    """What the address named in vain: a message and a value each, the number of events, and what was shown then."""


@dataclass
class BrowserState:
    """The messages that the browser has been sent, and the number of the last one from each component."""

    senders: dict[str, Any] = field(default_factory=dict)
    """Senders by the key of a component, or of several that share one (`sender`)."""
    heard: dict[str, int] = field(default_factory=dict)


@dataclass
class StoryCourse:
    """The place in the story of a run: `place` counts from 0 and is None while no story is shown."""

    place: int | None = None
    waits: bool = False
    """The moment of the scene is still to be shown."""
    is_playing: bool = False
    is_over: bool = False
    """The scene has been shown long enough; the next is awaited."""
    turn: int = 0
    """The number of scenes that were shown so far; it names the showing of one."""
    speed: float = 1.0


@dataclass
class HandPanel:
    """The answers of a person in a model's place, by the name of the request."""

    run_id: str = ""
    drafts: dict[str, str] = field(default_factory=dict)
    tried: str = ""
    """The request whose answer had problems when it was to be sent."""
    sent: list[str] = field(default_factory=list)


@dataclass
class GraphPage:
    searched: bool = False
    """A search has just been entered."""
    waits: bool = False
    """A model is still loading for the scores."""
    compared_node: NodeId | None = None
    """The new node whose comparison is to be chosen."""
    settings_of: tuple[str, str, int] | None = None
    """The run, kind and number of the question that the sliders were set for."""


@dataclass
class ReplayPage:
    moments: tuple[str, dict[str, int]] = ("", {})
    """The run whose two moments were chosen, and each moment by its letter."""
    redraw: bool = False
    """A callback of the fragment has changed what stands outside of it."""
    fork_open: bool = False


@dataclass
class BatchPart:
    ticked: list[str] = field(default_factory=list)
    """The addresses of the runs that are ticked."""
    turned: bool = False
    """A click in the fragment has changed what stands outside of it."""


@dataclass
class RunsList:
    """The choices in the lists of runs, which are the same on all pages."""

    ticked: list[str] = field(default_factory=list)
    """The keys of runs, in the order in which they were ticked."""
    renamed: str = ""
    """The address of the run that is given a name."""
    deleted: Deleted | None = None
    """The last deletion, which can be undone."""


@dataclass
class Tab:
    """Everything a tab remembers beside what its widgets hold."""

    page: PageName | None = None
    """The page that is drawn; None until shell.py has run in this tab."""
    page_wanted: PageName | None = None
    language: Lang | Literal[""] = ""
    """What the reader chose with the switch; empty while it was not used."""
    run: Run | None = None
    playback: Playback | None = None
    moment: Moment | None = None
    """The moment that was drawn last, which is kept for as long as it is looked at."""
    at: int | None = None
    """The moment after that many events; None is the newest."""
    selections: dict[str, NodeId | None] = field(default_factory=dict)
    """The selected node by the key of the graph."""
    runs_opened: list[str] = field(default_factory=list)
    """Addresses of the runs that were opened, the last one first."""
    followed: str = ""
    """The last link, until its page has turned to it."""
    focus: dict[Kind, str] = field(default_factory=dict)
    """The last thing of each kind that a link led to."""
    chosen_for: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The run for which the reader chose, and the key of the widget, by the key of a `ChosenWidget`."""
    compare_pair: dict[str, str] | None = None
    """The two runs that are compared, `a` and `b`."""
    list_lengths: dict[str, int] = field(default_factory=dict)
    """The number of rows that the reader asked to see, by the key of a list."""
    entry_page: tuple[EntryId | Literal[""], int] = ("", 0)
    """The entry that is read, and the character where its page begins."""
    corpus_chosen: bool = False
    """The corpus of a new run was chosen by the reader."""
    files_opened: int = 0
    """The number of runs that were opened from a file."""
    files: dict[str, MadeFile] = field(default_factory=dict)
    """The files that were made of the run, by their kind."""
    file_wanted: str = ""
    """The kind whose button was pressed: the file is made when its place on the page is drawn."""
    verdict_problem: str = ""
    """The message for a verdict that could not be stated."""
    popover_done: str = ""
    """The popover that closes at the next run of the page."""
    memo: dict[str, dict[tuple[Any, ...], Any]] = field(default_factory=dict)
    """Results that are kept until their inputs change (`kept`)."""
    address: Address = field(default_factory=Address)
    problems: Problems = field(default_factory=Problems)
    browser: BrowserState = field(default_factory=BrowserState)
    story: StoryCourse = field(default_factory=StoryCourse)
    hand: HandPanel = field(default_factory=HandPanel)
    graph: GraphPage = field(default_factory=GraphPage)
    prompt_view: str = "prompt"
    """The view of the prompt page that was shown last: its widget forgets it when the page is left."""
    replay: ReplayPage = field(default_factory=ReplayPage)
    batch: BatchPart = field(default_factory=BatchPart)
    runs: RunsList = field(default_factory=RunsList)
    parts: dict[str, Any] = field(default_factory=dict)
    """What packages beside the bank keep of a tab, by their names (`part`)."""

    def part(self, name: str, kind: type[T]) -> T:
        """Return what a package beside the bank keeps of this tab: a dataclass of its own, made at the first call."""
        kept = self.parts.get(name)
        if type(kept) is not kind:  # none so far, or one of a class that Streamlit has reloaded since
            kept = self.parts[name] = kind()
        return kept

    @property
    def shown_run(self) -> Run:
        """Return the run, in a callback of a page that is only drawn for one."""
        assert self.run is not None, "the page shows a run"
        return self.run


def this_tab() -> Tab:
    """Return the tab of the running script, fragment or callback."""
    kept = st.session_state.get(_KEY)
    if type(kept) is not Tab:  # none so far, or one of a class that Streamlit has reloaded since
        kept = st.session_state[_KEY] = Tab()
    return kept


# -- what widgets and components hold ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Widget(Generic[T]):
    """A widget that Python reads or sets by its key. Streamlit holds the value."""

    key: str

    def held(self) -> T | None:
        """Return what it holds; None also while it was never drawn nor set."""
        value: T | None = st.session_state.get(self.key)
        return value

    def value(self, otherwise: T) -> T:
        """Return what it holds; `otherwise` while it was never drawn nor set."""
        value: T = st.session_state.get(self.key, otherwise)
        return value

    def begin_with(self, value: T) -> None:
        """Set it unless it holds something."""
        st.session_state.setdefault(self.key, value)

    def set(self, value: T) -> None:
        """Set it before the widget is drawn in this run of the page, or in a callback, and only then."""
        st.session_state[self.key] = value

    def reset(self) -> None:
        st.session_state.pop(self.key, None)


@dataclass(frozen=True)
class ChosenWidget:
    """A choice that follows the run until the reader has made one; it is theirs from then on, for that run.

    What it follows has a widget of its own each: one that Python set anew would be set back by a request of the page's
    timer that was on its way with the old value, and that would pass for the reader's choice.
    """

    key: str
    """How the keys of its widgets begin."""

    def following(self, fitting: str) -> Widget[str]:
        """Return the widget to draw: the one in which the reader has chosen, else one that holds `fitting`."""
        run_id, key = this_tab().chosen_for.get(self.key, ("", ""))
        if run_id == this_tab().shown_run.run_id:
            return Widget(key)
        widget = Widget[str](f"{self.key}-{fitting}")
        if widget.held() != fitting:
            widget.set(fitting)
        return widget

    def choose(self, widget: Widget[str]) -> None:
        """Keep the widget as the reader's, for the run that is shown. It is called from callbacks."""
        this_tab().chosen_for[self.key] = (this_tab().shown_run.run_id, widget.key)


def sender(key: str, make: Callable[[], T]) -> T:
    """Return the account of what this tab's browser has been sent under `key`; made at the first call."""
    senders = this_tab().browser.senders
    if key not in senders:
        senders[key] = make()
    kept: T = senders[key]
    return kept


def sent_by(component: str, name: str) -> dict[str, Any]:
    """Return the last `name` that a component's browser side has sent. It is outside text: look at it before use."""
    return dict((st.session_state.get(component) or {}).get(name) or {})


def selection(key: str) -> NodeId | None:
    """Return the selected node of graph `key`. Its id comes from the browser: look it up, do not trust it."""
    return this_tab().selections.get(key)


def select(key: str, node: NodeId | None = None) -> None:
    """Select a node from Python, e.g. from a list beside the canvas. It is shown from the next drawing on."""
    # Not in the component's own state: the browser keeps a copy of that and would send the old value back.
    this_tab().selections[key] = node


@contextmanager
def problems_kept() -> Iterator[None]:
    """Keep what goes wrong in a callback, which cannot draw; it is shown above the page that follows."""
    try:
        yield
    except (MemoryBankError, OSError) as error:
        this_tab().problems.waiting = error


def wrap_for_component(data: Mapping[str, Any]) -> dict[str, Any]:
    """Put `data` into a tuple, as its only item.

    Of every list and mapping at the top of a component's data Streamlit asks whether it is a data frame, and imports
    pandas to know: 0.9 s for the first reader of a page. Into a tuple it does not look.
    """
    return {"wrapped": (dict(data),)}


# -- what was worked out for this tab; what all tabs may share is kept by the moment (`Moment.once`) -------------------


def kept(name: tuple[Any, ...], build: Callable[[], T], *, most: int = 1) -> T:
    """Return the value of a name; of the names with the same first part, the `most` that were built last are kept."""
    known: dict[tuple[Any, ...], T] = this_tab().memo.setdefault(name[0], {})
    if name not in known:
        while len(known) >= most:
            del known[next(iter(known))]
        known[name] = build()
    return known[name]


def forget(first: str) -> None:
    """Drop what was `kept` under names with this first part, so that it is built anew."""
    this_tab().memo.pop(first, None)
