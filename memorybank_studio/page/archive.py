"""The chapters as they stand: passages in which all of these are present, before a chapter, near in meaning."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, aside, box, chip, muted, row_of, stack_of
from memorybank.views.i18n import t
from memorybank.views.text.display import clip
from memorybank_studio.page.fact_graph import SHAPES
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.types import Chunk

MOST = 12
BEGINNING = 600
"""Columns of a passage in the list."""


def draw_archive(held: OpenStudio, lang: Lang) -> None:
    archive = held.studio.stores.archive
    chapters = archive.chapters()
    if not chapters:
        draw(box("p", "muted text", t("studio.archive_none", lang)), key="studio-archive-none")
        return
    titles = dict(chapters)
    left, middle, right = st.columns([3, 3, 2], gap="medium")
    words = left.text_input(t("studio.archive_search", lang), key="studio-archive-words", persist_state="session")
    entities = middle.multiselect(
        t("studio.archive_entities", lang),
        sorted(_present(held)),
        key="studio-archive-entities",
        persist_state="session",
    )
    chapter = right.selectbox(
        t("studio.archive_chapter", lang),
        list(titles),
        index=None,
        format_func=lambda number: t("studio.chapter", lang, number=number, title=titles[number]),
        placeholder=t("studio.archive_any", lang),
        key="studio-archive-chapter",
        persist_state="session",
    )
    passages = _passages(held, (words or "").strip(), entities, chapter)
    draw(muted(t("studio.archive_found", lang, count=len(passages))), key="studio-archive-count")
    draw(stack_of(*(_passage(chunk, score, lang) for chunk, score in passages)), key="studio-archive")


def _present(held: OpenStudio) -> set[str]:
    """Names by which passages can be asked for."""
    return set(held.studio.stores.facts.names(SHAPES))


def _passages(
    held: OpenStudio, words: str, entities: list[str], chapter: int | None
) -> Sequence[tuple[Chunk, float | None]]:
    """By meaning where something was typed, else by who is present, else the chapter in order."""
    archive, names = held.studio.stores.archive, _own_names(held, entities)
    if words:
        near = archive.search(words, count=MOST, entities=names, chapter=chapter)
        return [(hit.item, hit.score) for hit in near if isinstance(hit.item, Chunk)]
    if names:
        before = None if chapter is None else chapter + 1
        return [(chunk, None) for chunk in archive.with_all(names, before=before, count=MOST) if _is_of(chunk, chapter)]
    if chapter is not None:
        return [(chunk, None) for chunk in archive.chapter(chapter)]
    return []


def _own_names(held: OpenStudio, entities: list[str]) -> list[str]:
    """The names under which the archive lists them: an alias stands for its bearer."""
    facts = held.studio.stores.facts
    return [known[0].name if (known := facts.named(name)) else name for name in entities]


def _is_of(chunk: Chunk, chapter: int | None) -> bool:
    return chapter is None or chunk.chapter_id == chapter


def _passage(chunk: Chunk, score: float | None, lang: Lang) -> Box:
    return box(
        "div",
        "raw",
        row_of(
            box("span", "strong text", t("studio.chapter", lang, number=chunk.chapter_id, title=chunk.chapter_title)),
            aside(t("studio.near", lang, score=f"{score:.2f}")) if score is not None else None,
            *(chip(name, "node") for name in chunk.entity_list[:8]),
        ),
        box("p", "text", clip(chunk.text, BEGINNING)),
    )
