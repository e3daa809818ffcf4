"""Play a turn by buttons as a person does, who knows the turn and reads the desk."""

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import discord
import simcord
from simcord.builders import UserHandle
from simcord.results import InteractionResult

from gipfbot.match import LEVEL_NAMES, TIME_CONTROLS, House, Seat, Side, Terms, house_name, position_after
from gipfbot.notation import parse_turn, turn_text
from gipfbot.rules import RULESETS, Act, Action, Position, Push, Remove, Use, play
from gipfbot.ui.board.public_board import is_removal_due
from gipfbot.ui.bot_answers import LOOK_SECONDS
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.desk.screens import TYPE_IT_LABEL
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.turn_words import act_end
from gipfbot.ui.play import game_texts
from gipfbot.ui.requests import request_texts

from .opened_message import OpenedMessage
from .private_message import PrivateMessage
from .world import World, components, labels, options, private, seat

ROW = re.compile("[A-U] (..)–(..): .+")
ONE_ROW = re.compile(r"[Rr]ow \*\*(..)–(..)\*\*")
DOT = re.compile("[a-i][1-9]")
ELSEWHERE = (texts.MORE_LABEL, texts.ALL_GAMES_LABEL, desk_texts.START_OVER_LABEL)
NOTE_LABELS = {game_texts.WRITE_NOTE_LABEL, game_texts.EDIT_NOTE_LABEL}
TOGGLE = re.compile("[0-9]+ (✓ )?Take (.+)")


class Desk(OpenedMessage):
    """The private message on which a person plays a game."""

    @property
    def labels(self) -> list[str]:
        """What its buttons say."""
        return labels(self.message)

    @property
    def dots(self) -> list[str]:
        """The dots that can be chosen."""
        return [label for label in self.labels if DOT.fullmatch(label)]

    @property
    def answers(self) -> list[str]:
        """What its buttons say, without the dots and without those in its last row, which answer nothing."""
        return [label for label in self.labels if not DOT.fullmatch(label) and label not in ELSEWHERE]

    @property
    def options(self) -> list[str]:
        """What can be chosen in its list."""
        return [*options(self.message)]

    @property
    def game(self) -> str:
        """The game and its version for which its buttons were drawn."""
        return ":".join(next(iter(components(self.message)))["custom_id"].split(":")[1:3])

    @property
    def alt(self) -> str:
        """What its picture shows, in words."""
        return self.message.attachments[0].description or ""

    async def push(self, end: str) -> None:
        """Press the button that pushes to this spot, whatever else that does."""
        await self.press(next(label for label in self.labels if label.split(" · ")[0] == f"→ {end}"))

    async def choose(self, label: str) -> None:
        """Choose from the list."""
        self.last = await self.person.select(self.message, [options(self.message)[label]])
        assert self.last.acknowledged, f"{label} was not answered"


async def typing_form(person: simcord.MemberActor, message: PrivateMessage, label: str) -> InteractionResult:
    """Return the form for a text on the desk that a button opens: of a guess, or of conditional turns."""
    desk = private(await person.click(message, label=label))
    return await person.click(desk, label=TYPE_IT_LABEL)


@dataclass
class Plan:
    """A turn to be played: what is taken before the push or use, the push or use, what is taken after it."""

    act: Act | None
    label: str  # how the button that pushes begins
    before: list[Remove]
    after: list[Remove]

    @classmethod
    def of(cls, position: Position, actions: Sequence[Action]) -> "Plan":
        """Return the plan of a legal turn."""
        lists: tuple[list[Remove], list[Remove]] = [], []
        act, label = None, ""
        for action in actions:
            if isinstance(action, Push | Use):
                act, label = action, f"→ {act_end(action)}"
            elif isinstance(action, Remove):
                lists[act is not None].append(action)
            position = play(position, action)
        return cls(act, label, *lists)

    def on_row(self, row: re.Match[str] | None) -> Remove | None:
        """Return what is taken next from the row between these two spots, None if it stays."""
        assert row, "no row is named"
        planned = (*self.before, *self.after)
        return next((removal for removal in planned if {row[1], row[2]} <= {*removal.on.spots}), None)

    def done(self, removal: Remove) -> None:
        """Cross a removal off the plan."""
        (self.before if removal in self.before else self.after).remove(removal)


async def ask_takeback(world: World, person: simcord.MemberActor) -> str:
    """Let a person request a takeback, confirm it if the bot asks, and return the last answer."""
    shown = Desk(person, await person.slash(world.channel, "move", notation="undo"))
    if request_texts.REQUEST_TAKEBACK_LABEL in shown.labels:
        await shown.press(request_texts.REQUEST_TAKEBACK_LABEL)
    return shown.text


async def write_note(person: simcord.MemberActor, shown: Desk, text: str) -> str:
    """Fill in the form for a note that a private message opens; return how it looked when it opened."""
    label = next(label for label in shown.labels if label in NOTE_LABELS)
    form = await person.click(shown.message, label=label)
    assert form.modal
    shown.last = await person.submit_modal(form, {"text": text})
    return str(form.modal)


async def open_note(world: World, person: simcord.MemberActor, **game: str) -> Desk:
    """Return a person's note on a game, as typing `note` shows it."""
    return Desk(person, await person.slash(world.channel, "move", notation="note", **game))


async def open_desk(world: World, game_id: int = 1) -> Desk:
    """Return the desk that the button of a game's newest board opens for the player asked."""
    person, board = world.player(await world.game(game_id)), world.board(game_id)
    return Desk(person, await person.click(board, label=button_of(board)))


async def desk_of(world: World, position: Position) -> Desk:
    """Return the desk of a new game of Ann, White, at this position."""
    return await open_desk(world, await world.prepared(position))


def button_of(board: discord.Message) -> str:
    """Return what the button of a board says that opens the desk."""
    (row,) = board.components
    assert isinstance(row, discord.ActionRow)
    button, *_ = row.children
    assert isinstance(button, discord.Button)
    return button.label or ""


async def play_at(desk: Desk, position: Position, actions: Sequence[Action]) -> None:
    """Play a turn on a desk by its buttons, until the desk says that it was played."""
    plan = Plan.of(position, actions)
    assert await _play(desk, plan, lambda: False), f"not played: {plan}, {desk.text} {desk.labels}"


async def assert_buttons_play(world: World, position: Position, turn: str) -> None:
    """Play a turn by buttons, and assert that it leads where the rules say.

    The board asks for what is due. Nothing is public before the turn is complete.
    """
    actions = parse_turn(position, turn)
    game_id, posted = await world.prepared(position), len(world.public())
    assert button_of(world.board(game_id)) == (texts.REMOVE_LABEL if is_removal_due(position) else texts.MOVE_LABEL)
    await play_at(await open_desk(world, game_id), position, actions)
    game = await world.game(game_id)
    assert (game.position, game.turn_number, game.draft) == (position_after(position, actions), 1, ())
    assert len(world.public()) == posted + 1
    assert turn_text(position, actions) in world.public()[-1].content


async def begin_at(desk: Desk, position: Position, actions: Sequence[Action]) -> bool:
    """Play a turn on a desk until something of it is decided; return whether that was the whole turn."""
    stands = desk.game
    return await _play(desk, Plan.of(position, actions), lambda: desk.game != stands)


async def play_until(desk: Desk, position: Position, actions: Sequence[Action], enough: Callable[[], bool]) -> None:
    """Play a turn on a desk until `enough` returns True."""
    plan = Plan.of(position, actions)
    await _play(desk, plan, enough)
    assert enough(), f"not played: {plan}, {desk.text} {desk.labels}"


async def _play(desk: Desk, plan: Plan, enough: Callable[[], bool]) -> bool:
    pushed = False
    for _ in range(40):
        if desk.text.startswith("Played **"):
            return True
        if enough():
            return False
        pushed = await _step(desk, plan, pushed)
    return False


async def _step(desk: Desk, plan: Plan, pushed: bool) -> bool:
    """Press what comes next; return whether the push is done."""
    rows = [row for row in map(ROW.fullmatch, desk.labels) if row]
    if desk_texts.TAKE_FIRST_LABEL in desk.labels and plan.before:
        await desk.press(desk_texts.TAKE_FIRST_LABEL)
    elif row := ONE_ROW.search(desk.text):
        await _take(desk, plan, plan.on_row(row))
    elif rows:
        await _which_row(desk, plan, rows)
    else:
        return await _push(desk, plan)
    return pushed


async def _which_row(desk: Desk, plan: Plan, rows: Iterable[re.Match[str]]) -> None:
    """Press the row that is first in the plan, of those on the desk."""
    planned = {removal: row[0] for row in rows if (removal := plan.on_row(row))}
    if not planned:
        await _leave(desk, plan)
        return
    first = next(removal for removal in (*plan.before, *plan.after) if removal in planned)
    await desk.press(planned[first])
    if not ONE_ROW.search(desk.text):  # it left no choice and is done
        plan.done(first)


async def _leave(desk: Desk, plan: Plan) -> None:
    """Leave the rows shown, as the plan has none of them. What else it has was done without a question."""
    plan.before.clear()
    await desk.press(desk_texts.KEEP_ALL_LABEL if desk_texts.KEEP_ALL_LABEL in desk.labels else desk_texts.BACK_LABEL)


async def _take(desk: Desk, plan: Plan, removal: Remove | None) -> None:
    """Set the GIPF-pieces of the row as planned, and press `Done`."""
    if removal is None:
        await _leave(desk, plan)
        return
    for spots, label in [(label.removeprefix("Take "), label) for label in desk.labels if label.startswith("Take ")]:
        goes = {*spots.split()} <= {*removal.spots}
        await desk.press(label if goes else f"{label.replace('Take', 'Leave')} on the board")
        plan.done(removal)
        return
    for _ in range(12):
        toggles = [toggle for toggle in map(TOGGLE.fullmatch, desk.labels) if toggle]
        wrong = [t for t in toggles if ({*t[2].split()} <= {*removal.spots}) != bool(t[1])]
        if not wrong:
            break
        await desk.press(wrong[0][0])
    await desk.press(desk_texts.DONE_LABEL)
    plan.done(removal)


async def _push(desk: Desk, plan: Plan) -> bool:
    """Choose the piece and the dot, and push, or choose a potential and use it; return whether it is done."""
    assert plan.act, f"nothing was to be pushed: {desk.text}"
    pushes = [label for label in desk.labels if label.startswith("→ ")]
    if not pushes or (isinstance(plan.act, Use) and plan.act.spot not in desk.text):
        await desk.press(_next_choice(desk, plan.act))
        return False
    plain, *then_take = sorted(label for label in pushes if re.split(" ·|,", label)[0] == plan.label)
    await desk.press(then_take[0] if then_take and plan.after else plain)
    return True


def _next_choice(desk: Desk, act: Act) -> str:
    """Return the button that leads on to a push or a use."""
    if isinstance(act, Push):
        switch = desk_texts.kind_label(act.kind)
        return switch if switch in desk.labels else act.dot
    named = next((label for label in desk.labels if label.startswith(f"{act.spot} ")), None)
    return named or desk_texts.USE_LABEL


async def refused(
    world: World, person: simcord.MemberActor, turn: str, channel: simcord.ChannelHandle | None = None, boards: int = 0
) -> PrivateMessage:
    """Return the private answer to a typed turn of game #a1. Assert that nothing changed and nothing is public.

    `boards` says how many boards the answer shows: one, if it is not the person's turn.
    """
    before, posted = await world.stored(), [m.id for m in world.public()]
    answer = private(await person.slash(channel or world.channel, "move", notation=turn, game="#a1"))
    assert await world.stored() == before
    assert [m.id for m in world.public()] == posted
    assert len(answer.rows) <= 2, "turns that can be played instead, and other ways to play"
    assert len(answer.attachments) == boards
    assert 10 < len(answer.content) < 600
    return answer


async def challenge_bot(
    world: World, level: int = 1, colour: str = "white", rules: str = "standard", pace: str = "none"
) -> int:
    """Return a game of Ann against the bot whose boards are posted, as one that was moved into the channel."""
    me = world.bot.user
    assert me
    house = Seat(me.id, house_name(me.display_name, level))
    terms = Terms(TIME_CONTROLS[pace], house=House(level, me.id))
    what = seat(world.ann), house, RULESETS[rules], Side(colour), world.home, terms
    begun = await world.bot.app.lobby.challenge_house(*what)
    await world.bot.delivery.deliver(begun.owed)
    await thought(world)
    return begun.game.id


async def thought(world: World) -> None:
    """Let the bot think to the end."""
    loop = world.bot.house_loop
    while thinking := [
        each for each in (loop._looking, *loop._doing.values(), *loop._posting) if each and not each.done()
    ]:
        await asyncio.wait(thinking)
    await world.env.settle()


async def play_bot(world: World, level: int = 1, colour: str = "white", rules: str = "standard") -> Desk:
    """Return the desk of a new private game of Ann against the bot."""
    options = {"opponent": bot_handle(world), "rules": rules, "colour": colour}
    page = Desk(world.ann, await world.ann.slash(world.channel, "gipf challenge", **options))
    await page.press(f"{level} · {LEVEL_NAMES[level]}")
    return page


def bot_handle(world: World) -> UserHandle:
    """Return the bot as somebody whom a command can name."""
    return UserHandle(world.env, world.env.backend.bot_user)


async def look_for_answers(world: World) -> None:
    """Let the messages that wait for the bot show what it has answered meanwhile."""
    await world.env.advance_time(LOOK_SECONDS)
