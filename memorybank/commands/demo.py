"""demo: the app, from a checkout or from an installed package alike."""

from __future__ import annotations

import argparse
import socket

from memorybank.errors import InputError
from memorybank.integrations import missing
from memorybank.settings.place import APP


def demo(arguments: argparse.Namespace) -> int:
    """Serve the app until it is interrupted; runs and `.env` are those of the folder in which it is started.

    Raises InputError where the extra `app` is not installed, or the address cannot be served at.
    """
    try:
        from streamlit.web.cli import main as streamlit
    except ModuleNotFoundError as error:
        raise missing("app", error) from error
    host, port = arguments.host, arguments.port
    _check_address(host, port)
    print(f"the app: http://{host}:{port}  (Ctrl-C ends it)", flush=True)
    options = ["--server.address", host, "--server.port", str(port)]
    streamlit(["run", str(APP / "app.py"), *options], standalone_mode=False)
    return 0


def _check_address(host: str, port: int) -> None:
    """Check the address: Streamlit would end in a traceback, or in a line that names no remedy."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        if not 0 < port < 65536:
            raise OSError("1 to 65535")
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise InputError("command.no_address", host=host, port=port, why=error.strerror or error) from None
