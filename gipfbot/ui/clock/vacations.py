"""`/gipf-me vacation`: days on which a person's clocks are paused."""

from collections.abc import Iterable, Mapping, Sequence

from discord import app_commands

from gipfbot.service.clock.vacations import VacationStatus
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.settings.servers import MOST_VACATION_DAYS
from gipfbot.ui.kit import Interaction, answers_privately, show_reply, texts
from gipfbot.ui.kit.interactions import slash_group

EXCEPTED_GAMES_LENGTH = 300  # characters of the names of games in one sentence
MOST_ENDS_NAMED = 5  # moments at which the vacation days of games run out
OWN_LINE_LENGTH = 100  # characters of the names above the list of games
ANNOUNCED_GAMES_LENGTH = 550  # characters of the names in an announcement

vacation_group = slash_group("gipf-me vacation", 30, "Days on which your clocks are paused")
# For each game: its id, the opponent's name, and sometimes a moment: its deadline, or the end of its pause.
AnnouncedGames = Iterable[Sequence[object]]


def vacation_started_text(status: VacationStatus) -> str:
    """Return the reply to a person whose vacation begins."""
    told = "Your opponents are told. You can still play."
    return texts.join_lines(vacation_status_text(status), told)


def vacation_over_text(status: VacationStatus) -> str:
    """Return the reply to a person who has ended their vacation."""
    back = "Welcome back: your clocks are running again. **/gipf games** shows what's waiting for you."
    return texts.join_lines(back, _days_left_text(status))


def vacation_status_text(status: VacationStatus) -> str:
    """Return the text that says whether a person is on vacation, and how many days they have left this year."""
    if status.current is None:
        hint = "**/gipf-me vacation start** pauses all your clocks."
        return texts.join_lines("You're not on vacation.", _days_left_text(status), hint)
    return texts.join_lines(
        f"You're on vacation until <t:{status.current.until}:D>. Your clocks are paused, and you get no reminders.",
        _exception_text(status.flagged, "your time was already over. Win with this turn or you lose."),
        _exception_text(status.used_up, "your vacation days there are used up."),
        _shorter_text(status.shorter),
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


def _shorter_text(shorter: Mapping[int, int]) -> str:
    """Return the line that names the games whose clocks resume before the vacation ends, and when.

    `shorter` maps games to the ends of their pauses. Empty if there are no games.
    """
    if not shorter:
        return ""
    named = sorted({*shorter.values()})[:MOST_ENDS_NAMED]
    parts = [f"<t:{end}:f> in {_names_until(shorter, end)}" for end in named]
    if later := sum(end > named[-1] for end in shorter.values()):
        parts.append(f"later in {_games_count(later)}")
    what = f"In {_games_count(len(shorter))} your vacation days run out before that, and your clock runs again"
    return f"{what}: {'; '.join(parts)}."


def _names_until(shorter: Mapping[int, int], end: int) -> str:
    names = [game_name(game) for game, at in shorter.items() if at == end]
    return _list_names(names, EXCEPTED_GAMES_LENGTH // MOST_ENDS_NAMED)


def _games_count(number: int) -> str:
    return f"{number} game{'' if number == 1 else 's'}"


def _list_names(names: Sequence[str], most: int) -> str:
    """Return as many names as fit in `most` characters, but at least one, and the number of names left out."""
    shown = len(names)
    while shown > 1 and len(", ".join(names[:shown])) > most:
        shown -= 1
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def _days_left_text(status: VacationStatus) -> str:
    """Return how many vacation days are left this year: a range if games count differently."""
    if len(status.left) > 1:
        return f"{status.left[0]} to {status.left[-1]} vacation days left this year: each game counts its own."
    of_all = f" of {status.allowed[0]}" if len(status.allowed) == 1 else ""
    return f"{status.days_left}{of_all} vacation days left this year."


def vacation_announcement(
    name: str, until: int, games: AnnouncedGames, *, over: bool, untimed: AnnouncedGames = (), runs: AnnouncedGames = ()
) -> str:
    """Return the message that tells a channel that a player's vacation begins or, with `over`, has ended.

    `name` is the player's name. `until` is the end in UTC seconds. `games` are those whose clock is paused, or runs
    again. If a clock is paused for less time than the vacation lasts, the end of the pause is named. `untimed` are the
    games without a time limit. `runs` are the games in which the clock keeps running, because the player's time was
    already over.
    """
    who, timed = texts.escape_text(name), _name_games(games, "R" if over else "D")
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


def _name_games(games: AnnouncedGames, style: str = "D") -> str:
    """Return the names of games. `style` is Discord's style for timestamps."""
    return _list_names([_name_game(style, *game) for game in games], ANNOUNCED_GAMES_LENGTH)


def _name_game(style: str, game_id: object, opponent: object, moment: object = None) -> str:
    name = f"{game_name(int(str(game_id)))} vs {texts.escape_text(str(opponent))}"
    return name if moment is None else f"{name} until <t:{moment}:{style}>"


def own_vacation_line(status: VacationStatus) -> str:
    """Return the line about a person's vacation, shown above the list of their games.

    Empty if the person is not on vacation.
    """
    if status.current is None:
        return ""
    not_in = [game_name(game) for game in (*status.flagged, *status.used_up)]
    where = f", but not in {_list_names(not_in, OWN_LINE_LENGTH)}" if not_in else ""
    less = [game_name(game) for game in status.shorter]
    less_in = f"; for less time in {_list_names(less, OWN_LINE_LENGTH)}" if less else ""
    return f"You're on vacation, back <t:{status.current.until}:R>. Your clocks are paused{where}{less_in}."


@vacation_group.command(name="start", description="Pause all your clocks for some days; your opponents are told")
@app_commands.describe(days="How many days, starting now")
@answers_privately
async def start_vacation_command(
    interaction: Interaction, days: app_commands.Range[int, 1, MOST_VACATION_DAYS]
) -> None:
    """Start a vacation of `days` days, and announce it in the channels of the user's games."""
    status, owed = await interaction.client.app.vacations.start_vacation(interaction.user.id, days)
    await interaction.client.delivery.deliver(owed)
    await show_reply(interaction, vacation_started_text(status))


@vacation_group.command(name="end", description="Let your clocks run again")
@answers_privately
async def end_vacation_command(interaction: Interaction) -> None:
    """End the user's vacation, and announce it in the channels of their games."""
    status, owed = await interaction.client.app.vacations.end_vacation(interaction.user.id)
    await interaction.client.delivery.deliver(owed)
    await show_reply(interaction, vacation_over_text(status))


@vacation_group.command(
    name="status", description="Whether you are on vacation, and how many days you have left this year"
)
@answers_privately
async def vacation_status_command(interaction: Interaction) -> None:
    """Show whether the user is on vacation, and how many days they have left this year."""
    status = await interaction.client.app.vacations.vacation_status(interaction.user.id)
    await show_reply(interaction, vacation_status_text(status))
