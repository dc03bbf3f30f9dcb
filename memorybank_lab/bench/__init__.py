"""How fast and how large: one benchmark a file, tables with ratios of one run (`memorybank_lab bench …`)."""
