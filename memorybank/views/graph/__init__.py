"""The Query Graph as a picture: where a node lies, how it looks, what is sent. No Streamlit; pyvis builds it."""
