"""Tests of the demo material."""
