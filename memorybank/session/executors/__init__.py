"""The executors of tasks: the offline researcher, a ReAct agent on a chat model, or an agent of your own."""
