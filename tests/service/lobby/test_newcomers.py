"""Which games lead their players to the tutorial: those that began while one of the two had finished none."""

from gipfbot.match import House, Seat, Side, Terms
from gipfbot.rules import STANDARD
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import new_board_message, pack_board, unpack_board
from tests.service.helpers import begin_game
from tests.support.people import ANN, BOB, CARA, HOME, HOUSE_PLAYER


async def begin_against_bot(app: App, player: Seat) -> tuple[int, bool]:
    """Return a new game of somebody against the bot, and whether they are a newcomer in it."""
    terms = Terms(house=House(1, HOUSE_PLAYER.user))
    game = (await app.lobby.challenge_house(player, HOUSE_PLAYER, STANDARD, Side.WHITE, HOME, terms)).game
    return game.id, game.terms.newcomer


async def test_until_both_have_finished_a_game_one_is_a_newcomer(app: App) -> None:
    first, cancelled = (await begin_game(app)).game, (await begin_game(app)).game
    await app.games.cancel_game(cancelled.id, ANN.user)
    assert first.terms.newcomer
    assert (await begin_game(app)).game.terms.newcomer, "a cancelled game does not count, nor a running one"
    await app.games.resign(first.id, ANN.user)
    assert not (await begin_game(app)).game.terms.newcomer
    assert (await begin_game(app, black=CARA)).game.terms.newcomer
    assert (await app.games.game(first.id)).game.terms.newcomer, "it was decided at the beginning"


async def test_games_against_the_bot_ask_and_count_likewise(app: App) -> None:
    for player in (ANN, BOB):
        game, is_newcomer = await begin_against_bot(app, player)
        assert is_newcomer
        await app.games.resign(game, player.user)
        assert not (await begin_against_bot(app, player))[1], "the bot itself is never one"
    assert not (await begin_game(app)).game.terms.newcomer


async def test_open_challenge_is_decided_by_who_takes_it(app: App) -> None:
    await app.games.resign((await begin_game(app)).game.id, ANN.user)
    seek, _ = await app.lobby.challenge(ANN, None, STANDARD, Side.WHITE, HOME, Terms(), takers=2)
    for taker, is_newcomer in ((BOB, False), (CARA, True)):
        _, begun = await app.lobby.accept_challenge(seek.challenge.id, taker)
        assert begun.game.terms.newcomer is is_newcomer


async def test_boards_keep_it_and_older_ones_read_as_before(app: App) -> None:
    board = new_board_message((await begin_game(app)).game)
    packed = pack_board(board)
    assert unpack_board(board.game, packed).newcomer
    del packed["newcomer"]
    assert not unpack_board(board.game, packed).newcomer
