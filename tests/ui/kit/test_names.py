"""One person under two names: their running games on a server follow their name there, and each name finds them."""

import pytest
import simcord

from gipfbot.rules import BASIC, ByColour
from gipfbot.service.settings.users import Users
from gipfbot.store import games
from gipfbot.values import DatabaseTrouble, Nickname, Trouble
from tests.ui.counted_statements import statements_of
from tests.ui.studying import playing
from tests.ui.table import challenge_bot
from tests.ui.world import World, challenged, deliver, private, seat, sought, told

pytestmark = pytest.mark.looks_every(60)


async def rename(world: World, name: str | None, server: int | None = None) -> None:
    """Give Bob this nickname on a server."""
    world.env.backend.edit_member(server or world.guild.id, world.bob.id, {"nick": name})
    await world.env.settle()


async def act(world: World) -> None:
    """Let Bob use a command on the server."""
    await world.bob.slash(world.channel, "gipf help")
    await world.env.settle()


async def names(world: World, game: int) -> ByColour[str]:
    white, black = (await world.game(game)).seats
    return white.name, black.name


async def found(
    world: World, typed: str, command: str = "gipf board", person: simcord.MemberActor | None = None
) -> list[str]:
    """Return what somebody, Ann unless another is named, is offered as games."""
    choices = await (person or world.ann).autocomplete(world.channel, command, "game", typed)
    return [str(choice["name"]) for choice in choices]


async def test_person_renamed_between_two_challenges_has_one_name(world: World) -> None:
    """Either name finds both games, and nobody is listed under two."""
    first = await world.begin("basic")
    await rename(world, "Robert")
    second = await world.begin("basic")
    assert [await names(world, game) for game in (first, second)] == [("Ann", "Robert")] * 2
    both = ["#a1 vs Robert", "#b1 vs Robert"]
    for command in ("gipf board", "gipf record", "gipf replay", "gipf resign", "move"):
        for typed in ("", "Robert", "bob", "BOB", "vs Bo", "rob", "#"):
            assert await found(world, typed, command) == both, (command, typed)
        assert await found(world, "Cara", command) == []
    assert "Robert" in told(await world.ann.slash(world.channel, "gipf games"))


async def test_name_is_refreshed_whatever_they_do(world: World) -> None:
    """By a press, too, once they are known."""
    await world.begin("basic")
    await act(world)
    for number, name in enumerate(("Rob", "Robert", None)):
        await rename(world, name)
        if number:
            await world.bob.click(world.board(), label="More…")
        else:
            await world.bob.slash(world.channel, "gipf board", game="#a1")
        await world.env.settle()
        assert await names(world, 1) == ("Ann", name or "Bob")


async def test_two_challenges_that_are_only_accepted_have_one_name(world: World) -> None:
    """Bob does nothing but press Accept twice."""
    for name in (None, "Robert"):
        await rename(world, name)
        await world.bob.click(await challenged(world, colour="white"), label="Accept")
    assert [await names(world, game) for game in (1, 2)] == [("Ann", "Robert")] * 2


async def test_each_earlier_name_finds_the_game(world: World) -> None:
    await world.begin("basic")
    for name in ("Rob", "Robert", None):
        await rename(world, name)
        await act(world)
    for typed in ("Rob", "Robert", "Bob"):
        assert await found(world, typed) == ["#a1 vs Bob"]


@pytest.mark.parametrize(
    ("name", "typed"), [("İlker", "ilker"), ("José", "Jose\u0301"), ("\U0001d4d0\U0001d4f7\U0001d4f7", "ann")]
)
async def test_name_is_found_without_case_accents_and_fancy_letters(world: World, name: str, typed: str) -> None:
    await world.begin("basic")
    await rename(world, name)
    await act(world)
    for command in ("gipf board", "gipf record", "move"):
        assert await found(world, typed, command) == [f"#a1 vs {name}"]
    await rename(world, "Robert")
    await act(world)
    assert await found(world, typed) == ["#a1 vs Robert"]


async def test_nickname_stays_on_its_server(world: World) -> None:
    other = await world.add_guild("Other")
    ann, bob = other.add_member(world.ann.user), other.add_member(world.bob.user)
    hall = other.create_text_channel("hall")
    await world.begin("basic")
    await ann.slash(hall, "gipf challenge", opponent=bob, colour="white")
    await bob.click(world.public(hall)[-1], label="Accept")
    await bob.user.slash("gipf help")
    await rename(world, "Captain", other.id)
    await bob.slash(hall, "gipf help")
    await act(world)
    assert [await names(world, game) for game in (1, 2)] == [("Ann", "Bob"), ("Ann", "Captain")]
    await bob.user.slash("gipf games")
    await world.env.settle()
    assert [await names(world, game) for game in (1, 2)] == [("Ann", "Bob"), ("Ann", "Captain")]


async def test_ended_game_keeps_its_name_and_is_found_by_both(world: World) -> None:
    ended = await playing(world, "c2", "b3", rules="basic")
    done = await world.bot.app.games.resign(ended, world.ann.id)
    await world.bot.delivery.deliver(done.owed)
    await rename(world, "Robert")
    await world.begin("basic")
    await act(world)
    assert await names(world, ended) == ("Ann", "Bob")
    for typed in ("Bob", "Robert"):
        assert await found(world, typed, "gipf record") == ["#b1 vs Robert", "#a1 vs Bob"]


async def test_study_and_games_of_others_are_found_by_both(world: World) -> None:
    await world.begin("basic")
    shown = private(await world.cara.slash(world.channel, "gipf board", game="#a1"))
    await world.cara.click(shown, label="Study")
    await rename(world, "Robert")
    await act(world)
    for typed in ("Bob", "Robert", "Ann"):
        offered = ["study 1 · #a1 · Ann vs Bob", "#a1 Ann vs Robert"]
        assert await found(world, typed, person=world.cara) == offered
        assert await found(world, typed, "gipf follow", world.cara) == offered[1:]
    await world.cara.slash(world.channel, "gipf board", game="study 1")
    assert await found(world, "Bob", person=world.cara) == ["study 1 · #a1 · Ann vs Robert", "#a1 Ann vs Robert"]


async def test_engines_of_the_bot_are_not_one_person(world: World) -> None:
    for level in (1, 8):
        await challenge_bot(world, level, rules="basic")
    labels = await found(world, "")
    assert len(labels) == 2
    for label in labels:
        assert await found(world, label.partition(" vs ")[2]) == [label]


async def test_open_challenge_follows_the_name(world: World) -> None:
    """So its game begins with the present name."""
    posted = await sought(world)
    await world.ann.slash(world.channel, "gipf help")
    world.env.backend.edit_member(world.guild.id, world.ann.id, {"nick": "Anna"})
    await world.ann.slash(world.channel, "gipf help")
    await world.bob.click(posted, label="Play")
    assert sorted(await names(world, 1)) == ["Anna", "Bob"]


async def test_challenge_to_them_follows_the_name(world: World) -> None:
    await act(world)
    await challenged(world)
    await rename(world, "Robert")
    await act(world)
    assert "You challenge Robert" in told(await world.ann.slash(world.channel, "gipf games"))


async def test_nothing_is_read_or_written_while_the_name_stays(world: World) -> None:
    """Nor after a start: the first command asks in a statement that reads other things, too."""
    await world.begin("basic")
    await world.bob.slash(world.channel, "gipf games")  # which notes once what it has shown
    one = await statements_of(world, world.bob.slash(world.channel, "gipf games"))
    await rename(world, "Robert")
    changed = await statements_of(world, world.bob.slash(world.channel, "gipf games"))
    assert [each.partition(" ")[0] for each in changed[len(one) :]] == ["SELECT", "UPDATE", "UPDATE", "UPDATE"]
    again = await statements_of(world, world.bob.slash(world.channel, "gipf games"))
    await world.restart()
    after = await statements_of(world, world.bob.slash(world.channel, "gipf games"))
    assert len(one) == len(again) == len(after)


async def test_name_that_changed_while_the_bot_was_down_is_refreshed(world: World) -> None:
    await world.begin("basic")
    await act(world)
    await rename(world, "Robert")
    await world.restart()
    await act(world)
    assert await names(world, 1) == ("Ann", "Robert")


async def test_trouble_with_the_name_leaves_the_answer_as_it_is(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next command tries again."""
    await world.begin("basic")
    await rename(world, "Robert")

    async def fail(*_: object) -> None:
        raise DatabaseTrouble(Trouble.FULL, "games")

    with monkeypatch.context() as patch:
        patch.setattr(Users, "rename", fail)
        answer = await world.bob.slash(world.channel, "gipf help")
        assert "GIPF" in told(answer)
    assert await names(world, 1) == ("Ann", "Bob")
    await act(world)
    assert await names(world, 1) == ("Ann", "Robert")


async def test_game_that_moves_to_another_server_gets_their_name_there(world: World) -> None:
    await world.begin("basic")
    other = await world.add_guild("Other")
    ann, bob = other.add_member(world.ann.user), other.add_member(world.bob.user)
    hall = other.create_text_channel("hall")
    await rename(world, "Captain", other.id)
    await bob.slash(hall, "gipf help")
    world.guild.remove_member(world.bob)
    await world.env.settle()
    assert "goes on here" in told(await ann.slash(hall, "gipf board"))
    await deliver(world)
    await bob.slash(hall, "gipf help")
    await world.env.settle()
    assert await names(world, 1) == ("Ann", "Captain")


async def test_many_games_are_renamed_in_batches(world: World) -> None:
    async with world.store.transaction() as db:
        for _ in range(45):
            await games.add_game(db, BASIC, (seat(world.ann), seat(world.bob)), world.home, 0)
    renamed = world.bot.app.users.rename(world.bob.id, Nickname(world.guild.id, "Robert"))
    statements = await statements_of(world, renamed)
    assert [each.split()[:2] for each in statements if each.startswith("UPDATE seats")] == [["UPDATE", "seats"]] * 3
    assert {await names(world, game) for game in range(1, 46)} == {("Ann", "Robert")}
