"""The story hub, to look into: facts, plans, hooks, settings, the chapters, who is in each, how long they are."""

from __future__ import annotations

from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.shell.switch import draw_switch
from memorybank.views.i18n import t
from memorybank_studio.page.archive import draw_archive
from memorybank_studio.page.entries import draw_entries
from memorybank_studio.page.facts import draw_facts
from memorybank_studio.page.hooks import draw_hooks
from memorybank_studio.page.people import draw_people
from memorybank_studio.page.plans import draw_plans
from memorybank_studio.page.relations import draw_relations
from memorybank_studio.page.renaming import draw_renaming
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.timeline import draw_timeline
from memorybank_studio.page.widgets import HUB_PART
from memorybank_studio.page.words import draw_words

PARTS: Final = {
    "facts": draw_facts,
    "people": draw_people,
    "relations": draw_relations,
    "plans": draw_plans,
    "hooks": draw_hooks,
    "settings": draw_entries,
    "archive": draw_archive,
    "timeline": draw_timeline,
    "words": draw_words,
    "rename": draw_renaming,
}


def draw_hub(held: OpenStudio, lang: Lang) -> None:
    part = draw_switch(
        t("studio.hub", lang), tuple(PARTS), lambda name: t(f"studio.hub_{name}", lang), key=HUB_PART.key
    )
    with st.container(key=f"studio-hub-{part}"):
        PARTS[part](held, lang)
