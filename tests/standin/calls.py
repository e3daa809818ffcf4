"""REST calls: their bodies, their log, and the faults that a test asks for.

A route is written as in Discord's documents, `/channels/{id}/messages`: each `{...}` stands for one part of the path.
"""

import asyncio
import json
import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from .errors import ApiError
from .interaction import eventually
from .messages import Upload

MAX_FILE = 10 * 1024 * 1024
ANSWERING = ("/interactions/", "/webhooks/")
# The only calls that some codes refuse: posts, and new direct messages.
BLOCKS = {40004: ("POST", "/channels/{id}/messages"), 20026: ("POST", "/users/@me/channels")}
PAGES = {0: 403, 1015: 429}  # the status of the pages of Discord's own protection
USER, SHARED, GLOBAL = "user", "shared", "global"  # whose limit a 429 is about
PAYLOAD = web.RequestKey("payload", object)
FILES = web.RequestKey("files", dict[int, Upload])


@dataclass
class Call:
    """A REST call. `status` is None while it is pending, and if the answer never arrived.

    `scope` says for a status of 429 whose limit it was: "user", "shared" or "global".
    """

    method: str
    path: str
    payload: Any = field(default_factory=dict)
    status: int | None = None
    scope: str = ""
    request: web.Request | None = None

    @property
    def invalid(self) -> bool:
        """Whether Discord counts it towards a ban: not if others have used up a limit that the bot shares."""
        return self.status in (401, 403, 429) and self.scope != SHARED

    @property
    def counted(self) -> bool:
        """Whether it counts for Discord's limit of 50 requests a second: answers to interactions do not."""
        return not self.path.startswith(ANSWERING)

    def is_blocked_by(self, code: int) -> bool:
        """Return whether this is refused while Discord refuses the bot with this code."""
        return self.matches(*BLOCKS[code]) if code in BLOCKS else self.counted

    @property
    def gone(self) -> bool:
        """Whether its client has left."""
        return self.request is not None and (self.request.transport is None or self.request.transport.is_closing())

    def matches(self, method: str, route: str) -> bool:
        """Return whether this is a call of the route."""
        return self.method == method and _pattern(route).fullmatch(self.path) is not None


@dataclass
class Fault:
    """A fault that a test asks for, and how often. Without a status the connection is cut.

    A 429 is about the limit of `scope`, and lasts for `retry_after` seconds; None for those of the world.
    """

    method: str
    route: str
    status: int | None
    code: int
    times: int
    after_accepting: bool
    scope: str = USER
    retry_after: float | None = None


@dataclass
class Gate:
    """A gate that holds every call of a route until released, before it is accepted or before it is answered.

    A call whose client has left by then is dropped.
    """

    method: str
    route: str
    after_accepting: bool
    held: int = 0
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self) -> None:
        """Wait until a call waits at the gate."""
        await eventually(lambda: self.held > 0, f"{self.method} {self.route} at the gate")

    def release(self) -> None:
        """Let all calls through, from now on."""
        self._open.set()

    async def wait(self) -> None:
        """Wait at the gate."""
        self.held += 1
        await self._open.wait()
        self.held -= 1


class Faults:
    """The faults and gates in force."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.gates: list[Gate] = []

    def take(self, call: Call) -> Fault | None:
        """Return the first fault for this call, or None. Each fault is used so many times."""
        for fault in self.faults:
            if fault.times > 0 and call.matches(fault.method, fault.route):
                fault.times -= 1
                return fault
        return None

    async def hold(self, call: Call, *, after_accepting: bool) -> None:
        """Wait at every gate for this call at this stage."""
        for gate in self.gates:
            if gate.after_accepting == after_accepting and call.matches(gate.method, gate.route):
                await gate.wait()

    def release_all(self) -> None:
        """Open all gates."""
        for gate in self.gates:
            gate.release()


async def read_body(request: web.Request, call: Call) -> None:
    """Read the JSON of a request and its files (`files[n]`), for the log and for `body`."""
    request[FILES] = {}
    if request.content_type == "multipart/form-data":
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            data = bytes(await part.read())
            if part.name == "payload_json":
                call.payload = json.loads(data)
            elif part.name and (index := re.fullmatch(r"files\[(\d+)\]", part.name)):
                request[FILES][int(index[1])] = Upload(part.filename or "unknown", data)
    elif request.can_read_body:
        call.payload = await request.json()
    request[PAYLOAD] = call.payload


def body(request: web.Request) -> tuple[Any, dict[int, Upload]]:
    """Return the JSON of a request, and its files by their index."""
    files = request[FILES]
    if any(len(file.data) > MAX_FILE for file in files.values()):
        raise ApiError(40005)
    return request[PAYLOAD], files


def answer(content: object = None, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Return a JSON answer, or 204 without content. discord.py expects a content type without a charset."""
    if content is None:
        return web.Response(status=204, headers=headers)
    data = json.dumps(content).encode()
    return web.Response(body=data, status=status, content_type="application/json", headers=headers)


def page(status: int) -> web.Response:
    """Return the page with which Discord's own protection refuses a request."""
    return web.Response(text="<html><title>Access denied</title></html>", status=status, content_type="text/html")


def cut(request: web.Request) -> web.Response:
    """Break the connection, so that the client never learns the result of its call."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


def _pattern(route: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{[^}]*\}", "[^/]+", route))
