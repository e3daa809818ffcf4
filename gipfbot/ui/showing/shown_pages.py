"""What people can show besides games: puzzles, profiles, leaderboards, pages of the rules, the running games.

The functions are of the same three kinds as in `shown_games.py`. Lists and profiles are drawn anew for the message:
they name only games that all who read it may see.
"""

from typing import Any

import discord

from gipfbot.languages import say, say_name
from gipfbot.match import Refused, Why
from gipfbot.match.game import clean_name
from gipfbot.service.app import App
from gipfbot.ui.competing import profile as profiles
from gipfbot.ui.competing.leaderboard import SERVER, page_as_shown
from gipfbot.ui.competing.leaderboard_texts import leaderboard_card, leaderboard_text
from gipfbot.ui.kit import Interaction, OutboxMessage, join_lines
from gipfbot.ui.kit.components import Malformed
from gipfbot.ui.kit.people_names import UNTOLD_NAME
from gipfbot.ui.kit.permissions import fetch_member
from gipfbot.ui.kit.respond import CannotTell
from gipfbot.ui.learning.rule_pages import topic_text
from gipfbot.ui.learning.rule_topics import all_topics
from gipfbot.ui.learning.topics import topic_steps
from gipfbot.ui.puzzles import solving
from gipfbot.ui.watching import watching_texts
from gipfbot.ui.watching.live import GAMES_PER_LIVE_PAGE, games_on_page, live_picture
from gipfbot.values import OutboxRow, named_player

from .rights import is_for_all_here, is_venue_for_all_here
from .shown_games import row_notation

# ── A puzzle ──


async def allow_puzzle(interaction: Interaction, puzzle: int) -> dict[str, Any]:
    """Allow a puzzle with its solution, once the person's first try is over."""
    opened = await interaction.client.app.puzzles.look(puzzle, interaction.user.id, interaction.guild_id)
    if opened.entered.solved is None:
        raise Refused(Why.NOT_SOLVED)
    return {"puzzle": puzzle}


async def post_puzzle(app: App, row: OutboxRow, puzzle: int) -> OutboxMessage | None:
    """Build the message with a puzzle: its position, and its solution as a spoiler."""
    stored = await app.daily_puzzles.puzzle(row)
    if stored is None:
        return None
    line = " · ".join(solving.turn_texts(stored.puzzle, stored.puzzle.line, row_notation(row)))
    text = join_lines(solving.puzzle_heading(stored), f"{say('Solution:')} ||{line}||")
    return OutboxMessage(text, picture=solving.puzzle_picture(stored))


# ── A profile ──


async def allow_profile(interaction: Interaction, player: int, against: int) -> dict[str, Any]:
    """Allow a profile. The row keeps the names, and which of the person's games and titles all here may see."""
    people = [await _person(interaction, user) for user in (player, against) if user]
    shown = await interaction.client.app.profiles.profile(player, against or None)
    games = [each for each in shown.running if await is_for_all_here(interaction, each, "profile")]
    longest = shown.longest.game if shown.longest else None
    names_longest = longest is not None and await is_for_all_here(interaction, longest, "profile")
    titles = [
        each for each in shown.titles[: profiles.CHECKED_TITLES] if await is_venue_for_all_here(interaction, each.venue)
    ]
    opponents = await profiles.opponents_names(interaction, shown)
    return {
        "seats": [*(person.id for person in people), *opponents],
        "names": [*(clean_name(person.display_name) for person in people), *opponents.values()],
        "games": [game.id for game in games[: profiles.SHOWN_RUNNING]],
        "longest": longest.id if longest and names_longest else None,
        "titles": [[title.tournament, title.season] for title in titles],
    }


async def _person(interaction: Interaction, user: int) -> profiles.Person:
    """Return a person as a member of this server, or as a user. Raises CannotTell, and Malformed for nobody."""
    if user == interaction.user.id:
        return interaction.user
    await interaction.client.app.end_snapshot()  # Discord may take seconds, and others need the connection
    try:
        member = await fetch_member(interaction.guild, user) if interaction.guild else None
        return member or await interaction.client.fetch_user(user)
    except discord.NotFound as error:
        raise Malformed(str(user)) from error
    except discord.HTTPException as error:
        raise CannotTell from error


async def post_profile(app: App, row: OutboxRow, player: int, against: int) -> OutboxMessage | None:
    """Build the message with a profile. None if the person's data was deleted meanwhile."""
    people, named = row.payload["seats"], row.payload["games"]
    names = [named_player(*each) for each in zip(people, row.payload["names"], strict=True)]
    shown = await app.profiles.profile(people[0], people[1] if against else None)
    if shown.is_empty:
        return None
    shown = shown.with_names(dict(zip(people, names, strict=True)))
    heading = profiles.profile_heading(names[0], names[1] if against else None)
    longest = shown.longest is not None and shown.longest.game.id == row.payload["longest"]
    titles = [each for each in shown.titles if [each.tournament, each.season] in row.payload.get("titles", [])]
    text = profiles.profile_text(shown, heading, row_notation(row), titles, shows_longest=longest)
    running = [profiles.running_line(game) for game in shown.running if game.id in named]
    count = profiles.running_count_text(shown.running_count)
    plot = None if shown.against else profiles.rating_plot(shown, names[0])
    return OutboxMessage(join_lines(text, count, *running), picture=plot)


async def look_at_profile(interaction: Interaction, player: int, against: int) -> None:
    """Show the same profile."""
    person, other = await _person(interaction, player), await _person(interaction, against) if against else None
    await profiles.show_profile(interaction, person, other)


# ── A leaderboard ──


async def allow_leaderboard(interaction: Interaction, pool: str, scope: str, page: int) -> dict[str, Any]:
    """Allow a page of a leaderboard, which everybody may see. The row keeps the names on it."""
    server = interaction.guild_id if scope == SERVER else None
    shown = await page_as_shown(interaction, await interaction.client.app.leaderboards.nearest_page(pool, server, page))
    return {"seats": [line.user for line in shown.lines], "names": [line.name for line in shown.lines]}


async def post_leaderboard(app: App, row: OutboxRow, pool: str, scope: str, page: int) -> OutboxMessage:
    """Build the message with a page of a leaderboard. It marks nobody's line."""
    server = row.payload["server"] if scope == SERVER else None
    shown = await app.leaderboards.nearest_page(pool, server, page)
    kept = dict(zip(row.payload.get("seats", ()), row.payload.get("names", ()), strict=True))
    if server is None:  # who has come onto it meanwhile has no name yet
        kept = {line.user: kept.get(line.user, say_name(UNTOLD_NAME)) for line in shown.lines}
    shown = shown.with_names(kept)
    return OutboxMessage(leaderboard_text(shown), picture=leaderboard_card(shown, user=0))


# ── A page of the rules ──


async def allow_rules(interaction: Interaction, name: str, step: int) -> dict[str, Any]:
    """Allow a step of a page of the rules. Raises Malformed if there is none."""
    if name not in all_topics():
        raise Malformed(name)
    return {}


async def post_rules(app: App, row: OutboxRow, name: str, step: int) -> OutboxMessage | None:
    """Build the message with a step of a page of the rules. None if a newer version has no such page."""
    if (topic := all_topics().get(name)) is None:
        return None
    steps = topic_steps(topic)
    shown = steps[min(step, len(steps) - 1)]
    return OutboxMessage(topic_text(topic, shown.said), picture=shown.picture)


# ── The running games ──


async def allow_live(interaction: Interaction, page: int) -> dict[str, Any]:
    """Allow a page of the running games. The row keeps those that all here may see. Raises Refused if it has none."""
    assert isinstance(interaction.user, discord.Member)
    found = (await games_on_page(interaction, interaction.user, page))[:GAMES_PER_LIVE_PAGE]
    games = [stored.game.id for stored in found if await is_for_all_here(interaction, stored, "live")]
    if not games:
        raise Refused(Why.NOTHING_FOR_ALL)
    return {"games": games}


async def post_live(app: App, row: OutboxRow, page: int) -> OutboxMessage:
    """Build the message with running games, as they are now."""
    found, notation = await app.games.games(row.payload["games"]), row_notation(row)
    games = [found[game] for game in row.payload["games"] if game in found]
    lines = (watching_texts.live_line(stored, notation) for stored in games)
    return OutboxMessage(join_lines(watching_texts.live_heading(), *lines), picture=live_picture(games, notation))
