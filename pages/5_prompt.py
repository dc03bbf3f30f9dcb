"""Prompt & calls: what the agent was given and where it came from; every call of an agent."""

from memorybank.ui.components.problems import problems_shown
from memorybank.ui.session.no_run import draw_no_run
from memorybank.ui.shell import state

lang, worker = state.lang(), state.worker()

if worker is None:
    draw_no_run("prompt", lang)
else:
    from memorybank.ui.prompt.prompt import draw_prompt_page

    with problems_shown(lang):
        draw_prompt_page(worker, state.runs().folder_of(worker), lang)
