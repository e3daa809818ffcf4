"""Every sentence a person reads, in one place: short, friendly, exact, and telling what to do next."""

from collections.abc import Sequence

from .text_parts import link_to, shorten_text

GAME_PLACEHOLDER = "Choose a game"
ACCEPT_LABEL, DECLINE_LABEL, WITHDRAW_LABEL = "Accept", "Decline", "Withdraw"
TAKE_SEEK_LABEL = "Play"
MOVE_LABEL, REMOVE_LABEL = "Move", "Remove"
ALL_GAMES_LABEL, MY_GAMES_LABEL, BOARD_LABEL = "All games", "My games", "Board"
RECORD_LABEL, STUDY_LABEL, REMATCH_LABEL, REPLAY_LABEL = "Record", "Study", "Rematch", "Replay"


# ── The desk ──


# ── The end ──


# ── Anything wrong ──


UNKNOWN_BUTTON = "I do not know this button any more; nothing was changed. **/gipf games** lists your games."


def bad_game_name_text(text: str) -> str:
    said = shorten_text(text.replace("`", " "), 20)
    return f"`{said}` is no game. Games are called #a7, #b12, …; **/gipf games** lists yours."


SOMETHING_WENT_WRONG = (
    "Something went wrong on my side. Your move is either saved whole or not played at all: see **/gipf board**."
)
NOT_BOTH_SEE_CHANNEL = (
    "This game cannot go on where it was: its channel is gone, or a player has left. "
    "Use **/gipf board** in a channel of a server that both of you can see."
)


def board_link_text(link: str | None) -> str:
    return link_to("The newest board", link) if link else ""


def relocated_text(game: str) -> str:
    return f"{game} now has its boards here."


GAME_MOVED_ON = "The game has moved on since that was drawn; this is how it stands now."
GAME_JUST_CHANGED = "The game changed at that very moment; nothing was played. Have another look with **/gipf board**."
NO_ANSWER_FOLLOWS = "Your opponent's time is over: any turn now ends the game (R6.4), so no answer can follow it."


NAME_THE_GAME = "Several games are possible: name one with the option **game**, such as #a7. Nothing was done."
PLAYED_ELSEWHERE = "That game is played on another server; only its players can look at it from here."
CANNOT_SEE_GAME = "You cannot see the channel of that game; only its players can look at it from here."
NOT_YOUR_GAME = "You do not play in this game. **/gipf games** lists yours, **/gipf challenge** starts one."


DEMO_WELCOME = """\
**Welcome** to a simulated Discord: nothing leaves your computer.
**Try this first:** you are Ann, and it is your turn. Press **Move** above, choose the dot **f8** and press **Push \
f8→f7**: that makes a row. Then choose **Bob** under *Viewing as* at the top and answer. You can also type your turns: \
`/move`. `/gipf help` explains the rest."""


def missing_permissions_text(permissions: Sequence[str], games: int | None = None) -> str:
    """Return what the bot may not do here, or in the channel for games."""
    lacks = ", ".join(permissions)
    if games is None:
        return (
            f"I may not do this here: {lacks}. "
            "Ask somebody who manages the channel to allow it, or use another channel."
        )
    return (
        f"All games of this server go to <#{games}>, but I may not do this there: {lacks}. Ask somebody who manages "
        "the server to allow it, or to choose another channel with **/gipf-server settings**."
    )


WHICH_GAME = "You have several games. Which one?"


NO_RUNNING_GAMES = "You have no running games. Start one with **/gipf challenge**."
