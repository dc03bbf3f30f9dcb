"""Conflicts & merges: the life of each conflict, each merge before and after, undo."""

from memorybank.ui.components.problems import problems_shown
from memorybank.ui.session.no_run import draw_no_run
from memorybank.ui.shell import state

lang, worker = state.lang(), state.worker()

if worker is None:
    draw_no_run("conflicts", lang)
else:
    from memorybank.ui.conflicts.conflict_page import draw_conflicts  # heavy, and a page without a run does without it

    with problems_shown(lang):
        draw_conflicts(worker, lang)
