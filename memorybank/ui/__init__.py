"""The app's views: builders of HTML, graphs and tables that know no Streamlit, and the panels that lay them out."""
