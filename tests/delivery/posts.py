"""How a message of each kind comes to be posted."""

from sqlalchemy import update

from gipfbot.match import House as Opponent, RequestState, Seat, Side, Terms
from gipfbot.match.fair_play import GUARDED_FROM
from gipfbot.match.tournament import bank_for_game
from gipfbot.rules import OVERBOARD, STANDARD
from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.downtime import DOWNTIME_NOTICE
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, NUDGE, REMINDER
from gipfbot.service.clock.undeliverable import UNDELIVERABLE
from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.competing.results import ANNOUNCEMENT
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.delivery.showing import SHOWN
from gipfbot.service.delivery.venues import LEFT_THREAD, NO_THREAD
from gipfbot.service.health.vital_signs import OWNER_NEWS
from gipfbot.service.house.fair_play import HELD
from gipfbot.service.lobby.arrivals import WELCOME
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.service.play.turn import DISCARDED, DISCARDED_BY_TAKEBACK
from gipfbot.service.puzzles.puzzles import PUZZLE_SOLUTION
from gipfbot.service.records.analyses import ANALYSIS, AnalysisWork
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.service.settings.puzzle_channel import DAILY_PUZZLE
from gipfbot.service.settings.servers import GATHER_SECONDS, SETTINGS_CHANGED
from gipfbot.service.tournaments.news import NEWS, TOLD
from gipfbot.service.watching.follows import FOLLOWED
from gipfbot.store import analyses, tables
from gipfbot.values import AnalysisState, News
from gipfbot.values.tournaments import Tournament
from tests.service.helpers import put
from tests.service.house.helpers import BOT
from tests.support.background_work import do_next_task, search_next
from tests.support.engines import EngineInThread
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

from .house import House

LINE = "a2-c2 f1-d2"  # Ann's first turn of the opening, and an answer of Bob's


async def post_board(house: House) -> None:
    await house.play(await house.begin(thread=False))


async def post_last_board(house: House) -> None:
    game = await house.begin(thread=False)
    await house.deliver(await house.app.games.cancel_game(game, house.seats()[0].user))


async def post_conditional_board(house: House) -> None:
    game = await house.begin(thread=False)
    await house.app.conditionals.add_typed_line(game, house.seats()[1].user, LINE)
    await house.play(game)


async def post_challenge(house: House) -> None:
    ann, bob = house.seats()
    _, owed = await house.app.lobby.challenge(ann, bob, STANDARD, Side.WHITE, house.home())
    await house.bot.delivery.deliver(owed)


async def post_takeback(house: House) -> None:
    game = await house.begin(thread=False)
    await house.play(game)
    await house.deliver(await house.app.requests.make(TAKEBACK, game, house.seats()[0].user))


async def post_draw(house: House) -> None:
    game = await house.begin(thread=False, rules=OVERBOARD)
    await house.deliver(await house.app.requests.make(DRAW, game, house.seats()[0].user))


async def long_ago(house: House) -> int:
    """Return a game in which Ann has been to move for 40 days."""
    game = await house.begin(thread=False)
    for _ in range(2):
        await house.play(game)
    at = house.clock() - 40 * DAY
    async with house.store.transaction() as db:
        await db.execute(update(tables.games).values(changed_at=at, waiting_since=at))
    return game


async def post_claim(house: House) -> None:
    await house.deliver(await house.app.win_claims.claim_win(await long_ago(house), house.seats()[1].user))


async def post_claim_dm(house: House) -> None:
    game = await long_ago(house)
    await house.discord.deny(house.channel, "send_messages")
    await house.deliver(await house.app.win_claims.claim_win(game, house.seats()[1].user))
    await house.sweep()


async def post_nudge(house: House) -> None:
    game = await house.game(await long_ago(house))
    owed = await house.app.reminders.nudge(game.id, house.seats()[1].user, game.turn_serial)
    assert owed
    await house.bot.delivery.deliver([owed])


async def post_reminder(house: House) -> None:
    await house.begin(terms=THREE_DAYS, thread=False)
    house.clock.moved += 2 * DAY + 12 * HOUR
    await house.app.reminders.owe_due_reminders()
    await house.sweep()


async def post_channel_reminder(house: House) -> None:
    house.discord.user("ann").dms_open = False
    await post_reminder(house)


async def post_digest(house: House) -> None:
    await house.begin(terms=THREE_DAYS, thread=False)
    plan = await house.app.digests.set_plan(house.seats()[0].user, 8, "Europe/Berlin")
    assert plan.next_at
    house.clock.moved += plan.next_at - house.clock()
    await house.app.digests.owe_due_digests()
    await house.sweep()


async def post_vacation(house: House) -> None:
    await house.announce_vacation()


async def post_downtime_notice(house: House) -> None:
    await house.begin(terms=THREE_DAYS, thread=False)
    await house.app.flag_watch.check_flags()
    house.clock.moved += 5 * HOUR
    await house.app.flag_watch.check_flags()
    await house.sweep()


async def post_discard_notice(house: House) -> None:
    game = await house.begin(thread=False)
    await house.app.conditionals.add_typed_line(game, house.seats()[1].user, "b1-b3 f1-d2")
    await house.play(game)
    await house.sweep()


async def post_takeback_discard_notice(house: House) -> None:
    game = await house.begin(thread=False)
    ann, bob = house.seats()
    await house.play(game)
    await house.app.conditionals.add_typed_line(game, ann.user, "f1-d2 b1-b3")
    asked = await house.app.requests.make(TAKEBACK, game, ann.user)
    await house.deliver(asked)
    await house.deliver(await house.app.requests.settle(asked.request.id, bob.user, RequestState.ACCEPTED))
    await house.sweep()


async def post_undeliverable(house: House) -> None:
    game = await house.begin(terms=THREE_DAYS, thread=False)
    await house.discord.deny(house.channel, "send_messages")
    await house.play(game)
    await house.sweep()


async def post_welcome(house: House) -> None:
    await house.bot.delivery.deliver(
        await house.app.arrivals.note_arrival(house.discord.guild.id, house.clock(), [house.channel.id])
    )


async def post_no_thread(house: House) -> None:
    house.discord.world.thread_limit = 0
    await house.begin()


async def post_left_thread(house: House) -> None:
    game = await house.begin()
    await house.discord.lock(house.thread())
    await house.play(game)


async def post_followed(house: House) -> None:
    game = await house.begin(thread=False)
    await house.app.follows.follow_game(house.discord.user("cara").id, game, News.EACH_TURN)
    await house.play(game)
    await house.sweep()


async def post_announcement(house: House) -> None:
    """Whether it may be posted is decided by the channels that the gateway has told of."""
    results = await house.discord.add_channel("results")
    await house.connect()
    await house.bot.wait_until_ready()
    await house.app.servers.change(house.discord.guild.id, {"results": results.id})
    game = await house.begin(thread=False)
    for _ in range(2):
        await house.play(game)
    await house.deliver(await house.app.games.resign(game, house.seats()[0].user))
    await house.sweep()


async def post_daily_puzzle(house: House) -> None:
    await house.app.servers.change(house.discord.guild.id, {"puzzles": house.channel.id})
    await house.app.daily_puzzles.owe_due_puzzles()
    await house.sweep()


async def post_puzzle_solution(house: House) -> None:
    await post_daily_puzzle(house)
    house.clock.moved += DAY
    await house.app.daily_puzzles.owe_due_puzzles()
    await house.sweep()


async def post_setting_news(house: House) -> None:
    await house.app.servers.change(house.discord.guild.id, {"channel": house.channel.id, "cap": 3})
    await house.sweep(GATHER_SECONDS)


async def post_analysis(house: House) -> None:
    """One has failed, because nobody can read its game."""
    game, ann = await house.begin(thread=False), house.seats()[0].user
    async with house.app.analyses.store.transaction() as db:
        analysis = await analyses.add_analysis(db, game, 1, 0, 0)
        await analyses.add_asker(db, ann, game, 0)
    work = AnalysisWork(house.app.analyses.store, house.app.now, EngineInThread(["no answer"] * 3))
    assert analysis.state is AnalysisState.RUNNING
    assert await search_next(work)
    await house.app.outbox.release_leases()
    await house.sweep()


async def post_owner_news(house: House) -> None:
    await house.app.owner_news.tell(house.seats()[0].user, {"disk": "The disk is full."})
    await house.sweep()


async def post_held(house: House) -> None:
    """Ann, Black against the bot, copies what Bob has played against her."""
    standing, (ann, _) = await house.begin(thread=False), house.seats()
    for _ in range(GUARDED_FROM):
        await house.play(standing)
    last = (await house.game(standing)).last
    assert last
    bot, terms = Seat(BOT.user, "Bot"), Terms(house=Opponent(1, BOT.user))
    begun = await house.app.lobby.challenge_house(ann, bot, STANDARD, Side.BLACK, house.home(), terms)
    await put(house.app, begun.stored, position=last.before)
    await house.deliver(await house.app.games.play_actions(begun.game.id, ann.user, last.actions))
    while done := await do_next_task(house.app):
        await house.bot.delivery.deliver(done.owed)


async def show(house: House, what: str, **kept: object) -> None:
    """Let Ann show something in the channel."""
    ann, home = house.seats()[0].user, house.home()
    payload = {"what": what, "notation": "official", "server": home.server, "parent": None, **kept}
    owed = await house.app.showing.show(ann, 1, house.app.now(), what, house.channel.id, payload)
    await house.bot.delivery.deliver(owed)


async def post_shown(house: House) -> None:
    """It names Bob, too, as a profile does."""
    await house.begin(thread=False)
    bob = house.seats()[1]
    kept = {"seats": [bob.user], "names": [bob.name], "games": [], "longest": None}
    await show(house, "profile", player=bob.user, against=0, **kept)


async def open_tournament(house: House) -> int:
    """Open a league. Return its id."""
    ann, home = house.seats()[0], house.home()
    terms = Terms(bank_for_game(5), takebacks=False)
    now = house.clock()
    new = Tournament(0, "league", "Spring", home, ann, STANDARD, terms, 0, now + 2 * DAY, now)
    opened, owed = await house.app.tournaments.open(new)
    await house.bot.delivery.deliver(owed)
    return opened.id


async def post_tournament(house: House) -> None:
    await open_tournament(house)


async def post_tournament_told(house: House) -> None:
    await house.app.tournaments.join(await open_tournament(house), house.seats()[0])
    house.clock.moved += DAY
    await house.app.tournament_course.go_on_with_due()
    await house.sweep()


# How a message of each kind comes to be posted, and as which of its kind.
POSTS = [
    (BOARD, post_board, 2),
    (BOARD, post_last_board, 2),
    (BOARD, post_conditional_board, 2),
    (CHALLENGE, post_challenge, 1),
    (WELCOME, post_welcome, 1),
    (TAKEBACK, post_takeback, 1),
    (DRAW, post_draw, 1),
    (CLAIM_WIN, post_claim, 1),
    (CLAIM_WIN_DM, post_claim_dm, 1),
    (NUDGE, post_nudge, 1),
    (REMINDER, post_reminder, 1),
    (CHANNEL_REMINDER, post_channel_reminder, 1),
    (DIGEST, post_digest, 1),
    (VACATION, post_vacation, 1),
    (DOWNTIME_NOTICE, post_downtime_notice, 1),
    (DISCARDED, post_discard_notice, 1),
    (DISCARDED_BY_TAKEBACK, post_takeback_discard_notice, 1),
    (UNDELIVERABLE, post_undeliverable, 1),
    (NO_THREAD, post_no_thread, 1),
    (LEFT_THREAD, post_left_thread, 1),
    (FOLLOWED, post_followed, 1),
    (ANNOUNCEMENT, post_announcement, 1),
    (DAILY_PUZZLE, post_daily_puzzle, 1),
    (PUZZLE_SOLUTION, post_puzzle_solution, 1),
    (SETTINGS_CHANGED, post_setting_news, 1),
    (ANALYSIS, post_analysis, 1),
    (HELD, post_held, 1),
    (OWNER_NEWS, post_owner_news, 1),
    (SHOWN, post_shown, 1),
    (NEWS, post_tournament, 1),
    (TOLD, post_tournament_told, 1),
]
