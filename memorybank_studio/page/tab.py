"""A browser tab's memory of the writing studio, kept with what the app remembers of the tab."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from memorybank.ui.shell import state
from memorybank.ui.shell.tab import Widget, this_tab
from memorybank.views.drawing.rich.script import STYLES
from memorybank.views.link import PAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memorybank.errors import MemoryBankError
    from memorybank.memory.types import NodeId
    from memorybank.views.graph.layout import Layout
    from memorybank_studio.books.chapters import Book
    from memorybank_studio.chapters.manuscript import ChapterId
    from memorybank_studio.page.jobs import Job
    from memorybank_studio.settlement.settler import HinderedError
    from memorybank_studio.types import Entity, PlanKey, Task, TaskId


@dataclass(frozen=True, slots=True)
class Work:
    """A job under way, and what takes its result."""

    job: Job[Any]
    then: Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Written:
    """What was confirmed last: of which task, the sentences of its rows, and what it waits for."""

    task: Task
    sentences: tuple[str, ...]
    problem: MemoryBankError | None = None


NOT_PRESSED: Final = ("", "")
"""No form's button waits to be heard."""


@dataclass
class StudioDesk:
    """The tab's memory of one writing studio; it is dropped as a whole when the tab turns to another."""

    id: str = ""
    task: TaskId | None = None
    work: Work | None = None
    confirmed: Written | None = None
    """The result of the last settlement, with the sentences of its rows."""
    problem: BaseException | None = None
    hindered: tuple[TaskId, HinderedError] | None = None
    """The row for which the table of a task was not confirmed, and why; until the table is changed."""
    clicked: NodeId | None = None
    open_row: str = ""
    pressed: tuple[str, str] = NOT_PRESSED
    """The form whose button was pressed, and the button, until what is filled in is taken or refused."""
    book: tuple[str, Book, Mapping[str, Entity]] | None = None
    """The upload by its id, and the short names in it with whose they are."""
    exports: dict[str, tuple[object, bytes]] = field(default_factory=dict)
    """Files that were made, by name: what each was made of, and its bytes."""
    places: Layout | None = None
    rename_ticks: frozenset[str] = frozenset()
    """Places of a rename whose tick the author has turned."""
    chosen_step: PlanKey | None = None
    """The step of the plan board whose buttons are shown."""
    refused: dict[str, BaseException] = field(default_factory=dict)
    """The form that was sent last and was wrong, and why."""
    edited_option: str = ""
    discarding: str = ""
    chapter: ChapterId | None = None
    """The chapter to turn to, once."""
    planning: ChapterId | None = None
    """The chapter whose plan is being changed."""
    dropping: ChapterId | None = None


@dataclass
class TypedHere:
    """The tab's memory of the fields that are saved as they are typed into, by their keys."""

    seen: dict[str, float] = field(default_factory=dict)
    """The time of the text that this tab has seen last."""
    sent: dict[str, str] = field(default_factory=dict)
    """The text that was sent last from a field that is emptied then, until something else is typed there."""
    problems: dict[str, BaseException] = field(default_factory=dict)
    """The errors by which what was typed last could not be saved."""
    shown: dict[str, str | int | None] = field(default_factory=dict)
    """What each field showed before anything was typed there."""


@dataclass
class StudioTab:
    """Everything a tab remembers of studios beside what its widgets hold."""

    desk: StudioDesk = field(default_factory=StudioDesk)
    typed: dict[str, TypedHere] = field(default_factory=dict)
    """The fields of each studio by its id, and those of the form of a new one."""
    begun: tuple[str, ...] = ()
    """Ids of the studios that were begun in this tab."""
    is_address_read: bool = False
    """Whether the studio that the address named when the tab came was looked for."""


def studio_tab() -> StudioTab:
    """Return what the tab of the running script, fragment or callback remembers of studios."""
    return this_tab().part("studio", StudioTab)


STUDIO = "studio"
"""Query parameter: the open studio's id."""
TASK = "task"
"""Query parameter: the studio's task that the tab talks to."""
VIEW = "view"
"""Query parameter: the place of the studio that the tab shows."""
VIEW_PART = "part"
"""Query parameter: the part of that place."""

STORES: Final = ("arcadedb_embedded", "chromadb", "docx", "neo4j")
"""The packages of the extra `studio` (`make studio` in a checkout), by the names they are imported under."""


def register() -> None:
    """Add the studio to the app, if its stores are installed; once more changes nothing."""
    if not all(map(find_spec, STORES)):
        return
    PAGES["studio"] = ("pages/9_studio.py", ":material/edit_note:")
    state.said_in_address["studio"] = _said_in_address
    STYLES["studio"] = resources.files(__package__).joinpath("studio.css").read_text("utf-8")


def arrived_at() -> tuple[str, str, str, str]:
    """Return the studio, the task, the place and its part that the address named when the tab came, once; empty for
    none."""
    mine = studio_tab()
    if mine.desk.id or mine.is_address_read:
        return "", "", "", ""
    mine.is_address_read = True
    return state.addressed(STUDIO), state.addressed(TASK), state.addressed(VIEW), state.addressed(VIEW_PART)


def _said_in_address() -> dict[str, str | None]:
    desk = studio_tab().desk
    view = STUDIO_VIEW.held() if desk.id else None
    part = PART[view].held() if view in PART else None
    return {STUDIO: desk.id, TASK: desk.task if desk.id else None, VIEW: view, VIEW_PART: part}


STUDIO_VIEW = Widget[str]("studio-view")
VIEWS = ("discuss", "write", "bible", "plan", "chapters")
PART = {place: Widget[str](f"studio-{place}-part") for place in ("bible", "chapters")}
"""The widget that chooses the part to be shown, by place."""
FACTS_ENTITY = Widget[Any]("studio-entity")
FACTS_CHAPTER = Widget[Any]("studio-chapter")
PERSON = Widget[Any]("studio-person")
RENAME_OF = Widget[Any]("studio-rename-of")
DRAFT_TEXT = Widget[str]("studio-draft")
DRAFT_CHAPTER = Widget[Any]("studio-draft-chapter")
CHAPTER_CHOSEN = Widget[Any]("chapter-chosen")
OF_ONE_STUDIO = (
    STUDIO_VIEW,
    *PART.values(),
    FACTS_ENTITY,
    FACTS_CHAPTER,
    PERSON,
    RENAME_OF,
    DRAFT_TEXT,
    DRAFT_CHAPTER,
    CHAPTER_CHOSEN,
)
"""The widgets that are reset when the tab turns to another studio."""


def turn_to(place: str, part: str = "") -> None:
    """Turn to one of the five places, and to a part of it. For callbacks, and before the page is drawn."""
    STUDIO_VIEW.set(place)
    if part:
        PART[place].set(part)
