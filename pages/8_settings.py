"""Settings: the effective configuration, the models, the storage."""

from memorybank.ui.components.problems import problems_shown
from memorybank.ui.settings import draw_settings
from memorybank.ui.shell import state

lang = state.lang()
with problems_shown(lang):
    draw_settings(state.worker(), lang)
