"""An Agent of the OpenAI Agents SDK as the session's executor. Its tracing is off: nothing is uploaded."""

from dataclasses import replace

from agents import Agent, OpenAIChatCompletionsModel
from openai import AsyncOpenAI
from setting import QUESTION, SOURCES, endpoint, run_folder, settings

from memorybank import Session, assemble
from memorybank.integrations.openai_agents import agents_executor

folder = run_folder("openai_agents_sdk")
with endpoint() as model:
    chat = OpenAIChatCompletionsModel(model.model, AsyncOpenAI(base_url=model.base_url, api_key=model.api_key))

    def make_agent(tools):
        return Agent(name="researcher", instructions="Work with the tools. Do not guess.", model=chat, tools=tools)

    parts = replace(assemble(settings(folder), [QUESTION]), executor=agents_executor(make_agent))
    with Session.start(folder, parts, goal=QUESTION, sources=SOURCES) as session:
        print(session.run().answer)
