"""Tree: deep retrieval, from a node back to the raw text and the files behind it."""

import streamlit as st

from memorybank.ui import state
from memorybank.ui.i18n import t
from memorybank.ui.panels.problems import draw_kept_problem
from memorybank.ui.panels.tree import draw_tree

lang, worker = state.lang(), state.worker()

draw_kept_problem(lang)
if worker is None:
    st.text(t("tree.no_run", lang))
    st.page_link("pages/1_session.py", label=t("page.session", lang), icon=":material/play_circle:")
else:
    st.fragment(draw_tree, run_every=2.0 if worker.busy else None)(worker, state.runs().folder_of(worker), lang)
