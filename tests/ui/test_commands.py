"""Commands say themselves where people see them."""

import pytest
from discord import app_commands

from gipfbot.ui.commands import COMMANDS, Command, arranged
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.interactions import slash_command, slash_group


def command(name: str, place: int) -> Command:
    async def wave(_: Interaction) -> None: ...

    return slash_command(name, place, "Wave")(wave)


def test_commands_stand_in_the_order_of_their_places() -> None:
    group = slash_group("play", 20, "Play")
    inner = slash_group("play more", 5, "More")
    alone = arranged(
        [command("play wave", 30), group, command("look", 30), inner, command("hop", 10), command("play go", 7)]
    )
    assert [each.name for each in alone] == ["hop", "play", "look"]
    assert [each.qualified_name for each in group.commands] == ["play more", "play go", "play wave"]


def unplaced() -> Command:
    return app_commands.Group(name="lost", description="Lost")


WRONG = {
    "the command lost says no place: make it by slash_command or slash_group": lambda: [unplaced()],
    "the commands hop and look say the same place: change one": lambda: [command("hop", 10), command("look", 10)],
    "the command go says a group that cannot hold it: walk": lambda: [command("walk go", 10)],
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_command_without_a_place_of_its_own_is_told(sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        arranged(WRONG[sentence]())


def test_commands_of_the_bot_are_found_and_ordered() -> None:
    alone = ["move", "gipf", "gipf-learn", "gipf-me", "gipf-tournament", "gipf-server", "Challenge to GIPF"]
    assert [each.name for each in COMMANDS] == alone
    for group in (each for each in COMMANDS if isinstance(each, app_commands.Group)):
        places = [each.extras["place"] for each in group.commands]
        assert places == sorted(places) != []
