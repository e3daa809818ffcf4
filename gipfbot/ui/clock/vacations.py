"""`/gipf-me vacation`: days on which a person's clocks are paused."""

from collections.abc import Iterable, Mapping, Sequence

from discord import app_commands

from gipfbot.languages import mark, say, say_amount, say_list, say_name, say_number
from gipfbot.match import house_name
from gipfbot.service.clock.vacations import VacationStatus
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.settings.servers import MOST_VACATION_DAYS
from gipfbot.ui.kit import Interaction, answers_privately, show_reply, texts
from gipfbot.ui.kit.interactions import slash_group
from gipfbot.values import FORMER_NAME

EXCEPTED_GAMES_LENGTH = 300  # characters of the names of games in one sentence
MOST_ENDS_NAMED = 5  # moments at which the vacation days of games run out
OWN_LINE_LENGTH = 100  # characters of the names above the list of games
ANNOUNCED_GAMES_LENGTH = 550  # characters of the names in an announcement

vacation_group = slash_group("gipf-me vacation", 30, "Days on which your clocks are paused")
# For each game: its id, the opponent's name, and sometimes a moment: its deadline, or the end of its pause.
AnnouncedGames = Iterable[Sequence[object]]


# By whether clocks run on in some games, and whether they are paused for less time in some.
_PAUSED_CLOCKS = {
    (False, False): mark("Your clocks are paused."),
    (True, False): mark("Your clocks are paused, but not in {games}."),
    (False, True): mark("Your clocks are paused; for less time in {others}."),
    (True, True): mark("Your clocks are paused, but not in {games}; for less time in {others}."),
}


def vacation_started_text(status: VacationStatus) -> str:
    """Return the reply to a person whose vacation begins."""
    return texts.join_lines(vacation_status_text(status), say("Your opponents are told. You can still play."))


def vacation_over_text(status: VacationStatus) -> str:
    """Return the reply to a person who has ended their vacation."""
    back = say("Welcome back: your clocks are running again. **/gipf games** shows what's waiting for you.")
    return texts.join_lines(back, _days_left_text(status))


def vacation_status_text(status: VacationStatus) -> str:
    """Return the text that says whether a person is on vacation, and how many days they have left this year."""
    if status.current is None:
        hint = say("**/gipf-me vacation start** pauses all your clocks.")
        return texts.join_lines(say("You're not on vacation."), _days_left_text(status), hint)
    away = mark("You're on vacation until {day}. Your clocks are paused, and you get no reminders.")
    return texts.join_lines(
        say(away, day=texts.time_text(status.current.until, "D")),
        _exception_text(
            mark("Not paused in {games}: your time was already over. Win with this turn or you lose."), status.flagged
        ),
        _exception_text(mark("Not paused in {games}: your vacation days there are used up."), status.used_up),
        _shorter_text(status.shorter),
        _days_left_text(status),
        say("**/gipf-me vacation end** ends it early."),
    )


def vacation_summary(status: VacationStatus) -> str:
    """Return the line of a person's settings about their vacation, and how to start or end one."""
    if status.current is None:
        not_away, hint = say("You're not on vacation."), say("**/gipf-me vacation start** pauses your clocks.")
        return f"{not_away} {_days_left_text(status)} {hint}"
    return f"{own_vacation_line(status)} {say('**/gipf-me vacation end** ends it.')}"


def _exception_text(sentence: str, games: Sequence[int]) -> str:
    """Return the line that names the games in which a vacation does not pause the clock. `sentence` says why.

    Empty if there are no games.
    """
    return say(sentence, games=_list_names([*map(game_name, games)], EXCEPTED_GAMES_LENGTH)) if games else ""


def _shorter_text(shorter: Mapping[int, int]) -> str:
    """Return the line that names the games whose clocks resume before the vacation ends, and when.

    `shorter` maps games to the ends of their pauses. Empty if there are no games.
    """
    if not shorter:
        return ""
    named = sorted({*shorter.values()})[:MOST_ENDS_NAMED]
    parts = [say("{time} in {games}", time=texts.time_text(end), games=_names_until(shorter, end)) for end in named]
    if later := sum(end > named[-1] for end in shorter.values()):
        parts.append(say_number("later in {number} game", "later in {number} games", later))
    what = say_number(
        "In {number} game your vacation days run out before that, and your clock runs again:",
        "In {number} games your vacation days run out before that, and your clock runs again:",
        len(shorter),
    )
    return f"{what} {'; '.join(parts)}."


def _names_until(shorter: Mapping[int, int], end: int) -> str:
    names = [game_name(game) for game, at in shorter.items() if at == end]
    return _list_names(names, EXCEPTED_GAMES_LENGTH // MOST_ENDS_NAMED)


def _list_names(names: Sequence[str], most: int) -> str:
    """Return as many names as fit in `most` characters, but at least one, and the number of names left out."""
    shown = len(names)
    while shown > 1 and len(", ".join(names[:shown])) > most:
        shown -= 1
    named, more = ", ".join(names[:shown]), len(names) - shown
    return say_list([named, say_amount("{number} more", "{number} more", more)]) if more else named


def _days_left_text(status: VacationStatus) -> str:
    """Return how many vacation days are left this year: a range if games count differently."""
    if len(status.left) > 1:
        sentence = mark("{least} to {most} vacation days left this year: each game counts its own.")
        return say(sentence, least=status.left[0], most=status.left[-1])
    if len(status.allowed) != 1:
        return say_number(
            "{number} vacation day left this year.", "{number} vacation days left this year.", status.days_left
        )
    return say_number(
        "{number} of {allowed} vacation days left this year.",
        "{number} of {allowed} vacation days left this year.",
        status.days_left,
        allowed=status.allowed[0],
    )


def vacation_announcement(
    name: str, until: int, games: AnnouncedGames, *, over: bool, untimed: AnnouncedGames = (), runs: AnnouncedGames = ()
) -> str:
    """Return the message that tells a channel that a player's vacation begins or, with `over`, has ended.

    `name` is the player's name. `until` is the end in UTC seconds. `games` are those whose clock is paused, or runs
    again. If a clock is paused for less time than the vacation lasts, the end of the pause is named. `untimed` are the
    games without a time limit. `runs` are the games in which the clock keeps running, because the player's time was
    already over.
    """
    who, timed = _shown_name(name), _name_games(games, "R" if over else "D")
    if over:
        back = say("{name} is back from vacation.", name=who)
        return f"{back} {say('The clock is running again: {games}.', games=timed)}" if timed else back
    others, run_on, day = _name_games(untimed), _name_games(runs), texts.time_text(until, "D")
    if timed:
        said = [
            say("{name} is on vacation until {day}.", name=who, day=day),
            say("{name}'s clock is paused: {games}.", name=who, games=timed),
            say("No clock runs in {games}.", games=others) if others else "",
        ]
    else:
        said = [say("{name} is on vacation until {day}: {games}.", name=who, day=day, games=others)]
    if run_on:
        said.append(say("Still running, as {name}'s time was already over: {games}.", name=who, games=run_on))
    return " ".join(filter(None, said))


def _shown_name(stored: object) -> str:
    """Return a name in an announcement, which keeps the bot's level beside its name, but no id of a former player."""
    if isinstance(stored, Sequence) and not isinstance(stored, str):
        return texts.escape_text(house_name(*stored))
    return texts.escape_text(FORMER_NAME if stored == FORMER_NAME else str(stored))


def _name_games(games: AnnouncedGames, style: str = "D") -> str:
    """Return the names of games. `style` is Discord's style for timestamps."""
    return _list_names([_name_game(style, *game) for game in games], ANNOUNCED_GAMES_LENGTH)


def _name_game(style: str, game_id: object, opponent: object, moment: object = None) -> str:
    game, name = game_name(int(str(game_id))), _shown_name(opponent)
    if moment is None:
        return say_name("{game} vs {name}", game=game, name=name)
    return say_name(
        "{game} vs {name} until {time}", game=game, name=name, time=texts.time_text(int(str(moment)), style)
    )


def own_vacation_line(status: VacationStatus) -> str:
    """Return the line about a person's vacation, shown above the list of their games.

    Empty if the person is not on vacation.
    """
    if status.current is None:
        return ""
    not_in, less = (*status.flagged, *status.used_up), (*status.shorter,)
    facts = {
        "games": _list_names([*map(game_name, not_in)], OWN_LINE_LENGTH) if not_in else "",
        "others": _list_names([*map(game_name, less)], OWN_LINE_LENGTH) if less else "",
    }
    away = say("You're on vacation, back {time}.", time=texts.time_text(status.current.until, "R"))
    return f"{away} {say(_PAUSED_CLOCKS[bool(not_in), bool(less)], **facts)}"


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
