"""PostgreSQL by asyncpg: types that hold what SQLite's hold, and connections that notice a dead other side.

SQLite's integers have 64 bits, and its texts are ordered by their code points. So all integers are `BIGINT` here, and
all texts are collated as in C, in whatever language the database was made.
"""

import socket
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Column, Dialect, Text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.postgresql.base import PGDDLCompiler, PGTypeCompiler

from .backend import without_nul

DRIVER = "gipfbot_asyncpg"
TRUSTED_SECONDS = 15.0  # for which a connection that was asked counts as good
_ASKED_AT = WeakKeyDictionary[Any, float]()  # by connection

IDLE_SECONDS, PROBE_SECONDS, PROBES = 30, 10, 3  # of silence, then between the probes that get no answer
GONE_SECONDS = IDLE_SECONDS + PROBE_SECONDS * PROBES
# The bot waits longer than the server. Else it would come back while the server still keeps the locks of its old
# connection, and take them for those of another process.
CLIENT_GONE_SECONDS = GONE_SECONDS + 15
SERVER_SIDE = {
    "tcp_keepalives_idle": str(IDLE_SECONDS),
    "tcp_keepalives_interval": str(PROBE_SECONDS),
    "tcp_keepalives_count": str(PROBES),
    "tcp_user_timeout": f"{GONE_SECONDS}s",
}
_CLIENT_SIDE = {
    "TCP_KEEPIDLE": IDLE_SECONDS,
    "TCP_KEEPINTVL": PROBE_SECONDS,
    "TCP_KEEPCNT": PROBES,
    "TCP_USER_TIMEOUT": CLIENT_GONE_SECONDS * 1000,  # milliseconds; also while a request has no receipt
}


class _Types(PGTypeCompiler):
    def visit_INTEGER(self, type_: Any, **kw: Any) -> str:  # noqa: N802 - SQLAlchemy's name
        return "BIGINT"

    def visit_TEXT(self, type_: Any, **kw: Any) -> str:  # noqa: N802 - SQLAlchemy's name
        plain: str = super().visit_TEXT(type_, **kw)
        return f'{plain} COLLATE "C"' if isinstance(kw.get("type_expression"), Column) else plain


class _Definitions(PGDDLCompiler):
    def get_column_specification(self, column: Any, **kw: Any) -> str:
        said: str = super().get_column_specification(column, **kw)  # type: ignore[no-untyped-call]
        return said.replace(" SERIAL", " BIGSERIAL", 1)


class _Text(Text):
    """Text without the one character that PostgreSQL cannot store."""

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        """Return what is called with each value that is sent."""
        return _without_nul


def _without_nul(value: Any) -> Any:
    return without_nul(value) if isinstance(value, str) else value


class AsyncpgDialect(PGDialect_asyncpg):
    """The dialect for `postgresql+gipfbot_asyncpg://…`."""

    driver = DRIVER
    supports_statement_cache = True
    type_compiler_cls = _Types
    ddl_compiler = _Definitions
    colspecs = PGDialect_asyncpg.colspecs | {Text: _Text}

    def do_ping(self, dbapi_connection: Any) -> bool:
        """Return whether a kept connection can be used. Asks the server only if it was not asked for some time.

        The driver knows of a server that has gone in order; only one whose machine is gone says nothing.
        """
        raw, now = dbapi_connection._connection, time.monotonic()
        if not raw.is_closed() and now - _ASKED_AT.get(raw, 0.0) < TRUSTED_SECONDS:
            return True
        _ASKED_AT[raw] = now
        return bool(super().do_ping(dbapi_connection))  # type: ignore[no-untyped-call]

    async def setup_asyncpg_json_codec(self, conn: Any) -> None:
        """Set how values are read, once for each connection. The sum of integers is a number without an end there."""
        await super().setup_asyncpg_json_codec(conn)  # type: ignore[no-untyped-call]
        await conn._connection.set_type_codec("numeric", encoder=str, decoder=int, schema="pg_catalog", format="text")

    def connect(self, *args: Any, **options: Any) -> Any:
        """Return a connection. A server that does not answer is an error like those that it answers with."""
        try:
            made = super().connect(*args, **options)
        except OSError as error:
            raise self.loaded_dbapi.OperationalError(str(error), error) from error
        notice_gone_machine(made._connection._transport.get_extra_info("socket"))  # asyncpg has no option for it
        return made


registry.register(f"postgresql.{DRIVER}", __name__, AsyncpgDialect.__name__)


def notice_gone_machine(connection: socket.socket) -> None:
    """Let the system close a connection whose other machine is gone. A socket of this machine needs nothing.

    Platforms lack some of the options.
    """
    if connection.family not in (socket.AF_INET, socket.AF_INET6):
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _CLIENT_SIDE.items():
        if option := getattr(socket, name, None):
            connection.setsockopt(socket.IPPROTO_TCP, option, value)
