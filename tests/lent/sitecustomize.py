"""Lets a program that a test starts have its embedding models from the run of the tests, which has loaded them once.

Python imports this before the program, where this folder is on its path (tests/lending.py).
"""

import os
import sys

if (address := os.environ.get("LENT_MODELS")) and not {"-P", "-c"} & set(sys.orig_argv):  # those only serve others
    from memorybank.embedding.service import serve_by

    serve_by(address)
