"""Replay: any moment of a run, the difference of any two, branches."""

from memorybank.ui.components.problems import problems_shown
from memorybank.ui.session.no_run import draw_no_run
from memorybank.ui.shell import state

lang, worker = state.lang(), state.worker()

if worker is None:
    from memorybank.ui.batch import draw_batch, has_batch

    if has_batch():
        with problems_shown(lang):
            draw_batch(lang)
    draw_no_run("replay", lang)
else:
    from memorybank.ui.replay import draw_replay

    with problems_shown(lang):
        draw_replay(worker, lang)
