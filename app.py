"""The app's entry: serves shell.py to requests that name a host of its own. `streamlit run app.py` or `make demo`."""

import streamlit as st

from memorybank.ui.shell.clicks import hear_clicks_once
from memorybank.ui.shell.redrawing import keep_whole
from memorybank.ui.shell.serving import browser_mark, guard

keep_whole()
hear_clicks_once()
app = st.App("shell.py", middleware=[guard(), browser_mark()])
