"""Compare: the same task under two settings, or two saved runs, side by side."""

from memorybank.ui.compare.compare import draw_compare
from memorybank.ui.components.problems import problems_shown
from memorybank.ui.shell import links, state

lang, worker = state.lang(), state.worker()

with problems_shown(lang):
    draw_compare(worker, lang)
links.turn_page()
