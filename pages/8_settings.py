"""Settings: the effective configuration, the models, the storage."""

from memorybank.ui.settings.settings import draw_settings
from memorybank.ui.shell import state
from memorybank.ui.shell.problems import problems_shown

lang = state.lang()
with problems_shown(lang):
    draw_settings(state.worker(), lang)
