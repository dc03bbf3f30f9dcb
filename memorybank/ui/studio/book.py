"""A book into the archive and out of it again: import with progress, what is found for review, exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from memorybank.errors import InputError
from memorybank.types import Lang
from memorybank.ui import new_runs
from memorybank.ui.i18n import t
from memorybank.ui.panels.problems import draw_error, problems_kept
from memorybank.ui.quantities import format_bytes, format_duration
from memorybank.ui.rich import box, chip, draw
from memorybank.ui.studio import desk
from memorybank.ui.studio.shelf import OpenStudio

if TYPE_CHECKING:
    from memorybank.narrative.books.chapters import Book
    from memorybank.narrative.creativity.lookups import Stores
    from memorybank.narrative.scheduler.drafts import DraftItem
    from memorybank.narrative.scheduler.replies import Reply
    from memorybank.ui.studio.importing import Import

KINDS: Final = ["txt", "md", "html", "htm", "pdf"]
MOST_MEGABYTES: Final = 10
POLL: Final = 0.7
_BOOK, _MADE = "studio-book", "studio-export"


def draw_book(held: OpenStudio, lang: Lang) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        with st.container(border=True, key="studio-import-card"):
            _draw_import(held, lang)
        with st.container(border=True, key="studio-found-card"):
            _draw_found(held, lang)
    with right:
        with st.container(border=True, key="studio-export-card"):
            _draw_exports(held, lang)
        with st.container(border=True, key="studio-back-card"):
            _draw_back(held, lang)


# -- import -----------------------------------------------------------------------------------------------------------


def _draw_import(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("studio.import", lang), anchor=False)
    draw([box("p", "muted text", t("studio.import_lead", lang))], key="studio-import-lead")
    running = held.importing
    if running is not None:
        st.fragment(_draw_progress, run_every=POLL if running.running else None)(held, running, running.running, lang)
        if running.running:
            return
    file = st.file_uploader(
        t("studio.import_file", lang), type=KINDS, key="studio-import-file", max_upload_size=MOST_MEGABYTES
    )
    if file is None:
        return
    book = _read(file.file_id, file.name, file.getvalue(), lang)
    if book is not None:
        _draw_chapters(held, book, lang)


def _read(id_: str, name: str, data: bytes, lang: Lang) -> Book | None:
    """The chapters of an upload, read once."""
    from memorybank.narrative.books.chapters import book_from_bytes

    known: tuple[str, Book] | None = st.session_state.get(_BOOK)
    if known is not None and known[0] == id_:
        return known[1]
    try:
        book = book_from_bytes(name, data)
    except InputError as error:
        draw_error(error, lang, key="studio-import-problem")
        return None
    st.session_state[_BOOK] = (id_, book)
    return book


def _draw_chapters(held: OpenStudio, book: Book, lang: Lang) -> None:
    count = t("studio.recognised", lang, count=len(book.chapters), number=f"{book.characters:,}")
    lines = [
        box(
            "li",
            "",
            box("span", "text", t("studio.chapter", lang, number=one.number, title=one.title)),
            box("span", "muted small", f" {len(one.text):,}"),
        )
        for one in book.chapters
    ]
    draw([box("p", "strong", count), box("ul", "wr-chapters", *lines)], key="studio-chapters")
    remove = _draw_left_over(held, book, lang)
    st.button(
        t("studio.import_start", lang),
        key="studio-import-start",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not book.chapters or remove is None,
        on_click=_start,
        args=(held, book, remove or ()),
    )


def _draw_left_over(held: OpenStudio, book: Book, lang: Lang) -> Sequence[int] | None:
    """What stands in the archive and not in this book is told, and goes only if the author says so.

    Answers with the chapters that go; None while the author has not decided.
    """
    from memorybank.narrative.books.importing import left_over

    found = left_over(book, held.studio.stores.archive)
    if not found or not book.chapters:
        return ()
    lines = [box("li", "text", t("studio.chapter", lang, number=number, title=title)) for number, title in found]
    words = box("p", "text", t("studio.import_left_over", lang, count=len(found)))
    draw([box("div", "notice disputed", words, box("ul", "wr-chapters", *lines))], key="studio-left-over")
    chosen = st.radio(
        t("studio.import_left_over_do", lang),
        ("remove", "keep"),
        index=None,
        format_func=lambda one: t(f"studio.import_left_over_{one}", lang, count=len(found)),
        key="studio-left-over-do",
    )
    if chosen is None:
        return None
    return [number for number, _ in found] if chosen == "remove" else ()


def _start(held: OpenStudio, book: Book, remove: Sequence[int] = ()) -> None:
    from memorybank.ui.studio.importing import Import

    if held.importing is None or not held.importing.running:
        held.importing = Import(held.studio, book, remove)


def _draw_progress(held: OpenStudio, running: Import, was_running: bool, lang: Lang) -> None:
    if running.running != was_running:
        st.rerun()
    progress = running.progress
    if progress is not None:
        words = t(
            "studio.progress",
            lang,
            done=progress.chapters,
            total=progress.chapters_in_all,
            characters=f"{progress.characters:,}",
            time=format_duration(progress.seconds, lang),
        )
        st.progress(progress.chapters / progress.chapters_in_all, words)
    elif running.running:
        draw([box("p", "", chip(t("studio.import_people", lang), "task live"))], key="studio-import-begins")
    if running.running:
        st.button(
            t("studio.import_stop", lang), key="studio-import-stop", icon=":material/stop:", on_click=running.stop
        )
    elif running.error is not None:
        draw_error(running.error, lang, key="studio-import-failed")
        _draw_go_on(held, running, lang)
    elif running.stopped:
        draw([box("p", "notice disputed text", t("studio.import_stopped", lang))], key="studio-import-stopped")
        _draw_go_on(held, running, lang)
    else:
        draw([box("p", "notice done text", t("studio.import_done", lang))], key="studio-import-done")


def _draw_go_on(held: OpenStudio, running: Import, lang: Lang) -> None:
    st.button(
        t("studio.import_go_on", lang),
        key="studio-import-go-on",
        icon=":material/play_arrow:",
        on_click=_start,
        args=(held, running.book, running.remove),
    )


# -- what is found ----------------------------------------------------------------------------------------------------


def _draw_found(held: OpenStudio, lang: Lang) -> None:
    """Proposals from the chapters: each search opens a task, whose table the author reviews and confirms."""
    st.subheader(t("studio.found", lang), anchor=False)
    draw([box("p", "muted text", t("studio.found_lead", lang))], key="studio-found-lead")
    chapters = [number for number, _ in held.studio.stores.archive.chapters()]
    if not chapters:
        draw([box("p", "muted", t("studio.archive_none", lang))], key="studio-found-none")
        return
    busy = desk.working() is not None
    if busy:
        draw([box("p", "", chip(t("studio.searching", lang), "task live"))], key="studio-searching")
    st.button(
        t("studio.find_people", lang),
        key="studio-find-people",
        icon=":material/group:",
        disabled=busy,
        on_click=_propose_people,
        args=(held,),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox(t("studio.find_from", lang), chapters, key="studio-find-from", width=150)
        later = [number for number in chapters if number >= first]
        if st.session_state.get("studio-find-to") not in later:
            st.session_state["studio-find-to"] = later[-1]
        last = st.selectbox(t("studio.find_to", lang), later, key="studio-find-to", width=150)
        chosen = [number for number in later if number <= last]
        st.button(
            t("studio.find_facts", lang, count=len(chosen)),
            key="studio-find-facts",
            icon=":material/manage_search:",
            disabled=busy,
            on_click=_propose_facts,
            args=(held, chosen, lang),
        )


Find = Callable[["Stores"], "Sequence[DraftItem]"]


def _propose_people(held: OpenStudio) -> None:
    from memorybank.narrative.books.finding import chapters_of, found_in

    _propose(held, t("studio.task_people", held.card.lang), lambda stores: found_in(chapters_of(_all(stores))))


def _propose_facts(held: OpenStudio, numbers: Sequence[int], lang: Lang) -> None:
    from memorybank.narrative.books.finding import facts_in

    title = t("studio.task_facts", held.card.lang, first=numbers[0], last=numbers[-1])
    _propose(held, title, lambda stores: facts_in(stores, numbers, lang))


def _propose(held: OpenStudio, title: str, find: Find) -> None:
    """Open a task for what is found, with its table. Nothing is written before the author confirms it."""

    def then(reply: Reply) -> None:
        desk.take(held, reply)
        st.session_state[desk.VIEW] = "discuss"

    task = desk.named()
    work = lambda: held.studio.gateway.propose(title, find(held.studio.stores), current=task)  # noqa: E731
    desk.begin("search", work, then)


def _all(stores: Stores) -> Any:
    return stores.archive.all()  # type: ignore[attr-defined]


# -- exports ----------------------------------------------------------------------------------------------------------


def _draw_exports(held: OpenStudio, lang: Lang) -> None:
    """Made when asked for, in the background: a long story takes seconds."""
    st.subheader(t("studio.export", lang), anchor=False)
    draw([box("p", "muted text", t("studio.export_lead", lang))], key="studio-export-lead")
    busy = desk.working() is not None
    made: dict[str, bytes] = (
        st.session_state.get(_MADE, {}) if st.session_state.get("studio-export-of") == held.id else {}
    )
    for name, (end, mime) in EXPORTS.items():
        with st.container(horizontal=True, vertical_alignment="center", key=f"studio-export-{name}"):
            words = box("p", "strong", t(f"studio.export_{name}", lang))
            help_ = box("p", "muted small text", t(f"studio.export_{name}_help", lang))
            draw([box("div", "", words, help_)], key=f"studio-export-words-{name}")
            if name in made:
                st.download_button(
                    t("studio.download", lang, size=format_bytes(len(made[name]), lang)),
                    made[name],
                    file_name=new_runs.file_name(held.card.title, end),
                    mime=mime,
                    key=f"studio-download-{name}",
                    type="primary",
                    icon=":material/download:",
                    on_click="ignore",
                )
            else:
                st.button(
                    t("studio.export_make", lang),
                    key=f"studio-make-{name}",
                    icon=":material/ios_share:",
                    disabled=busy,
                    on_click=_make,
                    args=(held, name),
                )


EXPORTS: Final = {
    "chapters": (".txt", "text/plain"),
    "layers": (".hub.json", "application/json"),
    "semantic": (".settings.json", "application/json"),
    "labelled": (".labelled.jsonl", "application/jsonl"),
}
"""By name: the file's ending and its type."""


def _make(held: OpenStudio, name: str) -> None:
    def then(data: bytes) -> None:
        if st.session_state.get("studio-export-of") != held.id:
            st.session_state[_MADE] = {}
        st.session_state["studio-export-of"] = held.id
        st.session_state[_MADE] = {**st.session_state[_MADE], name: data}

    desk.begin("export", partial(_exported, held, name), then)


def _exported(held: OpenStudio, name: str) -> bytes:
    from memorybank.narrative.books.exporting import book_text, export_semantic
    from memorybank.ui.studio.exports import export_layers

    with held.studio.hub.reading() as stores:  # one state of the hub for the whole file
        archive: Any = stores.archive
        match name:
            case "chapters":
                return book_text(archive).encode()
            case "layers":
                return export_layers(stores).encode()
            case "semantic":
                return export_semantic(stores.settings, archive).encode()
            case _:
                return "".join(f"{line}\n" for line in held.studio.gateway.export_labelled()).encode()


# -- a history that comes back ----------------------------------------------------------------------------------------


def _draw_back(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("studio.back", lang), anchor=False)
    draw([box("p", "muted text", t("studio.back_lead", lang))], key="studio-back-lead")
    file = st.file_uploader(t("studio.back_file", lang), type=["json"], key="studio-back-file", max_upload_size=5)
    st.button(
        t("studio.back_do", lang),
        key="studio-back-do",
        icon=":material/restore:",
        disabled=file is None,
        on_click=_bring_back,
        args=(held, file.getvalue() if file is not None else b""),
    )


def _bring_back(held: OpenStudio, data: bytes) -> None:
    with problems_kept():
        held.studio.gateway.bring_back(data.decode("utf-8", "replace"))
