"""A club in which something of everything goes on, for the crawler. It is made in English."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from random import Random

import simcord
from simcord.results import InteractionResult

from gipfbot.match import Side
from gipfbot.rules import STANDARD, legal
from gipfbot.ui.learning.tutorial import LESSON_SETTING
from gipfbot.values import News
from tests.rules.generate import row_seeking
from tests.rules.generate_loaded import LOADED, built
from tests.service.helpers import play_on
from tests.support.games import OPENING, TWO_CAPTURES, WINS
from tests.support.times import DAY

from .club import club, league_of
from .crawler import Crawler
from .positions import APART, CROSSING, FORCED, GIPF_ROW, OFFER
from .records.analysed_games import analysed
from .stored_rows import StoredRows
from .studying import QUICK_FILM, Gate, imported, playing
from .table import challenge_bot, play_bot
from .timed_games import limited
from .world import World, deliver, game_name, labels, private, seat

POSITIONS = FORCED, CROSSING, GIPF_ROW, APART, OFFER, WINS
HOURS = 10 * 24  # until open challenges and turns have expired
LEAGUES = "Winter", "Spring", "Summer", "Autumn"  # on their tables stands SB, a tie-break
# What is pressed in a lesson to end it; another lesson's end has other buttons.
ENDED_LESSONS = {
    1: ("tutorial:1::dot:-:e1", "tutorial:1::push:e1e2"),
    3: ("tutorial:3::dot:-:g1", "tutorial:3::push:g1g2", "tutorial:3:g1g2:done:g:g6"),
}


async def crawled_club(world: World, rows: StoredRows) -> Crawler:
    """Return a crawler in a club with two players, a spectator, a manager, and one whom the players have blocked."""
    known = await club(world)
    for position in (*POSITIONS, built(LOADED[0], Random(2)), built(LOADED[1], Random(5))):
        await world.prepared(position)
    await limited(world)
    await _play_with_rows(world)
    await _play_to_the_end(world)
    await analysed(world)
    await _play_the_bot(world)
    await imported(world)
    await play_on(world.bot.app, await world.begin("basic"), *TWO_CAPTURES, "a2-b3")
    await _watch_and_challenge(world)
    await deliver(world)
    senders = [known.senders[name].person for name in ("mover", "other", "watcher", "manager", "blocked")]
    people = [person for person in senders if isinstance(person, simcord.MemberActor)]
    await _play_tournaments(world, [each for each in people if each.id != senders[3].id])
    bot = world.bot.user
    assert bot
    names = [name for each in people for name in (each.name, each.user.global_name or "")]
    return Crawler(
        world,
        rows,
        people,
        [
            *names,
            "Dan",
            "dan",
            "Club",
            "Other",
            "A cup",
            "A note",
            *LEAGUES,
            "SB",
            f"{bot.display_name} Begin",
            bot.display_name,
        ],
    )


async def _play_tournaments(world: World, people: Sequence[simcord.MemberActor]) -> None:
    """Stop a league, let another play its first season to the end, and let a third begin."""
    app = world.bot.app
    await app.tournaments.stop(await league_of(world, "Winter", people[:1], DAY))
    ended = await league_of(world, "Summer", people, 60)
    await world.env.advance_time(61)
    await app.tournament_course.go_on_with_due()
    while games := [each.game for each in (await app.tournaments.show(ended)).played.pairings if not each.outcome]:
        for game in filter(None, games):
            await app.games.resign(game, (await app.games.game(game)).game.seats[0].user)
        await app.tournament_course.go_on_with_due()
    await league_of(world, "Autumn", people, 60)
    await world.env.advance_time(61)
    await app.tournament_course.go_on_with_due()
    await deliver(world)


async def _play_with_rows(world: World) -> None:
    """Play a game in which a row is removed, and plan ahead in it."""
    game = await playing(world, *OPENING[:5])
    await world.bot.app.conditionals.add_typed_line(game, world.ann.id, "e1-e3 f2")


async def _play_to_the_end(world: World) -> None:
    """Play a whole game, in which pieces are captured."""
    rng, number = Random(7), await world.begin("tournament")
    game = await world.game(number)
    while game.asked is not None:
        action = row_seeking(game.current, legal(game.current), rng)
        game = (await world.bot.app.games.play_actions(number, game.seats[game.asked].user, [action])).game
    await deliver(world)


async def _play_the_bot(world: World) -> None:
    """Begin two public games against the bot, which has played in one, and a private one. End another private one."""
    for colour in ("white", "black"):
        await challenge_bot(world, colour=colour)
    for _ in range(2):
        await play_bot(world)
    ended = max(brief.id for brief in await world.bot.app.games.running_games(world.ann.id))
    await world.bot.app.games.resign(ended, world.ann.id)


async def _watch_and_challenge(world: World) -> None:
    """Follow a player, challenge, and choose channels, a role, a digest, and no reminders of one game.

    The digest's hour is the time after half a day: a digest that is two hours late is not sent.
    """
    app, cara, ann = world.bot.app, seat(world.cara), seat(world.ann)
    await app.lobby.challenge(cara, None, STANDARD, Side.LOT, world.home)
    await app.lobby.challenge(cara, ann, STANDARD, Side.WHITE, world.home)
    await app.follows.follow_player(world.cara.id, ann, News.EACH_TURN)
    results, puzzles = (world.guild.create_text_channel(name) for name in ("results", "puzzles"))
    seekers = world.guild.create_role("seekers")
    chosen = {"results": results.id, "puzzles": puzzles.id, "seekers": seekers.id}
    await app.servers.change(world.guild.id, chosen)
    await app.digests.set_plan(world.ann.id, 13, "Europe/Berlin")
    await app.reminders.turn_off_for_game(world.ann.id, 1)


def games_of(count: int) -> Sequence[str]:
    """Return the names of the first games of the club."""
    return [game_name(number) for number in range(1, count + 1)]


async def welcome(world: World) -> None:
    """Let the bot be welcomed anew on its server."""
    app = world.bot.app
    owed = await app.arrivals.note_arrival(world.guild.id, app.now(), [world.channel.id])
    await world.bot.delivery.deliver(owed)
    await world.env.settle()


async def _end_lesson(crawler: Crawler, number: int) -> InteractionResult:
    """Play the right turn in a lesson."""
    person = crawler.people[0]
    await crawler.world.bot.app.users.change(person.id, {LESSON_SETTING: number})
    shown = await person.slash(crawler.world.channel, "gipf-learn tutorial")
    for custom_id in ENDED_LESSONS[number]:
        await person.click(private(shown), custom_id=custom_id)
    return shown


async def _cancel_replay(crawler: Crawler) -> InteractionResult:
    """Cancel a replay while it is made, after it has told how far it is."""
    person, bot, app = crawler.people[0], crawler.world.bot, crawler.world.bot.app
    bot.app = replace(app, now=count(app.now()).__next__)  # so that it tells its progress after each part
    gate = Gate(crawler.world, parts=5)
    shown = await person.slash(crawler.world.channel, "gipf replay", game="#a1", **QUICK_FILM)
    (cancel,) = labels(private(shown))
    crawler.pressed["cancel_replay"] += 1
    assert (await person.click(private(shown), label=cancel)).acknowledged
    gate.open.set()
    await crawler.world.env.settle()
    bot.app = app
    return shown


async def crawl(crawler: Crawler, most: int, hours: int) -> None:
    """Let the crawler do so many steps at most, as all people. In the last of them, `hours` have gone by."""
    world, people = crawler.world, crawler.people
    for person in people:
        await person.slash(world.channel, "gipf help")  # so the bot knows their languages
    with crawler.listening():
        crawler.wait_for("welcome", lambda: welcome(world), crawler.moment())
        await crawler.wait_for_commands(people[0], games_of(20))
        for person in people[1:4]:
            await crawler.wait_for_commands(person, games_of(3))
        for person in people[:2]:
            await crawler.wait_for_direct_commands(person)
        begin = crawler.moment()
        for number in ENDED_LESSONS:
            crawler.wait_for(
                f"/gipf-learn tutorial · to the end of {number}", partial(_end_lesson, crawler, number), begin
            )
        crawler.wait_for("cancel_replay · ", partial(_cancel_replay, crawler), begin)
        await crawler.crawl(most * 3 // 4)
        crawler.go_to(begin)
        await crawler.live(hours)
        await crawler.crawl(most)
