"""A smolagents ToolCallingAgent as the session's executor."""

from dataclasses import replace

from setting import QUESTION, SOURCES, endpoint, run_folder, settings
from smolagents import OpenAIServerModel, ToolCallingAgent

from memorybank import Session, assemble
from memorybank.integrations.smolagents import smolagents_executor

folder = run_folder("smolagents_agent")
with endpoint() as model:
    chat = OpenAIServerModel(model.model, api_base=model.base_url, api_key=model.api_key)

    def make_agent(tools):
        return ToolCallingAgent(tools=tools, model=chat, max_steps=20, verbosity_level=0)

    parts = replace(assemble(settings(folder), [QUESTION]), executor=smolagents_executor(make_agent))
    with Session.start(folder, parts, goal=QUESTION, sources=SOURCES) as session:
        print(session.run().answer)
