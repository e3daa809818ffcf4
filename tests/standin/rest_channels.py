"""REST: channels, messages, direct messages, threads and the files of the CDN.

Checked: existence, the bot's permissions, shut DMs, archived threads, nonces, edits of old messages, files, limits.
Not modelled: other people's rights, reactions, pins, bulk deletion, slow mode, expiry of CDN links.
"""

import time

from aiohttp import web

from .calls import answer, body
from .errors import ApiError, refuse
from .gateway import Gateway
from .limits import message_problems, too_long
from .messages import COMPONENTS_V2, Message
from .places import PUBLIC_THREAD, TEXT, Channel, Guild
from .world import World

ONE_HOUR = 3600.0


def check_files(channel: Channel, *, files: bool) -> None:
    """Raise error 400001 for files in a guild that takes none."""
    if files and channel.guild is not None and not channel.guild.takes_files:
        raise ApiError(400001)


class ChannelRoutes:
    """Handlers for everything below /channels, for opening DMs, and for /cdn."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self.world = world
        self.gateway = gateway

    def table(self, prefix: str) -> list[web.RouteDef]:
        """Return all routes below the prefix, and the CDN's."""
        here = prefix + "/channels/{channel}"
        return [
            web.get(here, self.get_channel),
            web.patch(here, self.edit_channel),
            web.post(here + "/typing", self.typing),
            web.get(here + "/messages", self.history),
            web.post(here + "/messages", self.post),
            web.get(here + "/messages/{message}", self.get_message),
            web.patch(here + "/messages/{message}", self.edit),
            web.delete(here + "/messages/{message}", self.delete),
            web.post(here + "/threads", self.start_thread),
            web.post(here + "/messages/{message}/threads", self.start_thread),
            web.put(here + "/thread-members/{user}", self.thread_member),
            web.delete(here + "/thread-members/{user}", self.thread_member),
            web.post(prefix + "/users/@me/channels", self.open_dm),
            web.get("/cdn/{channel}/{file}/{name}", self.file),
        ]

    async def get_channel(self, request: web.Request) -> web.Response:
        return answer(self._channel(request).json())

    async def typing(self, request: web.Request) -> web.Response:
        self._check_send(self._channel(request))
        return answer()

    async def history(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        limit = min(int(request.query.get("limit", 50)), 100)
        found = list(channel.messages) if channel.bot_may("read_message_history") else []
        if "before" in request.query:
            found = [m for m in found if m.id < int(request.query["before"])]
        if "after" in request.query:
            found = [m for m in found if m.id > int(request.query["after"])][:limit]
        return answer([message.json() for message in reversed(found[-limit:])])

    async def post(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        payload, files = body(request)
        self._check_send(channel, files=bool(files))
        nonce = payload.get("nonce")
        first = self.world.posted_with(channel, str(nonce)) if payload.get("enforce_nonce") else None
        if first is not None:
            return answer(first.json() | {"nonce": nonce})
        v2 = bool((payload.get("flags") or 0) & COMPONENTS_V2)
        refuse(message_problems(payload, v2=v2))
        message = self.world.post(channel, payload, files)
        message.nonce = None if nonce is None else str(nonce)
        channel.messages.append(message)
        if channel.archived:
            await self._update_thread(channel, archived=False)
        return answer(message.json() | ({} if nonce is None else {"nonce": nonce}))

    async def get_message(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        if not channel.bot_may("read_message_history"):
            raise ApiError(50001)
        return answer(self._message(request, channel).json())

    async def edit(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        message = self._own(request, channel)
        payload, files = body(request)
        self._check_old(channel, message)
        flags = message.now.flags | (payload.get("flags") or 0)
        refuse(message_problems(payload, v2=bool(flags & COMPONENTS_V2)))
        return answer(self.world.edit(message, payload, files).json())

    async def delete(self, request: web.Request) -> web.Response:
        self.world.delete(self._own(request, self._channel(request)))
        return answer()

    async def open_dm(self, request: web.Request) -> web.Response:
        payload, _ = body(request)
        user = self.world.users.get(int(payload["recipient_id"]))
        if user is None:
            raise ApiError(10013)
        return answer(self.world.dm(user).json())

    async def start_thread(self, request: web.Request) -> web.Response:
        parent = self._channel(request)
        payload, _ = body(request)
        refuse(too_long("name", payload["name"], 100))
        kind = payload.get("type", PUBLIC_THREAD)
        right = "create_public_threads" if kind == PUBLIC_THREAD else "create_private_threads"
        if parent.guild is None or not parent.bot_may(right):
            raise ApiError(50013)
        if parent.type != TEXT:
            raise ApiError(50024)
        self._check_room(parent.guild)
        thread = Channel(self.world.ids.new(), payload["name"], kind, guild=parent.guild, parent=parent)
        if "message" in request.match_info:
            message = self._message(request, parent)
            if message.thread_id is not None:
                raise ApiError(160004)
            thread.id = message.thread_id = message.id
        await self.gateway.dispatch("THREAD_CREATE", self.world.keep(thread).json() | {"newly_created": True})
        return answer(thread.json(), status=201)

    async def edit_channel(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        payload, _ = body(request)
        needs_right = channel.locked or "locked" in payload or not channel.is_thread
        if needs_right and not (channel.is_thread and channel.bot_may("manage_threads")):
            raise ApiError(50013)
        channel.name = payload.get("name", channel.name)
        channel.locked = payload.get("locked", channel.locked)
        await self._update_thread(channel, archived=payload.get("archived", channel.archived))
        return answer(channel.json())

    async def thread_member(self, request: web.Request) -> web.Response:
        if self._channel(request).archived:
            raise ApiError(50083)
        return answer()

    async def file(self, request: web.Request) -> web.Response:
        attachment = self.world.files.get(int(request.match_info["file"]))
        if attachment is None:
            raise web.HTTPNotFound
        return web.Response(body=attachment.data, content_type=attachment.json()["content_type"])

    def _channel(self, request: web.Request) -> Channel:
        channel = self.world.channels.get(int(request.match_info["channel"]))
        if channel is None:
            raise ApiError(10003)
        if not channel.bot_may("view_channel"):
            raise ApiError(50001)
        return channel

    def _message(self, request: web.Request, channel: Channel) -> Message:
        wanted = int(request.match_info["message"])
        for message in channel.messages:
            if message.id == wanted:
                return message
        raise ApiError(10008)

    def _own(self, request: web.Request, channel: Channel) -> Message:
        message = self._message(request, channel)
        if message.author is not self.world.bot:
            raise ApiError(50005 if request.method == "PATCH" else 50013)
        if channel.archived:
            raise ApiError(50083)
        return message

    def _check_send(self, channel: Channel, *, files: bool = False) -> None:
        if channel.guild is None and not channel.recipients[0].dms_open:
            raise ApiError(50007)
        check_files(channel, files=files)
        right = "send_messages_in_threads" if channel.is_thread else "send_messages"
        if not channel.bot_may(right, *(["attach_files"] if files else [])):
            raise ApiError(50013)
        if channel.locked and not channel.bot_may("manage_threads"):
            raise ApiError(50083 if channel.archived else 160005)
        if channel.archived and channel.guild is not None:
            self._check_room(channel.guild)

    def _check_old(self, channel: Channel, message: Message) -> None:
        if time.time() - message.posted_at < ONE_HOUR:
            return
        if channel.old_edits >= self.world.old_edits_allowed:
            raise ApiError(30046)
        channel.old_edits += 1

    def _check_room(self, guild: Guild) -> None:
        if sum(c.is_thread and c.active for c in guild.channels.values()) >= self.world.thread_limit:
            raise ApiError(160006)

    async def _update_thread(self, thread: Channel, *, archived: bool) -> None:
        thread.archived = archived
        await self.gateway.dispatch("THREAD_UPDATE", thread.json())
