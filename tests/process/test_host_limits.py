"""The limits that a host sets hold in the real process."""

from tests.standin import StandIn

from .running import Bot
from .table import Table


async def test_limit_of_the_host_holds_for_each_person(bot: Bot, discord: StandIn, table: Table) -> None:
    bot.settings |= {"GIPFBOT_INTERACTION_BURST": "2", "GIPFBOT_INTERACTIONS_PER_MINUTE": "1"}
    await bot.start()
    people = [*[table.ann] * 4, table.bob]
    asked = [await discord.slash(person, table.channel, "move", notation="draw") for person in people]
    for each in asked:
        await each.answered()
    await discord.wait_for(lambda: all(each.messages for each in asked), what="all answers")
    assert ["That was a lot at once" in each.messages[-1].text for each in asked] == [False, False, True, True, False]
