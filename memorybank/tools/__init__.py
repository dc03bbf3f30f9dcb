"""The tools of an agent: search, visit, deep_retrieval, files; every answer is data, every address is checked."""
