"""Our drawing code for a browser: boxes and the graph, as scripts for the app, an export and a notebook."""
