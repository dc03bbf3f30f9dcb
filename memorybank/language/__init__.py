"""The parts that every reader of English and of Chinese needs, each once. They know no engine, memory or story."""
