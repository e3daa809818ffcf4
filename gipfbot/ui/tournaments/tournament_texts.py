"""The texts about tournaments: what is posted in their channels, told directly, and answered."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from gipfbot.languages import mark, say, say_amount, say_list, say_name, say_number
from gipfbot.match import LEVEL_NAMES
from gipfbot.match.tournament import (
    DIVISION_SIZES,
    MOST_AT_ONCE,
    WIN,
    Outcome,
    longest_game,
    longest_season,
)
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.tournaments.league import LEAGUE
from gipfbot.service.tournaments.swiss import SWISS
from gipfbot.service.tournaments.tournaments import Shown
from gipfbot.ui.kit import escape_text, join_lines
from gipfbot.ui.kit.clock_texts import duration_text, time_control_text
from gipfbot.ui.kit.notation_texts import ruleset_text
from gipfbot.ui.kit.texts import channel_mention, time_text
from gipfbot.ui.lobby.lobby_texts import RATED_TEXTS
from gipfbot.values.tournaments import Entry, Pairing, Tournament, TournamentState

JOIN_LABEL, LEAVE_LABEL, STAY_LABEL = mark("Join"), mark("Leave"), mark("Stay")
OWN_GAMES_LABEL = mark("My games")
LEAVE_NOW_LABEL, PLAY_ON_LABEL = mark("Leave and resign"), mark("Keep playing")
STOP_LABEL, LET_RUN_LABEL = mark("Stop it"), mark("Let it run")
DIVISION_PLACEHOLDER, TOURNAMENT_PLACEHOLDER = mark("Division"), mark("Choose a tournament")
NO_TOURNAMENTS_HERE = mark(
    "This server has no tournaments that you can see. Those who may open one use **/gipf-tournament new**."
)
NAME_THE_TOURNAMENT = mark("There are several tournaments: name one with the option **tournament**.")
NO_ROUNDS_IN_LEAGUES = mark("A league has no number of rounds: everybody plays everybody in their division.")
UNRATED_WITH_BOT = mark("The bot takes part, so no game of the tournament is rated.")
LET_RUN = mark("Nothing was stopped.")
STAYED_IN = mark("Good, you play on.")
_TAKEBACKS = {True: mark("takebacks allowed"), False: mark("no takebacks")}
WHAT_JOINING_MEANS = mark(
    "If you join, you play everybody you are paired with: a block, the server's limit of games and its rule who may "
    "challenge don't count here. No game can be cancelled or has a rematch, and leaving loses what is left."
)
FIRST_GAMES_RATED = mark("Everybody's games are rated, first games too.")
_DETAILS = (
    mark("- Your games begin by themselves in {channel}. Their boards ping you when it is your turn."),
    mark("- Your clock runs on weekends, too. A vacation stops it for at most 7 days in each game."),
    mark("- You may be paired with somebody whom you block, or who blocks you."),
    mark("- These games don't count for the server's limit of games. You need no role to play them."),
    mark("- You can't cancel a game, only resign it. There is no rematch."),
    mark("- **Leave** takes you out. Once it has started, you lose the games that are left."),
)


class KindTexts(NamedTuple):
    """What is said of a kind of tournament: its name, as a choice, how it is played, how long, and how many games."""

    name: str
    choice: str
    how: str
    longest: str
    at_once: str


KIND_TEXTS = {
    LEAGUE.key: KindTexts(
        mark("League"),
        mark("League: everybody plays everybody, season after season"),
        mark("Season after season: everybody plays everybody in a division of {fewest} to {most}."),
        mark("A game takes at most {game}, a season at most {season}."),
        mark("- You have at most {most} games at once; the next begins when one has ended."),
    ),
    SWISS.key: KindTexts(
        mark("Swiss"),
        mark("Swiss: some rounds, for many players"),
        mark("{rounds}: in each you play somebody with about as many points."),
        mark("A round takes at most {game}, and the next begins when all its games have ended."),
        mark("- You have one game in each round."),
    ),
}

Facts: TypeAlias = dict[str, str | float]


def tournament_name(tournament: Tournament, server: str = "") -> str:
    """Return the name of a tournament as it stands in a sentence, with its server's if that is given and another."""
    name = escape_text(tournament.name)
    if server in ("", tournament.name):
        return f"**{name}**"
    return say_name("**{name}** on **{server}**", name=name, server=escape_text(server))


def tournament_label(tournament: Tournament) -> str:
    """Return a tournament in a list of choices: its name, its kind, and where it stands."""
    return f"{tournament.name} · {kind_name(tournament)} · {_standing_text(tournament)}"


def kind_name(tournament: Tournament) -> str:
    """Return the name of a tournament's kind."""
    return say_name(KIND_TEXTS[tournament.kind].name)


def _standing_text(tournament: Tournament) -> str:
    """Return where a tournament stands, in a few words."""
    match tournament.state:
        case TournamentState.OPEN:
            return say("open")
        case TournamentState.RUNNING if tournament.rounds:
            return say("round {number} of {rounds}", number=tournament.begun, rounds=tournament.rounds)
        case TournamentState.RUNNING:
            return say("season {number}", number=tournament.begun)
        case TournamentState.STOPPED:
            return say("stopped")
        case TournamentState.CALLED_OFF:
            return say("called off")
    return say("over")


def listed_text(listed: Sequence[Tournament]) -> str:
    """Return the tournaments of a server, each on a line."""
    if not listed:
        return say(NO_TOURNAMENTS_HERE)
    return join_lines(say("**Tournaments on this server**"), *map(_listed_line, listed))


def _listed_line(tournament: Tournament) -> str:
    parts = [tournament_name(tournament), kind_name(tournament), _standing_text(tournament)]
    if tournament.state is TournamentState.OPEN:
        parts.append(say("starts {time}", time=time_text(tournament.starts_at, "R")))
    return f"- {' · '.join(parts)}"


# ── The opening ──


def terms_line(tournament: Tournament) -> str:
    """Return the terms of a tournament in one line: rules, time, ratings, takebacks, and the bot if it plays."""
    terms = tournament.terms
    parts = [
        f"**{ruleset_text(tournament.ruleset.name)}**",
        time_control_text(terms.time_control),
        say(RATED_TEXTS[terms.rated]),
        say(_TAKEBACKS[terms.takebacks]),
    ]
    if terms.house:
        parts.append(say("the bot plays as {level}", level=say_name(LEVEL_NAMES[terms.house.level])))
    return " · ".join(parts)


def opening_text(tournament: Tournament, server: str = "") -> str:
    """Return the message that opens a tournament: who, the terms, until when, how long, what joining means."""
    facts = {
        "name": escape_text(tournament.organiser.name),
        "kind": kind_name(tournament),
        "tournament": tournament_name(tournament, server),
    }
    until = {"in_time": time_text(tournament.starts_at, "R"), "time": time_text(tournament.starts_at)}
    return join_lines(
        say("{name} opens a tournament: {tournament} ({kind})", **facts),
        terms_line(tournament),
        say("**Join** until {time} ({in_time}), when it starts.", **until),
        _how_text(tournament),
        _longest_text(tournament),
        " ".join([say(WHAT_JOINING_MEANS), *([say(FIRST_GAMES_RATED)] if tournament.terms.rated else [])]),
    )


def _how_text(tournament: Tournament) -> str:
    rounds = say_amount("{number} round", "{number} rounds", tournament.rounds)
    return say(KIND_TEXTS[tournament.kind].how, rounds=rounds, fewest=DIVISION_SIZES[0], most=DIVISION_SIZES[-1])


def _longest_text(tournament: Tournament) -> str:
    control, grace = tournament.terms.time_control, tournament.terms.grace
    assert control
    game, season = longest_game(control, grace), longest_season(DIVISION_SIZES[-1], control, grace)
    return say(KIND_TEXTS[tournament.kind].longest, game=duration_text(game), season=duration_text(season))


def opened_reply(tournament: Tournament) -> str:
    """Return the answer to somebody who has opened a tournament."""
    sentence = mark("{tournament} is open. Its message in {channel} has the button **Join**.")
    return say(sentence, tournament=tournament_name(tournament), channel=channel_mention(tournament.venue.channel))


# ── Joining and leaving ──


def joined_text(shown: Shown) -> str:
    """Return the answer to somebody who has joined: when it starts, and all that joining means."""
    tournament = shown.tournament
    channel = channel_mention(tournament.venue.channel)
    return join_lines(
        say("You have joined {tournament}.", tournament=tournament_name(tournament)),
        _begins_text(tournament),
        say(KIND_TEXTS[tournament.kind].at_once, most=MOST_AT_ONCE),
        *(say(line, channel=channel) for line in _DETAILS),
        f"- {say(FIRST_GAMES_RATED)}" if tournament.terms.rated else "",
    )


def stayed_text(tournament: Tournament) -> str:
    """Return the answer to somebody who stays for the next season."""
    return join_lines(
        say("You stay in {tournament}.", tournament=tournament_name(tournament)), _begins_text(tournament)
    )


def _begins_text(tournament: Tournament) -> str:
    if not tournament.begun:
        return say("It starts {time}.", time=time_text(tournament.starts_at, "R"))
    if tournament.starts_at:
        sentence = mark("Season {season} begins {time}.")
        return say(sentence, season=tournament.joins, time=time_text(tournament.starts_at, "R"))
    return say("You play from season {season} on, which begins after this one.", season=tournament.joins)


def ask_leave_text(tournament: Tournament, left: int) -> str:
    """Return the question whether a person really leaves. `left` is how many of their games are not decided."""
    return say_number(
        "Leave {tournament}? You lose {number} game that is left.",
        "Leave {tournament}? You lose {number} games that are left.",
        left,
        tournament=tournament_name(tournament),
    )


def left_text(tournament: Tournament) -> str:
    """Return the answer to somebody who has left."""
    return say("You have left {tournament}.", tournament=tournament_name(tournament))


# ── How it stands ──


def points_text(halves: int) -> str:
    """Return points, which are counted in halves.

    >>> points_text(9), points_text(1), points_text(0)
    ('4½', '½', '0')
    """
    whole, half = divmod(halves, WIN)
    return f"{whole or ''}½" if half else str(whole)


def title_text(tournament: Tournament) -> str:
    """Return the name and the kind of a tournament, and where it stands."""
    return f"{tournament_name(tournament)} · {kind_name(tournament)} · {_standing_text(tournament)}"


def heading_text(tournament: Tournament, *, pictured: bool) -> str:
    """Return what a tournament is: its terms, when it begins and, if no picture shows that, where it stands."""
    return join_lines(
        f"{kind_name(tournament)} · {terms_line(tournament)}" if pictured else title_text(tournament),
        "" if pictured else terms_line(tournament),
        _next_text(tournament),
    )


def _next_text(tournament: Tournament) -> str:
    if tournament.starts_at and tournament.state in (TournamentState.OPEN, TournamentState.RUNNING):
        return _begins_text(tournament)
    return ""


def entered_text(entered: Sequence[Entry]) -> str:
    """Return who takes part in a season that has not begun."""
    if not entered:
        return say("Nobody has joined yet.")
    names = say_list([escape_text(each.seat.name) for each in entered])
    return say_number("{number} player: {names}", "{number} players: {names}", len(entered), names=names)


def division_label(number: int) -> str:
    """Return the name of a division in a list of choices."""
    return say("Division {number}", number=number)


# ── One's own games ──


_WAITS = mark("- against {name}: begins later")
_BYE = mark("- round {round}: you have no opponent, and get a point")
_OWN: dict[str, str] = {
    "own turn": mark("- **{game}** against {name}: your turn"),
    "runs": mark("- **{game}** against {name}: their turn"),
    "won": mark("- **{game}** against {name}: won"),
    "lost": mark("- **{game}** against {name}: lost"),
    "half": mark("- **{game}** against {name}: half a point"),
}
_UNPLAYED: dict[str, str] = {
    "won": mark("- against {name}: won without a game"),
    "lost": mark("- against {name}: lost without a game"),
    "half": mark("- against {name}: half a point without a game"),
}


def own_games_text(shown: Shown, user: int, own: Sequence[Pairing], waiting: Collection[int]) -> str:
    """Return a person's games of the season or tournament, each on a line. `waiting` are those that wait for them."""
    heading = title_text(shown.tournament)
    names = {each.id: escape_text(each.seat.name) for each in shown.played.entries}
    theirs = {each.id for each in shown.played.entries if each.seat.user == user}
    return join_lines(
        heading, *([_own_line(each, theirs, names, waiting) for each in own] or [_begins_text(shown.tournament)])
    )


def _own_line(pairing: Pairing, theirs: set[int], names: dict[int, str], waiting: Collection[int]) -> str:
    if pairing.black is None:
        return say(_BYE, round=pairing.round)
    name = names[pairing.black if pairing.white in theirs else pairing.white]
    end = _end_for(pairing, plays_white=pairing.white in theirs)
    if pairing.game is None:
        return say(_UNPLAYED[end] if end != "runs" else _WAITS, name=name)
    end = "own turn" if end == "runs" and pairing.game in waiting else end
    return say(_OWN[end], game=game_name(pairing.game), name=name)


def _end_for(pairing: Pairing, *, plays_white: bool) -> str:
    if pairing.outcome is None:
        return "runs"
    if pairing.outcome is Outcome.HALF:
        return "half"
    return "won" if (pairing.outcome is Outcome.WHITE) is plays_white else "lost"


# ── News ──


def soon_text(shown: Shown, server: str) -> str:
    """Return the reminder that a tournament or its next season starts soon."""
    tournament = shown.tournament
    facts = {"tournament": tournament_name(tournament, server), "time": time_text(tournament.starts_at, "R")}
    if tournament.begun:
        sentence = mark("Season {season} of {tournament} starts {time}. Your first games begin then.")
        return say(sentence, season=tournament.joins, **facts)
    return say("{tournament} starts {time}. Your first games begin then, and their boards ping you.", **facts)


def begun_text(shown: Shown, server: str, now: int) -> str:
    """Return that a season or a round has begun, and when it ends at the latest."""
    tournament = shown.tournament
    name, control, grace = tournament_name(tournament, server), tournament.terms.time_control, tournament.terms.grace
    assert control
    if tournament.rounds:
        facts = {"number": tournament.begun, "rounds": tournament.rounds}
        said = say("Round {number} of {rounds} of {tournament} has begun.", tournament=name, **facts)
        latest = longest_game(control, grace)
    else:
        said = say("Season {season} of {tournament} has begun.", tournament=name, season=tournament.begun)
        latest = longest_season(max(map(len, shown.tables)), control, grace)
    ends = say("It ends with its last game, {time} at the latest.", time=time_text(now + latest, "R"))
    return f"{said} {ends}"


def week_text(shown: Shown, server: str) -> str:
    """Return how many games of a season have been played."""
    pairings, tournament = shown.played.pairings, shown.tournament
    ended = sum(each.outcome is not None for each in pairings)
    facts: Facts = {"tournament": tournament_name(tournament, server), "season": tournament.begun}
    sentence = mark("Season {season} of {tournament}: {ended} of {games} games are over.")
    return say(sentence, ended=ended, games=len(pairings), **facts)


def season_over_text(shown: Shown, server: str) -> str:
    """Return that a season is over, who has won, and how to play on."""
    tournament = shown.tournament
    facts: Facts = {"tournament": tournament_name(tournament, server), "season": tournament.begun}
    following: Facts = {"season": tournament.joins, "time": time_text(tournament.starts_at, "R")}
    sentence = mark(
        "Season {season} begins {time}. Press **Stay** if you have played, else **Join**. "
        "Press neither and you are out."
    )
    return join_lines(
        say("Season {season} of {tournament} is over.", **facts), winners_text(shown), say(sentence, **following)
    )


def winners_text(shown: Shown) -> str:
    """Return who has won, in each division if there are several. Empty before anything was played."""
    names = {each.id: escape_text(each.seat.name) for each in shown.played.entries}
    firsts = [(names[table[0].player], points_text(table[0].points)) for table in shown.tables if table]
    if len(firsts) == 1:
        return say("**{name}** has won with {points} points.", name=firsts[0][0], points=firsts[0][1])
    sentence = mark("Division {number}: **{name}** has won with {points} points.")
    return join_lines(
        *(say(sentence, number=at, name=name, points=points) for at, (name, points) in enumerate(firsts, 1))
    )


def stay_text(shown: Shown, server: str, user: int) -> str:
    """Return the question to a player whether they stay for the next season."""
    tournament, entry = shown.tournament, shown.entry_of(user)
    facts: Facts = {"tournament": tournament_name(tournament, server), "season": tournament.begun}
    places = {row.player: row.place for table in shown.tables for row in table}
    placed = say("You have come in at place {place}.", place=places[entry.id]) if entry and entry.id in places else ""
    following: Facts = {"season": tournament.joins, "time": time_text(tournament.starts_at, "R")}
    return join_lines(
        " ".join(filter(None, (say("Season {season} of {tournament} is over.", **facts), placed))),
        say("Season {season} begins {time}. Press **Stay** to play in it; without that you are out.", **following),
    )


def over_text(shown: Shown, server: str) -> str:
    """Return that a tournament is over, and who has won."""
    said = say("{tournament} is over.", tournament=tournament_name(shown.tournament, server))
    return join_lines(said, winners_text(shown))


def called_off_text(tournament: Tournament, server: str, fewest: int) -> str:
    """Return that a tournament is called off, because fewer than `fewest` players had joined."""
    sentence = (
        mark("{tournament} has ended: another season takes at least {players}.")
        if tournament.begun
        else mark("{tournament} is called off: it takes at least {players}.")
    )
    players = say_amount("{number} player", "{number} players", fewest)
    return say(sentence, tournament=tournament_name(tournament, server), players=players)


def stopped_text(tournament: Tournament, server: str = "") -> str:
    """Return that a tournament was stopped."""
    sentence = mark("{tournament} was stopped. Its running games go on as friendly ones and change no rating.")
    return say(sentence, tournament=tournament_name(tournament, server))


def ask_stop_text(tournament: Tournament) -> str:
    """Return the question whether a tournament shall really be stopped."""
    sentence = mark("Stop {tournament}? Its running games go on as friendly ones and change no rating.")
    return say(sentence, tournament=tournament_name(tournament))
