"""What a host and the managers of a server are told about the state of the bot."""

from typing import NamedTuple


class HostFigures(NamedTuple):
    """Figures about all that the bot has to do."""

    running_games: int
    owed_messages: int
    oldest_owed_at: int | None  # when the oldest owed message was queued, in UTC seconds
    undeliverable_servers: int  # with a game whose boards cannot be posted
    database_bytes: int


class ServerState(NamedTuple):
    """What the bot has to do on one server."""

    running_games: int
    owed_messages: int
    refusing_channels: tuple[int, ...]  # where boards of running games cannot be posted
