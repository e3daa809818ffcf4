"""Find the game that a command is for: suggested while typing, named, or the only one possible. Never guessed."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from functools import wraps
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from discord.app_commands import Choice

from gipfbot.characters import searchable
from gipfbot.languages import say
from gipfbot.match import Moment
from gipfbot.service.kit.loaded_games import game_name, parse_game_name
from gipfbot.values import GameBrief, ListedGame, StoredGame

from . import texts, visibility
from .client import Interaction
from .components import LONGEST_CUSTOM_ID, Select, parse_sent_number
from .interactions import chosen_value, handles
from .moments import parse_moment
from .request_log import note_game
from .respond import show_reply, tell_privately

log = logging.getLogger(__name__)
Suggest: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[str]]]]
SUGGEST_SECONDS = 1.5
MOST_CHOICES = 25  # Discord's limits
LONGEST_CHOICE = 100
MOST_ENDED_GAMES = MOST_WATCHABLE_GAMES = 100  # games that are searched for the typed text

PickedGameHandler: TypeAlias = Callable[[Interaction, int, str], Awaitable[None]]
Picked = TypeVar("Picked", bound=PickedGameHandler)
PICKED_GAME_HANDLERS: dict[str, PickedGameHandler] = {}
PICK_GAME = "pick_game"


class Findable(NamedTuple):
    """What can be found by typing: its label, its value, and the people in the label, each with all their names.

    The name that stands in the label comes first.
    """

    label: str
    value: str
    people: Mapping[int, tuple[str, ...]] = MappingProxyType({})


def suggests_in_time(suggest: Suggest) -> Suggest:
    """Wrap an autocomplete function. If it takes longer than SUGGEST_SECONDS, nothing is suggested.

    Discord shows nothing after 3 seconds, and each typed letter asks again.
    """

    @wraps(suggest)
    async def wrapped(interaction: Interaction, current: str) -> list[Choice[str]]:
        try:
            async with asyncio.timeout(SUGGEST_SECONDS):
                return await suggest(interaction, current)
        except TimeoutError:
            log.warning("%s took too long", suggest.__name__)
            return []

    return wrapped


@suggests_in_time
async def complete_running_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's running games. Games in which it is their turn come first."""
    return matching_choices(interaction, current, await running_games_to_find(interaction))


@suggests_in_time
async def complete_opponents_turn(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's running games in which it is the opponent's turn."""
    user = interaction.user.id
    running = await interaction.client.app.games.choosable_games(user)
    waiting = [brief for brief in running if brief.users[brief.asked] != user]
    return matching_choices(interaction, current, _games_to_find(waiting, user))


@suggests_in_time
async def complete_any_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's running games, then those that they can watch, then their ended games, the latest first."""
    ended = await interaction.client.app.studies.ended_games(interaction.user.id, MOST_ENDED_GAMES)
    others = [*await watchable_games_to_find(interaction), *_games_to_find(ended, interaction.user.id)]
    return matching_choices(interaction, current, [*await running_games_to_find(interaction), *others])


async def watchable_games_to_find(interaction: Interaction) -> list[Findable]:
    """Return the running games of others that the person sees on this server, the last moved first."""
    games = await visibility.watchable_games(interaction, MOST_WATCHABLE_GAMES)
    return _games_to_find(games, interaction.user.id)


@suggests_in_time
async def complete_ended_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's ended games, the most recently ended first."""
    user = interaction.user.id
    ended = await interaction.client.app.studies.ended_games(user, MOST_ENDED_GAMES)
    return matching_choices(interaction, current, _games_to_find(ended, user))


async def running_games_to_find(interaction: Interaction) -> list[Findable]:
    """Return the person's running games. Games in which it is their turn come first."""
    user = interaction.user.id
    running = await interaction.client.app.games.choosable_games(user)
    running.sort(key=lambda brief: brief.users[brief.asked] != user)
    return _games_to_find(running, user)


def _games_to_find(games: Sequence[ListedGame], user: int) -> list[Findable]:
    return [Findable(texts.game_label(game, user), game_name(game.id), _people_named(game, user)) for game in games]


def _people_named(game: ListedGame, user: int) -> dict[int, tuple[str, ...]]:
    """Return the players in a game's label, each with all their names in the game."""
    players = zip(game.users, game.names, game.earlier_names, strict=True)
    return {player: (texts.player_name(name), *earlier) for player, name, earlier in players if player != user}


def matching_choices(interaction: Interaction, current: str, findables: Sequence[Findable]) -> list[Choice[str]]:
    """Return what the typed text `current` finds, at most 25 choices, Discord's limit, and none twice.

    A label is found under each name of the people in it, even if only another label has that name. The names of the bot
    differ by what plays, so each stands for itself. Case, accents and fancy letters do not count.
    """
    names, typed, bot = defaultdict[int, set[str]](set), searchable(current), interaction.client.user
    for each in findables:
        for person, known in each.people.items():
            names[person].update(known if bot is None or person != bot.id else ())
    unique = {each.value: each for each in findables}.values()  # a game may end between two lists
    found = (each for each in unique if any(typed in searchable(label) for label in _labels(each, names)))
    return [
        Choice(name=texts.shorten_text(each.label, LONGEST_CHOICE), value=each.value)
        for each in islice(found, MOST_CHOICES)
    ]


def _labels(findable: Findable, names: Mapping[int, Collection[str]]) -> Iterator[str]:
    """Yield a label, then the label with other names of the people in it."""
    yield findable.label
    for person, (shown, *_) in findable.people.items():
        yield from (findable.label.replace(shown, name) for name in names[person] if name != shown)


def handles_picked_game(verb: str) -> Callable[[Picked], Picked]:
    """Return a decorator that registers the function for `verb`. It is called when a person has picked a game.

    Its arguments are the interaction, the game's id, and the details that follow the verb.
    """

    def register(go_on: Picked) -> Picked:
        PICKED_GAME_HANDLERS[verb] = go_on
        return go_on

    return register


async def pick_game_or_ask(
    interaction: Interaction, named: str, briefs: Sequence[ListedGame], action: str, none_text: str, ask_text: str
) -> int | None:
    """Return the game that the person means: the one `named`, else the only one in this channel, else the only one.

    `briefs` are the games that the command can be for. If it is unclear which game is meant, ask or explain privately,
    and return None. `action` says what to do with a game that is picked later: a verb of `handles_picked_game`, and
    details after a colon. `ask_text` asks which game. `none_text` is the answer if `briefs` is empty. Does not check
    that the game `named` exists.
    """
    if game := _meant_game(interaction, named, briefs):
        note_game(interaction, game)
        return game
    if named:
        await show_reply(interaction, texts.bad_game_name_text(named))
    elif briefs and len(f"{PICK_GAME}:{action}") <= LONGEST_CUSTOM_ID:
        await show_reply(interaction, ask_text, rows=(game_select(briefs, interaction.user.id, action),))
    else:
        await show_reply(interaction, say(texts.NAME_THE_GAME) if briefs else none_text)
    return None


async def pick_seen_game_or_ask(
    interaction: Interaction, named: str, own: Sequence[ListedGame], action: str, none_text: str, ask_text: str
) -> int | None:
    """Return which game to show, as in `pick_game_or_ask`.

    The person's `own` games come first. If they leave it open, the running games that the person sees count, too.
    """
    games = own
    if not named and _meant_game(interaction, "", own) is None:
        games = [*own[: MOST_CHOICES // 2], *await visibility.watchable_games(interaction, MOST_CHOICES)]
    return await pick_game_or_ask(interaction, named, games, action, none_text, ask_text)


async def running_unless_named(interaction: Interaction, named: str) -> Sequence[GameBrief]:
    """Return the user's running games. If a game is `named`, return none, as a list is not needed then."""
    return [] if named else await interaction.client.app.games.running_games(interaction.user.id)


async def picked_game(interaction: Interaction, game: int, briefs: Sequence[GameBrief]) -> StoredGame:
    """Return the game that was picked: the one that these briefs hold, or else the game as it is stored now."""
    found = next((brief.stored for brief in briefs if brief.id == game), None)
    return found or await interaction.client.app.games.game(game)


def _meant_game(interaction: Interaction, named: str, briefs: Sequence[ListedGame]) -> int | None:
    """Return the game meant, as in `pick_game_or_ask`.

    None if `named` is not a game's name. If `named` is empty, None unless exactly one game is possible.
    """
    if named:
        return parse_game_name(named)
    here = [brief.id for brief in briefs if brief.venue.channel == interaction.channel_id]
    if len(here) == 1:
        return here[0]
    return briefs[0].id if len(briefs) == 1 else None


def game_select(briefs: Sequence[ListedGame], user: int, action: str) -> Select:
    """Return a select of games. `action` is as in `pick_game_or_ask`. See `picked_moment` for what a choice carries."""
    options = tuple((texts.game_label(brief, user), _choice_value(brief, user)) for brief in briefs[:MOST_CHOICES])
    return Select(say(texts.GAME_PLACEHOLDER), f"{PICK_GAME}:{action}", options)


def _choice_value(brief: ListedGame, user: int) -> str:
    stored = brief.stored if isinstance(brief, GameBrief) else None
    return f"{brief.id}:{stored.game.moment_for(user)}" if stored else str(brief.id)


def picked_moment(interaction: Interaction) -> Moment | None:
    """Return the moment of the game at which its player was asked which game they mean.

    None if the select is from an earlier version of the bot.
    """
    return parse_moment(chosen_value(interaction).partition(":")[2])


@handles(PICK_GAME, "{action:.+}")
async def choose_game(interaction: Interaction, action: str) -> None:
    """Do what `action` says with the game or study that was picked from a select.

    `action` is as in `pick_game_or_ask`. An unknown verb is answered as an outdated button.
    """
    verb, _, details = action.partition(":")
    if verb in PICKED_GAME_HANDLERS:
        game = parse_sent_number(chosen_value(interaction).partition(":")[0])
        note_game(interaction, game)
        await PICKED_GAME_HANDLERS[verb](interaction, game, details)
    else:
        await tell_privately(interaction, say(texts.UNKNOWN_BUTTON))
