"""The app, on Streamlit: what it shows comes from views/, who runs sessions for it is hosting/."""
