"""The package draws what our own code draws in the browser: boxes, the graph, the timeline."""
