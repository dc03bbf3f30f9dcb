"""Books in and out: chapters recognised, cut into passages, imported into the archive, exported as they were."""
