"""What every reader of English and of Chinese needs, each thing once. It knows no engine, no memory, no story."""
