"""Following games and players: who is told what, and when it ends."""

import asyncio

import pytest
from sqlalchemy import select

from gipfbot.match import Refused, RequestState, Seat, Why
from gipfbot.service.app import App, create_app
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.service.watching.follows import CHECK_SECONDS, FOLLOWED, MOST_FOLLOWERS, MOST_FOLLOWS
from gipfbot.store import Store, tables
from gipfbot.values import GuessScore, LostReason, News, OutboxRow, Venue
from tests.service.helpers import Host, assert_refused, basic_game_after, begin_game, play_on, why_refused
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, EVE, HALL
from tests.support.times import NOW

TURN, RESULT = News.EACH_TURN, News.RESULT


async def post_boards(app: App) -> None:
    """Note all that is owed as posted, without the messages to followers."""
    while rows := [row for row in await lease_all(app) if row.kind != FOLLOWED]:
        for row in rows:
            await app.outbox.note_delivered(row, 1000 + row.id)
    await app.outbox.release_leases()


async def lease_all(app: App) -> list[OutboxRow]:
    """Lease and return all rows that can be posted now."""
    await app.outbox.release_leases()
    rows = [await app.outbox.lease_row(row_id) for row_id in await app.outbox.deliverable_rows(1000)]
    return [row for row in rows if row]


async def owed_news(app: App) -> list[OutboxRow]:
    """Post all boards. Return the messages to followers that are owed, as they are leased."""
    await post_boards(app)
    return [row for row in await lease_all(app) if row.kind == FOLLOWED]


async def told(app: App) -> list[int]:
    """Return to whom there is something to tell. Settle all messages to followers."""
    found = []
    for row in await owed_news(app):
        news = await app.follows.news_to_tell(row)
        found += [row.channel] if news else []
        await app.outbox.note_delivered(row, 1000 + row.id if news else None)
    return found


async def test_each_turn_is_told_once_its_board_is_posted(app: App) -> None:
    game = await basic_game_after(app, 1)
    await post_boards(app)
    await app.follows.follow_game(CARA.user, game, TURN)
    await app.follows.follow_game(DAN.user, game, RESULT)
    await play_on(app, game, TURNS[1])
    assert [row.kind for row in await lease_all(app)] == [BOARD]
    assert await told(app) == [CARA.user]
    assert await told(app) == []
    await play_on(app, game, TURNS[2])
    assert await told(app) == [CARA.user]


async def test_message_that_has_not_gone_out_gives_way_to_the_newer(app: App) -> None:
    game = await basic_game_after(app, 1)
    await app.follows.follow_game(CARA.user, game, TURN)
    (older,) = await owed_news(app)
    await play_on(app, game, TURNS[1])
    assert await app.follows.news_to_tell(older) is None, "even before the next board is posted"
    assert await told(app) == [CARA.user]
    await play_on(app, game, TURNS[2])
    (late,) = await owed_news(app)
    await app.games.resign(game, ANN.user)
    assert await app.follows.news_to_tell(late) is None
    assert await told(app) == [CARA.user]


async def test_board_posted_again_tells_nobody_again(app: App) -> None:
    game = await basic_game_after(app, 1)
    await app.follows.follow_game(CARA.user, game, TURN)
    assert await told(app) == [CARA.user]
    await app.venues.relocate(game, Venue(CLUB, HALL + 5))
    assert await told(app) == []


async def test_result_is_told_to_both_kinds_and_ends_the_follow(app: App) -> None:
    game = await basic_game_after(app, 2)
    for user, news in ((CARA.user, TURN), (DAN.user, RESULT)):
        await app.follows.follow_game(user, game, news)
    assert await told(app) == [CARA.user]
    await app.games.resign(game, ANN.user)
    rows = await owed_news(app)
    found = [await app.follows.news_to_tell(row) for row in rows]
    assert [one and one.stored.game.asked for one in found] == [None, None]
    assert sorted(row.channel for row in rows) == [CARA.user, DAN.user]
    assert sorted(await told(app)) == [CARA.user, DAN.user]
    assert [await app.follows.follow_of_game(user.user, game) for user in (CARA, DAN)] == [None, None]


async def test_takeback_is_told_with_its_turns(app: App) -> None:
    game = await basic_game_after(app, 2)
    await app.follows.follow_game(CARA.user, game, TURN)
    await told(app)
    request = (await app.requests.make(TAKEBACK, game, BOB.user)).request.id
    await app.requests.settle(request, ANN.user, RequestState.ACCEPTED)
    (row,) = await owed_news(app)
    news = await app.follows.news_to_tell(row)
    assert news
    assert news.turns_taken_back == (TURNS[1],)


async def test_conditional_turn_makes_one_message(app: App) -> None:
    """The turn that it answers is not told of its own, and before both are played nothing is."""
    game = await basic_game_after(app)
    await app.follows.follow_game(CARA.user, game, TURN)
    await app.conditionals.add_typed_line(game, BOB.user, "c2 g2")
    assert await told(app) == []
    await play_on(app, game, "c2")
    (row,) = await owed_news(app)
    news = await app.follows.news_to_tell(row)
    assert news
    assert news.stored.game.turn_number == 2
    assert row.payload.keys() == {"follow", "game", "state", "taken_back"}, "nothing of the turn itself"


async def test_followers_of_a_player_are_told_of_all_their_games(app: App) -> None:
    """They are told once, even if they follow the game, too; the players themselves are not told."""
    await app.follows.follow_player(CARA.user, ANN, TURN)
    await app.follows.follow_player(BOB.user, ANN, TURN)
    await app.follows.follow_player(DAN.user, BOB, RESULT)
    game = await basic_game_after(app, 1)
    assert await told(app) == [CARA.user]
    await app.follows.follow_game(CARA.user, game, RESULT)
    await play_on(app, game, TURNS[1])
    assert await told(app) == [CARA.user]
    await app.games.resign(game, ANN.user)
    assert sorted(await told(app)) == [CARA.user, DAN.user]
    assert [follow.player for follow in await app.follows.follows_of(CARA.user)] == [ANN.user]


async def test_beginning_of_a_game_is_not_told(app: App) -> None:
    await app.follows.follow_player(CARA.user, ANN, TURN)
    await begin_game(app)
    assert await told(app) == []


# ── What is refused ──


async def test_nobody_follows_their_own_game_themselves_or_an_ended_game(app: App) -> None:
    game = await basic_game_after(app, 1)
    await assert_refused(Why.FOLLOWS_OWN_GAME, app.follows.follow_game(ANN.user, game, TURN))
    await assert_refused(Why.FOLLOWS_SELF, app.follows.follow_player(ANN.user, ANN, TURN))
    await app.games.cancel_game(game, ANN.user)
    assert await why_refused(app.follows.follow_game(CARA.user, game, TURN)) is Why.WATCHED_OVER
    assert await why_refused(app.follows.follow_game(CARA.user, 99, TURN)) is Why.NO_GAME
    assert await app.follows.follows_of(CARA.user) == []


async def test_one_person_follows_at_most_fifty(app: App) -> None:
    """A game that has ended makes room; a change of what is told needs none."""
    game = await basic_game_after(app, 1)
    await app.follows.follow_game(CARA.user, game, TURN)
    for number in range(1, MOST_FOLLOWS):
        await app.follows.follow_player(CARA.user, Seat(EVE.user + number, "x"), TURN)
    facts = await assert_refused(Why.TOO_MANY_FOLLOWS, app.follows.follow_player(CARA.user, EVE, TURN))
    assert facts == {"most": MOST_FOLLOWS}
    await app.follows.follow_game(CARA.user, game, RESULT)
    assert len(await app.follows.follows_of(CARA.user)) == MOST_FOLLOWS
    await app.games.resign(game, ANN.user)
    await app.follows.follow_player(CARA.user, EVE, TURN)


async def test_each_turn_of_a_game_has_at_most_a_hundred_followers(app: App) -> None:
    """The next may still follow the result. Followers of a player do not exceed the limit either."""
    game = await basic_game_after(app, 1)
    for number in range(MOST_FOLLOWERS):
        await app.follows.follow_game(EVE.user + 1 + number, game, TURN)
    await assert_refused(Why.TOO_MANY_FOLLOWERS, app.follows.follow_game(CARA.user, game, TURN))
    await app.follows.follow_game(CARA.user, game, RESULT)
    await assert_refused(Why.TOO_MANY_FOLLOWERS, app.follows.follow_game(CARA.user, game, TURN))
    await app.follows.follow_player(DAN.user, ANN, TURN)
    assert len(await told(app)) == MOST_FOLLOWERS
    await app.games.resign(game, ANN.user)
    assert len(await told(app)) == MOST_FOLLOWERS + 2


# ── How it ends ──


async def test_unfollowing_ends_messages_that_are_owed(app: App) -> None:
    game = await basic_game_after(app, 1)
    follow = await app.follows.follow_game(CARA.user, game, TURN)
    (row,) = await owed_news(app)
    assert await app.follows.unfollow(DAN.user, follow.id) is None
    assert await app.follows.unfollow(CARA.user, follow.id) == follow
    assert await app.follows.news_to_tell(row) is None
    assert await app.follows.unfollow_game(CARA.user, game) is None


@pytest.mark.parametrize(("shut", "lost"), [(True, [LostReason.SHUT] * 2), (False, [LostReason.REFUSED])])
async def test_refused_message_ends_the_follow_and_is_told_once(app: App, shut: bool, lost: list[LostReason]) -> None:
    """A person whose messages are shut follows nothing any more."""
    game = await basic_game_after(app, 1)
    await app.follows.follow_game(CARA.user, game, TURN)
    await app.follows.follow_player(CARA.user, DAN, TURN)
    (row,) = await owed_news(app)
    await app.outbox.note_dm_refusal(row, "Forbidden", shut=shut)
    assert len(await app.follows.follows_of(CARA.user)) == 2 - len(lost)
    assert [follow.lost for follow in await app.follows.take_lost(CARA.user)] == lost
    assert await app.follows.take_lost(CARA.user) == []
    await play_on(app, game, TURNS[1])
    assert await told(app) == []


async def sight(app: App) -> list[bool | None]:
    """Return what is known of whether the followers see the channel, for each message that is owed."""
    found = [await app.follows.news_to_tell(row) for row in await owed_news(app)]
    return [news.sees for news in found if news]


async def test_channel_is_asked_about_once_a_day(app: App, host: Host) -> None:
    """The follower of a player is asked about when the first message is due."""
    game = await basic_game_after(app, 1)
    await app.follows.follow_game(CARA.user, game, TURN)
    assert await sight(app) == [True]
    host.passes(CHECK_SECONDS)
    assert await sight(app) == [True]
    host.passes(1)
    assert await sight(app) == [None]
    (row,) = await owed_news(app)
    news = await app.follows.news_to_tell(row)
    assert news
    await app.follows.note_check(news, sees=True)
    assert await sight(app) == [True]


async def test_follower_who_left_is_told_once_and_not_again(app: App, host: Host) -> None:
    game = await basic_game_after(app, 1)
    await app.follows.follow_game(CARA.user, game, TURN)
    await app.follows.follow_player(DAN.user, ANN, TURN)
    host.passes(CHECK_SECONDS + 1)
    for row in await owed_news(app):
        news = await app.follows.news_to_tell(row)
        assert news
        await app.follows.note_check(news, sees=False)
    assert [follow.lost for follow in await app.follows.take_lost(CARA.user)] == [LostReason.HIDDEN]
    assert await app.follows.take_lost(DAN.user) == [], "other games of the player may be seen"
    assert [follow.player for follow in await app.follows.follows_of(DAN.user)] == [ANN.user]
    assert await sight(app) == [False]


async def test_blocked_follower_of_the_opponent_is_told_nothing(app: App) -> None:
    """Ann blocks Cara. Cara and Dan follow Bob."""
    game = await basic_game_after(app, 1)
    await app.blocks.block(ANN.user, CARA)
    for person in (CARA, DAN):
        await app.follows.follow_player(person.user, BOB, TURN)
    await post_boards(app)
    await play_on(app, game, TURNS[1])
    assert await told(app) == [DAN.user]


async def test_player_without_followers_cannot_be_followed(app: App) -> None:
    """Existing follows end, and those of games go on."""
    game = await basic_game_after(app, 1)
    await app.follows.follow_player(CARA.user, ANN, TURN)
    await app.follows.follow_player(CARA.user, BOB, TURN)
    await app.follows.follow_game(DAN.user, game, RESULT)
    await app.follows.set_followers(ANN.user, False)
    assert [follow.player for follow in await app.follows.follows_of(CARA.user)] == [BOB.user]
    assert [follow.lost for follow in await app.follows.take_lost(CARA.user)] == [LostReason.IMPOSSIBLE]
    await assert_refused(Why.NOT_POSSIBLE, app.follows.follow_player(DAN.user, ANN, TURN))
    assert len(await app.follows.follows_of(DAN.user)) == 1
    await app.follows.set_followers(ANN.user, True)
    await app.follows.follow_player(DAN.user, ANN, TURN)


async def points(app: App, game: int, turn_serial: int, *users: int) -> list[int | None]:
    """Return the points of these people's guesses of a turn. Each must have one."""
    found = [await app.guesses.guesses_of(user, game, turn_serial) for user in users]
    return [known[turn_serial].points for known in found if known]


async def test_guesses_are_scored_with_the_turn(app: App) -> None:
    game = await basic_game_after(app)
    for user, text in ((CARA.user, "c2"), (DAN.user, "d2"), (EVE.user, "c2")):
        await app.guesses.guess(user, game, 0, text)
    assert await points(app, game, 0, CARA.user, DAN.user) == [None, None]
    await play_on(app, game, "c2")
    assert await points(app, game, 0, CARA.user, DAN.user, EVE.user) == [3, 0, 3]
    assert await app.guesses.score(CARA.user) == GuessScore(1, 1, 0, 3)
    assert await app.guesses.score(BOB.user) == GuessScore(0, 0, 0, 0)


async def test_guess_is_changed_until_the_turn_is_played(app: App) -> None:
    game = await basic_game_after(app)
    for text in ("d2", "c2"):
        await app.guesses.guess(CARA.user, game, 0, text)
    await play_on(app, game, "c2")
    assert await points(app, game, 0, CARA.user) == [3]
    assert await why_refused(app.guesses.guess(CARA.user, game, 0, "c2")) is Why.GUESS_TOO_LATE
    await app.guesses.guess(CARA.user, game, 1, TURNS[1])
    assert (await app.guesses.score(CARA.user)).guesses == 1, "the next turn has not been played"


async def test_conditional_turn_is_scored_for_its_own_turn(app: App) -> None:
    """Nobody can have guessed it, because its turn began and ended in one transaction."""
    game = await basic_game_after(app)
    await app.conditionals.add_typed_line(game, BOB.user, "c2 g2")
    await app.guesses.guess(CARA.user, game, 0, "c2")
    await play_on(app, game, "c2")
    assert (await app.games.game(game)).game.turn_number == 2
    assert await points(app, game, 0, CARA.user) == [3]
    assert await why_refused(app.guesses.guess(CARA.user, game, 1, "g2")) is Why.GUESS_TOO_LATE


async def test_turn_taken_back_is_guessed_anew(app: App) -> None:
    game = await basic_game_after(app)
    await app.guesses.guess(CARA.user, game, 0, "c2")
    await play_on(app, game, "c2")
    request = (await app.requests.make(TAKEBACK, game, ANN.user)).request.id
    await app.requests.settle(request, BOB.user, RequestState.ACCEPTED)
    serial = (await app.games.game(game)).game.turn_serial
    assert await app.guesses.guesses_of(CARA.user, game, serial) == {}
    await app.guesses.guess(CARA.user, game, serial, "d2")
    await play_on(app, game, "d2")
    assert await app.guesses.score(CARA.user) == GuessScore(2, 2, 0, 6)


async def test_players_and_ended_games_are_refused(app: App) -> None:
    game = await basic_game_after(app, 2)
    for user in (ANN.user, BOB.user):
        await assert_refused(Why.GUESSES_OWN_GAME, app.guesses.guess(user, game, 2, "d2"))
    assert await why_refused(app.guesses.guess(CARA.user, 99, 0, "d2")) is Why.NO_GAME
    await app.games.resign(game, ANN.user)
    assert await why_refused(app.guesses.guess(CARA.user, game, 2, "d2")) is Why.WATCHED_OVER
    async with app.games.store.reading() as db:
        assert (await db.execute(select(tables.guesses))).all() == []


RACERS = range(100, 112)


async def try_guess(app: App, game: int, user: int) -> bool:
    """Guess. Return whether the guess was saved; otherwise it came too late."""
    try:
        await app.guesses.guess(user, game, 0, "c2")
    except Refused as refusal:
        return refusal.why is not Why.GUESS_TOO_LATE
    return True


async def play_in_race(app: App, game: int) -> bool:
    """Play the turn. Return whether all guesses of it have their points as soon as that is done."""
    await app.games.play_typed(game, ANN.user, "c2")
    return None not in await points(app, game, 0, *RACERS)


async def test_no_guess_is_written_after_the_turn(store: Store, app: App) -> None:
    """Guesses race with the turn. Each either is refused, or was saved before the turn and has its points."""
    other, kept, late = create_app(store, lambda: NOW, lambda: True), 0, 0
    for before in range(len(RACERS) + 1):
        game = await basic_game_after(app)
        works = [try_guess(app if user % 2 else other, game, user) for user in RACERS]
        works.insert(before, play_in_race(app, game))
        saved = await asyncio.gather(*works)
        assert saved.pop(before)
        assert await points(app, game, 0, *RACERS) == [3] * saved.count(True)
        kept, late = kept + saved.count(True), late + saved.count(False)
    assert kept
    assert late
