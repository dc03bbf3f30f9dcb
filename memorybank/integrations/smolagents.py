"""smolagents: the bank's tools as `Tool`s, its memory hook, and a smolagents agent as the session's executor.

    pip install "agentic-memory-bank[smolagents]"

smolagents sends nothing by itself; its calls to the Hugging Face Hub (loading and pushing tools) are not used here. A
pause takes effect when its model call in flight is over: the framework cannot be stopped earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.integrations import missing
from memorybank.integrations.arguments import Utterance
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.foreign import RAISED, AgentTool, ForeignExecutor, call_block, failure_of, transcript_of
from memorybank.prompts.tags import block
from memorybank.session.executors.base import Execution

try:
    from smolagents import ActionStep, MultiStepAgent, Tool
except ModuleNotFoundError as error:
    raise missing("smolagents", error) from None

MakeAgent = Callable[[list[Tool]], MultiStepAgent]
"""Builds the agent around the tools it is given: a ToolCallingAgent, or a CodeAgent with its own care."""


# -- tools ------------------------------------------------------------------------------------------------------------


class OfferedTool(Tool):  # type: ignore[misc]
    """A tool of the bank as smolagents takes one; its arguments are described by a schema, not by a signature."""

    skip_forward_signature_validation = True
    output_type = "string"

    def __init__(self, tool: AgentTool) -> None:
        self.name = tool.name
        self.description = tool.description
        self.inputs = inputs_of(tool.parameters)
        self._tool = tool
        super().__init__()

    def forward(self, **arguments: Any) -> str:
        present = {name: value for name, value in arguments.items() if value is not None}
        return self._tool.run(present)


def as_smolagents(tools: Sequence[AgentTool]) -> list[Tool]:
    """Offer `BankTools.tools()`, `Turns.tools` or a round's tools to `ToolCallingAgent(tools=…)`."""
    return [OfferedTool(tool) for tool in tools]


def inputs_of(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Convert the arguments' JSON schema to smolagents' form: type, description, whether it may be left out."""
    required = set(schema.get("required", ()))
    inputs: dict[str, dict[str, Any]] = {}
    for name, described in schema.get("properties", {}).items():
        kinds = [kind["type"] for kind in described.get("anyOf", ()) if kind.get("type", "null") != "null"]
        kind = described.get("type") or (kinds[0] if len(kinds) == 1 else "any")
        inputs[name] = {"type": kind, "description": described.get("description") or name.replace("_", " ")}
        if "items" in described:
            inputs[name]["items"] = described["items"]
        if name not in required:
            inputs[name]["nullable"] = True
    return inputs


# -- the agent leads -------------------------------------------------------------------------------------------------


class MemoryHook:
    """Files what an agent's own tools bring, and shortens in its context what was filed: `step_callbacks=[hook]`.

    agent.run(hook.task("Where does Ana live?")) begins with what memory holds on the task.
    """

    def __init__(self, bank: BankTools, *, recent: int = 2, characters: int = 200) -> None:
        """`recent`: steps whose results stay whole; of older ones so many characters stay."""
        self._bank, self._recent, self._characters = bank, recent, characters
        self._own = {tool.name for tool in bank.tools()}

    def task(self, task: str) -> str:
        """Return a task with what memory holds on it."""
        block = self._bank.memory_block(task)
        return f"{task}\n\n{block}" if block else task

    def __call__(self, step: ActionStep, agent: MultiStepAgent) -> None:
        outside = [call for call in step.tool_calls or () if call.name not in (*self._own, "final_answer")]
        if outside and (step.observations or "").strip():
            self._bank.ingest(step.observations, f"{outside[0].name}({outside[0].arguments})")
        elif step.is_final_answer and (answer := str(step.action_output or step.observations or "").strip()):
            task = str(agent.task or "the task")[:4_000]
            self._bank.ingest(turns=[Utterance(speaker="user", text=task), Utterance(speaker="agent", text=answer)])
        for older in [each for each in agent.memory.steps if isinstance(each, ActionStep)][: -self._recent or None]:
            if older.observations and len(older.observations) > self._characters + 100:
                older.observations = f"{older.observations[: self._characters]}… [filed: search_memory has it]"


# -- the executor -----------------------------------------------------------------------------------------------------


def smolagents_executor(make_agent: MakeAgent, *, name: str = "smolagents") -> ForeignExecutor:
    """Make a smolagents agent the session's executor: a new one each round, over the round's tools."""

    def agent(prompt: str, tools: Sequence[AgentTool]) -> Execution:
        built = make_agent(as_smolagents(tools))
        built.step_callbacks.register(ActionStep, _stop_when_asked)
        return _run_agent(built, prompt)

    return ForeignExecutor(agent, name=name)


def _stop_when_asked(step: ActionStep, agent: MultiStepAgent) -> None:
    if calls.stopped():
        agent.interrupt()


def _run_agent(agent: MultiStepAgent, prompt: str) -> Execution:
    """Run the agent once. What it did until it failed is kept."""
    answer, failure = "", ""
    try:
        result = agent.run(prompt, return_full_result=True)
    except RAISED as error:
        if calls.stopped():
            raise Cancelled from None
        failure = failure_of(error)
    else:
        answer = "" if result.output is None else str(result.output)
        if result.state != "success":
            failure = "the agent used up its steps"
    return Execution(answer=answer, transcript=_transcript(prompt, agent, answer), failure=failure)


def _transcript(prompt: str, agent: MultiStepAgent, answer: str) -> str:
    steps: list[str] = []
    for step in agent.memory.steps:
        if not isinstance(step, ActionStep):
            continue
        if step.model_output:
            steps.append(block("think", str(step.model_output)))
        for call in step.tool_calls or ():
            arguments = call.arguments if isinstance(call.arguments, dict) else {"arguments": call.arguments}
            steps.append(call_block(call.name, arguments))
        if step.observations:
            steps.append(block("tool_response", step.observations))
        if step.error:
            steps.append(block("tool_response", str(step.error)))
    return transcript_of(prompt, steps, answer)
