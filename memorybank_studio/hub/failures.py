"""What the driver raises, told in this library's errors: unreachable, refused, or asked wrongly.

No message holds a password or the query; an address is shown as scheme, host and port alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from memorybank.errors import InputError, MemoryBankError, Notice, StoreUnavailableError


def missing(name: str | None) -> InputError:
    """The error that names the extra."""
    return InputError("graph.not_installed", package=name or Notice("graph.a_package"))


try:
    from neo4j.exceptions import (
        AuthError,
        ClientError,
        ConfigurationError,
        ConstraintError,
        DriverError,
        Forbidden,
        Neo4jError,
        TransientError,
    )
except ModuleNotFoundError as error:
    raise missing(error.name) from None


EMBEDDED = Notice("graph.embedded")


def shown(uri: str) -> str:
    """The address without a user, a password or a query."""
    try:
        parts = urlsplit(uri)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "that address"
    return f"{parts.scheme}://{host}:{port}" if port else f"{parts.scheme}://{host}"


def no_address(where: Notice) -> InputError:
    return InputError("graph.no_address", server=where)


@contextmanager
def driver_errors(where: Notice) -> Iterator[None]:
    """Raise what the driver raises as InputError or StoreUnavailableError; `where` names the store."""
    try:
        yield
    except (Neo4jError, DriverError, OSError) as error:
        raise _as_ours(error, where) from error


def _as_ours(error: Exception, where: Notice) -> MemoryBankError:
    if isinstance(error, AuthError):
        return InputError("graph.password_refused", server=where)
    if isinstance(error, Forbidden):
        return InputError("graph.forbidden", server=where)
    if isinstance(error, ConfigurationError):
        return no_address(where)
    if isinstance(error, ClientError) and "DatabaseNotFound" in (error.code or ""):
        return InputError("graph.no_database", server=where)
    if isinstance(error, ConstraintError):
        return StoreUnavailableError("graph.written_twice", server=where)
    if isinstance(error, TransientError):
        return StoreUnavailableError("graph.busy", server=where, why=_line(error))
    if isinstance(error, Neo4jError):
        return StoreUnavailableError("graph.failed", server=where, why=_line(error))
    why = type(error).__name__
    if where is EMBEDDED:
        return StoreUnavailableError("graph.embedded_unreachable", why=why)
    return StoreUnavailableError("graph.unreachable", server=where, why=why)


def _line(error: Neo4jError) -> str:
    return " ".join((error.message or error.code or type(error).__name__).split())[:200]
