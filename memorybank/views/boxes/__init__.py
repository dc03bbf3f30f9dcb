"""Boxes that several pages, or the HTML export too, draw of the same thing."""
