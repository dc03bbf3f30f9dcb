"""The app as the bank's own tests drive it."""

from tests.app.conftest import app, serve_app, whole_app

__all__ = ["app", "serve_app", "whole_app"]
