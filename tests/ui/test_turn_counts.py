"""Every sentence on how long a game was counts as its turns are numbered: the last number is its length."""

import re

import pytest

from tests.support.games import PLAYED
from tests.ui.studying import playing
from tests.ui.world import World, deliver, told

pytestmark = pytest.mark.looks_every(60)


@pytest.mark.parametrize(("played", "said"), [(1, "1 turn"), (2, "1 turn"), (3, "2 turns"), (4, "2 turns")])
async def test_a_game_has_one_number_of_turns_everywhere(world: World, played: int, said: str) -> None:
    results = world.guild.create_text_channel("results")
    await world.bot.app.servers.change(world.guild.id, {"results": results.id})
    await world.let_manage(world.cara)
    await playing(world, *PLAYED[:played])
    past = told(await world.cara.slash(world.channel, "gipf board", game="#a1", turn="1"))
    done = await world.bot.app.games.resign(1, world.ann.id)
    await world.bot.delivery.deliver(done.owed)
    await deliver(world)
    board, (announced,) = world.public()[-1], results.history()
    picture = board.attachments[0].description or ""
    profile = told(await world.ann.slash(world.channel, "gipf profile"))
    figures = told(await world.cara.slash(world.channel, "gipf-server stats"))
    counts = {
        "past board": r"newest turn",
        "board": rf"wins #a1 in {said} ·",
        "picture": rf"It took {said}\.",
        "announced": rf"beat \*\*Ann\*\* in {said} ·",
        "profile": rf"\*\*Longest game:\*\* {said}, #a1",
        "figures": rf"\n{played} turns? in the last 30 days",
    }
    texts = past, board.content, picture, announced.content, profile, figures
    for (place, wanted), text in zip(counts.items(), texts, strict=True):
        assert re.search(wanted, text), f"{place}: {text}"
