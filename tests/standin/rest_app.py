"""REST: login, users, guilds and the application's commands."""

from aiohttp import web

from .calls import answer, body
from .errors import ApiError, Json, refuse
from .limits import commands_problems
from .people import User
from .places import Guild
from .world import World

COMMANDS = "/applications/{app}/commands"
ENTRY_POINT = 4  # the type of the command that starts an activity
GUILD_COMMANDS = "/applications/{app}/guilds/{guild}/commands"


class AppRoutes:
    """Handlers that need nothing but the world."""

    def __init__(self, world: World) -> None:
        self.world = world

    def table(self, prefix: str) -> list[web.RouteDef]:
        """Return all routes below the prefix."""
        routes = [
            web.get(f"{prefix}/users/@me", self.me),
            web.get(f"{prefix}/users/@me/guilds", self.own_guilds),
            web.get(f"{prefix}/users/{{user}}", self.user),
            web.get(f"{prefix}/oauth2/applications/@me", self.application),
            web.get(f"{prefix}/applications/@me", self.application),
            web.get(f"{prefix}/gateway/bot", self.gateway),
            web.get(f"{prefix}/guilds/{{guild}}", self.guild),
            web.get(f"{prefix}/guilds/{{guild}}/channels", self.guild_channels),
            web.get(f"{prefix}/guilds/{{guild}}/threads/active", self.active_threads),
            web.get(f"{prefix}/guilds/{{guild}}/members/{{user}}", self.member),
        ]
        role = f"{prefix}/guilds/{{guild}}/members/{{user}}/roles/{{role}}"
        routes += [web.put(role, self.change_role), web.delete(role, self.change_role)]
        routes.append(web.get(f"{prefix}{GUILD_COMMANDS}/{{command}}/permissions", self.command_permissions))
        for path in (prefix + COMMANDS, prefix + GUILD_COMMANDS):
            routes += [
                web.get(path, self.list_commands),
                web.put(path, self.sync_commands),
                web.post(path, self.add_command),
                web.patch(path + "/{command}", self.edit_command),
                web.delete(path + "/{command}", self.delete_command),
            ]
        return routes

    async def me(self, request: web.Request) -> web.Response:
        return answer({**self.world.bot.json(), "verified": True, "mfa_enabled": False, "locale": "en-US"})

    async def own_guilds(self, request: web.Request) -> web.Response:
        limit, after = int(request.query.get("limit", 200)), int(request.query.get("after", 0))
        guilds = sorted((guild for guild in self.world.guilds.values() if guild.id > after), key=lambda each: each.id)
        permissions = str(self.world.bot_permissions)
        return answer([{"id": str(g.id), "name": g.name, "permissions": permissions} for g in guilds[:limit]])

    async def user(self, request: web.Request) -> web.Response:
        return answer(self._user(request, 10013).json())

    async def application(self, request: web.Request) -> web.Response:
        return answer(
            {
                "id": str(self.world.application_id),
                "name": self.world.bot.name,
                "description": "",
                "icon": None,
                "bot_public": True,
                "bot_require_code_grant": False,
                "owner": self.world.user("owner").json(),
                "verify_key": "",
                "team": None,
                "flags": 0,
            }
        )

    async def gateway(self, request: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": self.world.identify_at_once}
        url = f"{self.world.base_url.replace('http', 'ws', 1)}/gateway"
        return answer({"url": url, "shards": self.world.shards, "session_start_limit": limit})

    async def guild(self, request: web.Request) -> web.Response:
        return answer(self._guild(request).json())

    async def guild_channels(self, request: web.Request) -> web.Response:
        guild = self._guild(request)
        return answer([channel.json() for channel in guild.channels.values() if not channel.is_thread])

    async def active_threads(self, request: web.Request) -> web.Response:
        threads = [channel for channel in self._guild(request).channels.values() if channel.is_thread]
        return answer({"threads": [thread.json() for thread in threads if thread.active], "members": []})

    async def member(self, request: web.Request) -> web.Response:
        guild, user = self._guild(request), self._user(request, 10007)
        own = {"roles": [str(guild.role_id)]} if user is self.world.bot else {}
        return answer({**user.member_json(), **own})

    async def change_role(self, request: web.Request) -> web.Response:
        guild, user, role = self._guild(request), self._user(request, 10007), int(request.match_info["role"])
        if role != guild.open_role:
            raise ApiError(50013)
        user.roles = [*({*user.roles} | {role} if request.method == "PUT" else {*user.roles} - {role})]
        return answer()

    async def list_commands(self, request: web.Request) -> web.Response:
        known = self.world.commands.get(_guild(request), [])
        return answer(known if request.query.get("with_localizations") == "true" else _without_translations(known))

    async def sync_commands(self, request: web.Request) -> web.Response:
        payload, _ = body(request)
        refuse(commands_problems(payload))
        if self._entry_points(_guild(request)) and not any(command.get("type") == ENTRY_POINT for command in payload):
            raise ApiError(50240)
        kept = [self._stored(command, _guild(request)) for command in payload]
        self.world.commands[_guild(request)] = kept
        return answer(kept)

    async def add_command(self, request: web.Request) -> web.Response:
        payload, _ = body(request)
        refuse(commands_problems([payload]))
        fresh = self._stored(payload, _guild(request))
        old = self.world.commands.get(_guild(request), [])
        self.world.commands[_guild(request)] = [c for c in old if c["id"] != fresh["id"]] + [fresh]
        return answer(fresh, status=201)

    async def edit_command(self, request: web.Request) -> web.Response:
        command = self._command(request)
        payload, _ = body(request)
        refuse(commands_problems([command | payload]))
        command |= payload
        return answer(command)

    async def delete_command(self, request: web.Request) -> web.Response:
        self.world.commands[_guild(request)].remove(self._command(request))
        return answer()

    async def command_permissions(self, request: web.Request) -> web.Response:
        self._guild(request)
        raise ApiError(10066)  # no server has decided anything

    def _guild(self, request: web.Request) -> Guild:
        guild = self.world.guilds.get(int(request.match_info["guild"]))
        if guild is None or not guild.present:
            raise ApiError(10004)
        return guild

    def _user(self, request: web.Request, code: int) -> User:
        user = self.world.users.get(int(request.match_info["user"]))
        if user is None:
            raise ApiError(code)
        return user

    def _command(self, request: web.Request) -> Json:
        for command in self.world.commands.get(_guild(request), []):
            if command["id"] == request.match_info["command"]:
                return command
        raise ApiError(10063)

    def _entry_points(self, guild_id: int | None) -> list[Json]:
        return [command for command in self.world.commands.get(guild_id, []) if command["type"] == ENTRY_POINT]

    def _stored(self, command: Json, guild_id: int | None) -> Json:
        """Return the command with Discord's fields. It keeps the id of one with the same name and type."""
        key = (command["name"], command.get("type", 1))
        old = (c for c in self.world.commands.get(guild_id, []) if (c["name"], c.get("type", 1)) == key)
        known = next((c["id"] for c in old), str(self.world.ids.new()))
        added: Json = {"id": known, "application_id": str(self.world.application_id), "version": "1"}
        if guild_id is not None:
            added["guild_id"] = str(guild_id)
        return {"type": 1, "description": "", **command, **added}


def _without_translations(commands: list[Json]) -> list[Json]:
    """Return commands, options or choices as Discord lists them unless it is asked for their translations."""
    shown = [{key: value for key, value in each.items() if not key.endswith("_localizations")} for each in commands]
    for each in shown:
        each.update({key: _without_translations(each[key]) for key in ("options", "choices") if each.get(key)})
    return shown


def _guild(request: web.Request) -> int | None:
    guild = request.match_info.get("guild")
    return None if guild is None else int(guild)
