"""What the app and its exports show of a journal, as values and boxes of text: read-models without Streamlit."""
