"""The checks at Discord: the token, the permissions, the clock."""

import time
from collections.abc import AsyncIterator
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import discord
from discord.http import Route

from gipfbot.settings import Settings
from gipfbot.ui.kit.permissions import NEEDED_PERMISSIONS, THREAD_PERMISSIONS
from gipfbot.values import VERSION

from .finding import Finding, failure, fine, warning

ANSWER_SECONDS = 10
FEW_SECONDS, MANY_SECONDS = 5, 60  # by which the clock may be wrong; beyond the second, Discord's times make no sense
MOST_SERVERS_NAMED = 9
PAGE_LENGTH = 200  # servers
PERMISSIONS = {**NEEDED_PERMISSIONS, **THREAD_PERMISSIONS, "read_message_history": "read message history"}
REACH = "Look at the network, the proxy and GIPFBOT_API_URL"


class _NoAnswerError(Exception):
    """Discord did not answer as it should; the message says how."""


async def check_discord(settings: Settings) -> AsyncIterator[Finding]:
    """Yield what Discord says of the token, the permissions on servers, and the clock."""
    agent = f"DiscordBot (gipfbot, {VERSION})"
    headers = {"Authorization": f"Bot {settings.token.get_secret_value()}", "User-Agent": agent}
    timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS)
    async with aiohttp.ClientSession(headers=headers, timeout=timeout) as session:
        client = _Client(session, settings.api_url or Route.BASE)
        try:
            yield await _token_finding(client)
            if client.is_known:
                for finding in await _permission_findings(client):
                    yield finding
            yield _clock_finding(client.seconds_ahead)
        except _NoAnswerError as error:
            yield failure("Discord", str(error), REACH)


class _Client:
    """Asks Discord. `seconds_ahead` is how far this machine's clock is before Discord's, by the last answer."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self._session, self.base = session, base
        self.is_known = False
        self.seconds_ahead: float | None = None

    async def get(self, path: str, **query: int) -> tuple[int, Any]:
        """Return the status and the JSON of an answer. Raises _NoAnswerError."""
        try:
            async with self._session.get(f"{self.base}{path}", params=query) as answer:
                if said := answer.headers.get("Date"):
                    self.seconds_ahead = time.time() - parsedate_to_datetime(said).timestamp()
                return answer.status, await answer.json(content_type=None)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _NoAnswerError(f"no answer from {self.base} ({type(error).__name__})") from None


async def _token_finding(client: _Client) -> Finding:
    status, said = await client.get("/users/@me")
    if status == 401:
        right = "Copy it anew from the developer portal (Bot > Reset Token) into GIPFBOT_TOKEN"
        return failure("token", "Discord does not know it", right)
    if status != 200:
        raise _NoAnswerError(f"{client.base} answers {status}")
    client.is_known = True
    return fine("token", f"Discord knows it as that of {said['username']}")


async def _permission_findings(client: _Client) -> list[Finding]:
    """Return a line for each server on which the bot lacks a permission, at most ten lines."""
    servers = await _servers(client)
    lacking = [(server, missing) for server in servers if (missing := _missing_on(server))]
    if not lacking:
        return [fine("permissions", f"all there on {len(servers)} server{'' if len(servers) == 1 else 's'}")]
    right = "Give them to its role, or invite it again with the address in docs/hosting.md"
    lines = [
        warning("permissions", f"on {server['name']} ({server['id']}) the bot may not {', '.join(missing)}", right)
        for server, missing in lacking[:MOST_SERVERS_NAMED]
    ]
    more = len(lacking) - len(lines)
    return lines + ([warning("permissions", f"the bot lacks some on {more} more servers", right)] if more else [])


async def _servers(client: _Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after = 0
    while True:
        status, page = await client.get("/users/@me/guilds", limit=PAGE_LENGTH, after=after)
        if status != 200:
            raise _NoAnswerError(f"the list of servers is refused with {status}")
        found += page
        if len(page) < PAGE_LENGTH:
            return found
        after = int(page[-1]["id"])


def _missing_on(server: dict[str, Any]) -> list[str]:
    """Return in words what the bot may not do on a server. Channels may forbid more."""
    allowed = discord.Permissions(int(server["permissions"]))
    if allowed.administrator:
        return []
    return [words for name, words in PERMISSIONS.items() if not getattr(allowed, name)]


def _clock_finding(ahead: float | None) -> Finding:
    if ahead is None:
        return warning("clock", "Discord's answer has no time to compare with", "Compare the clock by hand")
    said = f"{abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} Discord's"
    if abs(ahead) > MANY_SECONDS:
        return failure("clock", said, "Set the clock, best by NTP: all deadlines hang on it")
    if abs(ahead) > FEW_SECONDS:
        return warning("clock", said, "Let NTP set the clock")
    return fine("clock", f"within {FEW_SECONDS} s of Discord's")
