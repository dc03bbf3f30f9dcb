"""The story as a book: which chapters, what it is called and by whom, and the file in three kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank.views.text.display import format_bytes
from memorybank_studio.books.story import LANGUAGES, BookLanguage, Edition, archived_chapters, story_chapters
from memorybank_studio.page import desk
from memorybank_studio.page.shelf import LONGEST_TITLE, OpenStudio
from memorybank_studio.page.tab import studio_tab

_LONGEST_AUTHOR: Final = 100


def _docx(story: Edition) -> bytes:
    from memorybank_studio.books.docx_writing import story_docx

    return story_docx(story)


def _epub(story: Edition) -> bytes:
    from memorybank_studio.books.docx_writing import story_epub

    return story_epub(story)


def _markdown(story: Edition) -> bytes:
    from memorybank_studio.books.story import story_markdown

    return story_markdown(story).encode()


def _plain(story: Edition) -> bytes:
    from memorybank_studio.books.story import story_text

    return story_text(story).encode()


KINDS: Final[Mapping[str, tuple[Callable[[Edition], bytes], str]]] = {
    "docx": (_docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "epub": (_epub, "application/epub+zip"),
    "md": (_markdown, "text/markdown"),
    "txt": (_plain, "text/plain"),
}
"""By the file's ending: who writes it, and its type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the author has chosen."""

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
    if not archived and not making_too:
        draw(box("p", "notice text", t("book.export_none", lang)), key="studio-book-none")
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
    """Titles and texts of chapters that are being written, by their numbers; of two of one number the later."""
    chapters = held.studio.gateway.chapters.all()
    return {chapter.number: (chapter.title, chapter.text) for chapter in chapters if chapter.pieces}


def _made(held: OpenStudio, wanted: Wanted, write: Callable[[Edition], bytes]) -> bytes:
    with held.studio.hub.reading() as stores:  # one state of the hub for the whole file
        archive: Any = stores.archive
        texts = archived_chapters(archive.all())
    if wanted.in_the_making:
        texts = {**_in_the_making(held), **texts}
    return write(
        Edition(
            title=wanted.title,
            author=wanted.author,
            language=wanted.language,
            chapters=story_chapters(texts, wanted.language),
            at=datetime.now(UTC),
        )
    )


def file_name(title: str, end: str) -> str:
    """The story's title, as far as every file system takes it."""
    words = "".join(char if char.isalnum() else " " for char in title).split()
    return ("-".join(words)[:60].strip("-") or "story") + end


def draw_export(
    name: str, words: tuple[str, str], file: tuple[str, str, str], make: Callable[[], bytes], lang: Lang, *, of: object
) -> None:
    """`words`: what it is, and what is in it. `file`: what it is called by, its ending and its type. `of`: what was
    chosen for it, and when the story was written to last: a file that was made of something else is not offered."""
    made = studio_tab().desk.exports.get(name)
    with st.container(horizontal=True, vertical_alignment="center", key=f"studio-export-{name}"):
        what, help_ = words
        told = box("div", "", box("p", "strong", what), box("p", "muted small text", help_))
        draw(told, key=f"studio-export-words-{name}")
        if made is not None and made[0] == of:
            title, end, mime = file
            st.download_button(
                t("studio.download", lang, size=format_bytes(len(made[1]), lang)),
                made[1],
                file_name=file_name(title, end),
                mime=mime,
                key=f"studio-download-{name}",
                type="primary",
                icon=":material/download:",
                on_click="ignore",
            )
        else:
            button(
                t("studio.export_make", lang),
                f"studio-make-{name}",
                partial(_make, name, of, make),
                icon="ios_share",
                disabled=desk.working() is not None,
            )


def _make(name: str, of: object, make: Callable[[], bytes]) -> None:
    def then(data: bytes) -> None:
        studio_tab().desk.exports[name] = of, data

    desk.begin("export", make, then)
