"""What the driver raises, told in this library's errors: unreachable, refused, or asked wrongly.

No message holds a password or the query; an address is shown as scheme, host and port alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from memorybank.errors import InputError, MemoryBankError, StoreUnavailableError
from memorybank.narrative.hub.extra import missing

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


EMBEDDED = "the embedded graph engine"


def shown(uri: str) -> str:
    """The address without a user, a password or a query."""
    try:
        parts = urlsplit(uri)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "that address"
    return f"{parts.scheme}://{host}:{port}" if port else f"{parts.scheme}://{host}"


def no_address(where: str) -> InputError:
    return InputError(f"{where} has no usable address: give NEO4J_URI as in neo4j://host:7687")


@contextmanager
def told(where: str) -> Iterator[None]:
    """Raise what the driver raises as InputError or StoreUnavailableError; `where` names the store."""
    try:
        yield
    except (Neo4jError, DriverError, OSError) as error:
        raise _as_ours(error, where) from error


def _as_ours(error: Exception, where: str) -> MemoryBankError:
    if isinstance(error, AuthError):
        return InputError(f"{where} refused the user or password: check NEO4J_USER and NEO4J_PASSWORD")
    if isinstance(error, Forbidden):
        return InputError(f"{where} lets this user do too little: give it the right to read, write and make indexes")
    if isinstance(error, ConfigurationError):
        return no_address(where)
    if isinstance(error, ClientError) and "DatabaseNotFound" in (error.code or ""):
        return InputError(f"{where} has no such database: check NEO4J_DATABASE")
    if isinstance(error, ConstraintError):
        return StoreUnavailableError(f"{where} got the same from someone else just now: nothing was written, try again")
    if isinstance(error, TransientError):
        return StoreUnavailableError(f"{where} is busy ({_line(error)}): nothing was written, try again")
    if isinstance(error, Neo4jError):
        return StoreUnavailableError(f"{where} could not do this ({_line(error)}): nothing was written; see its log")
    remedy = "try again, it is started anew" if where == EMBEDDED else "start it, then try again"
    return StoreUnavailableError(f"{where} cannot be reached ({type(error).__name__}): {remedy}")


def _line(error: Neo4jError) -> str:
    return " ".join((error.message or error.code or type(error).__name__).split())[:200]
