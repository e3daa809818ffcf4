"""The end of a game: its last board is a film of the last turns, and shows the changes of ratings."""

import asyncio
from typing import Any

import discord
import pytest

from gipfbot.ui.board import public_board
from gipfbot.ui.kit.respond import with_picture
from render import ResultCard
from tests.support.games import PLAYED
from tests.ui.studying import playing
from tests.ui.world import World, buttons, deliver


async def resigned(world: World, *turns: str) -> discord.Message:
    """Let Bob resign a game after these turns. Return its last board."""
    game = await playing(world, *turns)
    done = await world.bot.app.games.resign(game, world.bob.id)
    await world.bot.delivery.deliver(done.owed)
    await deliver(world)
    return world.public()[-1]


async def test_result_is_posted_as_a_film(world: World) -> None:
    message = await resigned(world, *PLAYED[:4])
    (picture,) = message.attachments
    assert picture.filename == "result.gif"
    assert (await picture.read()).startswith(b"GIF89a")
    assert (picture.description or "").startswith("White wins, Black: resigned. It took 2 turns. Ratings: White 1662")
    assert buttons(message) == ["Rematch", "Replay", "Analyse", "Record", "Explorer"]


@pytest.mark.parametrize(("turns", "filmed"), [(1, 1), (2, 2), (5, 3)])
async def test_film_shows_the_last_turns_there_are(world: World, turns: int, filmed: int) -> None:
    game = await playing(world, *PLAYED[:turns])
    done = await world.bot.app.games.resign(game, world.bob.id)
    (row,) = done.owed
    post = await public_board.build_board.build(world.bot.app, row)
    assert post
    assert post.film
    assert len(post.film.turns) == filmed
    assert isinstance(post.picture, ResultCard)
    assert post.film.turns[-1].board.position.pieces() == post.picture.picture.position.pieces()
    captions = [turn.board.caption for turn in post.film.turns]
    assert all(" → " in caption for caption in captions), "both are new, so no notation stands there"
    assert captions[-1] == post.picture.picture.caption


async def test_game_without_turns_ends_with_a_still(world: World) -> None:
    game = await playing(world)
    done = await world.bot.app.games.cancel_game(game, world.bob.id)
    (row,) = done.owed
    post = await public_board.build_board.build(world.bot.app, row)
    assert post
    assert post.picture
    assert post.film is None


@pytest.mark.parametrize("away", ["ann", "bob", "both"])
async def test_film_hides_the_rating_of_who_is_off_the_leaderboards(world: World, away: str) -> None:
    people = {"ann": world.ann.id, "bob": world.bob.id}
    for name, user in people.items():
        if away in (name, "both"):
            await world.bot.app.leaderboards.set_listed(user, False)
    message = await resigned(world, *PLAYED[:4])
    said = message.attachments[0].description or ""
    assert ("White 1662" in said) == (away == "bob")
    assert ("Black 1338" in said) == (away == "ann")


async def test_film_that_cannot_be_drawn_is_a_still(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr("gipfbot.ui.kit.pictures.film_parts", fail)
    (picture,) = (await resigned(world, *PLAYED[:4])).attachments
    assert picture.filename == "board.png"
    assert caplog.text.count("a film could not be drawn") == 1
    caplog.clear()


async def test_film_that_takes_too_long_is_a_still_and_no_error(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As on a host with much to do: each time is one line of the log, without a traceback."""
    monkeypatch.setattr("gipfbot.ui.kit.pictures.FILM_SECONDS", 0)
    (picture,) = (await resigned(world, *PLAYED[:4])).attachments
    assert picture.filename == "board.png"
    logged = [record for record in caplog.records if "not ready in time" in record.getMessage()]
    assert [(record.levelname, record.exc_info) for record in logged] == [("WARNING", None)]


async def test_film_holds_up_no_board(world: World) -> None:
    """Between two images of a film, each board that waits is drawn. A second film waits for the first."""
    game = await playing(world, *PLAYED[:4])
    (row,) = (await world.bot.app.games.resign(game, world.bob.id)).owed
    post = await public_board.build_board.build(world.bot.app, row)
    assert post
    assert isinstance(post.picture, ResultCard)
    assert post.film
    done = list[str]()

    async def film(name: str) -> None:
        await with_picture(world.bot.painter, "", post.picture, film=post.film)
        done.append(name)

    async def still() -> None:
        await with_picture(world.bot.painter, "", post.picture)
        done.append("board")

    films = [asyncio.ensure_future(film(name)) for name in ("first", "second")]
    await asyncio.sleep(0)
    await asyncio.gather(*(still() for _ in range(10)))
    await asyncio.gather(*films)
    assert done == [*["board"] * 10, "first", "second"]
