"""The Query Graph on the screen: where a node lies (layout), how it looks (style), what is sent (model), who draws it
(component). Only `component` knows Streamlit."""
