"""The session as a LangGraph graph: enhance -> agent -> intercept, until it has nothing more to ask."""

from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from setting import QUESTION, SOURCES, endpoint, run_folder, settings

from memorybank.integrations.langgraph import as_langchain, bank_graph, run_graph
from memorybank.integrations.turns import Turns

folder = run_folder("langgraph_session")
with endpoint() as model, Turns.start(folder, QUESTION, sources=SOURCES, settings=settings(folder)) as turns:
    tools = as_langchain(turns.tools)
    chat = ChatOpenAI(model=model.model, base_url=model.base_url, api_key=model.api_key).bind_tools(tools)
    agent = StateGraph(MessagesState)
    agent.add_node("model", lambda state: {"messages": [chat.invoke(state["messages"])]})
    agent.add_node("tools", ToolNode(tools))
    agent.add_edge(START, "model")
    agent.add_conditional_edges("model", tools_condition)
    agent.add_edge("tools", "model")
    print(run_graph(bank_graph(turns, agent.compile()))["answer"])
