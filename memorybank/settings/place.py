"""The folder of the app: `app.py`, `shell.py`, `pages/`, `assets/` and `.streamlit/`, at the top of a checkout.

A wheel carries the same files inside the package, as `memorybank/app` (pyproject.toml, `force-include`); a checkout has
no such folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_INSTALLED: Final = _PACKAGE / "app"

APP: Final = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
"""The folder with `app.py` in it."""
