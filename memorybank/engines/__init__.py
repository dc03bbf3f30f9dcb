"""The five agents: `offline/` without a model, `llm/` on any chat model, behind one contract."""
