"""The places with several parts: the bible (names, facts, hooks, settings), and the chapters as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button, draw_switch
from memorybank.ui.shell.tab import problems_kept
from memorybank.views.box import Box, Piece, aside, box, chip, div, item_of, muted, row_of, stack_of
from memorybank.views.i18n import t
from memorybank.views.text.display import clip, plain
from memorybank_studio.continuity.profile import Person, TimelineChapter, timeline
from memorybank_studio.hub.verbalisation import tell_chapters
from memorybank_studio.page.autosave import draw_search
from memorybank_studio.page.book import draw_book
from memorybank_studio.page.entries import draw_entry, draw_new, draw_undo
from memorybank_studio.page.facts import draw_facts
from memorybank_studio.page.people import draw_chapter, draw_people
from memorybank_studio.page.renaming import draw_renaming
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import PART
from memorybank_studio.tasks.bible import status_of
from memorybank_studio.types import NAMED_KINDS, RESOLVED, Chunk, Entity, EntityKind, Fact, Setting, digest


def draw_hooks(held: OpenStudio, lang: Lang) -> None:
    chapter = draw_chapter(held, lang)
    facts = held.studio.stores.facts
    st.subheader(t("studio.hooks_open", lang), anchor=False)
    open_ = facts.hooks(resolved=False, chapter=chapter)
    if not open_:
        draw(muted(t("studio.hooks_none", lang)), key="studio-hooks-none")
    for entity, fact in open_:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw(_hook(entity, fact, chapter, lang), key=f"studio-hook-{entity.key}")
            resolved = status_of(entity.name, RESOLVED, str(chapter or 0))
            pay = problems_kept()(partial(held.studio.gateway.bible.add, ("fact", resolved)))
            words = t("studio.hook_pay", lang, chapter=chapter or 0)
            button(words, f"studio-hook-pay-{entity.key}", pay, icon="check", look="tertiary")
            draw_entry(held, entity, f"of-{entity.key}", lang)
    hook = {"kind": EntityKind.HOOK.value, "chapter": str(chapter or 0)}
    draw_new(held, "entity", "hook", lang, hook, ("name", "chapter", "note"))
    paid = facts.hooks(resolved=True, chapter=chapter)
    if paid:
        st.subheader(t("studio.hooks_paid", lang), anchor=False)
        done = [_paid(entity, fact, lang) for entity, fact in paid]
        draw(box("ul", "line-list", *done), key="studio-hooks-paid")


def _hook(entity: Entity, fact: Fact, chapter: int | None, lang: Lang) -> Box:
    age = max(0, chapter - fact.since) if chapter is not None and fact.since else 0
    return div(
        "",
        row_of(
            box("span", "text strong", entity.name),
            chip(t("studio.hook_age", lang, count=age), "disputed" if age >= _OLD else "") if fact.since else None,
            aside(t("studio.hook_since", lang, chapter=fact.since)) if fact.since else None,
        ),
        box("p", "muted small text", entity.note or fact.origin.source) if entity.note or fact.origin.source else None,
    )


_OLD = 10
"""Chapters after which an open hook is marked: a reader forgets."""


def _paid(entity: Entity, fact: Fact, lang: Lang) -> Box:
    resolved = chip(t("studio.hook_resolved", lang, chapter=fact.since), "done") if fact.since else None
    return item_of(row_of(box("span", "text", entity.name), resolved))


MOST_ENTRIES = 8
"""Entries that are listed for a search."""


def draw_entries(held: OpenStudio, lang: Lang) -> None:
    settings = held.studio.stores.settings
    words = draw_search(held, t("studio.settings_search", lang), "studio-settings")
    if words:
        near = settings.search(words, count=MOST_ENTRIES)
        entries = [hit.item for hit in near if isinstance(hit.item, Setting)]
    else:
        entries = list(settings.all())
    lines = [_entry(entry, lang) for entry in entries]
    none = box("p", "muted text", t("studio.settings_none", lang))
    draw(box("ul", "line-list", *lines) if lines else none, key="studio-settings")
    draw_new(held, "setting", "setting", lang)
    known = {tell_chapters(state, entry.key, lang): state for entry in settings.all() for state in entry.states}
    chosen = st.selectbox(
        t("studio.bible_setting", lang), sorted(known), index=None, key="studio-setting-chosen", format_func=plain
    )
    if chosen in known:
        draw_entry(held, known[chosen], f"of-{digest('setting', chosen)}", lang)


def _entry(setting: Setting, lang: Lang) -> Box:
    category = t(f"studio.kind.{setting.category}", lang) if setting.category in [*EntityKind] else setting.category
    was = (held for state in setting.earlier if (held := setting.as_of(state.since)))
    return item_of(
        row_of(box("span", "text strong", setting.key), chip(category) if category else None),
        box("p", "text", tell_chapters(setting, setting.text, lang)),
        *(box("p", "muted small text", tell_chapters(state, state.text, lang)) for state in was),
    )


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
    with left:
        words = draw_search(held, t("studio.archive_search", lang), "studio-archive")
    entities = middle.multiselect(
        t("studio.archive_entities", lang),
        sorted(held.studio.stores.facts.names(NAMED_KINDS)),
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
    passages = _passages(held, words, entities, chapter)
    is_sought = bool(words or entities)
    told = "studio.archive_found" if is_sought or chapter is not None else "studio.archive_last"
    draw(muted(t(told, lang, count=len(passages))), key="studio-archive-count")
    draw(stack_of(*(_passage(chunk, is_sought, lang) for chunk in passages)), key="studio-archive")


def _passages(held: OpenStudio, words: str, entities: list[str], chapter: int | None) -> Sequence[Chunk]:
    """Return passages by meaning where words were typed, else by who is present, else those of the chapter, or last."""
    archive, named = held.studio.stores.archive, held.studio.stores.facts.named
    names = [known[0].name if (known := named(name)) else name for name in entities]  # an alias stands for its bearer
    if words:
        near = archive.search(words, count=MOST, entities=names, chapter=chapter)
        return [hit.item for hit in near if isinstance(hit.item, Chunk)]
    if names:
        before = None if chapter is None else chapter + 1
        present = archive.with_all(names, before=before, count=MOST)
        return [chunk for chunk in present if chapter in (None, chunk.chapter_id)]
    return archive.chapter(archive.chapters()[-1][0] if chapter is None else chapter)


def _passage(chunk: Chunk, is_sought: bool, lang: Lang) -> Box:
    """Return what was found in short; a chapter is to be read whole."""
    return div(
        "raw",
        row_of(
            box("span", "strong text", t("studio.chapter", lang, number=chunk.chapter_id, title=chunk.chapter_title)),
            *(chip(name, "node") for name in chunk.entity_list[:8]),
        ),
        box("p", "text", clip(chunk.text, BEGINNING) if is_sought else chunk.text),
    )


TIMELINE_CHAPTERS: Final = 40
"""Lines of a page."""
MOST_CHIPS: Final = 16
"""People of a chapter's line."""


def draw_timeline(held: OpenStudio, lang: Lang) -> None:
    shown = timeline(held.studio.stores)
    lengths = held.studio.stores.archive.lengths()
    total = _counted(sum(lengths.values()), held.card.lang, lang)
    words = t("studio.words_total", lang, words=total, count=len(lengths))
    draw(box("p", "text strong", words), key="studio-words-story")
    if not shown.chapters:
        draw(muted(t("studio.timeline_none", lang)), key="studio-timeline-none")
        return
    draw(muted(t("studio.timeline_lead", lang)), key="studio-timeline-lead")
    page = shown.chapters[: page_end("studio-timeline-chapters", TIMELINE_CHAPTERS)]
    lines = (_line(chapter, shown.people, held.card.lang, lang) for chapter in page)
    draw(box("ul", "line-list", *lines), key="studio-timeline")
    draw_more("studio-timeline-chapters", TIMELINE_CHAPTERS, len(shown.chapters), lang)


def _line(chapter: TimelineChapter, people: Sequence[Person], story: Lang, lang: Lang) -> Box:
    number = chapter.number
    length = _counted(chapter.words, story, lang) if chapter.words else t("studio.timeline_no_text", lang)
    there = [person for person in people if number in person.present]
    there.sort(key=lambda person: number not in person.settled)
    chips: list[Piece] = []
    for person in there[:MOST_CHIPS]:
        look, how = ("chip task", "settled") if number in person.settled else ("chip", "named")
        words = t(f"studio.timeline_{how}", lang, name=person.name, chapters=number)
        chips.append(box("span", look, person.name, title=words))
    if more := len(there) - MOST_CHIPS:
        chips += [aside(t("studio.timeline_more", lang, count=more))] if more > 0 else []
    return item_of(
        row_of(
            box("span", "text strong", t("studio.chapter", lang, number=number, title=chapter.title)), aside(length)
        ),
        row_of(*chips) if chips else aside(t("studio.timeline_nobody", lang)),
        box("p", "small text", t("studio.timeline_events", lang, events=", ".join(chapter.events)))
        if chapter.events
        else None,
    )


def _counted(words: int, story: Lang, lang: Lang) -> str:
    """Return `12,345 words`; of a Chinese story characters. `lang`: of the page."""
    return t(f"chapter.words_{story}", lang, count=words if words == 1 else f"{words:,}")


PARTS: Final = {
    "bible": {
        "people": draw_people,
        "facts": draw_facts,
        "hooks": draw_hooks,
        "settings": draw_entries,
        "rename": draw_renaming,
    },
    "chapters": {"archive": draw_archive, "timeline": draw_timeline, "book": draw_book},
}
"""The parts of each place, in the order in which they stand there."""


def draw_parts(place: str, held: OpenStudio, lang: Lang) -> None:
    parts = PARTS[place]
    if place == "bible":
        draw_undo(held, lang)
    if PART[place].held() not in parts:  # none was chosen, or the address says what is none
        PART[place].reset()
    part = draw_switch(
        t("studio.hub", lang), tuple(parts), lambda name: t(f"studio.hub_{name}", lang), key=PART[place].key
    )
    with st.container(key=f"studio-part-{part}"):
        parts[part](held, lang)
