"""The texts about following, guesses, and the list of a server's running games."""

from collections.abc import Sequence

from gipfbot.languages import mark, mark_number, say, say_amount, say_list, say_name, say_number
from gipfbot.match import Game, Turn
from gipfbot.match.guess import EXACT_POINTS, PUSH_POINTS
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import Colour, Position, Push
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import public_board
from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.kit import escape_text, join_lines, texts
from gipfbot.ui.kit.listed_game import LISTED_NAME_LENGTH
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.texts import link_to, pair_number, player_name
from gipfbot.ui.kit.turn_words import game_notation, pressed_with_notation, removed_spots, spoken_turn
from gipfbot.values import Follow, Guess, GuessScore, LostReason, News, StoredGame

FOLLOW_LABEL, FOLLOWING_LABEL, FOLLOW_AGAIN_LABEL = mark("Follow"), mark("Following · Stop"), mark("Follow again")
NEWS_LABELS = {News.EACH_TURN: mark("Each turn"), News.RESULT: mark("Only the result")}
STOP_PLACEHOLDER = mark("Stop following…")
WHICH_TO_FOLLOW = mark("Which game do you want to follow?")
NOTHING_TO_FOLLOW = mark(
    "No games of others are running here that you can see. **/gipf follow player:** follows a player."
)
GAME_OR_PLAYER = mark("Choose a game or a player, not both. Nothing was changed.")
FOLLOWS_A_BOT = mark("Bots play no games. Choose a person to follow.")
FOLLOWS_NOTHING = mark("You follow nothing. **/gipf live** lists the games that you can follow.")
NOT_FOLLOWED = mark("You don't follow this any more, so nothing was changed.")
WHERE_TO_WATCH = mark("**/gipf live** shows the games that run on a server.")
LONGEST_LISTED_NAME = 60  # characters
MOST_FOLLOWS_NAMED = 3
OFF = "off"

GUESS_LABEL, GUESS_AGAIN_LABEL = mark("Guess"), mark("Guess again")
GUESS_FIELD = mark("The next turn")
GUESS_HINT = mark("Such as e2, or e1-e3 if the piece on e2 moves on to e3")
GUESS_GONE = mark(
    "This guess was saved already. **Guess again** on the game's board changes it until the turn is played."
)
GUESS_NOT_WHOLE = mark("The turn was played before your guess was complete, so the guess doesn't count.")
_UNTIL_PLAYED = mark(
    "Nobody else sees your guess. You can change it until the turn is played. After their turn, press **More…** on the "
    "new board to see how you did."
)

NEWER_LABEL, OLDER_LABEL = "◀", "▶"
NEEDS_SERVER = mark("A server's running games are listed on the server: use **/gipf live** there.")
NOTHING_RUNS = mark("No games are running here that you can see. Start one with **/gipf challenge**.")
PAGE_GONE = mark("That page is gone, so here's the first.")
LONGEST_TURN = 30  # characters
LOST_WORDS = {
    LostReason.HIDDEN: mark("you can't see its channel any more"),
    LostReason.SHUT: mark("your direct messages are shut"),
    LostReason.REFUSED: mark("Discord didn't take the direct message"),
    LostReason.IMPOSSIBLE: mark("it isn't possible any more"),
}


def followed_name(follow: Follow) -> str:
    """Return the name of a followed game, with its players, or of a followed player."""
    name = escape_text(player_name(follow.name, LONGEST_LISTED_NAME))
    return f"**{game_name(follow.game)}** {name}" if follow.game is not None else f"**{name}**"


def stop_label(follow: Follow) -> str:
    """Return the label of the button that ends a follow. It says of what: a message is headed by its game."""
    if follow.game is None:
        return say("Stop following this player")
    return say("Stop following {game}", game=game_name(follow.game))


def option_label(follow: Follow) -> str:
    """Return the label of a follow in a select."""
    name = player_name(follow.name)
    return f"{game_name(follow.game)} {name}" if follow.game is not None else name


def _news_words(follow: Follow) -> str:
    if follow.news is News.EACH_TURN:
        return say("each turn")
    return say("the result") if follow.game is not None else say("results only")


_FOLLOWING = {
    (News.EACH_TURN, False): mark("You follow {followed}: the bot sends you a direct message on each turn."),
    (News.RESULT, False): mark("You follow {followed}: the bot sends you a direct message on the result."),
    (News.EACH_TURN, True): mark(
        "You follow {followed}: the bot sends you a direct message on each turn of {player}'s games that you can see."
    ),
    (News.RESULT, True): mark(
        "You follow {followed}: the bot sends you a direct message on the result of each of {player}'s games that you "
        "can see."
    ),
}


def following_text(follow: Follow) -> str:
    """Return the confirmation that a person follows a game or a player."""
    sentence = _FOLLOWING[follow.news, follow.game is None]
    player = escape_text(player_name(follow.name, LONGEST_LISTED_NAME))
    return say(sentence, followed=followed_name(follow), player=player)


def unfollowed_text(follow: Follow) -> str:
    """Return the confirmation that a person has stopped following."""
    return say("You no longer follow {followed}.", followed=followed_name(follow))


def still_told_text(players: Sequence[Follow]) -> str:
    """Return the sentence that each turn of a game is still told, because of these followed players. May be empty."""
    if not players:
        return ""
    named = say_list([*map(followed_name, players)])
    return say("You still get each turn, because you follow {players}.", players=named)


def follows_text(follows: Sequence[Follow], most: int) -> str:
    """Return the list of a person's follows. `most` is the limit of how many they can have."""
    lines = [f"• {followed_name(follow)} · {_news_words(follow)}" for follow in follows]
    return "\n".join([say("**You follow {count}** (at most {most})", count=len(follows), most=most), *lines])


def follows_line(follows: Sequence[Follow]) -> str:
    """Return the line for a person without games of their own: what they follow, and where games to watch are."""
    if not follows:
        return say(WHERE_TO_WATCH)
    named, more = ", ".join(map(followed_name, follows[:MOST_FOLLOWS_NAMED])), len(follows) - MOST_FOLLOWS_NAMED
    if more > 0:
        said = say(
            "**You follow**: {followed} and {count} more. **/gipf follow** changes that.", followed=named, count=more
        )
    else:
        said = say("**You follow**: {followed}. **/gipf follow** changes that.", followed=named)
    return f"{said} {say(WHERE_TO_WATCH)}"


def lost_follows_text(lost: Sequence[Follow]) -> str:
    """Return the notice of follows that ended without the person's doing. Empty if there are none."""
    if not lost:
        return ""
    lines = [f"• {followed_name(follow)}: {say(LOST_WORDS[follow.lost])}" for follow in lost if follow.lost]
    return "\n".join([say("**You no longer follow:**"), *lines])


# ── The direct messages ──


def news_text(game: Game, taken_back: Sequence[str], notation: Notation, link: str | None, guessed: str = "") -> str:
    """Return the text of a direct message to a follower. The first line is the push notification.

    `taken_back` are the texts of the turns that were just taken back. `link` leads to the newest board. `guessed` says
    how good the follower's guess was.
    """
    white, black = (escape_text(seat.name) for seat in game.seats)
    name = game_name(game.id)
    if game.asked is None:
        over = say("{game} {white} vs {black} is over.", game=name, white=white, black=black)
        said = f"{over} {public_board.outcome_text(new_board_message(game))}"
    else:
        head = say("{game} {white} vs {black}", game=name, white=white, black=black)
        said = f"{head} · {_happened(game, game.asked, taken_back, notation)}"
    return join_lines(said, guessed, texts.board_link_text(link))


def _happened(game: Game, asked: Colour, taken_back: Sequence[str], notation: Notation) -> str:
    awaited = _awaited_text(escape_text(game.seats[asked].name), answering=game.answering)
    if taken_back:
        return f"{public_board.turns_taken_back_text(taken_back, newcomer=game.terms.newcomer)} · {awaited}"
    assert game.last
    played = _played_text(escape_text(game.seats[game.last.colour].name), game.last)
    return f"{played} · {awaited}"


def _awaited_text(name: str, *, answering: bool) -> str:
    return say("{name}'s decision", name=name) if answering else say("{name}'s turn", name=name)


def _played_text(name: str, last: Turn) -> str:
    return say("{name} played {turn}", name=name, turn=spoken_turn(last.actions))


def guess_title(game: int) -> str:
    """Return the title of the form for a guess."""
    return say("Guess the next turn · {game}", game=game_name(game))


def guess_task(name: str) -> str:
    """Return what the desk of a guess is for, in its picture's caption. `name` is the name of the turn's player."""
    return say("Guess {name}'s turn", name=player_name(name))


def guess_desk_text(game: Game, how: str) -> str:
    """Return the lines above the desk of a guess: the game, whose turn it is, and how to enter it."""
    name = escape_text(game.seats[game.position.mover].name)
    return join_lines(
        f"**{guess_title(game.id)}** · {say('nobody else sees it')}",
        f"**{say('What will {name} play?', name=name)}** {how}".rstrip(),
        f"-# {_worth_text()}",
    )


def _worth_text() -> str:
    """Return how many points a guess may bring."""
    return say_number(
        "You get {exact} points if they play exactly this, removals too; {number} point if only the push is right.",
        "You get {exact} points if they play exactly this, removals too; {number} points if only the push is right.",
        PUSH_POINTS,
        exact=EXACT_POINTS,
    )


def next_guess_text(game: Game) -> str:
    """Return the sentence that a guess is now for a later turn than the one that was due at its button."""
    name, number = escape_text(game.seats[game.position.mover].name), pair_number(game.turn_number + 1)
    return say("The game has moved on, so you guess {name}'s turn {count} now.", name=name, count=number)


def guess_saved_text(game: Game, guess: Guess, score: GuessScore, notation: Notation) -> str:
    """Return the confirmation of a guess, with how well the person has guessed so far."""
    said = _guess_words(game, game.position, guess, notation)
    name, number = escape_text(game.seats[game.position.mover].name), pair_number(game.turn_number + 1)
    first = say(
        "Your guess for {name}'s turn {count} in game {game}: {turn}.",
        name=name,
        count=number,
        game=game_name(game.id),
        turn=said,
    )
    return join_lines(first, say(_UNTIL_PLAYED), f"-# {score_text(score) or _worth_text()}")


def two_pushes_text(position: Position, pushes: Sequence[Push]) -> str:
    """Return the answer to a guess that is only a dot with two pushes. `pushes` are these pushes."""
    ways = say_list([f"**{turn_text(position, (push,))}**" for push in pushes], one_of=True)
    return say("Two pushes lead from {dot}, so nothing was guessed. Write {turns}.", dot=pushes[0].dot, turns=ways)


def open_guess_text(game: Game, guess: Guess, notation: Notation) -> str:
    """Return the line about a person's guess of the current turn."""
    return f"-# {say('Your guess: {turn}', turn=_guess_words(game, game.position, guess, notation))}"


def scored_guess_text(game: Game, guess: Guess, notation: Notation) -> str:
    """Return the line about a person's guess of the last turn. Empty if the guess has no points yet."""
    if game.last is None or guess.points is None:
        return ""
    said = _guess_words(game, game.last.before, guess, notation)
    return f"-# {_scored_text(said, guess.points)}"


def _scored_text(turn: str, points: int) -> str:
    if points == EXACT_POINTS:
        forms = mark_number(
            "Your guess was {turn}: right, the exact turn, {number} point",
            "Your guess was {turn}: right, the exact turn, {number} points",
        )
    elif points == PUSH_POINTS:
        forms = mark_number(
            "Your guess was {turn}: nearly, the right push but not the whole turn, {number} point",
            "Your guess was {turn}: nearly, the right push but not the whole turn, {number} points",
        )
    else:
        return say("Your guess was {turn}: wrong, no points", turn=turn)
    return say_number(*forms, points, turn=turn)


def _guess_words(game: Game, before: Position, guess: Guess, notation: Notation) -> str:
    said = pressed_with_notation(guess.actions, game_notation(game, before, guess.actions, notation))
    off = "" if game.terms.newcomer else removed_spots(guess.actions)
    return say_name("{turn}, {spots} off", turn=said, spots=off) if off else said


def score_text(score: GuessScore) -> str:
    """Return how well a person has guessed so far. Empty if no guess of theirs has been scored."""
    if not score.guesses:
        return ""
    return say(
        "So far {points} from {guesses}: {exact} exact, {same_push} with only the push right.",
        points=say_amount("{number} point", "{number} points", score.points),
        guesses=say_amount("{number} guess", "{number} guesses", score.guesses),
        exact=score.exact,
        same_push=score.same_push,
    )


def live_heading(page_number: int = 0) -> str:
    """Return the heading of a page of games. Pages count from 0."""
    heading = say("**Games running here** · latest turn first")
    return f"{heading} · {say('page {count}', count=page_number + 1)}" if page_number else heading


def watch_label(game: int) -> str:
    """Return the label of the button that shows the board of a game in the list."""
    return say("Watch {game}", game=game_name(game))


def live_label(game: Game) -> str:
    """Return the label of a game's small board: its name and its players."""
    white, black = (player_name(seat.name) for seat in game.seats)
    return say("{game} {white} vs {black}", game=game_name(game.id), white=white, black=black)


def live_line(stored: StoredGame, notation: Notation) -> str:
    """Return the lines of a running game: its players, its last turn, and who is to move."""
    game, name = stored.game, f"**{game_name(stored.game.id)}**"
    white, black = (_short_name(seat.name) for seat in game.seats)
    url = board_url(stored)
    last, named = game.last, link_to(name, url) if url else name
    played = _played_text(_short_name(game.seats[last.colour].name), last) if last else say("No turn yet")
    players = say("{game} {white} vs {black}", game=named, white=white, black=black)
    awaited = _awaited_text(_short_name(game.seats[game.decider].name), answering=game.answering)
    return join_lines(f"{players} · {ruleset_text(game.ruleset.name)}", f"{played} · {awaited}")


def _short_name(name: str) -> str:
    return escape_text(player_name(name, LISTED_NAME_LENGTH))
