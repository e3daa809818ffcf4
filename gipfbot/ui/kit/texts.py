"""Labels and sentences that several rooms use."""

from collections.abc import Sequence

from gipfbot.values import Trouble

from .text_parts import link_to, quote_text

GAME_PLACEHOLDER = "Choose a game"
ACCEPT_LABEL, DECLINE_LABEL, WITHDRAW_LABEL = "Accept", "Decline", "Withdraw"
TAKE_SEEK_LABEL = "Play"
MOVE_LABEL, REMOVE_LABEL, GO_ON_LABEL, DECIDE_LABEL = "Move", "Remove row", "Finish turn", "Decide"
ALL_GAMES_LABEL, MY_GAMES_LABEL, BOARD_LABEL = "All games", "My games", "Board"
TUTORIAL_LABEL = "Tutorial"
RECORD_LABEL, STUDY_LABEL, REMATCH_LABEL, REPLAY_LABEL = "Record", "Study", "Rematch", "Replay"
MORE_LABEL, EXPLORER_LABEL, ANALYSE_LABEL = "More…", "Explorer", "Analyse"

# ── Which game ──

WHICH_GAME = "You have several games. Which one?"
NAME_THE_GAME = "You have several games: name one with the option **game**, such as #a7. Nothing was done."
NO_RUNNING_GAMES = "You have no running games. Start one with **/gipf challenge**."
NOT_YOUR_GAME = "You do not play in this game. **/gipf games** lists yours, **/gipf challenge** starts one."
PLAYED_ELSEWHERE = "That game is played on another server, in a channel that you can't see."
CANNOT_SEE_GAME = "You can't see that game's channel, so only its players can show you the game."


def bad_game_name_text(text: str) -> str:
    """Return the answer to a text that is not the name of a game."""
    return f"{quote_text(text, 20)} isn't a game. Games have names like #a7 or #b12: **/gipf games** lists yours."


# ── For those who manage a server ──

ONLY_ON_SERVERS = "Use this command on a server: it is about that server alone."
ONLY_FOR_MANAGERS = "Only people with the permission **Manage Server** can do this. You can play as it is."

# ── Outdated buttons and errors ──

UNKNOWN_BUTTON = "This button is out of date; nothing was changed. **/gipf games** lists your games."
LOST_BUTTON = (
    "The bot was restored from a backup, and what this button was for is lost. Nothing was done. "
    "**/gipf games** lists your games, **/gipf board** shows one as it stands."
)
GAME_MOVED_ON = "The game has moved on. Here's the current board."
GAME_JUST_CHANGED = "The game has just changed; nothing was played. **/gipf board** shows the current board."
NO_ANSWER_FOLLOWS = "Your opponent's time is over. Their next turn ends the game, so no conditional turn can follow it."
REQUESTS_STOPPED = "Discord limits the bot for some minutes, so that did not work. Please try again later."
SOMETHING_WENT_WRONG = "Something went wrong. If you made a move, **/gipf board** shows whether it was played."
MAYBE_SAVED = (
    "The bot can't reach its games right now. Try again later. "
    "If you made a move, **/gipf board** then shows whether it was played."
)


def trouble_text(trouble: Trouble) -> str:
    """Return what a person reads whose action could not be saved."""
    if trouble is Trouble.FULL:
        return "Nothing was saved: the bot's disk is full. Try again later; your games are safe."
    if trouble is Trouble.UNREACHABLE:  # the server may have saved it, and its answer is lost
        return MAYBE_SAVED
    return "Nothing was saved: the bot can't reach its games right now. Try again later."


# ── Where the boards go ──

NOT_BOTH_SEE_CHANNEL = (
    "This game can't go on in its channel: the channel is gone, or a player has left. "
    "Use **/gipf board** in a server's channel that both of you can see."
)


def board_link_text(link: str | None) -> str:
    """Return a link to a game's newest board; empty if `link` is None."""
    return link_to("The newest board", link) if link else ""


def relocated_text(game: str, *, posted: bool) -> str:
    """Return the answer that a game was relocated to this channel. `posted` says whether its board is there."""
    if not posted:
        return f"{game} moves to this channel, but its board isn't posted yet. The bot keeps trying."
    return f"{game} goes on here: its boards now come to this channel."


def missing_permissions_text(permissions: Sequence[str], games: int | None = None) -> str:
    """Return the answer that the bot lacks `permissions` in this channel.

    If `games` is given, the bot lacks the permissions in that channel instead: the server's channel for games.
    """
    lacks = ", ".join(permissions)
    if games is None:
        return (
            f"The bot may not do this here: {lacks}. "
            "Ask somebody who manages the channel to allow it, or use another channel."
        )
    return (
        f"All games of this server go to <#{games}>, but the bot may not do this there: {lacks}. "
        "Ask somebody who manages the server to allow it, or to choose another channel with **/gipf-server settings**."
    )


DEMO_WELCOME = """\
**Welcome** to a simulated Discord: nothing leaves your computer.
**Try this first:** you are Ann, and it is your turn. Press **Move** above, then the dot **f8**, then \
**→ f7 · row: 3 back**. That makes a row, and 3 of its pieces come back to you. Then choose **Bob** under \
*Viewing as* at the top and answer. As **Cara** you watch: press **More…**. \
You can also type your turns: `/move`. To play the bot, use `/gipf challenge` with a `level`. `/gipf-learn puzzle` \
is today's puzzle. `/gipf help` explains the rest."""
