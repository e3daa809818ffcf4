"""The texts about vacations."""

from collections.abc import Iterable, Sequence

from gipfbot.service.clock.vacations import VacationStatus
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import text_parts

EXCEPTED_GAMES_LENGTH = 300  # characters of the names of games in one sentence
OWN_LINE_LENGTH = 100  # characters of the names above the list of games
ANNOUNCED_GAMES_LENGTH = 550  # characters of the names in an announcement


def vacation_started_text(status: VacationStatus) -> str:
    """Return the reply to a person whose vacation begins."""
    told = "Your opponents are told. You can still play."
    return text_parts.join_lines(vacation_status_text(status), told)


def vacation_over_text(status: VacationStatus) -> str:
    """Return the reply to a person who has ended their vacation."""
    back = "Welcome back: your clocks are running again. **/gipf games** shows what's waiting for you."
    return text_parts.join_lines(back, _days_left_text(status))


def vacation_status_text(status: VacationStatus) -> str:
    """Return the text that says whether a person is on vacation, and how many days they have left this year."""
    if status.current is None:
        hint = "**/gipf-me vacation start** pauses all your clocks."
        return text_parts.join_lines("You're not on vacation.", _days_left_text(status), hint)
    return text_parts.join_lines(
        f"You're on vacation until <t:{status.current.until}:D>. Your clocks are paused, and you get no reminders.",
        _exception_text(status.flagged, "your time was already over. Win with this turn or you lose."),
        _exception_text(status.too_long, "the server allows fewer days a year."),
        _days_left_text(status),
        "**/gipf-me vacation end** ends it early.",
    )


def vacation_summary(status: VacationStatus) -> str:
    """Return the line of a person's settings about their vacation, and how to start or end one."""
    if status.current is None:
        return f"You're not on vacation. {_days_left_text(status)} **/gipf-me vacation start** pauses your clocks."
    return f"{own_vacation_line(status)} **/gipf-me vacation end** ends it."


def _exception_text(games: Sequence[int], why: str) -> str:
    """Return the line that names the games in which a vacation does not pause the clock. `why` is the reason.

    Empty if there are no games.
    """
    return f"Not paused in {_list_names([*map(game_name, games)], EXCEPTED_GAMES_LENGTH)}: {why}" if games else ""


def _list_names(names: Sequence[str], most: int) -> str:
    """Return as many names as fit in `most` characters, but at least one, and the number of names left out."""
    shown = len(names)
    while shown > 1 and len(", ".join(names[:shown])) > most:
        shown -= 1
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def _days_left_text(status: VacationStatus) -> str:
    *fewer, most = status.allowed
    if fewer:
        allowed = f"{', '.join(map(str, fewer))} or {most}"
        return f"{_day_count(status.used)} of vacation used this year. Your servers allow {allowed}."
    return f"{status.days_left} of {most} vacation days left this year."


def _day_count(number: int) -> str:
    return f"{number or 'No'} day{'' if number == 1 else 's'}"


# For each game: its id, the opponent's name, and the deadline if it has one.
AnnouncedGames = Iterable[Sequence[object]]


def vacation_announcement(
    name: str, until: int, games: AnnouncedGames, *, over: bool, untimed: AnnouncedGames = (), runs: AnnouncedGames = ()
) -> str:
    """Return the message that tells a channel that a player's vacation begins or, with `over`, has ended.

    `name` is the player's name. `until` is the end in UTC seconds. `games` are those whose clock is paused, or runs
    again. `untimed` are the games without a time limit. `runs` are the games in which the clock keeps running, because
    the player's time was already over.
    """
    who, timed = text_parts.escape_text(name), _name_games(games)
    if over:
        runs_again = f" The clock is running again: {timed}." if timed else ""
        return f"{who} is back from vacation.{runs_again}"
    others, run_on = _name_games(untimed), _name_games(runs)
    away = f"{who} is on vacation until <t:{until}:D>"
    runs_on = f" Still running, as {who}'s time was already over: {run_on}." if run_on else ""
    if not timed:
        return f"{away}: {others}.{runs_on}"
    without = f" No clock runs in {others}." if others else ""
    return f"{away}. {who}'s clock is paused: {timed}.{without}{runs_on}"


def _name_games(games: AnnouncedGames) -> str:
    return _list_names([_name_game(*game) for game in games], ANNOUNCED_GAMES_LENGTH)


def _name_game(game_id: object, opponent: object, deadline: object = None) -> str:
    name = f"{game_name(int(str(game_id)))} vs {text_parts.escape_text(str(opponent))}"
    return name if deadline is None else f"{name} until <t:{deadline}:R>"


def own_vacation_line(status: VacationStatus) -> str:
    """Return the line about a person's vacation, shown above the list of their games.

    Empty if the person is not on vacation.
    """
    if status.current is None:
        return ""
    not_in = [game_name(game) for game in (*status.flagged, *status.too_long)]
    where = f", but not in {_list_names(not_in, OWN_LINE_LENGTH)}" if not_in else ""
    return f"You're on vacation until <t:{status.current.until}:D>. Your clocks are paused{where}."
