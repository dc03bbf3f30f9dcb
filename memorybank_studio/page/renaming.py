"""Find words everywhere in a studio, and rename somebody in all places that the author leaves ticked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Final

import streamlit as st

from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.problems import problems_shown
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, aside, box, chip, div, item_of, marked, muted, note, row_of
from memorybank.views.i18n import t
from memorybank.views.text.display import mark_difference, unmarked
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_search, let_go
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import RENAME_OF, studio_tab, turn_to
from memorybank_studio.tasks.renames import KINDS, LONGEST, LONGEST_WORDS, Place, RenamePreview, WordHit
from memorybank_studio.types import BEARERS, Entity, EntityKey

HITS, PLACES = 12, 20
"""Rows of a page of each list."""
SHOWN: Final = 160
"""Characters of a text that is shown whole."""
MOST_TEXTS: Final = 2
"""The most texts that are shown of a place."""


def ask_to_rename(key: EntityKey) -> None:
    """Turn to the renaming of somebody. For callbacks."""
    turn_to("bible", "rename")
    RENAME_OF.set(str(key))


def draw_renaming(held: OpenStudio, lang: Lang) -> None:
    _draw_find(held, lang)
    _draw_rename(held, lang)


def _draw_find(held: OpenStudio, lang: Lang) -> None:
    first = partial(back_to_first_page, "studio-words-hits")
    label = t("studio.words_find", lang)
    words = draw_search(held, label, "studio-words", max_chars=LONGEST_WORDS, on_change=first)
    if not words:
        draw(note(t("studio.words_help", lang)), key="studio-words-help")
        return
    gateway = held.studio.gateway
    hits = gateway.renames.find(words, gateway.typed.all())
    counts = Counter(hit.kind for hit in hits)
    parts = (t(f"studio.words_in_{kind}", lang, count=counts[kind]) for kind in KINDS if counts[kind])
    draw(muted(" · ".join(parts) or t("studio.words_nowhere", lang)), key="studio-words-count")
    lines = [_hit(hit, lang) for hit in hits[: page_end("studio-words-hits", HITS)]]
    draw(box("ul", "line-list", *lines), key="studio-words-lines")
    draw_more("studio-words-hits", HITS, len(hits), lang)


def quoted(text: str, start: int, end: int) -> Box:
    """Return a text in which some words are marked."""
    return box("p", "small text", text[:start], box("mark", "", text[start:end]), text[end:])


def _hit(hit: WordHit, lang: Lang) -> Box:
    return item_of(
        row_of(
            chip(t(f"studio.place_{hit.kind}", lang)),
            box("span", "text", hit.where) if hit.kind != "typed" else None,
            aside(t("studio.words_times", lang, count=hit.count)),
        ),
        quoted(hit.text, hit.start, hit.end),
    )


def _draw_rename(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("studio.rename", lang), anchor=False)
    _draw_last(held, lang)
    facts = held.studio.stores.facts
    known = {str(key): entity for key, entity in facts.entities(facts.names(BEARERS).values()).items()}
    if not known:
        draw(muted(t("studio.rename_nobody", lang)), key="studio-rename-nobody")
        return
    if RENAME_OF.held() not in known:
        RENAME_OF.set(None)
    left, right = st.columns(2, gap="medium")
    chosen = left.selectbox(
        t("studio.rename_of", lang),
        sorted(known, key=lambda key: (known[key].name, key)),
        index=None,
        format_func=lambda key: f"{known[key].name} · {t(f'studio.kind.{known[key].kind}', lang)}",
        placeholder=t("studio.about_choose_name", lang),
        key=RENAME_OF.key,
        persist_state="session",
    )
    if not chosen:
        draw(note(t("studio.rename_help", lang)), key="studio-rename-help")
        return
    field = begin(held, f"studio-rename-to-{chosen}")
    new = right.text_input(t("studio.rename_to", lang), max_chars=LONGEST, key=field)
    aliases = _aliases(held, known[chosen], lang)
    if new and new.strip():
        with problems_shown(lang):
            _draw_preview(held, held.studio.gateway.renames.preview(EntityKey(chosen), new, aliases), lang)


def _aliases(held: OpenStudio, entity: Entity, lang: Lang) -> Mapping[str, str]:
    if not entity.aliases:
        return {}
    changed: dict[str, str] = {}
    with st.expander(unmarked(t("studio.rename_aliases", lang, names=" · ".join(entity.aliases)))):
        for place, alias in enumerate(entity.aliases):
            field = begin(held, f"studio-rename-alias-{entity.key}-{place}", alias)
            words = st.text_input(unmarked(alias), max_chars=LONGEST, key=field)
            if words and words.strip() and words.strip() != alias:
                changed[alias] = words
    return changed


def _draw_preview(held: OpenStudio, preview: RenamePreview, lang: Lang) -> None:
    chosen = _chosen(preview)
    lead = t("studio.rename_lead", lang, count=len(chosen), all=len(preview.places))
    draw(muted(lead), key="studio-rename-lead")
    lines = [_place(place, place.id in chosen, lang) for place in preview.places[: page_end("studio-rename", PLACES)]]
    draw(box("ul", "line-list", *lines), key="studio-rename-places", on_choose=_toggle)
    draw_more("studio-rename", PLACES, len(preview.places), lang)
    old, new = preview.entity.name, preview.pairs[preview.entity.name]
    words, rename = t("studio.rename_do", lang, old=old, new=new), partial(_rename, held, preview)
    desk.work_button(words, "studio-rename-do", rename, icon="edit", look="primary")


def _chosen(preview: RenamePreview) -> frozenset[str]:
    """Return ids of the places that are ticked: all but the doubtful ones, and as the author has ticked them since."""
    turned = studio_tab().desk.rename_ticks
    return frozenset(place.id for place in preview.places if place.fixed or (place.id in turned) == place.doubtful)


def _toggle(place: str) -> None:
    studio_tab().desk.rename_ticks ^= {place}


def _place(place: Place, is_ticked: bool, lang: Lang) -> Box:
    tick = box(
        "span", "tick", title=t("studio.rename_tick", lang, where=place.where), choose=place.id, checked=is_ticked
    )
    more = len(place.texts) - MOST_TEXTS
    return item_of(
        row_of(
            None if place.fixed else tick,
            chip(t(f"studio.place_{place.kind}", lang)),
            box("span", "text strong", place.where),
            aside(t("studio.words_times", lang, count=place.count)) if place.count else None,
            chip(t("studio.rename_fixed", lang), "done") if place.fixed else None,
            chip(t("studio.rename_doubtful", lang), "disputed") if place.doubtful else None,
        ),
        *(_change(before, after) for before, after in place.texts[:MOST_TEXTS]),
        aside(t("studio.rename_texts", lang, count=more)) if more > 0 else None,
        aside(t("studio.rename_list", lang)) if not place.texts else None,
    )


def _change(before: str, after: str) -> Box:
    old, new = mark_difference(*_first_change(before, after))
    return div("", box("p", "muted small text", *marked(old)), box("p", "small text", "→ ", *marked(new)))


def _first_change(before: str, after: str) -> tuple[str, str]:
    """Return the first changed sentence of a long text; a name for a name leaves their number as it is."""
    cut, cut_after = sentences(before), sentences(after)
    if len(before) <= SHOWN or len(cut) != len(cut_after):
        return before[:SHOWN], after[:SHOWN]
    pairs = ((before[old.start : old.end], after[new.start : new.end]) for old, new in zip(cut, cut_after, strict=True))
    old, new = next((pair for pair in pairs if pair[0] != pair[1]), (before, after))
    return old.strip(), new.strip()


def _rename(held: OpenStudio, preview: RenamePreview) -> None:
    """Carry out what was shown; a place that reads differently by now is told, and nothing is written."""
    new = preview.pairs[preview.entity.name]
    aliases = {old: to for old, to in preview.pairs.items() if old != preview.entity.name}
    renames, chosen, key = held.studio.gateway.renames, _chosen(preview), preview.entity.key

    def then(_: bool) -> None:
        of_aliases = (f"studio-rename-alias-{key}-{at}" for at, _ in enumerate(preview.entity.aliases))
        let_go(held, {f"studio-rename-to-{key}": new, **dict.fromkeys(of_aliases, "")})
        studio_tab().desk.rename_ticks = frozenset()
        RENAME_OF.set(None)

    desk.begin("rename", lambda: renames.rename(key, new, aliases, chosen=chosen), then)


def _draw_last(held: OpenStudio, lang: Lang) -> None:
    last = held.studio.gateway.renames.last
    if last is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="studio-rename-last"):
        words = t("studio.rename_done", lang, old=last.old, new=last.new)
        draw(box("p", "notice done text", words), key="studio-rename-last-words")
        undo = partial(desk.begin, "rename", held.studio.gateway.renames.undo, lambda _: None)
        desk.work_button(t("studio.rename_undo", lang), "studio-rename-undo", undo, icon="undo")
