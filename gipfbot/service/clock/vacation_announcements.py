"""What channels are told of vacations: that one begins, until when it pauses which clocks, and that it is over."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from gipfbot.service.settings.vacation_days import count_vacation_days, vacation_end_in_game
from gipfbot.store import Connection, game_lists, outbox, vacations
from gipfbot.values import GameBrief, Vacation

Payloads: TypeAlias = dict[int, dict[str, object]]


async def announcement_payloads(db: Connection, vacation: Vacation, key: str) -> Payloads:
    """Return the payloads of the messages about the beginning or the end of a vacation, by channel.

    `key` is what the keys of these messages begin with.
    """
    running = await game_lists.running_games(db, vacation.user)
    known = [each for each in await vacations.vacations_since(db, vacation.user, 0) if each.since < vacation.since]
    if vacation.ended_at is None:
        return _begin_payloads(vacation, running, known)
    return await _return_payloads(
        db, vacation, [brief for brief in running if _is_resumed(brief, vacation, known)], key
    )


def _begin_payloads(vacation: Vacation, running: Sequence[GameBrief], known: Sequence[Vacation]) -> Payloads:
    """Return the payloads of the messages that a vacation has begun, by channel.

    Each names the games that the vacation holds there, and those of them whose clock runs in spite of it. `known` are
    the person's vacations before it.
    """
    ends = {
        brief.id: vacation_end_in_game(brief.vacation, brief.created_at, [*known, vacation], vacation.since)
        for brief in running
    }
    held = [brief for brief in running if ends[brief.id]]
    runs = _by_channel(brief for brief in held if own_clock_runs(brief, vacation.user))
    stand = _by_channel(brief for brief in held if not own_clock_runs(brief, vacation.user))
    shorter = {game: end for game, end in ends.items() if end and end < vacation.until}
    return {channel: _payload(vacation, played, shorter, runs.get(channel, ())) for channel, played in stand.items()}


async def _return_payloads(db: Connection, vacation: Vacation, resumed: Sequence[GameBrief], key: str) -> Payloads:
    """Return the payloads of the messages that a person is back, by channel.

    They go to each channel that was told of the vacation, and to those of the games whose clocks it had paused.
    """
    deadlines = {brief.id: brief.deadline for brief in resumed}
    payloads = {channel: _payload(vacation, played, deadlines) for channel, played in _by_channel(resumed).items()}
    for channel, begun in (await outbox.payloads_by_channel(db, f"{key}:", f"{key};")).items():
        back = {"name": begun["name"], "until": vacation.until, "over": True, "games": []}
        payloads.setdefault(channel, back)
    return payloads


def _is_resumed(brief: GameBrief, vacation: Vacation, known: Sequence[Vacation]) -> bool:
    """Return whether a clock runs that the vacation, now over, had paused to its end. It paused no flagged clock."""
    if brief.flagged or not own_clock_runs(brief, vacation.user):
        return False
    lasted = replace(vacation, ended_at=max(vacation.over_at, vacation.since + 1))  # also if it was annulled
    return count_vacation_days(brief.vacation, brief.created_at, [*known, lasted])[1] == lasted.over_at


def own_clock_runs(brief: GameBrief, user: int) -> bool:
    """Return whether it is this player's turn and their clock runs. A clock can run in spite of a vacation."""
    return brief.users[brief.asked] == user and brief.deadline is not None


def _by_channel(briefs: Iterable[GameBrief]) -> dict[int, list[GameBrief]]:
    """Return the games by their channels, without the unreachable games."""
    channels: dict[int, list[GameBrief]] = {}
    for brief in briefs:
        if not brief.unreachable:
            channels.setdefault(brief.venue.channel, []).append(brief)
    return channels


def _payload(
    vacation: Vacation, played: Sequence[GameBrief], until: Mapping[int, int | None], runs: Sequence[GameBrief] = ()
) -> dict[str, object]:
    """Return the payload of the message to a channel about the games played there.

    `until` has the moments that are named beside games: at the end of a vacation the deadlines, at its beginning the
    ends of those pauses that end before the vacation.
    """

    def named(brief: GameBrief) -> tuple[object, ...]:
        return (
            brief.id,
            brief.names[1 - brief.users.index(vacation.user)],
            *([until[brief.id]] if brief.id in until else []),
        )

    return {
        "name": played[0].names[played[0].users.index(vacation.user)],
        "until": vacation.until,
        "over": vacation.ended_at is not None,
        "games": [named(brief) for brief in played if brief.timed],
        "untimed": [named(brief) for brief in played if not brief.timed],
        "runs": [named(brief) for brief in runs],
    }
