"""The app's entry: serves shell.py to requests that name a host of its own. `streamlit run app.py` or `make demo`."""

import streamlit as st
from starlette.middleware import Middleware

from memorybank.hosts import HostGuard
from memorybank.ui.serving import own_hosts, sentence

app = st.App("shell.py", middleware=[Middleware(HostGuard, names=own_hosts(), sentence=sentence)])
