"""Writing studio: facts and plans of a long story apart, many tasks at once, nothing written that was not confirmed."""

from memorybank.ui.components.problems import problems_shown
from memorybank.ui.shell import links, state
from memorybank_studio.page.page import draw_studio

lang = state.lang()
with problems_shown(lang):
    draw_studio(lang)
links.turn_page()
