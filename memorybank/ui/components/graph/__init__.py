"""The Query Graph on the screen: what of the picture (views/graph) the browser has already, and who draws it there."""
