"""What the pages are made of, one panel a module. A panel draws what it is given; it decides nothing."""
