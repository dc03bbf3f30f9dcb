"""The app's entry: serves shell.py to requests that name a host of its own. `streamlit run app.py` or `make demo`."""

import streamlit as st

from memorybank.ui.shell.patches import apply_patches
from memorybank.ui.shell.serving import browser_mark, guard

apply_patches()
app = st.App("shell.py", middleware=[guard(), browser_mark()])
