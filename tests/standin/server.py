"""The server on the loopback: start and stop, the log of calls, authorization, and faults on request."""

from collections.abc import Awaitable, Callable
from math import ceil
from types import TracebackType
from typing import TypeVar

from aiohttp import web

from .calls import ANSWERING, GLOBAL, MAX_FILE, PAGES, USER, Call, Fault, Faults, Gate, answer, cut, page, read_body
from .errors import ApiError, Json
from .gateway import Gateway
from .interaction import eventually
from .rates import Rates
from .rest_app import AppRoutes
from .rest_channels import ChannelRoutes
from .rest_interactions import InteractionRoutes
from .world import World

PREFIX = "/api/v10"
FILES_PER_MESSAGE = 10

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Self = TypeVar("Self", bound="Server")
T = TypeVar("T")


class Server:
    """Discord on 127.0.0.1. `world` has the state and settings, `gateway` the sessions, `calls` every REST call.

    While it is `blocked`, the bot is refused with 403 and this code: posts by 40004, new direct messages by 20026, and
    all requests but answers to interactions by any other. With 0, the answer is a page without a code; with 1015, such
    a page with 429, as during a ban.
    """

    def __init__(self, world: World | None = None) -> None:
        self.world = world or World()
        self.gateway = Gateway(self.world)
        self.calls: list[Call] = []
        self.rates: Rates | None = None
        self.blocked: int | None = None
        self._faults = Faults()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self: Self) -> Self:
        app = web.Application(client_max_size=(FILES_PER_MESSAGE + 1) * MAX_FILE, middlewares=[self._note])
        app.add_routes(AppRoutes(self.world).table(PREFIX))
        app.add_routes(ChannelRoutes(self.world, self.gateway).table(PREFIX))
        app.add_routes(InteractionRoutes(self.world).table(PREFIX))
        app.add_routes([web.get("/gateway", self.gateway.handle), web.get("/gateway/", self.gateway.handle)])
        self._runner = web.AppRunner(app, shutdown_timeout=0.2, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.world.base_url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.gateway.refusing = True
        self.gateway.hearing.set()
        self._faults.release_all()
        await self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def api_url(self) -> str:
        """The value for `discord.http.Route.BASE`."""
        return self.world.base_url + PREFIX

    @property
    def gateway_url(self) -> str:
        """The value for `discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY`."""
        return f"{self.world.base_url.replace('http', 'ws', 1)}/gateway"

    @property
    def token(self) -> str:
        """The only token that may log in."""
        return self.world.token

    @property
    def violations(self) -> list[str]:
        """Every broken limit and every call of an unknown route. There should be none."""
        return self.world.violations

    @property
    def invalid_requests(self) -> list[Call]:
        """The calls that count towards Discord's ban: those answered with 401, 403, or a 429 that is not shared."""
        return [call for call in self.calls if call.invalid]

    @property
    def counted_requests(self) -> list[Call]:
        """The calls that count for the limit of 50 a second: all but answers to interactions."""
        return [call for call in self.calls if call.counted]

    def called(self, method: str, route: str) -> list[Call]:
        """Return all calls of a route so far, such as `("POST", "/channels/{id}/messages")`."""
        return [call for call in self.calls if call.matches(method, route)]

    async def wait_for(self, predicate: Callable[[], T], what: str = "the condition") -> T:
        """Wait until the predicate holds; return its value."""
        return await eventually(predicate, what)

    async def ready(self) -> None:
        """Wait until a bot is connected and was sent READY and its guilds.

        It may not have read them yet, but it reads in order, so it reads later events after them.
        """
        guilds = len(self.world.present_guilds)
        await eventually(lambda: any(s.sent > guilds for s in self.gateway.live), "a bot to be ready")

    async def gone(self) -> None:
        """Wait until no bot is connected, after its process was stopped or killed."""
        await eventually(lambda: not self.gateway.live, "the bot to be gone")

    def fail_next(
        self,
        method: str,
        route: str,
        *,
        status: int | None = None,
        code: int = 0,
        times: int = 1,
        after_accepting: bool = False,
        scope: str = USER,
        retry_after: float | None = None,
    ) -> None:
        """Make the next calls of a route fail with this status; without one, cut the connection.

        With `after_accepting` the call takes effect first, and only its answer is lost. For a status of 429, `scope`
        says whose limit it is ("user", "shared" or "global"), and `retry_after` for how many seconds.
        """
        fault = Fault(method, route, status, code, times, after_accepting, scope, retry_after)
        self._faults.faults.append(fault)

    def forgive(self) -> None:
        """Remove all faults."""
        self._faults.faults.clear()

    def hold(self, method: str, route: str, *, after_accepting: bool = False) -> Gate:
        """Hold all calls of a route before they take effect; with `after_accepting`, before their answers."""
        gate = Gate(method, route, after_accepting)
        self._faults.gates.append(gate)
        return gate

    async def drop_gateway(self, code: int | None = None) -> None:
        """Cut all gateway connections, or close them with a code. The sessions can be resumed."""
        await self.gateway.drop(code)

    async def gateway_down(self) -> None:
        """Cut all gateway connections and refuse new ones."""
        self.gateway.refusing = True
        await self.gateway.drop()

    def gateway_up(self) -> None:
        """Accept gateway connections again."""
        self.gateway.refusing = False

    async def forget_sessions(self) -> None:
        """Cut all gateway connections and answer their RESUME with INVALID_SESSION."""
        await self.gateway.drop()
        self.gateway.sessions.clear()

    @web.middleware
    async def _note(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not request.path.startswith(PREFIX):
            return await handler(request)
        call = Call(request.method, request.path.removeprefix(PREFIX), request=request)
        self.calls.append(call)
        try:
            await read_body(request, call)
        except ConnectionResetError:  # the client died while it sent the call
            return cut(request)
        response = await self._troubled(request, handler, call)
        call.status = None if call.gone else response.status
        call.scope = response.headers.get("X-RateLimit-Scope", "")
        return response

    async def _troubled(self, request: web.Request, handler: Handler, call: Call) -> web.StreamResponse:
        """Handle a call with its faults and gates."""
        fault = self._faults.take(call)
        await self._faults.hold(call, after_accepting=False)
        if request.transport is None or (fault and not fault.after_accepting and fault.status is None):
            return cut(request)
        if fault and not fault.after_accepting:
            return self._failed(fault)
        response = await self._answered(request, handler, call)
        await self._faults.hold(call, after_accepting=True)
        if fault is None:
            return response
        return cut(request) if fault.status is None else self._failed(fault)

    async def _answered(self, request: web.Request, handler: Handler, call: Call) -> web.StreamResponse:
        """Handle a call as Discord would."""
        try:
            if not call.path.startswith(ANSWERING) and request.headers.get("Authorization") != f"Bot {self.token}":
                raise ApiError(0)
            if self.blocked is not None and call.is_blocked_by(self.blocked):
                status = PAGES.get(self.blocked)
                return page(status) if status else self._refusal(403, ApiError(self.blocked).json())
            admission = self.rates.admit(call.method, call.path) if self.rates else None
            if admission and admission.refused:
                return answer(admission.refused, 429, admission.headers)
            response = await handler(request)
            response.headers.update(admission.headers if admission else {})
            return response
        except ApiError as error:
            self.violations.extend(f"{call.method} {call.path}: {p.field}: {p.message}" for p in error.problems)
            return self._refusal(error.status, error.json())
        except web.HTTPException as error:
            self.violations.append(f"not modelled: {call.method} {call.path}")
            return self._refusal(error.status, {"code": 0, "message": "not modelled"})
        except Exception as error:  # noqa: BLE001 - the test must see a fault of the stand-in, and the client must not retry
            self.violations.append(f"error of the stand-in: {call.method} {call.path}: {error!r}")
            return self._refusal(400, {"code": 0, "message": repr(error)})

    def _failed(self, fault: Fault) -> web.Response:
        assert fault.status is not None
        usual = ApiError(fault.code).json() if fault.code else {"code": 0, "message": f"{fault.status}: asked for"}
        return self._refusal(fault.status, usual, fault.scope, fault.retry_after)

    def _refusal(self, status: int, content: Json, scope: str = USER, retry_after: float | None = None) -> web.Response:
        """Return an error. A 429 says for how long and about whose limit, in its body and its headers."""
        if status != 429:
            return answer(content, status)
        seconds = self.world.retry_after if retry_after is None else retry_after
        headers = {"Via": "1.1 stand-in", "Retry-After": str(ceil(seconds)), "X-RateLimit-Scope": scope}
        if scope == GLOBAL:
            headers["X-RateLimit-Global"] = "true"
        return answer(content | {"retry_after": seconds, "global": scope == GLOBAL}, status, headers)
