"""How good is the offline engine, measured on public data through the product's own path (`memorybank_lab eval`)?"""
