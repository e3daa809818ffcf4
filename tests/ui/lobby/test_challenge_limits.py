"""What a person is told who challenges too often, and the list of seeks in which nobody crowds the others out."""

import pytest
from sqlalchemy import update

from gipfbot.match import RequestState, Side
from gipfbot.rules import STANDARD
from gipfbot.store.tables import challenges
from gipfbot.values import DEFAULT_LIMITS, Limits
from tests.support.times import DAY
from tests.ui.world import World, labels, private, seat, told


@pytest.fixture
def limited(world: World) -> World:
    """The world with the limits that hold unless the host sets others."""
    world.bot.app.lobby.limits = DEFAULT_LIMITS
    return world


async def test_second_challenge_leads_to_the_first(limited: World) -> None:
    await limited.ann.slash(limited.channel, "gipf challenge", opponent=limited.bob)
    (posted,) = limited.public()
    second = await limited.ann.slash(limited.channel, "gipf challenge", opponent=limited.bob, rules="basic")
    again = told(second)
    assert labels(private(second))[0] == "Withdraw"
    link = f"[already challenged]({posted.jump_url})"
    assert again == f"You've {link} Bob, so nothing was posted. Wait for the answer, or withdraw it."
    crossing = await limited.bob.slash(limited.channel, "gipf challenge", opponent=limited.ann)
    assert told(crossing).startswith("Ann [has challenged you](")
    assert labels(private(crossing))[:2] == ["Accept", "Decline"]
    assert len(limited.public()) == 1


@pytest.mark.looks_every(2)
async def test_fourth_ping_in_a_day_is_not_sent(limited: World) -> None:
    """The sentence says when it works again, and then it does."""
    begun = limited.bot.app.now()
    for _ in range(3):
        asked = await limited.ann.slash(limited.channel, "gipf challenge", opponent=limited.bob)
        await limited.ann.click(private(asked), label="Withdraw")
    said = told(await limited.ann.slash(limited.channel, "gipf challenge", opponent=limited.bob))
    assert said.startswith("You've challenged Bob 3 times within 24 hours, so this challenge wasn't sent. ")
    at = int(said.partition("<t:")[2].partition(":R>")[0])
    assert begun + DAY <= at <= limited.bot.app.now() + DAY
    assert len(limited.public()) == 3
    assert "Cara has been" in told(await limited.ann.slash(limited.channel, "gipf challenge", opponent=limited.cara))
    await limited.env.advance_time(at - limited.bot.app.now())
    assert "Bob has been" in told(await limited.ann.slash(limited.channel, "gipf challenge", opponent=limited.bob))


async def test_a_challenge_that_led_to_a_game_and_its_rematch_count(limited: World) -> None:
    """The sentence says what counts, as the person sent only one of the three by the command just now."""
    await limited.begin("basic")
    game = (await limited.game()).id
    await limited.bot.app.games.resign(game, limited.bob.id)
    await limited.bot.app.lobby.rematch(game, seat(limited.ann))
    async with limited.store.transaction() as db:
        await db.execute(update(challenges).values(state=RequestState.DECLINED))
    asked = await limited.ann.slash(limited.channel, "gipf challenge", opponent=limited.bob)
    await limited.ann.click(private(asked), label="Withdraw")
    said = told(await limited.ann.slash(limited.channel, "gipf challenge", opponent=limited.bob))
    assert said.startswith("You've challenged Bob 3 times within 24 hours")
    assert "Rematches count, and challenges that were accepted, declined or withdrawn." in said


async def test_person_at_a_cap_is_told_what_to_do(world: World) -> None:
    world.bot.app.lobby.limits = Limits(open_seeks=1, open_challenges=2, running_games=1)
    for opponent in (None, world.cara):
        await world.ann.slash(world.channel, "gipf challenge", **({"opponent": opponent} if opponent else {}))
    assert told(await world.ann.slash(world.channel, "gipf challenge")) == (
        "You have 1 challenge open to anybody, which is the most. Withdraw one first: **/gipf games** lists them."
    )
    assert told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob)) == (
        "You have 2 open challenges, which is the most. Withdraw one first: **/gipf games** lists them."
    )
    await world.cara.click(world.public()[-1], label="Accept")
    assert told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob)) == (
        "You play 1 game, which is the most. Finish one first: **/gipf games** lists yours."
    )
    assert told(await world.bob.slash(world.channel, "gipf challenge", opponent=world.ann)) == (
        "Ann plays 1 game, which is the most. Try again when one is over."
    )


async def test_seeks_list_shows_everybodys_first_before_anybodys_second(world: World) -> None:
    for person, count in ((world.ann, 6), (world.bob, 2), (world.cara, 1)):
        for _ in range(count):
            await world.bot.app.lobby.challenge(seat(person), None, STANDARD, Side.LOT, world.home)
    shown = private(await world.cara.slash(world.channel, "gipf seeks"))
    names = [line.split(". ")[1].split(":")[0] for line in shown.content.splitlines()[2:]]
    assert names == ["Ann", "Bob", "**You**", "Ann", "Bob", *["Ann"] * 4]
    assert labels(shown)[:3] == ["1 · Play against Ann", "2 · Play against Bob", "3 · Withdraw my challenge"]
