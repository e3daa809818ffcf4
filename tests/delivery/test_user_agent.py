"""Each request to Discord says who makes it, in the form that Discord asks for. It may block others."""

from gipfbot.installation import USER_AGENT
from gipfbot.ui.kit import texts
from gipfbot.ui.sharded_bot import ask_gateway

from .house import House


async def test_each_request_says_who_makes_it(house: House) -> None:
    """Posts, edits, answers to interactions, and the question about shards."""
    game = await house.begin(thread=False)
    await house.play(game)
    await house.connect()
    pressed = await house.discord.press(house.discord.user("cara"), house.channel.last(), texts.MOVE_LABEL)
    await pressed.followed_up()
    await ask_gateway(house.discord.token)
    made = {call.path.split("/")[1]: call for call in house.discord.calls}
    assert {"users", "channels", "interactions", "webhooks", "gateway"} <= {*made}
    agents = [(call.path, call.request.headers.get("User-Agent")) for call in house.discord.calls if call.request]
    assert [(path, agent) for path, agent in agents if agent != USER_AGENT] == []
