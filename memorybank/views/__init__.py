"""The read-models behind the app and its exports: a journal as values and boxes of text, without Streamlit."""
