"""`/gipf profile` and `/gipf-server stats`: figures about the games of a player, of two people or of a server."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import discord
from discord import app_commands

from gipfbot.languages import mark, mark_number, say, say_amount, say_name, say_number
from gipfbot.match import DAY, Status, position_after
from gipfbot.match.explorer import WinRate
from gipfbot.match.game import clean_name
from gipfbot.match.ratings import COUNTED_POOLS, MOST_OF_PAIR, POOLS, Uncounted
from gipfbot.notation import Notation, NotationError, parse_turn, turn_text
from gipfbot.rules import Colour, Reason, start
from gipfbot.service.competing.profiles import Opening, Profile, ServerFigures
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import (
    Button,
    Interaction,
    PrivateRow,
    Reply,
    answers_privately,
    escape_text,
    escape_turn,
    handles,
    join_lines,
    notation_of,
    show_reply,
    slash_command,
)
from gipfbot.ui.kit.components import ListedText
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.people_names import fetch_global_names
from gipfbot.ui.kit.permissions import check_manager
from gipfbot.ui.kit.respond import show_here_buttons
from gipfbot.ui.kit.texts import game_length_text, opponent_of, pair_number, player_name, turn_count_text
from gipfbot.ui.kit.visibility import channels_seen, visible_games, visible_venues
from gipfbot.values import FollowedGame, GuessScore, ListedGame, LongGame, OpponentScore, Score
from gipfbot.values.tournaments import Title
from render import DayPlot, RatingLine, RatingPlot

from .leaderboard_texts import MONTHS, pool_name, short_date

YOU_NEVER_PLAYED = mark(
    "You haven't played yet. **/gipf challenge** finds an opponent, **/gipf-learn tutorial** teaches you the game."
)
SAME_PERSON = mark("Choose two different people: nobody plays against themselves.")
BOTS_DO_NOT_PLAY = mark("Bots don't play here. Choose a person.")
PROFILE_LABEL = mark("My profile")
_ENDS = {
    Reason.GIPF: mark("no GIPF-piece left"),
    Reason.RESERVE: mark("reserve empty"),
    Reason.TIME: mark("out of time"),
    Reason.RESIGN: mark("resigned"),
    Reason.AGREEMENT: mark("draw agreed"),
    Reason.REPETITION: mark("void"),
}
_CANCELLED = mark("cancelled")
_UNCOUNTED = {
    Uncounted.PAIR: mark("{count} because only {most} a month against one player count"),
    Uncounted.AWAY: mark("{count} lost on time while away"),
}
_AS_COLOUR = {Colour.WHITE: mark("**As White:**"), Colour.BLACK: mark("**As Black:**")}

NO_GAMES_HERE = mark("Nobody has played here yet. **/gipf challenge** starts the first game.")
NO_TURNS_LATELY = mark("No turns in the last 30 days.")
NO_WINNER_YET = mark("No game has a winner yet.")
THIS_SERVER = mark("This server")
WIDE_RANGE = 25  # percentage points: a wider range comes from few games
NOBODY_FOLLOWS = mark("Nobody follows a game that you can see. **/gipf follow** follows one.")

SHOWN_TITLES, CHECKED_TITLES = 5, 20  # the newest titles: those named, and those that are looked at for them
SHOWN_RUNNING = 8  # running games, each with a button
Person = discord.User | discord.Member


def never_played_text(name: str) -> str:
    """Return the answer about another person who has never played."""
    return say("{name} hasn't played yet. **/gipf challenge** asks them for a game.", name=escape_text(name))


def never_met_text(name: str, other: str) -> str:
    """Return the answer about two people who have no game against each other."""
    return say("{name} and {other} haven't played each other yet.", name=escape_text(name), other=escape_text(other))


def profile_heading(name: str, other: str | None) -> str:
    """Return the first line of a profile; `other` is the opponent of a head-to-head."""
    if other is None:
        return f"**{escape_text(name)}**"
    return f"**{say('{name} vs {other}', name=escape_text(name), other=escape_text(other))}**"


def profile_text(
    profile: Profile, heading: str, notation: Notation, titles: Sequence[Title], *, shows_longest: bool
) -> str:
    """Return a profile as text, without its running games.

    Only these `titles` are named, and the longest game only with `shows_longest`.
    """
    if not profile.ends:
        return join_lines(heading, say("No finished games yet."), puzzles_text(profile), guesses_text(profile.guesses))
    lines = [f"{heading} · {_games_and_score(profile.score(*Colour))}"]
    if profile.against is None:
        lines += [_rating_text(profile, pool) for pool in POOLS if pool in profile.newest]
        lines += [uncounted_text(profile.uncounted), titles_text(profile.titles, titles)]
    lines += [_colour_text(profile, colour, notation) for colour in Colour]
    if profile.opponents and profile.against is None:
        lines.append(f"{say('**Opponents:**')} {' · '.join(map(_opponent_text, profile.opponents))}")
    lines.append(f"{say('**How games ended:**')} {ends_text(profile)}")
    if profile.longest:
        lines.append(_longest_text(profile.longest, profile.user, named=shows_longest))
    return join_lines(*lines, puzzles_text(profile), guesses_text(profile.guesses))


def score_text(score: Score) -> str:
    """Return a score such as `3 won, 1 drawn, 2 lost`. Draws are left out if there are none."""
    if score.drawn:
        sentence = mark("{won} won, {drawn} drawn, {lost} lost")
        return say(sentence, won=score.won, drawn=score.drawn, lost=score.lost)
    return say("{won} won, {lost} lost", won=score.won, lost=score.lost)


def _games_and_score(score: Score) -> str:
    return f"{game_count_text(score.games)}: {score_text(score)}" if score.games else say("no games with a result")


def game_count_text(games: int) -> str:
    """Return a number of games in words: `3 games`."""
    return say_number("{number} game", "{number} games", games)


def _rating_text(profile: Profile, pool: str) -> str:
    rating, known = profile.rating(pool), profile.newest[pool]
    sentence = mark("{games} rated, {won} won")
    if known.won_in_a_row > 1:
        sentence = mark("{games} rated, {won} won, {in_a_row} in a row")
    counts = say(sentence, games=known.games, won=known.wins, in_a_row=known.won_in_a_row)
    return f"{pool_name(pool)}: **{round(rating.value)}** ±{round(rating.deviation)} · {counts}"


def uncounted_text(uncounted: Mapping[Uncounted, int]) -> str:
    """Return how many rated games do not count for a player, and why. Empty if there are none."""
    said = [
        say(sentence, count=uncounted[why], most=MOST_OF_PAIR)
        for why, sentence in _UNCOUNTED.items()
        if why in uncounted
    ]
    return f"{say('**Rated, but not counted:**')} {' · '.join(said)}" if said else ""


def titles_text(titles: Sequence[Title], named: Sequence[Title]) -> str:
    """Return the newest of the `named` titles, and how many more there are. Empty without titles."""
    said = [title_text(each) for each in named[:SHOWN_TITLES]]
    more = len(titles) - len(said)
    if said and more:
        said.append(say_number("{number} more", "{number} more", more))
    elif more:
        said.append(say_number("{number} tournament", "{number} tournaments", more))
    return f"{say('**Won:**')} {' · '.join(said)}" if said else ""


def title_text(title: Title) -> str:
    """Return the name of a tournament, with the season that was won in it."""
    if title.season is None:
        return escape_text(title.name)
    return say("{name}, season {season}", name=escape_text(title.name), season=title.season)


def _colour_text(profile: Profile, colour: Colour, notation: Notation) -> str:
    opening = profile.openings[colour]
    played = f" · {say('most played:')} {opening_text(opening, notation)}" if opening else ""
    return f"{say(_AS_COLOUR[colour])} {_games_and_score(profile.score(colour))}{played}"


def opening_text(opening: Opening, notation: Notation) -> str:
    """Return an opening in the reader's notation, its rule set, and in how many games it was played."""
    return say_number(
        "{turns} ({rules}), in {games} of {number} game",
        "{turns} ({rules}), in {games} of {number} games",
        opening.of_games,
        turns=_turns_text(opening, notation),
        rules=ruleset_text(opening.ruleset.name),
        games=opening.games,
    )


def _turns_text(opening: Opening, notation: Notation) -> str:
    """Return both turns in this notation, or as stored if the current rules cannot read them."""
    position, texts = start(opening.ruleset), list[str]()
    try:
        for text in opening.turns:
            actions = parse_turn(position, text)
            texts.append(turn_text(position, actions, notation))
            position = position_after(position, actions)
    except NotationError:
        texts = [*opening.turns]
    return escape_turn(" ".join(texts))


def _opponent_text(opponent: OpponentScore) -> str:
    return f"{escape_text(opponent.name)} ({score_text(opponent.score)})"


def ends_text(profile: Profile) -> str:
    """Return how a player's games ended, the most frequent way first, and how many of each the player won."""
    scores, counts = defaultdict[str, int](int), defaultdict[str, int](int)
    for each in profile.ends:
        name = say_name(_CANCELLED if each.status is Status.CANCELLED or each.by is None else _ENDS[each.by])
        counts[name] += each.games
        scores[name] += each.score.won
    order = sorted(counts, key=lambda name: (-counts[name], name))
    return " · ".join(_ending_text(name, counts[name], scores[name]) for name in order)


def _ending_text(name: str, count: int, won: int) -> str:
    """Return how often games ended in one way, and how many of them the player won."""
    if won:
        return say("{how_ended} {count} ({won} won)", how_ended=name, count=count, won=won)
    return say("{how_ended} {count}", how_ended=name, count=count)


def _longest_text(longest: LongGame, user: int, *, named: bool) -> str:
    length = game_length_text(longest.turns)
    if named:
        length = say_number(
            "{number} turn, {game} vs {name}",
            "{number} turns, {game} vs {name}",
            pair_number(longest.turns),
            game=game_name(longest.game.id),
            name=escape_text(opponent_of(longest.game, user)),
        )
    return f"{say('**Longest game:**')} {length}"


def guesses_text(score: GuessScore) -> str:
    """Return how many points a player's guesses brought. Empty if none of the guessed turns has been played."""
    if not score.guesses:
        return ""
    points = say_amount("{number} point", "{number} points", score.points)
    said = say("{points} from {turns}", points=points, turns=turn_count_text(score.guesses))
    return f"{say('**Guesses:**')} {said}"


def puzzles_text(profile: Profile) -> str:
    """Return a player's puzzle rating, and how many puzzles they solved. Empty if they have tried none."""
    if profile.puzzles is None:
        return ""
    rating, known = profile.puzzle_rating, profile.puzzles
    counts = say_number(
        "{number} puzzle, {solved} solved", "{number} puzzles, {solved} solved", known.games, solved=known.wins
    )
    return f"{say('**Puzzles:**')} **{round(rating.value)}** ±{round(rating.deviation)} · {counts}"


def running_count_text(running: int) -> str:
    """Return the number of a player's running games. Empty if none is running."""
    return f"{say('**Running:**')} {game_count_text(running)}" if running else ""


# By whether the person sees fewer than there are, and whether fewer are shown than they see.
_RUNNING = {
    (True, False): mark_number("{number} game, you can see {seen}:", "{number} games, you can see {seen}:"),
    (False, True): mark_number("{number} game, the latest {shown}:", "{number} games, the latest {shown}:"),
    (True, True): mark_number(
        "{number} game, you can see {seen}, the latest {shown}:",
        "{number} games, you can see {seen}, the latest {shown}:",
    ),
}


def running_text(running: int, seen: int, shown: int) -> str:
    """Return the heading with the numbers of running games: all, visible and shown. Empty if none is running."""
    if running == seen == shown:
        return running_count_text(running)
    forms = mark_number("{number} game, where you can't watch", "{number} games, where you can't watch")
    if seen:
        forms = _RUNNING[seen < running, shown < seen]
    return f"{say('**Running:**')} {say_number(*forms, running, seen=seen, shown=shown)}"


def running_line(game: ListedGame) -> str:
    """Return a running game of a profile: its name, its players and its rules."""
    white, black = map(escape_text, game.names)
    players = say("{game} {white} vs {black}", game=f"**{game_name(game.id)}**", white=white, black=black)
    return f"{players} · {ruleset_text(game.ruleset)}"


def rating_plot(profile: Profile, name: str) -> RatingPlot | None:
    """Return the plot of a player's ratings up to this month. None if they have none."""
    if not profile.months:
        return None
    first, last = profile.months[0].month, max(profile.month, profile.months[-1].month)
    lines = tuple(_plot_line(profile, pool, last) for pool in POOLS if pool in profile.newest)
    names = _month_name(first), _month_name(last)
    return RatingPlot(player_name(name), _games_and_score(profile.score(*Colour)), (first, last), names, lines)


def _plot_line(profile: Profile, pool: str, last: int) -> RatingLine:
    """Return the ratings in a pool after each month with games, and in the last month."""
    rating = profile.rating(pool)
    points = {each.month: round(each.rating.value) for each in profile.months if each.pool == pool}
    points.setdefault(last, round(rating.value))
    note = f"{round(rating.value)} ±{round(rating.deviation)}"
    return RatingLine(pool_name(pool), note, tuple(sorted(points.items())))


def _month_name(month: int) -> str:
    return say_name("{month} {year}", month=say_name(MONTHS[month % 12]), year=str(month // 12))


def server_figures_text(figures: ServerFigures, name: str) -> str:
    """Return a server's figures as text, without the game that is followed most. `name` is the server's."""
    return join_lines(
        f"**{escape_text(clean_name(name, say(THIS_SERVER)))}** · {_games_text(figures)}",
        _turns_lately(figures) if any(figures.turns) else say(NO_TURNS_LATELY),
        *_win_texts(figures),
    )


def _games_text(figures: ServerFigures) -> str:
    sentence = mark("{running} running, {finished} finished")
    if figures.cancelled:
        sentence = mark("{running} running, {finished} finished, {cancelled} cancelled")
    return say(sentence, running=figures.running, finished=figures.finished, cancelled=figures.cancelled)


def _turns_lately(figures: ServerFigures) -> str:
    return say_number("{number} turn in the last 30 days", "{number} turns in the last 30 days", sum(figures.turns))


def _win_texts(figures: ServerFigures) -> list[str]:
    """Return how often White won in each pool that has a winner."""
    rates = [(pool, figures.white_wins(pool)) for pool in COUNTED_POOLS]
    lines = [f"**{pool_name(pool)}:** {win_rate_text(rate)}" for pool, rate in rates if rate]
    return lines or [say(NO_WINNER_YET)]


def win_rate_text(rate: WinRate) -> str:
    """Return how often White won, such as `White won 54 % of 61 games. In the long run, 42 to 66 % is likely.`."""
    low, high = (round(100 * end) for end in rate.wilson_interval())
    won = say_number(
        "White won {share} % of {number} game.",
        "White won {share} % of {number} games.",
        rate.games,
        share=round(100 * rate.share),
    )
    likely = mark("In the long run, {low} to {high} % is likely.")
    if high - low > WIDE_RANGE:
        likely = mark("That is too few to tell; in the long run, {low} to {high} % is likely.")
    return f"{won} {say(likely, low=low, high=high)}"


def followed_text(game: FollowedGame) -> str:
    """Return the running game with the most followers: its name, its players, its rules, and how many follow it."""
    followers = say_number(
        "**Most followed:** {number} follower", "**Most followed:** {number} followers", game.followers
    )
    return join_lines(followers, running_line(game))


def turns_plot(figures: ServerFigures) -> DayPlot | None:
    """Return the plot of a server's turns by day. None if there are none."""
    if not any(figures.turns):
        return None
    first = figures.last_day - len(figures.turns) + 1
    days = tuple((short_date(day * DAY), number) for day, number in enumerate(figures.turns, first))
    note = say_number(
        "{number} turn in the last 30 days (UTC)", "{number} turns in the last 30 days (UTC)", sum(figures.turns)
    )
    return DayPlot(say_name("Turns a day"), note, days)


@slash_command("gipf profile", 190, "See a player's ratings, results and games")
@app_commands.describe(player="Whose (default: yours)", against="Only their games against this person")
@answers_privately
async def profile_command(
    interaction: Interaction, player: Person | None = None, against: Person | None = None
) -> None:
    """Show a player's profile, or how they stand against somebody."""
    person = player or interaction.user
    if person.bot or (against and against.bot):
        await show_reply(interaction, say(BOTS_DO_NOT_PLAY))
    elif against and against.id == person.id:
        await show_reply(interaction, say(SAME_PERSON))
    else:
        await show_profile(interaction, person, against)


@handles("own_profile", "", Reply.APART)
async def press_own_profile(interaction: Interaction) -> None:
    """Show the profile of the person who pressed, in a new private message."""
    await show_profile(interaction, interaction.user, None)


async def show_profile(interaction: Interaction, person: Person, against: Person | None) -> None:
    """Show a profile. Games and titles that the person who asks may not see are counted, but not named."""
    profile = await interaction.client.app.profiles.profile(person.id, against.id if against else None)
    if profile.is_empty:
        await show_reply(interaction, _empty_text(interaction, person, against))
        return
    running = await visible_games(interaction, profile.running)
    longest = [profile.longest.game] if profile.longest else []
    name = clean_name(person.display_name)
    heading = profile_heading(name, clean_name(against.display_name) if against else None)
    shows_longest = bool(await visible_games(interaction, longest))
    notation, named = await notation_of(interaction), profile.with_names(await opponents_names(interaction, profile))
    titles = await _visible_titles(interaction, profile)
    text = profile_text(named, heading, notation, titles, shows_longest=shows_longest)
    plot = None if against else rating_plot(profile, name)
    showing = show_here_buttons(interaction, f"profile:{person.id}:{against.id if against else 0}")
    rows = (*_running_rows(profile, running), *((showing,) if showing else ()))
    await show_reply(interaction, text, plot, rows)


async def _visible_titles(interaction: Interaction, profile: Profile) -> Sequence[Title]:
    """Return the titles that the person who acts may see: their own, and those of tournaments in channels they see.

    Of others only the newest are looked at, because Discord may be asked about each of their servers.
    """
    if interaction.user.id == profile.user:
        return profile.titles
    newest = profile.titles[:CHECKED_TITLES]
    seen = await visible_venues(interaction, (title.venue for title in newest))
    return [title for title in newest if title.venue in seen]


async def opponents_names(interaction: Interaction, profile: Profile) -> dict[int, str]:
    """Return the global names of the opponents that a profile names: its reader may not know any of their servers."""
    return {} if profile.against else await fetch_global_names(interaction, [each.user for each in profile.opponents])


def _empty_text(interaction: Interaction, person: Person, against: Person | None) -> str:
    if against:
        return never_met_text(person.display_name, against.display_name)
    if person.id == interaction.user.id:
        return say(YOU_NEVER_PLAYED)
    return never_played_text(person.display_name)


def _running_rows(profile: Profile, running: Sequence[ListedGame]) -> tuple[PrivateRow, ...]:
    """Return the running games visible to the asker, each with its button, below a count of all running games."""
    shown = running[:SHOWN_RUNNING]
    head = running_text(profile.running_count, len(running), len(shown))
    return (*([head] if head else []), *(ListedText(running_line(game), _board_button(game)) for game in shown))


def _board_button(game: ListedGame) -> Button:
    return Button(say("Board {game}", game=game_name(game.id)), f"game_board:{game.id}")


@slash_command("gipf-server stats", 20, "See how much is played on this server, and how often White wins")
@answers_privately
async def server_stats_command(interaction: Interaction) -> None:
    """Show the figures of a server, and its most followed game among those that the person may see."""
    member = interaction.user
    if not await check_manager(interaction) or not isinstance(member, discord.Member):
        return
    figures = await interaction.client.app.server_stats.figures(member.guild.id, channels_seen(member), member.id)
    if figures.is_empty:
        await show_reply(interaction, say(NO_GAMES_HERE))
        return
    text = server_figures_text(figures, member.guild.name)
    seen = await visible_games(interaction, figures.followed)
    rows = (_followed_row(seen),) if figures.running else ()
    await show_reply(interaction, text, turns_plot(figures), rows)


def _followed_row(seen: list[FollowedGame]) -> PrivateRow:
    """Return the first of these games with its button, or the sentence for none."""
    if not seen:
        return say(NOBODY_FOLLOWS)
    return ListedText(followed_text(seen[0]), _board_button(seen[0]))
