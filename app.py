"""The app's entry: serves shell.py to requests that name a host of its own. `streamlit run app.py` or `make demo`."""

import gc
import os

import streamlit as st

from memorybank.ui.shell.patches import apply_patches
from memorybank.ui.shell.serving import browser_mark, guard, page_routes

# What a page computes is small: the threads of numpy's BLAS would wait for each other and take the other tabs' time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A run is many objects that stay: looked over at every 700th, as Python does unasked, they take a third of its reading.
gc.set_threshold(20_000, 10, 10)
apply_patches()
app = st.App("shell.py", middleware=[guard(), browser_mark()], routes=page_routes())
