"""What every page of the app stands in: navigation, and what is above each page. app.py serves it."""

from importlib.util import find_spec

import streamlit as st

from memorybank.ui.components.problems import draw_kept_problem, draw_left_out, draw_refused
from memorybank.ui.components.run_list import draw_opening
from memorybank.ui.frame.header import draw_header
from memorybank.ui.frame.page_code import page_code
from memorybank.ui.shell import course, links, state
from memorybank.ui.shell.import_turns import turns
from memorybank.ui.shell.serving import stop_unguarded
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.story.bar import draw_story
from memorybank.views.i18n import t
from memorybank.views.link import INSPECTOR, PAGES

stop_unguarded()  # before anything is read
if find_spec("memorybank_studio") is not None:
    from memorybank_studio.page.tab import register

    register()
lang = state.lang()
# An icon by name would be fetched from outside; one from a file imports numpy and Pillow, 0.28 s before the first page.
# This one stands until the page has set its own (ui/frame/memory.js).
st.set_page_config(page_title=t("app.title", lang), page_icon="🔷", layout="wide")

pages = {
    name: st.Page(
        file,
        title=t(f"page.{name}", lang),
        icon=icon,
        default=name == "session",
        visibility="visible" if name in INSPECTOR else "hidden",
    )
    for name, (file, icon) in PAGES.items()
}
page = st.navigation(list(pages.values()), position="top")
this_tab().page = next(name for name, one in pages.items() if one is page)
links.turn_page()
opening = st.empty()
if arriving := state.arriving():
    draw_opening(opening, arriving, lang)
with turns.drawing():
    worker = state.worker()
    course.settle(worker)
    draw_header(lang, worker)
    draw_kept_problem(lang)
    draw_refused(lang)
    if worker is not None:
        draw_left_out(worker, lang)
        from memorybank.ui.frame.run_bar import draw_run_bar  # heavy, and the first page does without it

        draw_run_bar(worker, lang)
    draw_story(worker, lang)
    page.run()
    if worker is not None:
        from memorybank.ui.components.graph.component import load_ahead

        load_ahead()
    state.keep_address()
opening.empty()
state.begin_warm_up(lang, page_code)
