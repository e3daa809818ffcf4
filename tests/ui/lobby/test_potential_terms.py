"""Potentials among the terms: in challenges, seeks, rematches and the settings of a server."""

import pytest
import simcord

from gipfbot.match import Status
from gipfbot.rules import PRESETS, ruleset_words, with_potentials
from tests.ui.world import World, challenged, sought, told

POTENTIALS = "Potentials are special pieces, which come in on top of basic ones."
ZERTZ = "A ZÈRTZ-potential jumps in a straight line over pieces to the first vacant spot."
PUNCT = "A PÜNCT-potential jumps onto an adjacent PÜNCT or GIPF-piece of the opponent."
BOTH = with_potentials(PRESETS["tournament"], (("Z", 6), ("P", 4)))
WORDS = "Tournament with 6 ZÈRTZ and 4 PÜNCT"


@pytest.fixture
def boss(world: World) -> simcord.MemberActor:
    """Return the owner of the server, who manages it."""
    return world.guild.add_member(world.guild.owner)


async def test_a_challenge_says_what_its_potentials_change(world: World) -> None:
    message = await challenged(world, rules="tournament", zertz=6, punct=4, colour="white", pace="none", rated=True)
    _, terms, changed, _ = message.content.splitlines()
    assert terms == f"**{WORDS}** · Ann plays White · no time limit · rated"
    assert changed == f"{POTENTIALS} Each is used once, instead of a push. {ZERTZ} {PUNCT}"
    (card,) = message.attachments
    assert f"GIPF {WORDS}." in (card.description or "")


async def test_one_kind_is_explained_alone_and_none_not_at_all(world: World) -> None:
    message = await challenged(world, rules="basic", punct=3)
    assert "**Basic with 3 PÜNCT**" in message.content
    assert PUNCT in message.content
    assert ZERTZ not in message.content
    await world.bob.click(message, label="Decline")
    assert "otential" not in (await challenged(world, rules="basic")).content


async def test_the_game_keeps_its_potentials_and_so_does_the_rematch(world: World) -> None:
    message = await challenged(world, rules="tournament", zertz=6, punct=4, colour="white")
    await world.bob.click(message, label="Accept")
    game = await world.game()
    assert game.ruleset == BOTH
    assert game.position.left == ((6, 4), (6, 4))
    assert f"{WORDS} · Ann is White and begins" in world.board().content
    done = await world.bot.app.games.resign(1, world.bob.id)
    await world.bot.delivery.deliver(done.owed)
    await world.env.settle()
    await world.ann.click(world.public()[-1], label="Rematch")
    assert f"**{WORDS}**" in world.public()[-1].content
    await world.bob.click(world.public()[-1], label="Accept")
    assert (await world.game(2)).ruleset == BOTH
    assert (await world.game(1)).status is Status.OVER


async def test_a_seek_keeps_its_potentials(world: World) -> None:
    seek = await sought(world, rules="standard", zertz=3)
    assert "**Standard with 3 ZÈRTZ**" in seek.content
    assert ZERTZ in seek.content
    assert "Standard with 3 ZÈRTZ" in told(await world.bob.slash(world.channel, "gipf seeks"))
    await world.bob.click(seek, label="Play")
    assert (await world.game()).ruleset.potentials == (("Z", 3),)


async def test_the_server_has_defaults_that_a_challenge_may_leave_out(world: World, boss: simcord.MemberActor) -> None:
    said = told(await boss.slash(world.channel, "gipf-server settings", zertz=6, punct=4, rules="tournament"))
    assert "ZÈRTZ-potentials: none → 6 each." in said
    assert "PÜNCT-potentials: none → 4 each." in said
    assert f"**{WORDS}**" in (await challenged(world)).content
    await world.bob.click(world.public()[-1], label="Decline")
    assert "**Tournament with 4 PÜNCT**" in (await challenged(world, zertz=0)).content


@pytest.mark.parametrize(
    ("potentials", "words"),
    [
        ("none", "**Standard**"),
        ("zertz", "**Standard with 3 ZÈRTZ**"),
        ("punct", "**Standard with 3 PÜNCT**"),
        ("both", "**Standard with 3 ZÈRTZ and 3 PÜNCT**"),
    ],
)
async def test_one_option_names_the_potentials(
    world: World, boss: simcord.MemberActor, potentials: str, words: str
) -> None:
    """Whatever the server has set, each player gets three of each kind that the option names."""
    await boss.slash(world.channel, "gipf-server settings", zertz=6, punct=4)
    assert words in (await challenged(world, potentials=potentials)).content


async def test_potentials_that_are_not_offered_are_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A modified client can send any text."""
    monkeypatch.setattr("simcord.interactions.validate_option_value", lambda _, __, sent: sent)
    answer = told(await world.ann.slash(world.channel, "gipf challenge", potentials="tamsk"))
    assert "`tamsk` cannot be chosen for **potentials**; nothing was changed." in answer
    assert world.public() == []


def test_a_rule_set_in_words() -> None:
    assert ruleset_words("basic") == "Basic"
    assert ruleset_words("standard+Z3") == "Standard with 3 ZÈRTZ"
    assert ruleset_words("tournament+Z6P6") == "Tournament with 6 ZÈRTZ and 6 PÜNCT"
    assert ruleset_words("tournament+Q6") == "Tournament with 6 Q"
