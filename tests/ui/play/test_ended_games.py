"""The list of a person's ended games, which leads to a rematch and the note."""

import pytest

from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import texts
from gipfbot.ui.play import ended_games
from gipfbot.ui.play.ended_games import NO_ENDED_GAMES, OLDER_GAMES
from gipfbot.ui.play.game_list import ENDED_GAMES_LABEL
from tests.ui.table import Desk, open_note, write_note
from tests.ui.world import World


async def ended(world: World, count: int) -> None:
    """End games of Ann and Bob, one after the other. Ann gives up each."""
    for _ in range(count):
        game_id = await world.begin("basic")
        for person, turn in ((world.ann, "c2"), (world.bob, "b3")):
            await person.slash(world.channel, "move", notation=turn, game=game_name(game_id))
        await world.bot.app.games.resign(game_id, world.ann.id)
        await world.env.advance_time(60)


async def opened(world: World) -> Desk:
    """Return the list of Bob's ended games, opened from his list of games."""
    shown = Desk(world.bob, await world.bob.slash(world.channel, "gipf games"))
    await shown.press(ENDED_GAMES_LABEL)
    return shown


async def test_an_ended_game_leads_to_a_rematch_and_its_note(world: World) -> None:
    """The latest is at the bottom, where the eye is. The note that was written in the game is still there."""
    await ended(world, 2)
    await write_note(world.bob, await open_note(world, world.bob, game="#b1"), "watch c5")
    shown = await opened(world)
    lines = shown.text.splitlines()
    assert lines[0] == f"**{ENDED_GAMES_LABEL}** · the latest last"
    assert [line.rpartition(" · ")[2] for line in lines[1:]] == ["you won", "you won"]
    assert "#a1" in lines[1]
    assert shown.labels == ["Board #a1", "Board #b1", texts.ALL_GAMES_LABEL]
    await shown.press("Board #b1")
    assert "-# watch c5" in shown.text
    assert shown.labels[-5:] == ["Rematch", "Analyse", "Private note", "Show here", texts.ALL_GAMES_LABEL]
    await shown.press("Rematch")
    assert "Bob asks for a rematch of #b1" in world.public()[-1].content


async def test_nobody_else_has_a_rematch_or_a_note(world: World) -> None:
    await ended(world, 1)
    shown = Desk(world.cara, await world.cara.slash(world.channel, "gipf board", game="#a1"))
    assert {"Rematch", "Private note"}.isdisjoint(shown.labels)


async def test_without_an_ended_game_the_list_says_so(world: World) -> None:
    """Typing `rematch` without a game leads there, too."""
    assert (await opened(world)).text == NO_ENDED_GAMES
    assert Desk(world.bob, await world.bob.slash(world.channel, "move", notation="rematch")).text == NO_ENDED_GAMES


async def test_ended_games_are_turned_over_page_by_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last page says how older games are found. A page that is no longer there shows the last one."""
    monkeypatch.setattr(ended_games, "GAMES_PER_PAGE", 2)
    monkeypatch.setattr(ended_games, "LAST_PAGE", 1)
    await ended(world, 5)
    shown = await opened(world)
    assert shown.labels == ["Board #d1", "Board #e1", "◀", "▶", texts.ALL_GAMES_LABEL]
    assert OLDER_GAMES not in shown.text
    await shown.press("▶")
    assert shown.labels == ["Board #b1", "Board #c1", "◀", "▶", texts.ALL_GAMES_LABEL]
    assert OLDER_GAMES in shown.text
    await shown.press("◀")
    assert shown.labels[:2] == ["Board #d1", "Board #e1"]
    await shown.press(texts.ALL_GAMES_LABEL)
    assert ENDED_GAMES_LABEL in shown.labels
