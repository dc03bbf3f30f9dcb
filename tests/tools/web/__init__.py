"""Tests of the web tools, against real servers on loopback."""
