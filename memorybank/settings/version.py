"""The version of the library, which a journal, an export and a server state."""

from __future__ import annotations

__version__ = "0.1.0"
