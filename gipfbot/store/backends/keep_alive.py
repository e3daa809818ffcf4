"""How both sides of a connection to PostgreSQL notice that the machine of the other is gone, and says nothing more."""

import socket

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
