"""The benchmarks of speed and size: one a file, tables with ratios of one run (`memorybank_lab bench …`)."""
