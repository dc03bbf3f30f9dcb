"""The story of a run, shown at a pace: where a tab is in it (course), its bar above every page (bar), its clock."""
