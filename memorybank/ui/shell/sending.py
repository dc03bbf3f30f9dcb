"""What our components are sent, in a form that Streamlit passes on without a look inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def wrap_for_component(data: Mapping[str, Any]) -> dict[str, Any]:
    """Put `data` into a tuple, as its only item.

    Of every list and mapping at the top of a component's data Streamlit asks whether it is a data frame, and imports
    pandas to know: 0.9 s for the first reader of a page. Into a tuple it does not look.
    """
    return {"wrapped": (dict(data),)}
