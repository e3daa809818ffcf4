"""The texts about the bot's state, for servers and for its host.

What only the host reads is in English.
"""

from collections.abc import Mapping, Sequence

from gipfbot.installation import VERSION, started_as
from gipfbot.languages import mark, say, say_number
from gipfbot.ui.kit import join_lines
from gipfbot.ui.kit.clock_texts import duration_text
from gipfbot.values import HostFigures, ServerState, Shards

NOTHING_LACKS = mark("The bot has all permissions that it needs here.")
NOTHING_OWED = mark("All messages about games here are posted: none is waiting.")
ALL_SERVERS = "### All servers"
HEALTHY = "The bot is healthy."
NO_FAULTS = "No errors since the start."
MEGABYTE = 1_000_000

NEEDS_A_HAND = "**Your GIPF bot needs a hand.**"
WHAT_NEXT = f"-# `{started_as()} doctor` on its machine checks everything, also while it runs. The log has the details."
STATE_LABEL = "How is it now?"
MOST_SENTENCES, LONGEST_SENTENCE = 12, 140  # a message has room for 2,000 signs


def bot_line(uptime: int, latency: int | None) -> str:
    """Return the line on the bot itself. `latency` is in milliseconds, None without a connection."""
    answers = say("no connection to Discord")
    if latency is not None:
        answers = say("Discord answers in {count} ms", count=latency)
    up = say("up for {time}", time=duration_text(uptime))
    return f"**{say('GIPF bot {version}', version=VERSION)}** · {up} · {answers}"


def of_shards_text(shards: Shards | None) -> str:
    """Return the start of a sentence about one of several processes: `Shards …: `. Empty if there is only one."""
    return f"Shards {shards}: " if shards else ""


def server_lines(state: ServerState, lacking: Mapping[int, Sequence[str]]) -> list[str]:
    """Return the lines on the bot on a server: what it does, where it cannot post, and which permissions it lacks."""
    owed = say(NOTHING_OWED)
    if state.owed_messages:
        owed = say_number(
            "{number} message about games not posted here yet; the bot keeps trying.",
            "{number} messages about games not posted here yet; the bot keeps trying.",
            state.owed_messages,
        )
    lacks_text = mark("In {channel} the bot lacks permissions: {permissions}.")
    lacks = [
        say(lacks_text, channel=f"<#{channel}>", permissions=", ".join(missing)) for channel, missing in lacking.items()
    ]
    return [
        say_number(
            "{number} game running on this server.", "{number} games running on this server.", state.running_games
        ),
        owed,
        *_refusing_lines(state.refusing_channels),
        *(lacks or [say(NOTHING_LACKS)]),
    ]


def _refusing_lines(channels: Sequence[int]) -> list[str]:
    if not channels:
        return []
    sentence = mark(
        "Boards can't be posted in {channels}. Let the bot post there, or move a game with **/gipf board** elsewhere."
    )
    return [say(sentence, channels=", ".join(f"<#{channel}>" for channel in channels))]


def host_lines(
    reasons: Sequence[str],
    servers: int,
    found: HostFigures,
    now: int,
    faults: Mapping[str, int],
    shards: Shards | None = None,
) -> list[str]:
    """Return the lines on the bot's overall state, for its owner. Health and errors are those of this process."""
    whose = of_shards_text(shards)
    oldest = "" if found.oldest_owed_at is None else f", the oldest for {duration_text(now - found.oldest_owed_at)}"
    errors = ", ".join(f"{kind} {times:,}" for kind, times in faults.items())
    size = f"database {found.database_bytes / MEGABYTE:,.1f} MB"
    return [
        ALL_SERVERS,
        whose + (f"The bot is not healthy: {'; '.join(reasons)}." if reasons else HEALTHY),
        f"{_number(servers, 'server')} · {_number(found.running_games, 'game')} running · {size}",
        f"{_number(found.owed_messages, 'message')} still to be posted{oldest}.",
        f"Boards can't be posted on {_number(found.undeliverable_servers, 'server')}.",
        whose + (f"Errors since the start: {errors}." if errors else NO_FAULTS),
    ]


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def owner_news_text(sentences: Sequence[str]) -> str:
    shown = [f"* {sentence}" for sentence in sentences[:MOST_SENTENCES]]
    more = len(sentences) - len(shown)
    return join_lines(NEEDS_A_HAND, *shown, f"* … and {more} more" if more > 0 else "", WHAT_NEXT)


def undeliverable_servers_text(servers: int) -> str:
    return f"On {servers} servers, boards can't be posted: their managers see why with **/gipf-server status**."


def disk_fault_text(said: str) -> str:
    return f"The database can't be written: {said}. Look at the disk: is it full, or read-only?"


def unhealthy_text(minutes: int, reasons: Sequence[str]) -> str:
    return f"It has not been healthy for {minutes} minutes: {'; '.join(reasons)}."


def backups_text(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."


def newer_version_text(version: str) -> str:
    return f"Version {version} is published; this is {VERSION}. `{started_as()} update` says how to take it."


def fault_kind_text(kind: str, times: int) -> str:
    return f"An error that it did not expect: {kind}" + (f", {times} times." if times > 1 else ".")


def told_text(kind: str, said: str) -> str:
    """Return the sentence that tells the owner of the log line `said`. `kind` is its subject."""
    return clock_jump_text(said) if kind == "clock" else said


def clock_jump_text(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}. Is the clock of its machine set by NTP?"
