"""The faults that the stand-in gives by itself or on request, as Discord's documents describe them."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.support.routes import MESSAGES

from . import StandIn

MOVE = {"name": "move", "type": 1, "description": "Move"}
LAUNCH = {"name": "launch", "type": 4, "handler": 2}


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    async with StandIn() as server:
        yield server


@pytest.fixture
async def client(server: StandIn) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {server.token}"}) as client:
        yield client


def limit_of(response: aiohttp.ClientResponse) -> list[str | None]:
    """Return what the headers of a response say about a limit."""
    return [response.headers.get(name) for name in ("Retry-After", "X-RateLimit-Scope", "X-RateLimit-Global")]


@pytest.mark.parametrize(
    ("scope", "is_global", "counts"), [("user", None, 1), ("shared", None, 0), ("global", "true", 1)]
)
async def test_a_429_says_whose_limit_it_is(
    server: StandIn, client: aiohttp.ClientSession, scope: str, is_global: str | None, counts: int
) -> None:
    """A shared one does not count towards Discord's ban."""
    server.fail_next("POST", MESSAGES, status=429, scope=scope, retry_after=1.5)
    response = await client.post(f"{server.api_url}/channels/{server.general.id}/messages", json={"content": "a"})
    told = await response.json()
    assert (response.status, told["retry_after"], told["global"]) == (429, 1.5, scope == "global")
    assert limit_of(response) == ["2", scope, is_global]
    assert len(server.invalid_requests) == counts


async def test_answers_to_interactions_are_not_counted(server: StandIn, client: aiohttp.ClientSession) -> None:
    await client.post(f"{server.api_url}/interactions/1/a/callback", json={"type": 5})
    await client.get(f"{server.api_url}/users/@me")
    assert [call.path for call in server.counted_requests] == ["/users/@me"]


async def test_an_entry_point_cannot_be_removed_in_bulk(server: StandIn, client: aiohttp.ClientSession) -> None:
    commands = f"{server.api_url}/applications/{server.world.application_id}/commands"
    await client.put(commands, json=[LAUNCH])
    refused = await client.put(commands, json=[MOVE])
    assert (refused.status, (await refused.json())["code"]) == (400, 50240)
    taken = await client.put(commands, json=[MOVE, LAUNCH])
    assert [command["name"] for command in await taken.json()] == ["move", "launch"]


async def test_translations_are_listed_on_request(server: StandIn, client: aiohttp.ClientSession) -> None:
    commands = f"{server.api_url}/applications/{server.world.application_id}/commands"
    option = {"name": "game", "type": 3, "description": "Game", "description_localizations": {"de": "Partie"}}
    await client.put(commands, json=[MOVE | {"options": [option]}])
    listed = [await (await client.get(commands + query)).json() for query in ("", "?with_localizations=true")]
    assert ["Partie" in str(each) for each in listed] == [False, True]


@pytest.mark.parametrize(("length", "status"), [(100, 200), (101, 400)])
async def test_a_translation_has_the_limit_of_its_text(
    server: StandIn, client: aiohttp.ClientSession, length: int, status: int
) -> None:
    commands = f"{server.api_url}/applications/{server.world.application_id}/commands"
    answer = await client.put(commands, json=[MOVE | {"description_localizations": {"de": "a" * length}}])
    assert answer.status == status


@pytest.mark.parametrize(("length", "status"), [(32, 200), (33, 400)])
async def test_an_entry_of_a_menu_has_the_same_limit_in_all_languages(
    server: StandIn, client: aiohttp.ClientSession, length: int, status: int
) -> None:
    commands = f"{server.api_url}/applications/{server.world.application_id}/commands"
    menu = {"name": "Greet", "type": 2, "name_localizations": {"de": "a" * length}}
    assert (await client.put(commands, json=[menu])).status == status


@pytest.mark.parametrize(("length", "status"), [(82, 200), (83, 400)])
async def test_a_command_counts_by_its_longest_language(
    server: StandIn, client: aiohttp.ClientSession, length: int, status: int
) -> None:
    """Here: 18 letters of names and descriptions, and 40 choices, whose German names have 100."""
    commands = f"{server.api_url}/applications/{server.world.application_id}/commands"
    choice = {"name": "a", "name_localizations": {"de": "a" * 100, "fr": "a"}, "value": "b" * 100}
    last = choice | {"value": "b" * length}
    options = [
        {"name": "game", "type": 3, "description": "a", "choices": [choice] * 25},
        {"name": "turn", "type": 3, "description": "a", "choices": [*[choice] * 14, last]},
    ]
    assert (await client.put(commands, json=[MOVE | {"options": options}])).status == status


async def test_a_guild_is_closed_to_a_bot_that_was_kicked(server: StandIn, client: aiohttp.ClientSession) -> None:
    guild, posts = server.guild, f"{server.api_url}/channels/{server.general.id}/messages"
    commands = f"{server.api_url}/applications/{server.world.application_id}/commands"
    await client.put(commands, json=[MOVE])
    await server.kick(guild)
    refused = [await client.get(f"{server.api_url}/guilds/{guild.id}"), await client.post(posts, json={"content": "a"})]
    assert [(each.status, (await each.json())["code"]) for each in refused] == [(404, 10004), (403, 50001)]
    with pytest.raises(ValueError, match="not in this guild"):
        await server.slash(server.user("ann"), server.general, "move")
    await server.invite(guild)
    assert (await client.post(posts, json={"content": "a"})).status == 200
