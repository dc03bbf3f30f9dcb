"""A LangGraph agent as the session's executor. Its tools are the session's: what they read becomes memory."""

from dataclasses import replace

from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from setting import QUESTION, SOURCES, endpoint, run_folder, settings

from memorybank import Session, assemble
from memorybank.integrations.langgraph import graph_executor

folder = run_folder("langgraph_agent")
with endpoint() as model:
    chat = ChatOpenAI(model=model.model, base_url=model.base_url, api_key=model.api_key)

    def make_graph(tools):
        async def call(state: MessagesState):
            return {"messages": [await chat.bind_tools(tools).ainvoke(state["messages"])]}

        graph = StateGraph(MessagesState)
        graph.add_node("model", call)
        graph.add_node("tools", ToolNode(tools))
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", tools_condition)
        graph.add_edge("tools", "model")
        return graph.compile()

    parts = replace(assemble(settings(folder), [QUESTION]), executor=graph_executor(make_graph))
    with Session.start(folder, parts, goal=QUESTION, sources=SOURCES) as session:
        print(session.run().answer)
