"""What an agent may use: search, visit, deep_retrieval, files; every answer is data, every address is checked."""
