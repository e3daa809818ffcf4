"""The watch over all requests to Discord: it counts them, and stops them while too many were invalid.

While Discord refuses all requests of a kind, they wait in the whole process: one of them is tried now and then.
"""

import asyncio
import json
import logging
import re
import time
from collections import deque
from collections.abc import Callable
from math import inf
from types import SimpleNamespace

import aiohttp
import discord
from discord.http import Route

from gipfbot.installation import USER_AGENT

from .discord_codes import Means, answer_words, meaning_of

INVALID_SECONDS, MOST_INVALID = 600, 5_000  # Discord bans the host's address at 10,000 invalid requests in that time
FEW_INVALID = 2_500  # after a stop, requests go on when at most so many invalid ones still count
RECENT_SECONDS, MOST_RECENT = 1, 20  # Discord allows 50 requests a second
MOST_A_SECOND = 45  # for all processes together; less than 50, as requests arrive less evenly than they go out

log = logging.getLogger(__name__)
ANSWERS = ("/interactions/", "/webhooks/")  # paths that answer interactions
INVALID_STATUSES, FORBIDDEN_STATUS, LIMIT_STATUS, FIRST_ERROR = (401, 403, 429), 403, 429, 400
NO_ANSWER = "none"  # in place of a status
ALL, POSTS = "", "POST /channels//messages"  # kinds of requests
FIRST_HOLD, TOLD_HOLD, LONGEST_HOLD = 5, 60, 300  # seconds; of longer ones than the second, the owner is told
MESSAGES = re.compile(r"/channels/(\d+)/messages(/\d+)?")  # where a channel's messages are posted and edited
LEFT_FOR_PEOPLE = 1  # of the messages and edits that Discord takes in a channel
LIMIT_MARGIN = 1  # seconds, because Discord rounds the length of a limit to whole seconds


class SlidingCount:
    """Counts how often something happened within the last `seconds`.

    `steady` returns the seconds of a clock that cannot be set.
    """

    def __init__(self, seconds: float, steady: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.steady = seconds, steady
        self._moments = deque[float]()

    def add(self) -> None:
        """Count one more, now."""
        self._forget_old()
        self._moments.append(self.steady())

    @property
    def count(self) -> int:
        """How often it happened within the last seconds."""
        self._forget_old()
        return len(self._moments)

    def _forget_old(self) -> None:
        latest_forgotten = self.steady() - self.seconds
        while self._moments and self._moments[0] <= latest_forgotten:
            self._moments.popleft()


class InvalidRequests(SlidingCount):
    """The invalid requests of the last INVALID_SECONDS: those that Discord answered with 401, 403 or 429.

    `share` is the fraction of Discord's limits that this process may use.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic, share: float = 1) -> None:
        super().__init__(INVALID_SECONDS, steady)
        self._share, self._stopped = share, False

    @property
    def few(self) -> int:
        """The most invalid requests that may still count when requests go on after a stop."""
        return int(FEW_INVALID * self._share)

    @property
    def stopped(self) -> bool:
        """Whether only answers to interactions may go out: from the share of MOST_INVALID on, until few are left."""
        self._stopped = self.count > self.few if self._stopped else self.count >= MOST_INVALID * self._share
        return self._stopped


class RecentRequests(SlidingCount):
    """The requests of the last second that count for Discord's limit. Answers to interactions do not count."""

    def __init__(self, steady: Callable[[], float] = time.monotonic, share: float = 1) -> None:
        super().__init__(RECENT_SECONDS, steady)
        self._share = share

    @property
    def busy(self) -> bool:
        """Whether so many requests went out that optional ones should not be made."""
        return self.count > MOST_RECENT * self._share


class Pace:
    """Spreads requests, so that at most `most` go out in a second, in the order in which they come."""

    def __init__(self, most: int, steady: Callable[[], float] = time.monotonic) -> None:
        self.most, self._steady = most, steady
        self._moments = deque[float](maxlen=most)  # of the last requests
        self._head = asyncio.Lock()  # of the queue

    async def wait(self) -> None:
        """Wait until the next request may go out. A caller that gives up meanwhile does not delay the others."""
        async with self._head:
            await asyncio.sleep(self._delay())
            self._moments.append(self._steady())

    def _delay(self) -> float:
        """Return in how many seconds the next request may go out."""
        is_full = len(self._moments) == self.most
        return max(0, self._moments[0] + RECENT_SECONDS - self._steady()) if is_full else 0


class Holds:
    """The kinds of requests that wait, because Discord refuses all of them for now. Each refusal counts as invalid.

    Each time, they wait for twice as long as the last time, until one of them is taken.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self.steady, self._held = steady, dict[str, tuple[float, float]]()  # until when, and for how long

    def begin(self, kind: str) -> float | None:
        """Hold requests of a kind. Return for how many seconds; None if they are held already."""
        until, seconds = self._held.get(kind, (-inf, 0))
        now = self.steady()
        if now < until:  # it was sent before
            return None
        seconds = min(max(2 * seconds, FIRST_HOLD), LONGEST_HOLD)
        self._held[kind] = now + seconds, seconds
        return seconds

    def note_taken(self, kind: str) -> None:
        """Note that Discord has taken a request of a kind, so that the next hold is short."""
        for each in {ALL, kind} & self._held.keys():
            self._held[each] = self._held[each][0], 0

    def lasts(self, kind: str) -> bool:
        """Return whether requests of a kind have to wait now."""
        return any(each in self._held and self.steady() < self._held[each][0] for each in (ALL, kind))


class RequestsStopped(discord.HTTPException):
    """A request was not made, because too many were invalid or it is held. Handled like one that Discord limits."""

    def __init__(self) -> None:
        Exception.__init__(self, "no request was made")
        self.status, self.code, self.text = LIMIT_STATUS, 0, ""


class RequestWatch:
    """Counts the requests of a client, by a trace of its HTTP session.

    `end_global_limit` is called when Discord's global rate limit is over. discord.py makes every request wait for that,
    but never releases them if the request that met the limit is cancelled meanwhile. `share` is the fraction of the
    bot's limits that this client may use. Requests wait to stay within that share of MOST_A_SECOND. `note_status` is
    told how each request to Discord ended: with which status, or with NO_ANSWER.
    """

    def __init__(
        self,
        end_global_limit: Callable[[], None],
        share: float = 1,
        note_status: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.invalid, self.recent = InvalidRequests(share=share), RecentRequests(share=share)
        self.holds, self._pace = Holds(), Pace(max(1, int(MOST_A_SECOND * share)))
        self._end_global_limit, self._note_status, self._stopped = end_global_limit, note_status, False
        self._full_until = dict[tuple[str, int], float]()
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._begin)
        self.trace.on_request_end.append(self._end)
        self.trace.on_request_exception.append(self._fail)
        self.trace.on_response_chunk_received.append(self._read)

    def spread(self, most: int) -> None:
        """Let at most this many requests go out in a second, whatever the share is."""
        self._pace = Pace(most)

    @property
    def most_a_second(self) -> int:
        """The most requests that go out in a second."""
        return self._pace.most

    def posts_until(self, channel: int) -> float:
        """Return until when the last message that Discord takes in a channel is left to people, on the loop's clock."""
        return self._full_until.get(("POST", channel), 0)

    def takes_edits(self, channel: int) -> bool:
        """Return whether Discord takes more than the last edit in a channel now."""
        until = self._full_until.get(("PATCH", channel))
        return until is None or until <= asyncio.get_running_loop().time()

    def takes_posts(self) -> bool:
        """Return whether messages may be posted now."""
        return not self.is_stopped() and not self.holds.lasts(POSTS)

    def is_stopped(self) -> bool:
        """Return whether only answers to interactions may go out. Log when that begins and ends."""
        stopped = self.invalid.stopped
        if stopped and not self._stopped:
            log.error(
                "%d requests were invalid within %d minutes: until %d are left, nothing is posted or edited; "
                "people who act are answered",
                *(self.invalid.count, INVALID_SECONDS // 60, self.invalid.few),
            )
        elif self._stopped and not stopped:
            log.warning("requests to Discord go on")
        self._stopped = stopped
        return stopped

    async def _begin(self, _: object, __: SimpleNamespace, request: aiohttp.TraceRequestStartParams) -> None:
        """Count a request. Raises RequestsStopped instead of letting it go out while such requests are stopped.

        Each request says who makes it: discord.py sends no valid User-Agent with answers to interactions.
        """
        request.headers["User-Agent"] = USER_AGENT
        if not _is_counted(str(request.url)):
            return
        if self.is_stopped() or self.holds.lasts(_kind_of(request.method, str(request.url))):
            raise RequestsStopped
        await self._pace.wait()
        self.recent.add()

    async def _end(self, _: object, context: SimpleNamespace, request: aiohttp.TraceRequestEndParams) -> None:
        """Count a request as invalid, if Discord's answer says so."""
        status, headers = request.response.status, request.response.headers
        context.status = status
        if status < FIRST_ERROR and _is_counted(str(request.url)):
            self.holds.note_taken(_kind_of(request.method, str(request.url)))
        self._note_room(request)
        if not _is_to_discord(str(request.url)):
            return
        self._note_status(str(status))
        if status not in INVALID_STATUSES:
            return
        if headers.get("X-RateLimit-Scope") != "shared":
            self.invalid.add()
            self.is_stopped()
        if status == LIMIT_STATUS and "Via" not in headers and _is_counted(str(request.url)):
            self._hold(ALL, "Discord's own protection answered 429")  # as during a ban; Discord itself names no time
        if status == LIMIT_STATUS and "X-RateLimit-Global" in headers:
            seconds = float(headers.get("Retry-After", 0)) + LIMIT_MARGIN
            asyncio.get_running_loop().call_later(seconds, self._end_global_limit)

    async def _fail(self, _: object, __: SimpleNamespace, request: aiohttp.TraceRequestExceptionParams) -> None:
        """Note that Discord has not answered a request."""
        if _is_to_discord(str(request.url)):
            self._note_status(NO_ANSWER)

    async def _read(
        self, _: object, context: SimpleNamespace, answer: aiohttp.TraceResponseChunkReceivedParams
    ) -> None:
        """Hold requests, if an answer says that Discord takes none for now."""
        if context.status != FORBIDDEN_STATUS or not _is_counted(str(answer.url)):
            return
        code = _code_in(answer.chunk)
        means = meaning_of(FORBIDDEN_STATUS, code)
        if means not in (Means.BLOCKED, Means.SUSPENDED):
            return
        kind = ALL if means is Means.BLOCKED else _kind_of(answer.method, str(answer.url))
        self._hold(kind, answer_words(FORBIDDEN_STATUS, code))

    def _hold(self, kind: str, why: str) -> None:
        if seconds := self.holds.begin(kind):
            extra = {"tell_owner": "blocked"} if seconds > TOLD_HOLD else {}
            log.warning("%s: %s wait for %d s", why, kind or "all requests", seconds, extra=extra)

    def _note_room(self, request: aiohttp.TraceRequestEndParams) -> None:
        """Note how many more messages or edits a channel takes, as Discord says in its answer to one."""
        found = MESSAGES.fullmatch(str(request.url).removeprefix(Route.BASE))
        headers = request.response.headers
        if found is None or "X-RateLimit-Remaining" not in headers:
            return
        now = asyncio.get_running_loop().time()
        self._full_until = {where: until for where, until in self._full_until.items() if until > now}
        if int(headers["X-RateLimit-Remaining"]) <= LEFT_FOR_PEOPLE:
            self._full_until[request.method, int(found[1])] = now + float(headers["X-RateLimit-Reset-After"])


def _is_to_discord(address: str) -> bool:
    """Return whether a request goes to Discord's API, rather than to its gateway or its files."""
    return address.startswith(Route.BASE)


def _kind_of(method: str, address: str) -> str:
    """Return the kind of a request: its method and its path, without the ids in it."""
    return f"{method} {re.sub('[0-9]+', '', address.removeprefix(Route.BASE).partition('?')[0])}"


def _code_in(answer: bytes) -> int:
    """Return the code in an answer of Discord; 0 if there is none."""
    try:
        return int(json.loads(answer)["code"])
    except (ValueError, KeyError, TypeError):
        return 0


def _is_counted(address: str) -> bool:
    """Return whether a request counts for Discord's limits and may be stopped. Answers to interactions do not."""
    return _is_to_discord(address) and not address.removeprefix(Route.BASE).startswith(ANSWERS)
