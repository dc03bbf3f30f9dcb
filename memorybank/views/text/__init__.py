"""Words of a page: differences, passages, citations, quantities, and text that is cut to fit."""
