"""Your own agent as the session's executor: a function of the prompt and the session's tools."""

from collections.abc import Sequence
from dataclasses import replace

from openai import OpenAI
from setting import QUESTION, SOURCES, endpoint, run_folder, settings

from memorybank import Session, assemble
from memorybank.integrations.foreign import AgentTool, ForeignExecutor

folder = run_folder("own_agent")
with endpoint() as model:
    client = OpenAI(base_url=model.base_url, api_key=model.api_key)

    def agent(prompt: str, tools: Sequence[AgentTool]) -> str:
        by_name = {tool.name: tool for tool in tools}
        messages = [{"role": "user", "content": prompt}]
        while True:
            reply = client.chat.completions.create(
                model=model.model, messages=messages, tools=[tool.openai for tool in tools]
            )
            message = reply.choices[0].message
            messages.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                return message.content or ""
            for call in message.tool_calls:
                result = by_name[call.function.name].run_json(call.function.arguments)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})

    parts = replace(assemble(settings(folder), [QUESTION]), executor=ForeignExecutor(agent, name="my agent"))
    with Session.start(folder, parts, goal=QUESTION, sources=SOURCES) as session:
        print(session.run().answer)
