"""Answer the person who acts: at once, always privately, and with a sentence if something goes wrong.

After a restore, buttons and forms from the lost time are refused, because the things that they name are gone or have
changed. The mark of the outbox row identifies public ones, the tag of the database's timeline private ones.
"""

import io
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple, ParamSpec

import aiohttp
import discord

from gipfbot.languages import say
from gipfbot.match import Refused, Why
from gipfbot.match.game import clean_name
from gipfbot.notation import Notation, NotationError
from gipfbot.rules import Colour
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.values import DatabaseTrouble, Nickname, Person, Stale
from render import (
    CLASSIC,
    BalancePlot,
    ChallengeCard,
    DayPlot,
    Described,
    LeaderboardCard,
    RatingPlot,
    ResultCard,
    SmallBoards,
    Theme,
    TournamentCard,
    WinnerCard,
    alt_text,
    text_board,
)
from render.replay import Replay
from render.words import picture_sentences

from . import refusal_texts, texts
from .client import AnyInteraction, Interaction
from .components import Button, Malformed, PrivateRow, Select, build_layout, build_view, form_answers
from .discord_codes import Means, meaning
from .picture_words import spoken_words
from .pictures import Painter, board_style_of
from .refusal_texts import buttons_of_refusal, why_buttons
from .request_log import Outcome, end_request, refusal_class
from .request_watch import RequestsStopped

# Names of the parts of a `custom_id` that hold ids from the database.
STORED_PARTS = frozenset({"game", "study", "challenge", "request", "line", "follow", "puzzle", "origin", "tournament"})
_CHOSEN_GAME = "action"  # the part of a select in which a game or a study is chosen

ALREADY_ACKNOWLEDGED = 40060
_ACKNOWLEDGED = "acknowledged"  # key in `extras`: Discord knows of the acknowledgement, but discord.py does not

log = logging.getLogger(__name__)

P = ParamSpec("P")
# Discord's codes for interactions that cannot be answered any more, with the words for the log.
TOO_LATE = {10062: "an interaction was answered too late", ALREADY_ACKNOWLEDGED: "an interaction was answered already"}
APART = "apart"  # key in `extras`: whether the answer is a new message
_ANSWER = "answer"  # key in `extras`: that new message
_SHOWN = "shown"  # key in `extras`: the id of the private message that shows the answer
_LATE = "late"  # key in `extras`: whether the person has had an answer, and this is a later one
PERSON = "person"  # key in `extras`: what is stored about the person who acts
FILE_NAMES: dict[type, str] = {
    ChallengeCard: "challenge.png",
    LeaderboardCard: "leaderboard.png",
    TournamentCard: "table.png",
    WinnerCard: "winner.png",
    RatingPlot: "ratings.png",
    DayPlot: "days.png",
    BalancePlot: "balance.png",
    SmallBoards: "boards.png",
}


class FromLostTime(Exception):
    """A button or form is from a lost time. It must have no effect."""


class ShowsOther(Exception):
    """A private message shows something else by now, so a late answer must not replace it."""


class CannotTell(Exception):
    """Discord cannot tell at present what a person sees and may do on a server."""


async def check_not_lost(interaction: Interaction, mark: str, parts: Mapping[str, str | int]) -> None:
    """Raise FromLostTime if a button or form is from a lost time.

    `mark` is the end of its `custom_id`; `parts` are the other parts by name. Asks the database only if the
    message is from a lost time. A private message from before the backup counts as lost, too: it may have changed.
    """
    if not interaction.client.app.timelines.lost_times:
        return
    message = interaction.message
    is_form = interaction.type is discord.InteractionType.modal_submit
    if message is None or is_form or message.flags.ephemeral:
        names = {*STORED_PARTS, _CHOSEN_GAME}.intersection(name for name, part in parts.items() if part)
        if names and mark != interaction.client.app.timelines.tag:
            raise FromLostTime
    elif await _is_lost_message(interaction, message.id, mark):
        raise FromLostTime


async def _is_lost_message(interaction: Interaction, message: int, mark: str) -> bool:
    """Return whether a public message was posted in a lost time. Its row is found even if its buttons have no mark."""
    timelines, place = interaction.client.app.timelines, message_place(interaction)
    if not timelines.is_lost(discord.utils.snowflake_time(message).timestamp()):
        return False
    return not place or not await timelines.knows_message(mark, place, message)


def message_place(interaction: Interaction) -> int | None:
    """Return the outbox's place for the pressed message: its channel, or the user of a direct message."""
    return interaction.user.id if interaction.guild_id is None else interaction.channel_id


async def acknowledge(interaction: AnyInteraction, *, ephemeral: bool = False, thinking: bool = False) -> None:
    """Defer the answer to an interaction. The arguments are those of discord.py's `defer`.

    If the connection breaks, try once more. If Discord says that the interaction is acknowledged already, an earlier
    try has arrived, so go on. discord.py tries again by itself after an error of Discord's server.
    """
    try:
        await _defer(interaction, ephemeral=ephemeral, thinking=thinking)
    except (OSError, aiohttp.ClientError):
        await _defer(interaction, ephemeral=ephemeral, thinking=thinking)


async def _defer(interaction: AnyInteraction, *, ephemeral: bool, thinking: bool) -> None:
    try:
        await interaction.response.defer(ephemeral=ephemeral, thinking=thinking)
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
        interaction.extras[_ACKNOWLEDGED] = True


def is_acknowledged(interaction: AnyInteraction) -> bool:
    """Return whether Discord knows that an interaction is being handled, so that answers are sent as follow-ups."""
    return interaction.response.is_done() or _ACKNOWLEDGED in interaction.extras


class _Told(NamedTuple):
    """The marked text that a person reads after an error, and the outcome of the interaction in the log."""

    text: str
    outcome: Outcome
    why: str = ""


TOLD: dict[type[Exception], _Told] = {
    Malformed: _Told(texts.UNKNOWN_BUTTON, Outcome.MALFORMED),
    FromLostTime: _Told(texts.LOST_BUTTON, Outcome.REFUSED, "from_lost_time"),
    Stale: _Told(texts.GAME_JUST_CHANGED, Outcome.REFUSED, "just_changed"),
    CannotTell: _Told(texts.DISCORD_CANNOT_TELL, Outcome.REFUSED, "cannot_tell"),
    RequestsStopped: _Told(texts.REQUESTS_STOPPED, Outcome.REFUSED, "requests_stopped"),
}


def message_address(server: int | None, channel: int, message: int) -> str:
    """Return the URL of a message. `server` is None in a private chat."""
    return f"https://discord.com/channels/{server or '@me'}/{channel}/{message}"


async def person_of(interaction: Interaction) -> Person:
    """Return what is stored about the person who acts. It is read once for each interaction."""
    if PERSON not in interaction.extras:
        app = interaction.client.app
        who = interaction.user.id, interaction.guild_id, _new_nickname(interaction)
        interaction.extras[PERSON] = await app.users.person(*who)
    known: Person = interaction.extras[PERSON]
    return known


def _new_nickname(interaction: Interaction) -> Nickname | None:
    """Return the name of the person who acts on this server, unless they had it there when they acted last."""
    if interaction.guild_id is None:
        return None
    name = clean_name(interaction.user.display_name)
    known = interaction.client.known_names.find(interaction.user.id, str(interaction.guild_id))
    return None if name == known else Nickname(interaction.guild_id, name)


@asynccontextmanager
async def refreshing_name(interaction: Interaction) -> AsyncIterator[None]:
    """After the `with` block, give the person who acts their present name in their running games on this server.

    Nothing is read while the name stays. After a start no name is known: `person_of` asks whether it is new, before the
    block.
    """
    user, nickname = interaction.user.id, _new_nickname(interaction)
    known, server = interaction.client.known_names, str(interaction.guild_id)
    is_renamed = nickname and (known.find(user, server) is not None or (await person_of(interaction)).is_renamed)
    yield
    if nickname:
        with suppress(DatabaseTrouble):  # the store has logged it, and the person has their answer
            if is_renamed:
                await interaction.client.app.users.rename(user, nickname)
            known.keep(user, server, nickname.name)


async def user_settings_of(interaction: Interaction) -> Mapping[str, Any]:
    """Return the settings of the person who acts."""
    return (await person_of(interaction)).settings


async def notation_of(interaction: Interaction) -> Notation:
    """Return the notation that the person who acts has chosen."""
    return notation_in_settings(await user_settings_of(interaction))


async def with_picture(
    painter: Painter,
    text: str,
    picture: Described | None,
    theme: Theme = CLASSIC,
    person: int | None = None,
    film: Replay | None = None,
) -> tuple[str, list[discord.File]]:
    """Return a text, and its picture as a file with alt text. There is no file if `picture` is None.

    `person` is the person who waits for it; None if nobody in particular does. With `film`, a result card shows these
    turns in motion; if that fails or takes too long, it is a still.

    If the drawing fails, the error is logged once, and the text is that of `without_picture`.
    """
    if picture is None:
        return text, []
    if film and isinstance(picture, ResultCard) and (moving := await _film(painter, picture, film, theme)):
        return text, [discord.File(io.BytesIO(moving), "result.gif", description=alt_text(picture, spoken_words()))]
    try:
        image = await painter.png(picture, theme, person=person)
    except Exception as fault:
        if painter.is_new_fault(fault):
            log.exception("a picture could not be drawn; as long as this lasts, messages go with a board of letters")
        return without_picture(text, picture), []
    name = FILE_NAMES.get(type(picture), "board.png")
    return text, [discord.File(io.BytesIO(image), name, description=alt_text(picture, spoken_words()))]


async def _film(painter: Painter, card: ResultCard, last_turns: Replay, theme: Theme) -> bytes | None:
    """Return the film of a result. If there is none, the error is logged once, unless it only takes too long."""
    try:
        return await painter.film(card, last_turns, theme)
    except TimeoutError:
        log.warning("a film was not ready in time; its result goes with a still")
        return None
    except Exception as fault:
        if painter.is_new_fault(fault):
            log.exception("a film could not be drawn; as long as this lasts, results go with a still")
        return None


def without_picture(text: str, picture: Described) -> str:
    """Return a text with a board of letters instead of its picture.

    The rows of a leaderboard or of a tournament's table follow as lines. The text of a challenge, or beside a plot or
    several boards, stays as it is.
    """
    if isinstance(picture, LeaderboardCard | TournamentCard | WinnerCard):
        return texts.join_lines(text, *map(texts.escape_text, picture_sentences(picture, spoken_words())))
    if isinstance(picture, ChallengeCard | RatingPlot | DayPlot | BalancePlot | SmallBoards):
        return text
    return texts.with_code_block(text, text_board(picture, spoken_words()))


async def show_reply(
    interaction: Interaction,
    text: str,
    picture: Described | None = None,
    rows: Sequence[PrivateRow] = (),
    prefix: str = "",
    files: Sequence[discord.File] = (),
    colour: Colour | None = None,
    turned: bool = False,
) -> None:
    """Make the private answer of an acknowledged interaction show this text and picture, and nothing else.

    The picture is drawn in the viewer's own board style, and from their side if they play `colour`; with `turned`, from
    the other side. `prefix` is as in `build_layout`.
    """
    if picture is None:
        await interaction.client.app.end_snapshot()
        await _answer(interaction, text, [*files], rows, prefix)
        return
    look = board_style_of(await user_settings_of(interaction))
    seen = look.seen_by(picture, colour, turned=turned)
    await interaction.client.app.end_snapshot()
    beside, drawn = await with_picture(interaction.client.painter, text, seen, look.theme, interaction.user.id)
    await interaction.client.app.end_snapshot()
    try:
        await _answer(interaction, beside, [*drawn, *files], rows, prefix)
    except discord.HTTPException as error:
        if files or not drawn or meaning(error) is not Means.FILES:
            raise
        await _answer(interaction, without_picture(text, seen), [], rows, prefix)


def answer_apart(interaction: Interaction) -> None:
    """Mark an interaction so that its private answer is a new message. The message that was pressed stays."""
    interaction.extras[APART] = True


async def _answer(
    interaction: Interaction, text: str, files: list[discord.File], rows: Sequence[PrivateRow], prefix: str
) -> None:
    """Show the answer in place of the message that was pressed.

    After `answer_apart`, the answer is a new private message instead, and further answers replace that new message.
    """
    _note_replacing(interaction)
    if not interaction.extras.get(APART):
        if is_public(interaction.message):
            view = build_view([row for row in rows if isinstance(row, (tuple, Select))], prefix)
            await interaction.edit_original_response(content=text, attachments=files, view=view)
        else:
            await _replace_answer(interaction, build_layout(text, files, rows, prefix), files)
        return
    layout = build_layout(text, files, rows, prefix)
    if message := interaction.extras.get(_ANSWER):
        await message.edit(attachments=files, view=layout)
    else:
        sent = await interaction.followup.send(files=files, view=layout, ephemeral=True, wait=True)
        interaction.extras[_ANSWER], interaction.extras[_SHOWN] = sent, sent.id


def shown_message(interaction: Interaction) -> int | None:
    """Return the id of the private message that shows the answer to an interaction; None before there is one."""
    found: int | None = interaction.extras.get(_SHOWN)
    return found


def answer_later(interaction: Interaction) -> None:
    """Mark an interaction so that its answers replace its message only as long as that waits for the bot."""
    interaction.extras[_LATE] = True


def _note_replacing(interaction: Interaction) -> None:
    """Note that a private message is about to show something else. Raises ShowsOther if a late answer must not."""
    pressed = None if interaction.extras.get(APART) or not interaction.message else interaction.message.id
    message, answers = shown_message(interaction) or pressed, interaction.client.bot_answers
    if message is None:
        return
    if not interaction.extras.get(_LATE):
        answers.forget(message)
    elif not answers.waits(message, interaction):
        raise ShowsOther


def is_public(message: discord.Message | None) -> bool:
    """Return whether this is a message of the outbox, in a channel or direct. Such messages keep the first version."""
    return message is not None and not (message.flags.ephemeral or message.flags.components_v2)


async def _replace_answer(
    interaction: Interaction, layout: discord.ui.LayoutView, files: Sequence[discord.File] = ()
) -> None:
    """Replace the private message of an interaction. A message of the first version must lose its content."""
    shown = await interaction.edit_original_response(content=None, attachments=files, view=layout)
    interaction.extras[_SHOWN] = shown.id


async def tell_privately(interaction: Interaction, text: str, buttons: tuple[Button, ...] = ()) -> None:
    """Tell the person something privately, at any point of an interaction, with a row of buttons.

    A message that was pressed, such as a desk, stays. An earlier answer to a slash command is replaced.
    """
    layout = build_layout(text, rows=(buttons,) if buttons else ())
    if not is_acknowledged(interaction):
        await interaction.response.send_message(view=layout, ephemeral=True)
    elif interaction.message:
        await interaction.followup.send(view=layout, ephemeral=True)
    else:
        await _replace_answer(interaction, layout)


async def add_privately(interaction: Interaction, text: str, files: Sequence[discord.File] = ()) -> None:
    """Tell the person something privately in a new message. The answer to their command stays."""
    view = build_layout(text, files)
    await interaction.followup.send(view=view, files=list(files), ephemeral=True)


async def run_guarded(interaction: Interaction, work: Awaitable[None]) -> None:
    """Await `work`. If it raises an error, tell the person in a sentence. The log gets a line about the interaction."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 - each is answered, and the unexpected ones are logged
        outcome, why = await _answer_error(interaction, error)
    else:
        outcome, why = Outcome.ANSWERED, ""
    end_request(interaction, outcome, why)


async def _answer_error(interaction: Interaction, error: Exception) -> tuple[Outcome, str]:
    """Tell the person about an error. Return how the interaction ended, and why."""
    if isinstance(error, discord.HTTPException) and error.code in TOO_LATE:
        log.warning(TOO_LATE[error.code])
        return Outcome.TOO_LATE, ""
    if isinstance(error, discord.HTTPException) and meaning(error) is Means.FILES:
        await _try_to_tell(interaction, say(texts.FILES_REFUSED))
        return Outcome.REFUSED, "files"
    if known := TOLD.get(type(error)):
        await _try_to_tell(interaction, say(known.text))
        return known.outcome, known.why
    match error:
        case Refused():
            await _try_to_tell(interaction, refusal_texts.refusal_text(error), buttons_of_refusal(error))
            return (Outcome.TOO_FAST, "") if error.why is Why.TOO_FAST else (Outcome.REFUSED, refusal_class(error))
        case NotationError():
            await _try_to_tell(interaction, refusal_texts.turn_error_text(error), why_buttons(error))
            return Outcome.REFUSED, refusal_class(error)
        case DatabaseTrouble():  # the store has logged it
            await _try_to_tell(interaction, texts.trouble_text(error.trouble))
            return Outcome.FAILED, f"database_{error.trouble.name.lower()}"
    log.error("an interaction failed", exc_info=error)
    await _try_to_tell(interaction, say(texts.SOMETHING_WENT_WRONG))
    return Outcome.FAILED, type(error).__name__


async def _try_to_tell(interaction: Interaction, text: str, buttons: tuple[Button, ...] = ()) -> None:
    """Tell the person why nothing came of an interaction. What they typed into a form is handed back."""
    is_form = interaction.type is discord.InteractionType.modal_submit
    typed = form_answers(interaction).get("text", "").strip() if is_form else ""
    try:
        await tell_privately(interaction, texts.join_lines(text, typed and texts.you_wrote_text(typed)), buttons)
    except discord.HTTPException:
        log.warning("a refusal could not be delivered")


async def read_aside(interaction: Interaction, read: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Let a function read a typed text in a thread, so that its next call can use the cached result.

    Errors in the text are not raised here, but by that next call. Ends the snapshot of the database.
    """
    with suppress(NotationError, Refused):
        await interaction.client.readings.run(interaction.user.id, read, *args, **kwargs)


def show_here_buttons(interaction: Interaction, what: str) -> tuple[Button, ...]:
    """Return the button below a private answer that posts `what` for all who are here, such as `record:7:official`.

    `ui/showing` posts it. Empty in direct messages.
    """
    here = interaction.guild_id is not None
    return (Button(say(texts.SHOW_HERE_LABEL), f"show:{what}", is_custom_id=True),) if here else ()
