"""Session: give a task, watch the memory work, ask again."""

from memorybank.session.phase import Phase
from memorybank.ui.components.problems import draw_error, problems_shown
from memorybank.ui.session.setup import draw_setup
from memorybank.ui.shell import state

lang, worker = state.lang(), state.worker()

if worker is not None and worker.phase is Phase.FAILED and not worker.records:
    error = worker.error
    state.leave()
    if error is not None:
        draw_error(error, lang, key="problem-begin")
    worker = None

if worker is None:
    draw_setup(lang)
else:
    from memorybank.ui.session.run import draw_run  # heavy, and the first page does without it

    with problems_shown(lang):
        draw_run(worker, lang)
