"""Settings: the effective configuration, the models, the storage."""

from memorybank.ui import state
from memorybank.ui.panels.problems import problems_shown
from memorybank.ui.panels.settings import draw_settings

lang = state.lang()
with problems_shown(lang):
    draw_settings(state.worker(), lang)
