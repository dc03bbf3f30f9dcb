"""Graph: the Query Graph with its cards and list, and why a memory was retrieved."""

from memorybank.ui.components.problems import problems_shown
from memorybank.ui.shell import state

lang, worker = state.lang(), state.worker()

if worker is None:
    from memorybank.ui.session.no_run import draw_no_run

    draw_no_run("graph", lang)
else:
    from memorybank.ui.graph_page.graph_page import draw_graph_page

    with problems_shown(lang):
        draw_graph_page(worker, lang)
