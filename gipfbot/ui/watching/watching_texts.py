"""The texts about following, guesses, and the list of a server's running games."""

from collections.abc import Sequence

from gipfbot.match import Game
from gipfbot.match.guess import EXACT_POINTS, PUSH_POINTS
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import Colour, Position, Push, ruleset_words
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import public_board
from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.kit import escape_text, join_lines, texts
from gipfbot.ui.kit.listed_game import LISTED_NAME_LENGTH
from gipfbot.ui.kit.texts import asked_for, link_to, pair_number, shorten_text
from gipfbot.ui.kit.turn_words import game_notation, pressed_with_notation, removed_spots, spoken_turn
from gipfbot.values import Follow, Guess, GuessScore, LostReason, News, StoredGame

FOLLOW_LABEL, FOLLOWING_LABEL, FOLLOW_AGAIN_LABEL = "Follow", "Following · Stop", "Follow again"
NEWS_LABELS = {News.EACH_TURN: "Each turn", News.RESULT: "Only the result"}
STOP_PLACEHOLDER = "Stop following…"
WHICH_TO_FOLLOW = "Which game do you want to follow?"
NOTHING_TO_FOLLOW = "No games of others are running here that you can see. **/gipf follow player:** follows a player."
GAME_OR_PLAYER = "Choose a game or a player, not both. Nothing was changed."
FOLLOWS_A_BOT = "Bots play no games. Choose a person to follow."
FOLLOWS_NOTHING = "You follow nothing. **/gipf live** lists the games that you can follow."
NOT_FOLLOWED = "You don't follow this any more, so nothing was changed."
WHERE_TO_WATCH = "**/gipf live** shows the games that run on a server."
LONGEST_LISTED_NAME = 60  # characters
MOST_FOLLOWS_NAMED = 3
OFF = "off"

GUESS_LABEL, GUESS_AGAIN_LABEL = "Guess", "Guess again"
GUESS_FIELD, GUESS_HINT = "The next turn", "Such as e2, or e1-e3 if the piece on e2 moves on to e3"
GUESS_GONE = "This guess was saved already. **Guess again** on the game's board changes it until the turn is played."
GUESS_NOT_WHOLE = "The turn was played before your guess was complete, so the guess doesn't count."
_UNTIL_PLAYED = (
    "Nobody else sees your guess. You can change it until the turn is played. "
    f"After their turn, press **{texts.MORE_LABEL}** on the new board to see how you did."
)
_WORTH = (
    f"You get {EXACT_POINTS} points if they play exactly this, removals too; "
    f"{PUSH_POINTS} point if only the push is right."
)

WATCH_LABEL, NEWER_LABEL, OLDER_LABEL = "Watch", "◀", "▶"
NEEDS_SERVER = "A server's running games are listed on the server: use **/gipf live** there."
NOTHING_RUNS = "No games are running here that you can see. Start one with **/gipf challenge**."
SHOWN_GAMES = "**Games running here** · latest turn first"
PAGE_GONE = "That page is gone, so here's the first."
LONGEST_TURN = 30  # characters
LOST_WORDS = {
    LostReason.HIDDEN: "you can't see its channel any more",
    LostReason.SHUT: "your direct messages are shut",
    LostReason.REFUSED: "Discord didn't take the direct message",
    LostReason.IMPOSSIBLE: "it isn't possible any more",
}


def followed_name(follow: Follow) -> str:
    """Return the name of a followed game, with its players, or of a followed player."""
    name = escape_text(shorten_text(follow.name, LONGEST_LISTED_NAME))
    return f"**{game_name(follow.game)}** {name}" if follow.game is not None else f"**{name}**"


def stop_label(follow: Follow) -> str:
    """Return the label of the button that ends a follow. It says of what: a message is headed by its game."""
    return f"Stop following {game_name(follow.game)}" if follow.game is not None else "Stop following this player"


def option_label(follow: Follow) -> str:
    """Return the label of a follow in a select."""
    return f"{game_name(follow.game)} {follow.name}" if follow.game is not None else follow.name


def _news_words(follow: Follow) -> str:
    if follow.news is News.EACH_TURN:
        return "each turn"
    return "the result" if follow.game is not None else "results only"


def following_text(follow: Follow) -> str:
    """Return the confirmation that a person follows a game or a player."""
    what = "each turn" if follow.news is News.EACH_TURN else "the result"
    said = f"You follow {followed_name(follow)}: the bot sends you a direct message on {what}"
    if follow.game is not None:
        return f"{said}."
    each = "" if follow.news is News.EACH_TURN else "each of "
    return f"{said} of {each}{escape_text(shorten_text(follow.name, LONGEST_LISTED_NAME))}'s games that you can see."


def unfollowed_text(follow: Follow) -> str:
    """Return the confirmation that a person has stopped following."""
    return f"You no longer follow {followed_name(follow)}."


def still_told_text(players: Sequence[Follow]) -> str:
    """Return the sentence that each turn of a game is still told, because of these followed players. May be empty."""
    named = " and ".join(map(followed_name, players))
    return f"You still get each turn, because you follow {named}." if named else ""


def follows_text(follows: Sequence[Follow], most: int) -> str:
    """Return the list of a person's follows. `most` is the limit of how many they can have."""
    lines = [f"• {followed_name(follow)} · {_news_words(follow)}" for follow in follows]
    return "\n".join([f"**You follow {len(follows)}** (at most {most})", *lines])


def follows_line(follows: Sequence[Follow]) -> str:
    """Return the line for a person without games of their own: what they follow, and where games to watch are."""
    if not follows:
        return WHERE_TO_WATCH
    named = ", ".join(map(followed_name, follows[:MOST_FOLLOWS_NAMED]))
    more = f" and {len(follows) - MOST_FOLLOWS_NAMED} more" if len(follows) > MOST_FOLLOWS_NAMED else ""
    return f"**You follow**: {named}{more}. **/gipf follow** changes that. {WHERE_TO_WATCH}"


def lost_follows_text(lost: Sequence[Follow]) -> str:
    """Return the notice of follows that ended without the person's doing. Empty if there are none."""
    if not lost:
        return ""
    lines = [f"• {followed_name(follow)}: {LOST_WORDS[follow.lost]}" for follow in lost if follow.lost]
    return "\n".join(["**You no longer follow:**", *lines])


# ── The direct messages ──


def news_text(game: Game, taken_back: Sequence[str], notation: Notation, link: str | None, guessed: str = "") -> str:
    """Return the text of a direct message to a follower. The first line is the push notification.

    `taken_back` are the texts of the turns that were just taken back. `link` leads to the newest board. `guessed` says
    how good the follower's guess was.
    """
    white, black = (escape_text(seat.name) for seat in game.seats)
    head = f"{game_name(game.id)} {white} vs {black}"
    if game.asked is None:
        said = f"{head} is over. {public_board.outcome_text(new_board_message(game))}"
    else:
        said = f"{head} · {_happened(game, game.asked, taken_back, notation)}"
    return join_lines(said, guessed, texts.board_link_text(link))


def _happened(game: Game, asked: Colour, taken_back: Sequence[str], notation: Notation) -> str:
    awaited = f"{escape_text(game.seats[asked].name)}'s {asked_for(answering=game.answering)}"
    if taken_back:
        return f"{public_board.turns_taken_back_text(taken_back, newcomer=game.terms.newcomer)} · {awaited}"
    assert game.last
    return f"{escape_text(game.seats[game.last.colour].name)} played {spoken_turn(game.last.actions)} · {awaited}"


def guess_title(game: int) -> str:
    """Return the title of the form for a guess."""
    return f"Guess the next turn · {game_name(game)}"


def guess_task(name: str) -> str:
    """Return what the desk of a guess is for, in its picture's caption. `name` is the name of the turn's player."""
    return f"Guess {name}'s turn"


def guess_desk_text(game: Game, how: str) -> str:
    """Return the lines above the desk of a guess: the game, whose turn it is, and how to enter it."""
    name = escape_text(game.seats[game.position.mover].name)
    return join_lines(
        f"**{guess_title(game.id)}** · nobody else sees it",
        f"**What will {name} play?** {how}".rstrip(),
        f"-# {_WORTH}",
    )


def next_guess_text(game: Game) -> str:
    """Return the sentence that a guess is now for a later turn than the one that was due at its button."""
    name, number = escape_text(game.seats[game.position.mover].name), pair_number(game.turn_number + 1)
    return f"The game has moved on, so you guess {name}'s turn {number} now."


def guess_saved_text(game: Game, guess: Guess, score: GuessScore, notation: Notation) -> str:
    """Return the confirmation of a guess, with how well the person has guessed so far."""
    said = _guess_words(game, game.position, guess, notation)
    name, number = escape_text(game.seats[game.position.mover].name), pair_number(game.turn_number + 1)
    first = f"Your guess for {name}'s turn {number} in game {game_name(game.id)}: {said}."
    return join_lines(first, _UNTIL_PLAYED, f"-# {score_text(score) or _WORTH}")


def two_pushes_text(position: Position, pushes: Sequence[Push]) -> str:
    """Return the answer to a guess that is only a dot with two pushes. `pushes` are these pushes."""
    ways = " or ".join(f"**{turn_text(position, (push,))}**" for push in pushes)
    return f"Two pushes lead from {pushes[0].dot}, so nothing was guessed. Write {ways}."


def open_guess_text(game: Game, guess: Guess, notation: Notation) -> str:
    """Return the line about a person's guess of the current turn."""
    return f"-# Your guess: {_guess_words(game, game.position, guess, notation)}"


def scored_guess_text(game: Game, guess: Guess, notation: Notation) -> str:
    """Return the line about a person's guess of the last turn. Empty if the guess has no points yet."""
    if game.last is None or guess.points is None:
        return ""
    brought = {
        EXACT_POINTS: f"right, the exact turn, {EXACT_POINTS} points",
        PUSH_POINTS: f"nearly, the right push but not the whole turn, {PUSH_POINTS} point",
    }
    said = _guess_words(game, game.last.before, guess, notation)
    return f"-# Your guess was {said}: {brought.get(guess.points, 'wrong, no points')}"


def _guess_words(game: Game, before: Position, guess: Guess, notation: Notation) -> str:
    said = pressed_with_notation(guess.actions, game_notation(game, before, guess.actions, notation))
    off = "" if game.terms.newcomer else removed_spots(guess.actions)
    return f"{said}, {off} off" if off else said


def score_text(score: GuessScore) -> str:
    """Return how well a person has guessed so far. Empty if no guess of theirs has been scored."""
    if not score.guesses:
        return ""
    points, guesses = _count(score.points, "point"), _count(score.guesses, "guess", "guesses")
    return f"So far {points} from {guesses}: {score.exact} exact, {score.same_push} with only the push right."


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def live_heading(page_number: int) -> str:
    """Return the heading of a page of games. Pages count from 0."""
    page = f" · page {page_number + 1}" if page_number else ""
    return f"{SHOWN_GAMES}{page}"


def live_label(game: Game) -> str:
    """Return the label of a game's small board: its name and its players."""
    return f"{game_name(game.id)} {game.seats[0].name} vs {game.seats[1].name}"


def live_line(stored: StoredGame, notation: Notation) -> str:
    """Return the lines of a running game: its players, its last turn, and who is to move."""
    game, name = stored.game, f"**{game_name(stored.game.id)}**"
    white, black = (_short_name(seat.name) for seat in game.seats)
    url = board_url(stored)
    played, last = "No turn yet", game.last
    if last:
        played = f"{_short_name(game.seats[last.colour].name)} played {spoken_turn(last.actions)}"
    awaited = _short_name(game.seats[game.decider].name)
    return join_lines(
        f"{link_to(name, url) if url else name} {white} vs {black} · {ruleset_words(game.ruleset.name)}",
        f"{played} · {awaited}'s {asked_for(answering=game.answering)}",
    )


def _short_name(name: str) -> str:
    return escape_text(shorten_text(name, LISTED_NAME_LENGTH))
