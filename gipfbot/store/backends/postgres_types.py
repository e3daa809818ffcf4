"""PostgreSQL by asyncpg: types that hold the same values as SQLite's, and connections that notice a dead server.

SQLite's integers have 64 bits, and it orders texts by code points. So all integers are `BIGINT` here, and all texts
have the collation C, whatever the language of the database.
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

READ_IN = {"asyncpg": "0.32.0"}  # its private part `_transport`
DRIVER = "gipfbot_asyncpg"
TRUSTED_SECONDS = 15.0  # for which a connection counts as good after a check
_ASKED_AT = WeakKeyDictionary[Any, float]()  # by connection

IDLE_SECONDS, PROBE_SECONDS, PROBES = 30, 10, 3  # of silence, then between the probes that get no answer
GONE_SECONDS = IDLE_SECONDS + PROBE_SECONDS * PROBES
# The bot waits longer than the server does. Else it might reconnect while the server still keeps the locks of the old
# connection, and mistake them for those of another process.
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
    "TCP_USER_TIMEOUT": CLIENT_GONE_SECONDS * 1000,  # milliseconds; also while a request is not acknowledged
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
        """Return the function that is called with each value that is sent."""
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
        """Return whether a kept connection can be used. Asks the server only if the last check is some time ago.

        The driver notices a server that closes the connection, but not that the server's machine is gone.
        """
        raw, now = dbapi_connection.driver_connection, time.monotonic()
        if not raw.is_closed() and now - _ASKED_AT.get(raw, 0.0) < TRUSTED_SECONDS:
            return True
        _ASKED_AT[raw] = now
        return bool(super().do_ping(dbapi_connection))  # type: ignore[no-untyped-call]

    async def setup_asyncpg_json_codec(self, conn: Any) -> None:
        """Set how values are read, once for each connection. In PostgreSQL the sum of integers is a `numeric`."""
        await super().setup_asyncpg_json_codec(conn)  # type: ignore[no-untyped-call]
        await conn.driver_connection.set_type_codec(
            "numeric", encoder=str, decoder=int, schema="pg_catalog", format="text"
        )

    def connect(self, *args: Any, **options: Any) -> Any:
        """Return a connection. Raises OperationalError if the server does not answer."""
        try:
            made = super().connect(*args, **options)
        except OSError as error:
            raise self.loaded_dbapi.OperationalError(str(error), error) from error
        notice_gone_machine(made.driver_connection._transport.get_extra_info("socket"))  # asyncpg has no option for it
        return made


registry.register(f"postgresql.{DRIVER}", __name__, AsyncpgDialect.__name__)


def notice_gone_machine(connection: socket.socket) -> None:
    """Make the system close a connection if the other machine is gone. A socket of this machine needs nothing.

    Some platforms lack some of the options.
    """
    if connection.family not in (socket.AF_INET, socket.AF_INET6):
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _CLIENT_SIDE.items():
        if option := getattr(socket, name, None):
            connection.setsockopt(socket.IPPROTO_TCP, option, value)
