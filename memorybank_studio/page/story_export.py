"""The story as a book: which chapters, what it is called and by whom, and the file in three kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank_studio.books.story import LANGUAGES, BookLanguage, Edition, archived_chapters, story_chapters
from memorybank_studio.page.export_rows import draw_export
from memorybank_studio.page.shelf import LONGEST_TITLE, OpenStudio

_LONGEST_AUTHOR: Final = 100


def _docx(story: Edition) -> bytes:
    from memorybank_studio.books.docx_writing import story_docx

    return story_docx(story)


def _epub(story: Edition) -> bytes:
    from memorybank_studio.books.epub_writing import story_epub

    return story_epub(story)


def _markdown(story: Edition) -> bytes:
    from memorybank_studio.books.markdown import story_markdown

    return story_markdown(story).encode()


KINDS: Final[Mapping[str, tuple[Callable[[Edition], bytes], str]]] = {
    "docx": (_docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "epub": (_epub, "application/epub+zip"),
    "md": (_markdown, "text/markdown"),
}
"""By the file's ending: who writes it, and its type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the author has chosen."""

    title: str
    author: str
    language: BookLanguage
    first: int
    last: int
    in_the_making: bool
    """Chapters that are being written come along, where the archive has none of their number."""


def draw_story_export(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("book.export", lang), anchor=False)
    draw(box("p", "muted text", t("book.export_lead", lang)), key="studio-book-lead")
    archived = dict(held.studio.stores.archive.chapters())
    making = {number: title for number, (title, _) in _in_the_making(held).items() if number not in archived}
    if not archived and not making:
        draw(box("p", "notice text", t("book.export_none", lang)), key="studio-book-none")
        return
    wanted = _draw_form(held, archived, making, lang)
    if wanted is None:
        return
    for kind, (write, mime) in KINDS.items():
        draw_export(
            f"book-{kind}",
            (t(f"book.{kind}", lang), t(f"book.{kind}_help", lang)),
            (wanted.title, f".{kind}", mime),
            partial(_made, held, wanted, write),
            lang,
            of=(wanted, held.studio.gateway.written_at),
        )


def _draw_form(held: OpenStudio, archived: Mapping[int, str], making: Mapping[int, str], lang: Lang) -> Wanted | None:
    with st.container(horizontal=True):
        title = st.text_input(
            t("book.title", lang), held.card.title, max_chars=LONGEST_TITLE, key=f"studio-book-title-{held.id}"
        )
        author = st.text_input(t("book.author", lang), max_chars=_LONGEST_AUTHOR, key="studio-book-author")
    making_too = bool(making) and st.checkbox(
        t("book.in_the_making", lang, count=len(making)), value=not archived, key="studio-book-making"
    )
    titles = dict(sorted({**(making if making_too else {}), **archived}.items()))
    if not titles:
        draw(box("p", "notice text", t("book.export_none", lang)), key="studio-book-none")
        return None
    with st.container(horizontal=True):
        language = st.selectbox(
            t("book.language", lang),
            LANGUAGES,
            index=LANGUAGES.index("en" if held.card.lang == "en" else "zh-Hans"),
            format_func=lambda tag: t(f"book.language_{tag.replace('-', '_')}", lang),
            key="studio-book-language",
        )
        first = _draw_bound("from", list(titles), 0, titles, lang)
        last = _draw_bound("to", list(titles), len(titles) - 1, titles, lang)
    if first > last:
        draw(box("p", "notice disputed text", t("book.none_between", lang)), key="studio-book-between")
        return None
    return Wanted(
        title=" ".join((title or "").split()) or held.card.title,
        author=" ".join((author or "").split()),
        language=language,
        first=first,
        last=last,
        in_the_making=making_too,
    )


def _draw_bound(name: str, numbers: Sequence[int], at: int, titles: Mapping[int, str], lang: Lang) -> int:
    return st.selectbox(
        t(f"book.{name}", lang),
        numbers,
        index=at,
        format_func=lambda number: t("studio.chapter", lang, number=number, title=titles[number]),
        key=f"studio-book-{name}-{numbers[0]}-{numbers[-1]}",  # anew when there are others to choose from
    )


def _in_the_making(held: OpenStudio) -> dict[int, tuple[str, str]]:
    """Titles and texts of chapters that are being written, by their numbers; of two of one number the later."""
    chapters = held.studio.gateway.chapters.all()
    return {chapter.number: (chapter.title, chapter.text) for chapter in chapters if chapter.pieces}


def _made(held: OpenStudio, wanted: Wanted, write: Callable[[Edition], bytes]) -> bytes:
    with held.studio.hub.reading() as stores:  # one state of the hub for the whole file
        archive: Any = stores.archive
        texts = archived_chapters(archive.all())
    if wanted.in_the_making:
        texts = {**_in_the_making(held), **texts}
    chosen = {number: text for number, text in texts.items() if wanted.first <= number <= wanted.last}
    return write(
        Edition(
            title=wanted.title,
            author=wanted.author,
            language=wanted.language,
            chapters=story_chapters(chosen, wanted.language),
            at=datetime.now(UTC),
        )
    )
