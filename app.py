"""The app's entry: navigation and the header. Start it with `streamlit run app.py`, or `make demo`."""

from pathlib import Path

import streamlit as st

from memorybank.ui import state
from memorybank.ui.i18n import t
from memorybank.ui.panels.header import draw_header

# A file of ours: an icon by name would be fetched from outside.
ICON = Path(__file__).parent / "memorybank" / "ui" / "panels" / "icon.svg"

lang = state.lang()
st.set_page_config(page_title=t("app.title", lang), page_icon=str(ICON), layout="wide")

page = st.navigation(
    [
        st.Page("pages/1_session.py", title=t("page.session", lang), icon=":material/play_circle:", default=True),
        st.Page("pages/2_tree.py", title=t("page.tree", lang), icon=":material/account_tree:"),
        st.Page("pages/3_settings.py", title=t("page.settings", lang), icon=":material/tune:"),
    ],
    position="top",
)
draw_header(lang, state.worker())
page.run()
state.begin_warm_up(lang)
