"""Compare: any two runs side by side."""

from memorybank.ui.compare import draw_compare
from memorybank.ui.components.problems import problems_shown
from memorybank.ui.shell import links, state

lang = state.lang()
state.worker()  # a run that the address names is the tab's, here as on every page

with problems_shown(lang):
    draw_compare(lang)
links.turn_page()
