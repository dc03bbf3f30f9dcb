"""Tree: deep retrieval, from a node back to the raw text and the files behind it."""

from memorybank.ui.components.problems import problems_shown
from memorybank.ui.session.no_run import draw_no_run
from memorybank.ui.shell import state

lang, worker = state.lang(), state.worker()

if worker is None:
    draw_no_run("tree", lang)
else:
    from memorybank.ui.tree.tree import draw_tree

    with problems_shown(lang):
        draw_tree(worker, state.runs().folder_of(worker), lang)
