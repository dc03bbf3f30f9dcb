"""A call or a stage of a recorded run as a case in JSON, and the check that the library still makes the same of it.

The app writes a case ("Make this a test"). A test suite that keeps it needs one line:

    def test_what_was_found() -> None:
        run_case("cases/analysis_call_42.json")

A case holds all it needs: the memory of its moment, and what a language model and the tools answered then. So it asks
no model and reaches no network; it checks what the library makes of those answers.
"""

from memorybank.testing.cases import Case, read_case, run_case

__all__ = ["Case", "read_case", "run_case"]
