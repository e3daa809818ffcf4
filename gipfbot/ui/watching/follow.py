"""`/gipf follow`: follow a game or a player by direct messages, and the buttons for it."""

import discord
from discord import app_commands
from discord.app_commands import Choice

from gipfbot.languages import say
from gipfbot.match import Game, Refused, Seat, Why
from gipfbot.match.game import clean_name
from gipfbot.service.app import App
from gipfbot.service.kit.loaded_games import parse_game_name
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.service.watching.follows import FOLLOWED, MOST_FOLLOWS
from gipfbot.ui.board.public_board import board_url, game_picture
from gipfbot.ui.kit import (
    AppClient,
    Button,
    Interaction,
    OutboxMessage,
    Reply,
    answers_privately,
    handles,
    handles_picked_game,
    outbox_message,
    show_reply,
    slash_command,
    texts,
    visibility,
)
from gipfbot.ui.kit.components import ComponentRow, ListedText, Malformed, Select
from gipfbot.ui.kit.game_picker import (
    MOST_CHOICES,
    matching_choices,
    pick_game_or_ask,
    suggests_in_time,
    watchable_games_to_find,
)
from gipfbot.ui.kit.interactions import chosen_number, told_after_commands
from gipfbot.ui.kit.permissions import check_bot_is_on
from gipfbot.ui.kit.pictures import board_style_of
from gipfbot.ui.kit.respond import person_of
from gipfbot.ui.kit.texts import shorten_text
from gipfbot.ui.kit.visibility import user_sees_venue
from gipfbot.values import Follow, News, OutboxRow

from . import watching_texts
from .guess import guess_button
from .watching_texts import OFF

NEWS_CHOICES = [
    Choice(name="Each turn", value=News.EACH_TURN.value),
    Choice(name="Only the result", value=News.RESULT.value),
    Choice(name="Off", value=OFF),
]
NEWS_PATTERN = "turn|result|off"
LONGEST_NAME_IN_ID = 40  # characters; Discord takes 100 in a custom_id


async def _still_sees(client: AppClient, row: OutboxRow) -> bool:
    """Return whether to tell a follower: there is news, and they can see the game's channel.

    Discord is asked at most once a day. Raises what `user_sees_venue` raises.
    """
    news = await client.app.follows.news_to_tell(row)
    if news is None or news.sees is not None:
        return news is not None and bool(news.sees)
    sees = await user_sees_venue(client, row.channel, news.stored.venue)
    await client.app.follows.note_check(news, sees=sees)
    return sees


@outbox_message(FOLLOWED, guard=_still_sees)
async def build_news(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the direct message that tells a follower of a turn or of the end of a game, in their own style.

    Return None if the follow has ended, or if the game has gone on since.
    """
    news = await app.follows.news_to_tell(row)
    if news is None:
        return None
    settings = await app.users.user_settings(row.channel)
    notation, style = notation_in_settings(settings), board_style_of(settings)
    game = news.stored.game
    guessed = watching_texts.scored_guess_text(game, news.guess, notation) if news.guess else ""
    text = watching_texts.news_text(game, news.turns_taken_back, notation, board_url(news.stored), guessed)
    picture = style.seen_by(game_picture(game, notation), None)
    is_done = game.asked is None and news.follow.game is not None  # nothing more will come
    buttons = (
        Button(say(texts.BOARD_LABEL), f"game_board:{game.id}"),
        *((Button(say(texts.REPLAY_LABEL), f"replay:{game.id}"),) if game.turn_number else ()),
        *guess_button(game, {}),
        *(() if is_done else (Button(watching_texts.stop_label(news.follow), f"unfollow:{news.follow.id}"),)),
    )
    return OutboxMessage(text, (), picture, (buttons,), style.theme)


@suggests_in_time
async def complete_watchable_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the running games of others that the person sees."""
    return matching_choices(interaction, current, await watchable_games_to_find(interaction))


@slash_command("gipf follow", 170, "Get direct messages about a game or a player, or stop them")
@app_commands.describe(
    game="Which game, such as #a7",
    news="What you are told (default: each turn)",
    player="A player: you follow all their games that you can see",
)
@app_commands.choices(news=NEWS_CHOICES)
@app_commands.autocomplete(game=complete_watchable_game)
@answers_privately
async def follow_command(
    interaction: Interaction, game: str = "", news: str = "", player: discord.User | discord.Member | None = None
) -> None:
    """Follow a game or a player, or stop. Without options, list what the person follows.

    Raises Refused for news that is not offered.
    """
    if news not in ("", OFF, *News):
        raise Refused(Why.NOT_OFFERED, option="news", value=news)
    named = game.strip()
    if named and player:
        await show_reply(interaction, say(watching_texts.GAME_OR_PLAYER))
    elif player:
        await _follow_player(interaction, player, news or News.EACH_TURN)
    elif named or (news != OFF and (news or not await _follows_of(interaction))):
        await _follow_game_meant(interaction, named, news or News.EACH_TURN)
    else:
        await _show_follows(interaction)


async def _follows_of(interaction: Interaction) -> list[Follow]:
    return await interaction.client.app.follows.follows_of(interaction.user.id)


async def _show_follows(interaction: Interaction) -> None:
    """List what the person follows, with selects to end each."""
    found = await _follows_of(interaction)
    if not found:
        await show_reply(interaction, say(watching_texts.FOLLOWS_NOTHING))
        return
    parts = [found[at : at + MOST_CHOICES] for at in range(0, len(found), MOST_CHOICES)]
    rows = tuple(_stop_select(part, number) for number, part in enumerate(parts))
    await show_reply(interaction, watching_texts.follows_text(found, MOST_FOLLOWS), rows=rows)


def _stop_select(follows: list[Follow], number: int) -> Select:
    labels = texts.number_repeats([watching_texts.option_label(follow) for follow in follows])
    options = tuple((label, str(follow.id)) for label, follow in zip(labels, follows, strict=True))
    return Select(texts.nth_label(say(watching_texts.STOP_PLACEHOLDER), number), f"stop_following:{number}", options)


@handles("stop_following", "{number}")
async def choose_follow_to_stop(interaction: Interaction, number: int) -> None:
    """End the follow that was chosen from the list, and show the list again."""
    await interaction.client.app.follows.unfollow(interaction.user.id, chosen_number(interaction))
    await _show_follows(interaction)


# ── A game ──


async def _follow_game_meant(interaction: Interaction, named: str, news: str) -> None:
    if named and news == OFF and (game := parse_game_name(named)):
        await _set_follow(interaction, game, OFF)
        return
    if not named:
        await check_bot_is_on(interaction, interaction.guild_id)
    seen = await visibility.watchable_games(interaction, MOST_CHOICES)
    none, ask = say(watching_texts.NOTHING_TO_FOLLOW), say(watching_texts.WHICH_TO_FOLLOW)
    if picked := await pick_game_or_ask(interaction, named, seen, f"follow:{news}", none, ask):
        await _set_follow(interaction, picked, news)


@handles_picked_game("follow")
async def _set_follow(interaction: Interaction, game: int, news: str) -> None:
    """Follow a game that the person sees, or stop following it. Raises Malformed for news that is not offered."""
    if news not in (OFF, *News):
        raise Malformed(news)
    app, user = interaction.client.app, interaction.user.id
    if news == OFF:
        await _show_ended_follow(interaction, await app.follows.unfollow_game(user, game))
    elif reason := await visibility.why_game_hidden(interaction, await app.games.game(game)):
        await show_reply(interaction, reason)
    else:
        await _show_follow(interaction, await app.follows.follow_game(user, game, News(news)))


@handles("set_follow", f"{{game}}:{{news:{NEWS_PATTERN}}}")
async def press_set_follow(interaction: Interaction, game: int, news: str) -> None:
    """Change what the person is told of a game, on the message that was pressed."""
    await _set_follow(interaction, game, news)


async def follow_shown(interaction: Interaction, game: Game) -> Follow | None:
    """Return a spectator's follow of a running game. None for players, and for ended games."""
    user = interaction.user.id
    if game.asked is None or game.colour_of(user) is not None:
        return None
    return await interaction.client.app.follows.follow_of_game(user, game.id)


def follow_button(game: Game, known: Follow | None) -> tuple[Button, ...]:
    """Return the button with which a spectator follows a running game, or stops. Empty for ended games.

    Its label says whether they follow the game: `known` is their follow.
    """
    if game.asked is None:
        return ()
    if known:
        return (Button(say(watching_texts.FOLLOWING_LABEL), f"board_follow:{game.id}:{OFF}"),)
    return (Button(say(watching_texts.FOLLOW_LABEL), f"follow:{game.id}", "primary"),)


async def followed_rows(interaction: Interaction, known: Follow | None) -> tuple[ListedText, ...]:
    """Return the row that says what a spectator is told of a game, with a button that changes it; empty if nothing."""
    if known is None:
        return ()
    change = _change_button(known, f"board_follow:{known.game}")
    return (ListedText(await _following_text(interaction, known), change),)


async def _following_text(interaction: Interaction, follow: Follow) -> str:
    still = "" if follow.news is News.EACH_TURN else await _still_told_text(interaction, follow)
    return " ".join(filter(None, (watching_texts.following_text(follow), still)))


async def _still_told_text(interaction: Interaction, follow: Follow) -> str:
    """Return the sentence that a person is told each turn of a game because they follow its players; may be empty."""
    if follow.game is None:
        return ""
    game = (await interaction.client.app.games.game(follow.game)).game
    others = [other for other in await _follows_of(interaction) if other.news is News.EACH_TURN]
    playing = {seat.user for seat in game.seats}
    return "" if game.asked is None else watching_texts.still_told_text([o for o in others if o.player in playing])


# ── A player ──


async def _follow_player(interaction: Interaction, player: discord.User | discord.Member, news: str) -> None:
    """Follow a player, or stop following them."""
    follows, user = interaction.client.app.follows, interaction.user.id
    if news == OFF:
        await _show_ended_follow(interaction, await follows.unfollow_player(user, player.id))
    elif player.bot:
        await show_reply(interaction, say(watching_texts.FOLLOWS_A_BOT))
    else:
        seat = Seat(player.id, clean_name(player.display_name))
        await _show_follow(interaction, await follows.follow_player(user, seat, News(news)))


@handles("set_player_follow", f"{{player}}:{{news:{NEWS_PATTERN}}}")
async def press_set_player_follow(interaction: Interaction, player: int, news: str) -> None:
    """Change what the person is told of a player, on the message that was pressed."""
    follows, user = interaction.client.app.follows, interaction.user.id
    known = next((follow for follow in await follows.follows_of(user) if follow.player == player), None)
    if known is None:
        await show_reply(interaction, say(watching_texts.NOT_FOLLOWED))
    elif news == OFF:
        await _show_ended_follow(interaction, await follows.unfollow_player(user, player))
    else:
        await _show_follow(interaction, await follows.follow_player(user, Seat(player, known.name), News(news)))


@handles("follow_player", "{player}:{news:turn|result}:{name:.+}")
async def press_follow_player(interaction: Interaction, player: int, news: str, name: str) -> None:
    """Follow a player again, on the message that said that this has ended. `name` is their name."""
    follows, seat = interaction.client.app.follows, Seat(player, clean_name(name))
    await _show_follow(interaction, await follows.follow_player(interaction.user.id, seat, News(news)))


# ── What is shown ──


async def _show_follow(interaction: Interaction, follow: Follow) -> None:
    """Show how a person follows a game or a player, with buttons to change it."""
    await show_reply(interaction, await _following_text(interaction, follow), rows=(_follow_buttons(follow),))


def _follow_buttons(follow: Follow) -> ComponentRow:
    prefix = f"set_follow:{follow.game}" if follow.game is not None else f"set_player_follow:{follow.player}"
    return _change_button(follow, prefix), Button(watching_texts.stop_label(follow), f"{prefix}:{OFF}")


def _change_button(follow: Follow, prefix: str) -> Button:
    """Return the button that changes what a follower is told."""
    other = News.RESULT if follow.news is News.EACH_TURN else News.EACH_TURN
    return Button(say(watching_texts.NEWS_LABELS[other]), f"{prefix}:{other.value}")


async def _show_ended_follow(interaction: Interaction, ended: Follow | None) -> None:
    """Say that a follow has ended, with the way back. `ended` is None if there was none."""
    if ended is None:
        await show_reply(interaction, say(watching_texts.NOT_FOLLOWED))
        return
    text = " ".join(filter(None, (watching_texts.unfollowed_text(ended), await _still_told_text(interaction, ended))))
    await show_reply(interaction, text, rows=((_follow_again_button(ended),),))


def _follow_again_button(ended: Follow) -> Button:
    back = (
        f"set_follow:{ended.game}:{ended.news.value}"
        if ended.game is not None
        else f"follow_player:{ended.player}:{ended.news.value}:{shorten_text(ended.name, LONGEST_NAME_IN_ID)}"
    )
    return Button(say(watching_texts.FOLLOW_AGAIN_LABEL), back, is_custom_id=True)


@handles("unfollow", "{follow}", Reply.APART)
async def press_unfollow(interaction: Interaction, follow: int) -> None:
    """End the follow that a direct message is about. That message stays."""
    await _show_ended_follow(interaction, await interaction.client.app.follows.unfollow(interaction.user.id, follow))


@told_after_commands
async def tell_lost_follows(interaction: Interaction) -> str:
    """Return the notice of follows that ended without the person's doing. It is shown once."""
    if not (await person_of(interaction)).has_lost_follows:
        return ""
    return watching_texts.lost_follows_text(await interaction.client.app.follows.take_lost(interaction.user.id))
