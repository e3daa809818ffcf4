"""Challenges: `/gipf challenge`, the entry in a person's menu, and the challenge's channel."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import discord
from discord import app_commands

from gipfbot.languages import mark, say
from gipfbot.match import Refused, RequestState, Side, Terms, Why
from gipfbot.match.courses import course_of
from gipfbot.rules.powers import POWERS
from gipfbot.rules.ruleset_names import FEWEST
from gipfbot.service.settings.servers import POTENTIAL_SETTINGS, ServerSettings
from gipfbot.ui.kit import Button, Interaction, answers_privately, handles, show_reply, slash_command, texts
from gipfbot.ui.kit.interactions import place_extras
from gipfbot.ui.kit.permissions import (
    THREAD_PERMISSIONS,
    can_see_channel,
    check_bot_is_on,
    fetch_member,
    find_channel,
    is_private_thread,
    missing_permissions,
    missing_permissions_in,
    permission_name,
    venue_of,
)
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.slash_commands import (
    RULES_CHOICES,
    TIME_CONTROL_CHOICES,
    chosen_options,
    potential_number_text,
    said_choices,
)
from gipfbot.ui.kit.texts import texts_of_course
from gipfbot.ui.kit.visibility import check_may_make_thread, check_may_post
from gipfbot.values import OutboxRow, StoredChallenge, Venue

from . import lobby_texts, seeker_texts
from .open_challenges import challenge_buttons, challenge_url, seat_of_user, withdraw_button
from .other_terms import CODE, COLOUR_NAMES, other_terms_button, read_terms, show_other_terms
from .play_bot import USUAL_LEVEL, begin_against_bot, play_bot_button, show_game_in_direct_messages, show_play_bot
from .seekers import role_for_seeks

Posted: TypeAlias = tuple[StoredChallenge, tuple[OutboxRow, ...]]  # a new challenge, and the messages to deliver
COLOUR_CHOICES = [app_commands.Choice(name=name, value=value) for value, name in COLOUR_NAMES.items()]
BOTH_POTENTIALS = "both"
POTENTIAL_CHOICES = ("none", *POTENTIAL_SETTINGS, BOTH_POTENTIALS)


@dataclass(frozen=True)
class ChallengeWish:
    """What somebody wants to post: a challenge, or an open seek if `opponent` is None.

    `chosen` holds the options that differ from the server's settings. The buttons `again` stand below a reason why it
    is impossible.
    """

    opponent: discord.abc.User | None
    chosen: Mapping[str, Any]
    colour: str = Side.LOT
    takers: int = 1
    again: tuple[Button, ...] = ()


def _potentials_choice_text(value: str) -> str:
    if value == BOTH_POTENTIALS:
        return say("both, {count} of each", count=FEWEST)
    if letter := POTENTIAL_SETTINGS.get(value):
        return say("{potential}, {count} each", potential=POWERS[letter].name, count=FEWEST)
    return potential_number_text(0)


OFFERED_POTENTIALS = said_choices(_potentials_choice_text, POTENTIAL_CHOICES)


@slash_command("gipf challenge", 90, "Challenge somebody, anybody or the bot to a game of GIPF")
@app_commands.describe(
    opponent="Whom you challenge (default: an open challenge, which anybody can take)",
    rules="Which version of GIPF (default: the server's, or Standard)",
    potentials="Special pieces for both, each used once (default: the server's or none)",
    colour="Your colour (default: random)",
    pace="How much time each of you has (default: the server's, or 3 days a turn)",
    rated="Whether ratings change (default: the server's, or not in a first game)",
    other_terms="True: choose from all terms on a private page, before anything is posted",
)
@app_commands.choices(rules=RULES_CHOICES, colour=COLOUR_CHOICES, pace=TIME_CONTROL_CHOICES)
@app_commands.choices(potentials=OFFERED_POTENTIALS)
@answers_privately
async def challenge_command(
    interaction: Interaction,
    opponent: discord.User | None = None,
    rules: str | None = None,
    potentials: str | None = None,
    colour: str = "lot",
    pace: str | None = None,
    rated: bool | None = None,
    other_terms: bool = False,
) -> None:
    """Post a challenge to `opponent`, or an open seek if it is None. The bot as opponent opens **Play the bot**.

    If another option is None, the server's setting holds. With `other_terms`, show the page of all terms instead.
    """
    chosen = chosen_options({"rules": rules, "pace": pace, "rated": rated, **potential_numbers(potentials)})
    if other_terms and not _is_bot_itself(interaction, opponent):
        await show_other_terms(interaction, opponent.id if opponent else 0, {**chosen, "colour": colour})
        return
    await _challenge_or_play_bot(interaction, ChallengeWish(opponent, chosen, colour))


def potential_numbers(potentials: str | None) -> dict[str, int]:
    """Return the number of each kind of potential that an option names, by the server's settings; empty for None.

    Raises Refused for a value that is not offered.
    """
    if potentials is None:
        return {}
    if potentials not in POTENTIAL_CHOICES:
        raise Refused(Why.NOT_OFFERED, option="potentials", value=potentials)
    return {name: FEWEST if potentials in (name, BOTH_POTENTIALS) else 0 for name in POTENTIAL_SETTINGS}


@app_commands.context_menu(name=mark("Challenge to GIPF"), extras=place_extras("", 60))
@answers_privately
async def challenge_menu(interaction: Interaction, person: discord.User) -> None:
    """Challenge a person from their menu. The server's settings are the terms, and colours are random."""
    await _challenge_or_play_bot(interaction, ChallengeWish(person, {}))


@handles("post_seek", "")
async def press_post_seek(interaction: Interaction) -> None:
    """Post an open seek of the person who pressed, on the terms that the server has set."""
    await _post_challenge(interaction, ChallengeWish(None, {}))


@handles("post_terms", f"{{to}}:{CODE}")
async def press_post_terms(interaction: Interaction, to: int, code: str) -> None:
    """Challenge a person, or post an open seek if `to` is 0, with the terms of the page that was pressed.

    If it is impossible, the page can be opened again as it was.
    """
    chosen, opponent = read_terms(code), await _find_person(interaction, to) if to else None
    colour, takers = chosen.pop("colour", Side.LOT), chosen.pop("takers", 1)
    again = (other_terms_button(to, code),)
    await _challenge_or_play_bot(interaction, ChallengeWish(opponent, chosen, colour, takers, again))


async def _find_person(interaction: Interaction, user: int) -> discord.abc.User:
    """Return a person as a member of this server, or else as a user.

    Raises Refused if the bot is not on the server, and discord.HTTPException if there is no such person.
    """
    await check_bot_is_on(interaction, interaction.guild_id)
    await interaction.client.app.end_snapshot()  # Discord may take seconds, and others need the connection
    member = await fetch_member(interaction.guild, user) if interaction.guild else None
    return member or await interaction.client.fetch_user(user)


async def _challenge_or_play_bot(interaction: Interaction, wish: ChallengeWish) -> None:
    """Post a challenge, or open **Play the bot**. In direct messages a game against the bot begins at once."""
    chosen = wish.chosen
    if not _is_bot_itself(interaction, wish.opponent):
        await _post_challenge(interaction, wish)
    elif interaction.guild_id is None:
        settings = _challenge_settings(await interaction.client.app.servers.settings(None), chosen)
        notes = _idle_option_notes(chosen, settings, settings.terms)
        unrated = [say(lobby_texts.HOUSE_UNRATED)] if chosen.get("rated") is True else []
        begun = await begin_against_bot(interaction, {**chosen, "colour": wish.colour}, USUAL_LEVEL)
        await show_game_in_direct_messages(interaction, begun, *notes, *unrated)
    else:
        colour = {} if wish.colour == Side.LOT else {"colour": wish.colour}
        await show_play_bot(interaction, {**chosen, **colour})


async def _post_challenge(interaction: Interaction, wish: ChallengeWish) -> None:
    """Post a challenge or an open seek.

    If it is impossible, raise Refused or tell the user why. In both cases nothing is posted or stored.
    """
    app, chosen, opponent = interaction.client.app, wish.chosen, wish.opponent
    await check_bot_is_on(interaction, interaction.guild_id)
    known = await app.servers.settings(interaction.guild_id)
    settings = _challenge_settings(known, chosen)
    if wish.colour not in set(Side):
        raise Refused(Why.NOT_OFFERED, option="colour", value=wish.colour)
    place = await find_challenge_place(interaction, settings)
    thread = bool(settings.threads) and place.venue.parent is None
    terms = replace(settings.terms, thread=thread, rated_if_finished="rated" not in chosen)
    refusal_text = why_not_challenger(interaction, settings) or why_no_challenge(interaction, opponent, place)
    if reason := refusal_text or _why_no_thread(place, terms, by_server=known.threads is True):
        await show_reply(interaction, reason, rows=(wish.again,) if wish.again else ())
        return
    await check_may_post(interaction, place.venue)
    if terms.thread and known.threads is None:
        await check_may_make_thread(interaction, place.venue)
    by, to = seat_of_user(interaction.user), seat_of_user(opponent) if opponent else None
    notes = _idle_option_notes(chosen, settings, terms)
    role, gone = (None, "") if to else await role_for_seeks(interaction, known)
    notes += [gone] if gone else []
    posting = app.lobby.challenge(by, to, settings.ruleset, Side(wish.colour), place.venue, terms, wish.takers)
    may_be_rated = terms.rated and terms.rated_if_finished
    await _show_posting(interaction, posting, notes, may_be_rated=may_be_rated, role=role)


async def _show_posting(
    interaction: Interaction,
    posting: Awaitable[Posted],
    notes: Sequence[str],
    *,
    may_be_rated: bool,
    role: discord.Role | None,
) -> None:
    """Store and post a challenge, and tell the challenger. If an earlier challenge prevents it, show that one.

    `may_be_rated` says that its game is rated if both have finished one. `role` is the one that seeks mention.
    """
    app = interaction.client.app
    try:
        new, owed = await posting
    except Refused as refusal:
        if refusal.why not in (Why.CHALLENGES_CROSS, Why.CHALLENGE_PENDING):
            raise
        note_refusal(interaction, refusal)
        await _show_pending_challenge(interaction, refusal.facts["challenge"])
    else:
        await interaction.client.delivery.deliver(owed)
        stored = await app.lobby.stored_challenge(new.challenge.id)
        unrated = [say(lobby_texts.FIRST_GAMES_UNRATED)] if may_be_rated and not new.challenge.terms.rated else []
        enough = [seeker_texts.mentioned_enough_text(role.id)] if role and not new.mentioned_role else []
        leads_on, beside = ([], ()) if new.challenge.to else ([say(lobby_texts.WHILE_YOU_WAIT)], _while_you_wait())
        own = (withdraw_button(new.challenge.id),) if stored.challenge.state is RequestState.OPEN else ()
        said = texts.join_lines(_challenge_posted_text(stored), *notes, *unrated, *enough, *leads_on)
        await show_reply(interaction, said, rows=((*beside, *own),) if beside or own else ())


def _while_you_wait() -> tuple[Button, ...]:
    """Return the buttons for a person who waits for somebody to take their open challenge."""
    return Button(say(texts.TUTORIAL_LABEL), "open_tutorial"), play_bot_button()


def _is_bot_itself(interaction: Interaction, person: discord.abc.User | None) -> bool:
    user = interaction.client.user
    return person is not None and user is not None and person.id == user.id


async def _show_pending_challenge(interaction: Interaction, challenge_id: int) -> None:
    """Tell the user that one of the two has already challenged the other. Link to that challenge."""
    pending = await interaction.client.app.lobby.stored_challenge(challenge_id)
    challenge, link = pending.challenge, challenge_url(pending)
    if challenge.by.user == interaction.user.id and challenge.to:
        said = lobby_texts.challenge_pending_text(challenge.to.name, link)
    else:
        said = lobby_texts.challenges_cross_text(challenge.by.name, link)
    await show_reply(interaction, said, rows=(challenge_buttons(challenge, interaction.user.id),))


def _challenge_settings(known: ServerSettings, chosen: Mapping[str, Any]) -> ServerSettings:
    """Return a server's settings with the options `chosen` for one challenge.

    The option `thread` changes the setting `threads` where the server leaves it open. Raises Refused for a value that
    is not offered.
    """
    thread = chosen.get("thread", False)
    if not isinstance(thread, bool):
        raise Refused(Why.NOT_OFFERED, option="thread", value=thread)
    threads = thread if known.threads is None else known.threads
    return known.with_changes({**{name: chosen[name] for name in chosen if name != "thread"}, "threads": threads})


def _challenge_posted_text(new: StoredChallenge) -> str:
    if link := challenge_url(new):
        return lobby_texts.challenge_sent_text(new.challenge, new.venue.channel, link)
    if new.challenge.state is not RequestState.OPEN:
        return say(lobby_texts.CHALLENGE_NOT_POSTED)
    return say(lobby_texts.CHALLENGE_POSTED_LATER if new.challenge.to else lobby_texts.SEEK_POSTED_LATER)


def _idle_option_notes(chosen: Mapping[str, Any], settings: ServerSettings, terms: Terms) -> list[str]:
    """Return one note for each chosen option that has no effect."""
    idle = {
        lobby_texts.NO_THREAD_IN_THREADS: bool(settings.threads) and chosen.get("thread") is True and not terms.thread,
        lobby_texts.SERVER_MAKES_THREADS: chosen.get("thread") is False and settings.threads is True,
        lobby_texts.SERVER_MAKES_NO_THREADS: chosen.get("thread") is True and settings.threads is False,
        texts_of_course(settings.ruleset).no_potentials: not settings.ruleset.potentials
        and any(chosen.get(name) for name in POTENTIAL_SETTINGS),
        lobby_texts.NEVER_RATED: chosen.get("rated") is True and not course_of(settings.ruleset).rated,
    }
    return [say(sentence) for sentence, holds in idle.items() if holds]


@dataclass(frozen=True)
class ChallengePlace:
    """The place where a challenge is posted. `is_here` is true if the command was used there.

    `channel` is None if the bot cannot see it.
    """

    venue: Venue
    channel: object | None
    is_here: bool


async def find_challenge_place(interaction: Interaction, settings: ServerSettings) -> ChallengePlace:
    """Return the place for a challenge: the server's channel for games, or else the place of the interaction.

    The place of the interaction is used if the server has set no channel for games, or if that channel no longer
    exists. It is also used if it is the channel for games itself, or one of that channel's threads.
    """
    here, chosen = venue_of(interaction), settings.channel
    if chosen is None or chosen in (here.channel, here.parent):
        return ChallengePlace(here, interaction.channel, is_here=True)
    channel = await find_channel(interaction, chosen)
    if channel is None and interaction.client.get_channel(chosen) is None:
        return ChallengePlace(here, interaction.channel, is_here=True)
    return ChallengePlace(Venue(interaction.guild_id, chosen), channel, is_here=False)


def why_not_challenger(interaction: Interaction, settings: ServerSettings) -> str | None:
    """Return the reason why the user may not challenge on this server. None if they may.

    A role that is gone restricts nobody.
    """
    role = interaction.guild and interaction.guild.get_role(settings.challengers or 0)
    if role is None or (isinstance(interaction.user, discord.Member) and interaction.user.get_role(role.id)):
        return None
    return lobby_texts.only_role_challenges_text(role.id)


def why_no_challenge(interaction: Interaction, opponent: discord.abc.User | None, place: ChallengePlace) -> str | None:
    """Return the reason why no challenge can be posted in a place. None if one can be.

    `opponent` is None for an open seek.
    """
    if interaction.guild_id is None:
        return say(lobby_texts.CHALLENGE_NEEDS_SERVER)
    if is_private_thread(place.channel):
        return say(lobby_texts.IN_PRIVATE_THREAD)
    if missing := missing_permissions(interaction) if place.is_here else missing_permissions_in(place.channel):
        return texts.missing_permissions_text(missing, None if place.is_here else place.venue.channel)
    if not place.is_here and not _sees_place(place, interaction.user):
        return lobby_texts.cannot_see_channel_text(None, place.venue.channel)
    if opponent is None:
        return None
    if opponent.id == interaction.user.id:
        return say(lobby_texts.CANNOT_CHALLENGE_ONESELF)
    if opponent.bot:
        return say(lobby_texts.CANNOT_CHALLENGE_BOT)
    if not isinstance(opponent, discord.Member):
        return lobby_texts.not_on_server_text(opponent.display_name)
    if not _sees_place(place, opponent):
        return lobby_texts.cannot_see_channel_text(
            opponent.display_name, None if place.is_here else place.venue.channel
        )
    return None


def _why_no_thread(place: ChallengePlace, terms: Terms, *, by_server: bool) -> str | None:
    """Return the reason why a game cannot have the thread that its terms ask for.

    None if the thread can be made, or if the terms ask for none. `by_server` says that the server wants the thread.
    """
    if not terms.thread:
        return None
    if isinstance(place.channel, discord.VoiceChannel | discord.StageChannel):
        missing = [permission_name(flag) for flag in THREAD_PERMISSIONS]
    else:
        missing = missing_permissions_in(place.channel, THREAD_PERMISSIONS)
    if not missing:
        return None
    return lobby_texts.cannot_make_thread_text(missing, place.venue.channel, by_server=by_server)


def _sees_place(place: ChallengePlace, person: discord.abc.User) -> bool:
    return isinstance(person, discord.Member) and can_see_channel(place.channel, person)
