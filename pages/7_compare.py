"""Compare: the same task under two settings, or two saved runs, side by side."""

from memorybank.ui import links, state
from memorybank.ui.panels.compare import draw_compare
from memorybank.ui.panels.problems import problems_shown

lang, worker = state.lang(), state.worker()

with problems_shown(lang):
    draw_compare(worker, lang)
links.turn_page()
