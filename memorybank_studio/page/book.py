"""A book goes into the archive, with progress, and stands beside the story as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

import streamlit as st

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import problems_kept
from memorybank.views.box import Box, aside, box, chip, div, item_of
from memorybank.views.i18n import t
from memorybank.views.text.display import format_bytes, format_duration, unmarked
from memorybank_studio.books.chapters import Book
from memorybank_studio.books.files import SUFFIXES, book_from_bytes
from memorybank_studio.books.importing import short_names, surplus_chapters
from memorybank_studio.books.story import (
    LANGUAGES,
    BookLanguage,
    Edition,
    archived_chapters,
    story_chapters,
    story_markdown,
    story_text,
)
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin
from memorybank_studio.page.jobs import Import
from memorybank_studio.page.shelf import LONGEST_TITLE, OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.types import Entity


def draw_book(held: OpenStudio, lang: Lang) -> None:
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True, key="studio-import-card"):
        draw_import(held, lang)
    with right, st.container(border=True, key="studio-story-card"):
        draw_story_export(held, lang)


MOST_MEGABYTES: Final = 50
"""The megabytes of the largest upload: a file of pictures with some text. The text's length is checked on reading."""
POLL: Final = 0.7


def draw_import(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("studio.import", lang), anchor=False)
    draw(box("p", "muted text", t("studio.import_lead", lang)), key="studio-import-lead")
    running = held.importing
    if running is not None:
        st.fragment(_draw_progress, run_every=POLL if running.running else None)(held, running, running.running, lang)
        if running.running:
            return
    file = st.file_uploader(
        t("studio.import_file", lang), type=list(SUFFIXES), key="studio-import-file", max_upload_size=MOST_MEGABYTES
    )
    if file is None:
        return
    desk = studio_tab().desk
    if desk.book is None or desk.book[0] != file.file_id:  # it is read once
        try:
            book = book_from_bytes(file.name, file.getvalue())
        except InputError as error:
            draw_error(error, lang, key="studio-import-problem")
            return
        desk.book = (file.file_id, book, short_names(book, held.studio.stores.facts))
    _, book, short = desk.book
    if book.left:  # what of the file is no text of the story, and stays where it is
        kinds = t("punctuation.list", lang).join(t(f"book.left_{kind}", lang, count=count) for kind, count in book.left)
        draw(box("p", "muted text", t("book.left", lang, kinds=kinds)), key="studio-import-left")
    _draw_chapters(held, _with_or_without_front(book, lang), short, lang)


def _with_or_without_front(book: Book, lang: Lang) -> Book:
    """Ask whether to take the text before the first chapter: a prologue, or a preface nobody searches."""
    front = book.front
    if front is None:
        return book
    words = t("book.front", lang, title=front.title, number=f"{len(front.text):,}")
    return book if st.checkbox(unmarked(words), value=True, key="studio-import-front") else book.without_front()


def _draw_chapters(held: OpenStudio, book: Book, short: Mapping[str, Entity], lang: Lang) -> None:
    count = t("studio.recognised", lang, count=len(book.chapters), number=f"{book.characters:,}")
    lines = [_line(chapter.number, chapter.title, lang, aside(f" {len(chapter.text):,}")) for chapter in book.chapters]
    draw(box("p", "strong", count), box("ul", "wr-chapters", *lines), key="studio-chapters")
    remove = _draw_left_over(held, book, lang)
    names, is_off = _draw_short(short, lang), not book.chapters or remove is None
    start = partial(_with_aliases, held, names, partial(_start, held, book, remove or ()))
    words = t("studio.import_start", lang)
    button(words, "studio-import-start", start, icon="play_arrow", look="primary", disabled=is_off)


def _line(number: int, title: str, lang: Lang, length: Box | None = None) -> Box:
    return item_of(box("span", "text", t("studio.chapter", lang, number=number, title=title)), length)


def _draw_short(short: Mapping[str, Entity], lang: Lang) -> Mapping[str, Entity]:
    """Draw the short names that the book uses for people on record; return those that the author leaves ticked."""
    if not short:
        return {}
    chosen = st.pills(
        t("studio.import_short", lang),
        list(short),
        selection_mode="multi",
        default=list(short),
        format_func=lambda name: unmarked(t("studio.import_short_of", lang, short=name, name=short[name].name)),
        key="studio-import-short",
    )
    return {name: short[name] for name in chosen}


def _with_aliases(held: OpenStudio, short: Mapping[str, Entity], start: Callable[[], None]) -> None:
    """Keep the short names as aliases, then begin: the chapters are read for all names. For callbacks."""
    with problems_kept():
        for name, bearer in short.items():
            entity = held.studio.stores.facts.entity(bearer.key)
            if entity is not None and name not in entity.aliases:
                held.studio.gateway.bible.change(entity, {"aliases": ", ".join((*entity.aliases, name))})
        start()


def _draw_left_over(held: OpenStudio, book: Book, lang: Lang) -> Sequence[int] | None:
    """Draw the chapters that the archive alone has; return those that go, None while the author has not decided."""
    surplus = surplus_chapters(book, held.studio.stores.archive)
    if not surplus or not book.chapters:
        return ()
    lines = [_line(number, title, lang) for number, title in surplus]
    words = box("p", "text", t("studio.import_left_over", lang, count=len(surplus)))
    draw(div("notice disputed", words, box("ul", "wr-chapters", *lines)), key="studio-left-over")
    chosen = st.radio(
        t("studio.import_left_over_do", lang),
        ("remove", "keep"),
        index=None,
        format_func=lambda choice: t(f"studio.import_left_over_{choice}", lang, count=len(surplus)),
        key="studio-left-over-do",
    )
    if chosen is None:
        return None
    return [number for number, _ in surplus] if chosen == "remove" else ()


def _start(held: OpenStudio, book: Book, remove: Sequence[int] = ()) -> None:
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
        draw(box("p", "", chip(t("studio.import_people", lang), "task live")), key="studio-import-begins")
    if running.running:
        button(t("studio.import_stop", lang), "studio-import-stop", running.stop, icon="stop")
    elif running.error is not None:
        draw_error(running.error, lang, key="studio-import-failed")
    elif running.stopped:
        draw(box("p", "notice disputed text", t("studio.import_stopped", lang)), key="studio-import-stopped")
    else:
        draw(box("p", "notice done text", t("studio.import_done", lang)), key="studio-import-done")
        return
    if not running.running:
        go_on = partial(_start, held, running.book, running.remove)
        button(t("studio.import_go_on", lang), "studio-import-go-on", go_on, icon="play_arrow")


_LONGEST_AUTHOR: Final = 100

KINDS: Final = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "epub": "application/epub+zip",
    "md": "text/markdown",
    "txt": "text/plain",
}
"""The media type of a file, by its ending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The author's choices for the file that is made."""

    title: str
    author: str
    language: BookLanguage
    in_the_making: bool
    """Chapters that are being written come along, where the archive has none of their number."""


def draw_story_export(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("book.export", lang), anchor=False)
    draw(box("p", "muted text", t("book.export_lead", lang)), key="studio-book-lead")
    archived = dict(held.studio.stores.archive.chapters())
    making = {number: title for number, (title, _) in _in_the_making(held).items() if number not in archived}
    wanted = _draw_form(held, archived, making, lang) if archived or making else None
    if wanted is None:
        draw(box("p", "notice text", t("book.export_none", lang)), key="studio-book-none")
        return
    for kind in KINDS:
        _draw_file(held, wanted, kind, lang)


def _draw_form(held: OpenStudio, archived: Mapping[int, str], making: Mapping[int, str], lang: Lang) -> Wanted | None:
    with st.container(horizontal=True):
        titled, by = begin(held, f"studio-book-title-{held.id}", held.card.title), begin(held, "studio-book-author")
        title = st.text_input(t("book.title", lang), max_chars=LONGEST_TITLE, key=titled)
        author = st.text_input(t("book.author", lang), max_chars=_LONGEST_AUTHOR, key=by)
    making_too = bool(making) and st.checkbox(
        t("book.in_the_making", lang, count=len(making)), value=not archived, key="studio-book-making"
    )
    if not archived and not making_too:
        return None
    language = st.selectbox(
        t("book.language", lang),
        LANGUAGES,
        index=LANGUAGES.index("en" if held.card.lang == "en" else "zh-Hans"),
        format_func=lambda tag: t(f"book.language_{tag.replace('-', '_')}", lang),
        key="studio-book-language",
    )
    return Wanted(
        title=" ".join((title or "").split()) or held.card.title,
        author=" ".join((author or "").split()),
        language=language,
        in_the_making=making_too,
    )


def _in_the_making(held: OpenStudio) -> dict[int, tuple[str, str]]:
    """Return titles and texts of chapters that are being written, by their numbers; of two of one number the later."""
    chapters = held.studio.gateway.chapters.all()
    return {chapter.number: (chapter.title, chapter.text) for chapter in chapters if chapter.pieces}


def _made(held: OpenStudio, wanted: Wanted, kind: str) -> bytes:
    from memorybank_studio.books.docx_writing import story_docx, story_epub

    with held.studio.hub.reading() as stores:  # one state of the hub for the whole file
        texts = archived_chapters(stores.archive.all())
    if wanted.in_the_making:
        texts = {**_in_the_making(held), **texts}
    story = Edition(
        title=wanted.title,
        author=wanted.author,
        language=wanted.language,
        chapters=story_chapters(texts, wanted.language),
        at=datetime.now(UTC),
    )
    match kind:
        case "docx":
            return story_docx(story)
        case "epub":
            return story_epub(story)
        case _:
            return (story_markdown(story) if kind == "md" else story_text(story)).encode()


def file_name(title: str, end: str) -> str:
    """Return the story's title, as far as every file system takes it."""
    words = "".join(char if char.isalnum() else " " for char in title).split()
    return ("-".join(words)[:60].strip("-") or "story") + end


def _draw_file(held: OpenStudio, wanted: Wanted, kind: str, lang: Lang) -> None:
    """Draw the file of one kind, to be made or taken: one that was made of something else is not offered."""
    name, of = f"book-{kind}", (wanted, held.studio.gateway.written_at)
    made = studio_tab().desk.exports.get(name)
    with st.container(horizontal=True, vertical_alignment="center", key=f"studio-export-{name}"):
        help_ = box("p", "muted small text", t(f"book.{kind}_help", lang))
        told = div("", box("p", "strong", t(f"book.{kind}", lang)), help_)
        draw(told, key=f"studio-export-words-{name}")
        if made is not None and made[0] == of:
            st.download_button(
                t("studio.download", lang, size=format_bytes(len(made[1]), lang)),
                made[1],
                file_name=file_name(wanted.title, f".{kind}"),
                mime=KINDS[kind],
                key=f"studio-download-{name}",
                type="primary",
                icon=":material/download:",
                on_click="ignore",
            )
            return

        def then(data: bytes) -> None:
            studio_tab().desk.exports[name] = of, data

        make = lambda: desk.begin("export", lambda: _made(held, wanted, kind), then)  # noqa: E731
        desk.work_button(t("studio.export_make", lang), f"studio-make-{name}", make, icon="ios_share")
