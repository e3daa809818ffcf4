"""The `data` of command and autocomplete interactions, built from the commands that the bot has synced.

ValueError or LookupError is raised for what Discord's client does not send: unknown or missing options, values outside
the choices or bounds, a command in a place where it is not offered. Permissions set on commands
(`default_member_permissions`) are ignored.
"""

from tests.standin.limits import SUBCOMMANDS

from .errors import Json
from .messages import Message, Upload
from .people import User
from .places import IN_BOT_DM, IN_GUILD, IN_PRIVATE, Channel
from .world import World

STRING, INTEGER, BOOLEAN, USER, CHANNEL, NUMBER, ATTACHMENT = 3, 4, 5, 6, 7, 10, 11
SLASH, USER_MENU, MESSAGE_MENU = 1, 2, 3


def slash_data(world: World, channel: Channel, path: str, values: Json, focused: str | None = None) -> Json:
    """Return the data of `/path` with these values; with `focused`, that of an autocomplete with options missing."""
    name, *inner = path.split()
    command = _command(world, channel, SLASH, name)
    specs, chain = command.get("options") or [], []
    for word in inner:
        spec = _named(specs, word, f"subcommand of /{path}")
        chain.append(spec)
        specs = spec.get("options") or []
    resolved: Json = {}
    options = _options(world, channel, specs, values, focused, resolved, path)
    for spec in reversed(chain):
        options = [{"type": spec["type"], "name": spec["name"], "options": options}]
    return _data(command, {"options": options} | ({"resolved": resolved} if resolved else {}))


def menu_data(world: World, channel: Channel, name: str, target: User | Message) -> Json:
    """Return the data of a command in the menu of a person or a message."""
    resolved: Json = {}
    if isinstance(target, User):
        _resolve_user(channel, target, resolved)
        command = _command(world, channel, USER_MENU, name)
    else:
        resolved["messages"] = {str(target.id): target.json()}
        command = _command(world, channel, MESSAGE_MENU, name)
    return _data(command, {"target_id": str(target.id), "resolved": resolved})


def resolve_users(channel: Channel, users: list[User]) -> Json:
    """Return the `resolved` of a select of people."""
    resolved: Json = {}
    for user in users:
        _resolve_user(channel, user, resolved)
    return resolved


def _command(world: World, channel: Channel, kind: int, name: str) -> Json:
    guild_id = channel.guild.id if channel.guild else None
    known = (world.commands.get(guild_id, []) if guild_id else []) + world.commands.get(None, [])
    for command in known:
        if (command["type"], command["name"]) == (kind, name):
            if not _offered(command, channel):
                raise ValueError(f"{name!r} is not offered in {channel.name or 'direct messages'}")
            return command
    raise LookupError(f"no command {name!r}; synced: {[command['name'] for command in known]}")


def _offered(command: Json, channel: Channel) -> bool:
    contexts = command.get("contexts")
    if contexts is None:
        contexts = [IN_GUILD] if command.get("dm_permission") is False else [IN_GUILD, IN_BOT_DM]
    installs = command.get("integration_types") or [0]
    return channel.context in contexts and (channel.context != IN_PRIVATE or 1 in installs)


def _data(command: Json, more: Json) -> Json:
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"], **more}
    return data | ({"guild_id": command["guild_id"]} if "guild_id" in command else {})


def _named(specs: list[Json], name: str, what: str) -> Json:
    for spec in specs:
        if spec["name"] == name:
            return spec
    raise LookupError(f"no {what} called {name!r}; there are {[spec['name'] for spec in specs]}")


def _options(
    world: World, channel: Channel, specs: list[Json], values: Json, focused: str | None, resolved: Json, path: str
) -> list[Json]:
    if any(spec["type"] in SUBCOMMANDS for spec in specs):
        raise ValueError(f"/{path} needs a subcommand: {[spec['name'] for spec in specs]}")
    for name in values:
        _named(specs, name, f"option of /{path}")
    missing = [spec["name"] for spec in specs if spec.get("required") and spec["name"] not in values]
    if missing and focused is None:
        raise ValueError(f"/{path} needs {missing}")
    options = []
    for spec in (spec for spec in specs if spec["name"] in values):
        option = {"type": spec["type"], "name": spec["name"]}
        if focused is not None and spec["name"] == focused:
            if not spec.get("autocomplete"):
                raise ValueError(f"/{path} {focused} has no autocomplete")
            options.append({**option, "value": str(values[focused]), "focused": True})
        else:
            options.append({**option, "value": _value(world, channel, spec, values[spec["name"]], resolved)})
    return options


def _value(world: World, channel: Channel, spec: Json, value: object, resolved: Json) -> object:
    """Return the value as Discord sends it; add what it refers to to `resolved`."""
    if spec["type"] == USER and isinstance(value, User):
        _resolve_user(channel, value, resolved)
        return str(value.id)
    if spec["type"] == CHANNEL and isinstance(value, Channel):
        resolved.setdefault("channels", {})[str(value.id)] = value.json() | {"permissions": str(value.bot_permissions)}
        return str(value.id)
    if spec["type"] == ATTACHMENT and isinstance(value, Upload):
        attachment = world.upload(channel, value)
        resolved.setdefault("attachments", {})[str(attachment.id)] = attachment.json()
        return str(attachment.id)
    if spec["type"] == BOOLEAN and isinstance(value, bool):
        return value
    if spec["type"] in (STRING, INTEGER, NUMBER) and isinstance(value, str | int | float):
        return _plain(spec, value)
    raise ValueError(f"{value!r} does not fit option {spec['name']!r} of type {spec['type']}")


def _plain(spec: Json, value: str | int | float) -> object:
    """Return a text or number after checking its choices and bounds. A choice may be given by its name."""
    for choice in spec.get("choices") or []:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    if spec.get("choices"):
        raise ValueError(f"{value!r} is none of {[choice['name'] for choice in spec['choices']]}")
    if isinstance(value, str) != (spec["type"] == STRING) or (isinstance(value, str) and "\n" in value):
        raise ValueError(f"{value!r} cannot be typed into option {spec['name']!r}")
    size, kind = (len(value), "length") if isinstance(value, str) else (value, "value")
    low, high = spec.get(f"min_{kind}"), spec.get(f"max_{kind}")
    if (low is not None and size < low) or (high is not None and size > high):
        raise ValueError(f"{value!r} is outside of the bounds of option {spec['name']!r}")
    return value


def _resolve_user(channel: Channel, user: User, resolved: Json) -> None:
    resolved.setdefault("users", {})[str(user.id)] = user.json()
    if channel.guild is not None:
        resolved.setdefault("members", {})[str(user.id)] = user.resolved_member_json()
