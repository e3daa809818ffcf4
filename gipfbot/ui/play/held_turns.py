"""What the bot's opponent reads while a turn of the bot is held, because it would help them in another game."""

from gipfbot.languages import mark, say
from gipfbot.match import Game
from gipfbot.service.app import App
from gipfbot.service.house.fair_play import HELD
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import Button, OutboxMessage, outbox_message
from gipfbot.values import OutboxRow


def held_text(game: int, waits_for: int) -> str:
    """Return why the bot does not answer in a game, and when it will. Only its player may read it."""
    sentence = mark(
        "The bot doesn't answer in **{game}** yet: this position is on the board in your own game "
        "**{other}**, or could be there after one turn. It goes on by itself as soon as {other} has moved on."
    )
    return say(sentence, game=game_name(game), other=game_name(waits_for))


@outbox_message(HELD)
async def build_held_notice(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the direct message that the bot waits for another game. Return None if it waits no longer."""
    game = (await app.games.game(row.payload["game"])).game
    waits_for = await app.house.held_turns.game_waited_for(game)
    if game.version != row.payload["version"] or waits_for is None:
        return None
    button = Button(say("Show {game}", game=game_name(waits_for)), f"game_board:{waits_for}", "primary")
    return OutboxMessage(held_text(game.id, waits_for), rows=((button,),))


async def held_note(app: App, game: Game, user: int) -> str:
    """Return what a player of a game reads on their private board. Empty if the bot may answer, or for others."""
    if game.terms.house is None or game.asked is None or game.colour_of(user) is None:
        return ""
    waits_for = await app.house.held_turns.game_waited_for(game)
    return held_text(game.id, waits_for) if waits_for else ""
