"""What is said about vacations."""

from collections.abc import Iterable, Sequence

from gipfbot.service.clock.vacations import VacationStatus
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import text_parts

EXCEPTED_GAMES_LENGTH = 300  # characters of the games named in one sentence
OWN_LINE_LENGTH = 100  # and of those above a list
ANNOUNCED_GAMES_LENGTH = 550


def vacation_started_text(vacation_status: VacationStatus) -> str:
    """Return the answer to whoever has gone on vacation."""
    return text_parts.join_lines(
        vacation_status_text(vacation_status), "Your opponents are told where you play. You may move all the same."
    )


def _vacation_exceptions(vacation_status: VacationStatus) -> str:
    """Return in which games a vacation does not hold."""
    return text_parts.join_lines(
        _excepted_games_text(
            vacation_status.flagged, "your time was over there before, and only a turn that wins saves the game (R6.4)."
        ),
        _excepted_games_text(
            vacation_status.too_long, "the server allows fewer days a year, so it does not count there."
        ),
    )


def _excepted_games_text(games: Sequence[int], why: str) -> str:
    return f"Not in {_list_names([*map(game_name, games)], EXCEPTED_GAMES_LENGTH)}: {why}" if games else ""


def _list_names(names: Sequence[str], most: int) -> str:
    """Return the first of these names, as many as so many characters hold, and how many more there are."""
    shown = len(names)
    while shown > 1 and len(", ".join(names[:shown])) > most:
        shown -= 1
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def vacation_over_text(vacation_status: VacationStatus) -> str:
    return text_parts.join_lines(
        "Welcome back: your clocks run again. **/gipf games** lists what waits for you.",
        _vacation_left_text(vacation_status),
    )


def vacation_status_text(vacation_status: VacationStatus) -> str:
    """Return how it stands with a person's vacation."""
    if vacation_status.current is None:
        return text_parts.join_lines(
            "You are not on vacation.",
            _vacation_left_text(vacation_status),
            "**/gipf-me vacation start** stops all your clocks.",
        )
    until = f"<t:{vacation_status.current.until}:F>"
    stands = f"You are on vacation until {until}: your clocks stand still, and you get no reminders."
    return text_parts.join_lines(
        stands,
        _vacation_exceptions(vacation_status),
        _vacation_left_text(vacation_status),
        "**/gipf-me vacation end** ends it earlier.",
    )


def _vacation_left_text(vacation_status: VacationStatus) -> str:
    if len(vacation_status.allowed) > 1:
        allow = f"{', '.join(map(str, vacation_status.allowed[:-1]))} or {vacation_status.allowed[-1]}"
        return f"You have used {_day_count(vacation_status.used)} of vacation this year; the servers on which you play allow {allow}."
    return f"You have {_day_count(vacation_status.days_left)} of vacation left this year, of {vacation_status.allowed[-1]}."


def _day_count(number: int) -> str:
    return f"{number or 'no'} day{'' if number == 1 else 's'}"


AnnouncedGames = Iterable[
    Sequence[object]
]  # a game's id, the opponent, and until when there is time where that is told


def vacation_announcement(
    name: str, until: int, games: AnnouncedGames, *, over: bool, untimed: AnnouncedGames = (), runs: AnnouncedGames = ()
) -> str:
    """Return what a channel is told of a vacation; the games are those with a time limit and those without.

    In those where it `runs` the clock does not stand still, as the player's time was over before.
    """
    who, timed, others, run_on = (
        text_parts.escape_text(name),
        _name_games(games),
        _name_games(untimed),
        _name_games(runs),
    )
    if over:
        return f"{who} is back from vacation, and the clock runs again: {timed}."
    away = f"{who} is on vacation until <t:{until}:F>"
    runs_on = f" The clock runs on where {who}'s time was over before: {run_on}." if run_on else ""
    if not timed:
        return f"{away}: {others}.{runs_on}"
    stands = f"{away}; {who}'s clock stands still until then: {timed}."
    return stands + (f" Without a time limit: {others}." if others else "") + runs_on


def _name_games(games: AnnouncedGames) -> str:
    return _list_names([_name_game(*game) for game in games], ANNOUNCED_GAMES_LENGTH)


def _name_game(game_id: object, opponent: object, deadline: object = None) -> str:
    name = f"{game_name(int(str(game_id)))} vs {text_parts.escape_text(str(opponent))}"
    return name if deadline is None else f"{name} until <t:{deadline}:R>"


def own_vacation_line(vacation_status: VacationStatus) -> str:
    """Return the line above the list of one's games; empty for who is not on vacation."""
    if vacation_status.current is None:
        return ""
    not_in = [game_name(id) for id in (*vacation_status.flagged, *vacation_status.too_long)]
    where = f", but not in {_list_names(not_in, OWN_LINE_LENGTH)}" if not_in else ""
    return f"You are on vacation until <t:{vacation_status.current.until}:D>: your clocks stand still{where}."
