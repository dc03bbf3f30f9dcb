"""The app's entry: serves shell.py to requests that name a host of its own. `streamlit run app.py` or `make demo`."""

import ctypes
import gc
import os
import sys

import streamlit as st

from memorybank.ui.shell.patches import apply_patches
from memorybank.ui.shell.serving import browser_mark, guard, page_routes

# What a page computes is small: the threads of numpy's BLAS would wait for each other and take the other tabs' time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A run is many objects that stay: looked over at every 700th, as Python does unasked, they take a third of its reading.
gc.set_threshold(20_000, 10, 10)
# Each tab draws in its own threads: glibc would give each of them a heap, and keep what a drawing has freed there.
if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
    mallopt(-8, 2)  # M_ARENA_MAX: heaps at most
    mallopt(-1, 128 * 1024)  # M_TRIM_THRESHOLD: bytes at the end of a heap that are given back
apply_patches()
app = st.App("shell.py", middleware=[guard(), browser_mark()], routes=page_routes())
