"""The gateway: HELLO, IDENTIFY, heartbeats, events, RESUME.

Frames are plain text even if the client asks for zlib or zstd; discord.py accepts text frames.
A session keeps all its events; RESUME replays those after the client's sequence number. Events are sent over the
sockets of all sessions, and kept for sessions without one. The intents are noted and ignored: only READY, GUILD_CREATE,
RESUMED, INTERACTION_CREATE, changes of channels and threads, and events dispatched by a test are sent. With several
shards, each session gets what belongs to its shard. What belongs to no guild goes to shard 0.
Not modelled: presence, member chunks, voice, the limit of sessions a day.
"""

import asyncio
import json
import time
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from .errors import Json
from .places import Guild
from .world import World

EVENT, HEARTBEAT, IDENTIFY, RESUME, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 0, 1, 2, 6, 9, 10, 11
AUTHENTICATION_FAILED = 4004
IDENTIFY_SECONDS = 5.0


@dataclass
class Session:
    """A session since its IDENTIFY: the events in order, how many of them were sent, and its socket."""

    id: str
    shard: int = 0
    shards: int = 1
    events: list[str] = field(default_factory=list)
    sent: int = 0
    socket: web.WebSocketResponse | None = None
    transport: asyncio.Transport | None = None
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock)

    def add(self, event: str, data: Json) -> None:
        """Add an event to those owed to the client, with its present data."""
        sequence = len(self.events) + 1
        self.events.append(json.dumps({"op": EVENT, "t": event, "s": sequence, "d": data}))

    def is_for(self, guild: int | None) -> bool:
        """Return whether what happens on a guild is sent to this session; None for what belongs to no guild."""
        return self.shard == (0 if guild is None else (guild >> 22) % self.shards)

    async def flush(self) -> bool:
        """Send all owed events. Return False if there is no socket, or if it breaks."""
        async with self._sending:
            while self.socket is not None and self.sent < len(self.events):
                try:
                    await self.socket.send_str(self.events[self.sent])
                except ConnectionResetError:
                    return False
                self.sent += 1
            return self.socket is not None


class Gateway:
    """All sessions. `identified` and `resumed` count the calls of clients; `intents` are those of the last client.

    `goodbyes` are the codes with which connections ended. While it is `refusing`, no client is let in, and `refused`
    counts them. With `hearing` cleared, no frame is read, not even a goodbye.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.heartbeat_interval = 41.25
        self.refusing = False
        self.refused = 0
        self.hearing = asyncio.Event()
        self.hearing.set()
        self.identified = 0
        self.resumed = 0
        self.intents = 0
        self.heartbeats = 0
        self.is_strict = False  # whether shards of one group must identify IDENTIFY_SECONDS apart
        self.hasty = 0  # how often one was faster
        self._identified_at: dict[int, float] = {}
        self.goodbyes: list[int | None] = []
        self.sessions: dict[str, Session] = {}

    @property
    def live(self) -> list[Session]:
        """The sessions with an open socket."""
        return [session for session in self.sessions.values() if session.socket is not None]

    async def dispatch(self, event: str, data: Json) -> int:
        """Send an event to all sessions of its shard; return the number of sockets it was sent over."""
        found = data.get("guild_id") or (data["id"] if event.startswith("GUILD_") else None)
        sessions = [each for each in self.sessions.values() if each.is_for(None if found is None else int(found))]
        for session in sessions:
            session.add(event, data)
        return sum([await session.flush() for session in sessions])

    def is_live(self, shard: int) -> bool:
        """Return whether a shard has an open connection that was sent its guilds."""
        return any(session.shard == shard and session.sent for session in self.live)

    def forget_closed(self) -> None:
        """Forget the sessions without a socket, as of processes that were killed."""
        self.sessions = {session.id: session for session in self.live}

    async def drop(self, code: int | None = None) -> None:
        """Close all sockets, abruptly or with a close code. The sessions can be resumed."""
        for session in self.live:
            socket, session.socket = session.socket, None
            if code is not None and socket is not None:
                await socket.close(code=code)
            elif session.transport is not None:
                session.transport.abort()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Handle one connection, from HELLO to its end."""
        if self.refusing:
            self.refused += 1
            return web.Response(status=503)
        socket = web.WebSocketResponse(timeout=1.0, max_msg_size=0)
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": int(self.heartbeat_interval * 1000)}})
        await self.hearing.wait()
        session: Session | None = None
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                session = await self._hear(socket, frame.json(), session)
                if session is not None:
                    session.transport = request.transport
            await self.hearing.wait()
        self.goodbyes.append(socket.close_code)
        if session is not None and session.socket is socket:
            session.socket = None
        return socket

    async def _hear(self, socket: web.WebSocketResponse, frame: Json, session: Session | None) -> Session | None:
        """Handle one frame from the client; return the session that the connection then belongs to."""
        if frame["op"] == HEARTBEAT:
            self.heartbeats += 1
            await socket.send_json({"op": HEARTBEAT_ACK})
        elif frame["op"] in (IDENTIFY, RESUME) and frame["d"]["token"] != self.world.token:
            await socket.close(code=AUTHENTICATION_FAILED)
        elif frame["op"] == IDENTIFY:
            return await self._identify(socket, frame["d"])
        elif frame["op"] == RESUME:
            return await self._resume(socket, frame["d"])
        return session

    async def _identify(self, socket: web.WebSocketResponse, data: Json) -> Session | None:
        shard, shards = data.get("shard") or (0, 1)
        if self.is_strict and self._is_hasty(shard % self.world.identify_at_once):
            self.hasty += 1
            await socket.send_json({"op": INVALID_SESSION, "d": False})
            return None
        session = Session(f"session-{self.world.ids.new()}", shard, shards, socket=socket)
        self.intents = data["intents"]
        session.add("READY", self._ready(session))
        for guild in self._guilds_of(session):
            session.add("GUILD_CREATE", guild.json())
        self.sessions[session.id] = session
        await session.flush()
        self.identified += 1
        return session

    def _is_hasty(self, group: int) -> bool:
        last, self._identified_at[group] = self._identified_at.get(group, -IDENTIFY_SECONDS), time.monotonic()
        return self._identified_at[group] < last + IDENTIFY_SECONDS

    def _guilds_of(self, session: Session) -> list[Guild]:
        return [guild for guild in self.world.present_guilds if session.is_for(guild.id)]

    async def _resume(self, socket: web.WebSocketResponse, data: Json) -> Session | None:
        session = self.sessions.get(str(data["session_id"]))
        if session is None or not isinstance(data["seq"], int) or data["seq"] > len(session.events):
            await socket.send_json({"op": INVALID_SESSION, "d": False})
            return None
        session.sent = data["seq"]
        session.add("RESUMED", {})
        session.socket = socket
        await session.flush()
        self.resumed += 1
        return session

    def _ready(self, session: Session) -> Json:
        return {
            "v": 10,
            "user": self.world.bot.json(),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in self._guilds_of(session)],
            "session_id": session.id,
            "shard": [session.shard, session.shards],
            "resume_gateway_url": f"{self.world.base_url.replace('http', 'ws', 1)}/gateway",
            "application": {"id": str(self.world.application_id), "flags": 0},
        }
