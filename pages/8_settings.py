"""Settings: the effective configuration, the models, the storage."""

from memorybank.ui import state
from memorybank.ui.panels.problems import draw_kept_problem, problems_shown
from memorybank.ui.panels.settings import draw_settings

lang = state.lang()
draw_kept_problem(lang)
with problems_shown(lang):
    draw_settings(state.worker(), lang)
