"""How good the offline engine is, measured on public data through the product's own path (`memorybank_lab eval`)."""
