"""Compare: the same task under two settings, side by side."""

import streamlit as st

from memorybank.ui import state
from memorybank.ui.i18n import t
from memorybank.ui.panels.problems import draw_kept_problem, problems_shown

lang, worker = state.lang(), state.worker()

draw_kept_problem(lang)
if worker is None:
    st.text(t("tree.no_run", lang))
    st.page_link("pages/1_session.py", label=t("page.session", lang), icon=":material/play_circle:")
else:
    with problems_shown(lang):
        st.text(str(len(worker.records)))
