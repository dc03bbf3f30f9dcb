"""What is drawn by code of ours in the browser: boxes, the graph, the timeline."""
