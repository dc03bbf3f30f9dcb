"""The slider over all events of a run: what stands on its track (track), who draws it (component). Only
`component` knows Streamlit."""
