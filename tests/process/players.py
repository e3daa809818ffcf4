"""People who play many games at once on the stand-in Discord, whether or not the bot is alive."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeVar

from gipfbot.match import position_after
from gipfbot.notation import parse_action_code, parse_position, turn_text
from gipfbot.rules import Action, Position, legal, play
from gipfbot.service.kit.loaded_games import game_name
from tests.standin import Channel, Interaction, Message, StandIn, User
from tests.standin.interaction import PATIENCE

from .account import ANYBODY, Account, Act
from .cups import Cups
from .running import Bot
from .stored_courses import Fault, read_rows
from .table import playable

T = TypeVar("T")
PEOPLE, GAMES, CHANNELS = 30, 16, 3
WATCHERS = 6  # people who read German and do not play: the account reads English
GAMES_AGAINST_BOT = 5
AT_ONCE = 5  # people who act at the same time
RULES = "basic", "basic", "standard", "tournament"
PRESSES = 1, 2, 8, 8, 8  # how often a person presses on a desk at most before they leave it
DESKS_KEPT, HISTORY = 10, 60  # desks on which people go on later; messages among which they look for a button
FORMS_KEPT = 5  # forms that stand open while others act
RUNNING = """
    SELECT games.id, position, turn_number + taken_back, turn_number, channel, waiting_user, white.user, black.user
    FROM games JOIN seats AS white ON white.game = games.id AND white.colour = 0
    JOIN seats AS black ON black.game = games.id AND black.colour = 1 WHERE waiting_user IS NOT NULL"""


class Gone(Exception):
    """The bot is gone before it has answered."""


class Running(NamedTuple):
    """A running game as the people see it. `turns` counts all turns ever played."""

    id: int
    line: str
    turns: int
    number: int
    channel: int
    waiting: int
    white: int
    black: int

    @property
    def resting(self) -> int:
        """The player who waits for the other's turn."""
        return self.white + self.black - self.waiting

    @property
    def position(self) -> Position:
        """The position at the start of the turn."""
        return parse_position(self.line)


def any_turn(position: Position, chance: Random) -> list[Action]:
    """Return any legal turn."""
    mover, actions = position.mover, list[Action]()
    while position.result is None and position.mover is mover:
        actions.append(chance.choice(legal(position)))
        position = play(position, actions[-1])
    return actions


@dataclass
class Players:
    """The people. Everything that could change a game is noted in the account as soon as it is sent."""

    bot: Bot
    discord: StandIn
    account: Account
    chance: Random
    desks: list[tuple[User, int, Message]] = field(default_factory=list)
    forms: list[tuple[Running, Interaction]] = field(default_factory=list)  # with the games when they were opened

    def __post_init__(self) -> None:
        self.people = [self.discord.user(f"player{number}") for number in range(PEOPLE)]
        self.watchers = [self.discord.user(f"watcher{number}", locale="de") for number in range(WATCHERS)]
        for person in self.people[::3]:
            person.locale = "fr"  # which the bot does not know
        for number in range(CHANNELS - 1):
            self.discord.world.add_channel(self.discord.guild, f"games{number}")
        self.channels = [*self.discord.guild.channels.values()]
        url = self.bot.settings["GIPFBOT_DATABASE_URL"]
        self.cups = Cups(url, self.bot.database, self.channels[0], self.people)

    async def live(self) -> None:
        """Let people act until the bot is gone."""
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(self._act_on())

    async def _act_on(self) -> None:
        with suppress(Gone):
            await self.until(lambda: self.discord.gateway.live, "a connected bot")
            while True:
                with suppress(LookupError, ValueError):  # there is nothing to do, or another person was faster
                    await self._any_act()()
                await self._breathe()

    def _any_act(self) -> Callable[[], Awaitable[object]]:
        bot, running = self.account.bot, self.running()
        against_bot = sum(bot in (game.white, game.black) for game in running)
        in_cups = len(self.cups.running_games())
        missing = max(0, GAMES + against_bot + in_cups - len(running))
        acts: dict[Callable[[], Awaitable[object]], int] = {
            self.type_turn: 30,
            self.press_turn: 30,
            self.go_on_at_desk: 20,
            self.type_in_form: 15,
            self.plan_ahead: 10,
            self.ask_back: 5,
            self.answer_takeback: 15,
            self.give_up: 2,
            self.give_up_in_cup: min(8, in_cups),
            self.challenge: 4 * missing,
            self.challenge_bot: 8 * max(0, GAMES_AGAINST_BOT - against_bot),
            self.answer_challenge: 4 + 4 * missing,
            self.ask_rematch: 2,
            self.follow: 2,
            self.show_here: 4,
            self.look_at_shown: 2,
            self.join_seekers: 1,
        }
        return self.chance.choices([*acts], [*acts.values()])[0]

    # What people see

    def running(self) -> list[Running]:
        """Return the running games."""
        return [Running(*row) for row in self._rows(RUNNING)]

    def _rows(self, query: str, *values: object) -> list[Any]:
        return read_rows(self.bot.database, query, *values)

    def _any_game(self) -> Running:
        return self.chance.choice(self.running())

    def _button(self, channel: Channel, begins: str) -> tuple[Message, str]:
        """Return the newest message in a channel with a button whose `custom_id` begins so, and that `custom_id`."""
        for message in reversed(channel.messages[-HISTORY:]):
            for custom_id in message.custom_ids:
                if custom_id.startswith(begins):
                    return message, custom_id
        raise LookupError(begins)

    # Waiting

    def is_gone(self) -> bool:
        """Return whether the process has ended."""
        return self.bot.exit_code is not None

    async def _breathe(self) -> None:
        await asyncio.sleep(0.01)
        if self.is_gone():
            raise Gone

    async def until(self, predicate: Callable[[], T], what: str) -> T:
        """Wait until this holds, and return its value. Raises Gone if the bot dies, Fault if it never comes."""
        hung = time.monotonic() + PATIENCE
        while not (value := predicate()):
            if time.monotonic() > hung:
                raise Fault(f"nothing has come for {PATIENCE} s: {what}")
            await self._breathe()
        return value

    async def _answered(self, sent: Interaction) -> Interaction:
        await self.until(lambda: sent.complete, f"the answer to {sent}")
        return sent

    async def _changed(self, act: Act) -> None:
        await self.until(lambda: act.answer, f"the answer to {act.interaction}")

    # Turns

    async def type_turn(self) -> None:
        """Let a player type their turn, now and then twice."""
        game = self._any_game()
        for act in [await self.send_turn(game) for _ in range(self.chance.choice((1, 1, 1, 2)))]:
            await self._answered(act.interaction)

    async def send_turn(self, game: Running) -> Act:
        """Let the player to move type a turn, often one that the other has planned for. Do not wait for the answer."""
        user, text = self._user(game.waiting), self._turn_to_type(game)
        sent = await self.discord.slash(user, self._channel(game), "move", notation=text, game=game_name(game.id))
        return self.account.note(Act("turn", user.id, game.id, sent))

    def _turn_to_type(self, game: Running) -> str:
        position = game.position
        planned = 'SELECT turns FROM conditionals WHERE game = ? AND turn_number = ? AND "user" <> ?'
        found = self._rows(planned, game.id, game.number, game.waiting)
        if found and self.chance.random() < 0.7:
            codes = str(found[0]).partition(";")[0].split()
            return turn_text(position, [parse_action_code(code) for code in codes])
        return turn_text(position, any_turn(position, self.chance))

    async def press_turn(self, game: Running | None = None) -> None:
        """Let a player open the desk, by the command or from the board, and play by pressing."""
        game = game or self._any_game()
        user, channel = self._user(game.waiting), self._channel(game)
        if self.chance.random() < 0.5:
            opened = await self.discord.slash(user, channel, "move", game=game_name(game.id))
            desk = (await self._answered(opened)).messages[0]
        else:
            opened = await self.discord.press(user, *self._button(channel, f"board:{game.id}:"))
            desk = (await self.until(lambda: opened.followups, f"the answer to {opened}"))[0]
        await self._press_on(user, game.id, desk)

    async def go_on_at_desk(self) -> None:
        """Let a player go on at a desk that stands open, perhaps since before the bot was killed."""
        if self.desks:
            await self._press_on(*self.desks.pop(self.chance.randrange(len(self.desks))))

    async def _press_on(self, user: User, game: int, desk: Message) -> None:
        """Press anything on a desk until a turn is played. What is left is kept for later."""
        try:
            for _ in range(self.chance.choice(PRESSES)):
                names, seen = playable(desk), desk.edits
                likely = [
                    90 if ":done:" in name or ":push:" in name else 20 if ":over:" in name else 1 for name in names
                ]
                pressed = await self.discord.press(user, desk, self.chance.choices(names, likely)[0])
                await self._changed(self.account.note(Act("turn", user.id, game, pressed, seen)))
        finally:
            if playable(desk):
                self.desks = [*self.desks[1 - DESKS_KEPT :], (user, game, desk)]

    async def type_in_form(self) -> None:
        """Let a player send a turn by a form that stands open, perhaps since an earlier turn, or open such a form."""
        if len(self.forms) < self.chance.randint(1, FORMS_KEPT):
            await self._open_form(self._any_game())
            return
        opened, form = self.forms.pop(self.chance.randrange(len(self.forms)))
        text, seen = self._turn_to_type(self._as_it_stands(opened)), form.source.edits if form.source else 0
        sent = await self.discord.submit(form, text=text)
        act = Act("turn", form.user.id, opened.id, sent, seen, typed_at=opened.turns)
        await self._changed(self.account.note(act))

    async def _open_form(self, game: Running) -> None:
        """Open the form for a turn from the private board, and keep it if the game has not changed meanwhile."""
        user = self._user(game.waiting)
        asked = await self.discord.slash(user, self._channel(game), "gipf board", game=game_name(game.id))
        board = (await self._answered(asked)).messages[0]
        (button,) = [name for name in board.custom_ids if name.startswith("type_turn:")]
        form = await self._answered(await self.discord.press(user, board, button))
        if form.modal and self._as_it_stands(game).turns == game.turns:
            self.forms.append((game, form))

    def _as_it_stands(self, game: Running) -> Running:
        """Return a game as it is now. Raises ValueError if it is over."""
        (now,) = [now for now in self.running() if now.id == game.id]
        return now

    async def plan_ahead(self) -> None:
        """Let the player who waits leave a conditional turn."""
        game = self._any_game()
        first = any_turn(game.position, self.chance)
        between = position_after(game.position, first)
        if between.result is None:
            line = f"{turn_text(game.position, first)} {turn_text(between, any_turn(between, self.chance))}"
            user, options = self._user(game.resting), {"game": game_name(game.id), "turns": line}
            sent = await self.discord.slash(user, self._channel(game), "gipf if", **options)
            self.account.note(Act("conditional", user.id, game.id, sent, turns=game.turns))
            await self._answered(sent)

    # Takebacks, ends, challenges

    async def ask_back(self) -> None:
        """Let a player ask to take their last turn back. Requests are answered at once, before somebody plays."""
        game = self._any_game()
        user = self._user(self.chance.choice((game.white, game.black)))
        sent = await self.discord.slash(user, self._channel(game), "move", notation="undo", game=game_name(game.id))
        asked = (await self._answered(sent)).messages[0]
        seen = asked.edits
        pressed = await self.discord.press(user, asked, "Ask to take back")
        if self.account.bot in (game.white, game.black):  # which agrees at once
            await self._changed(self.account.note(Act("takeback", user.id, game.id, pressed, seen)))
            return
        await self.until(lambda: asked.edits > seen or pressed.followups, f"the answer to {pressed}")
        await self.answer_takeback()

    async def answer_takeback(self) -> None:
        """Let a player answer a takeback request; mostly they accept."""
        are_open = "kind = 'takeback' AND state = 'open'"
        open_requests = f"SELECT id, game, by FROM requests WHERE {are_open} ORDER BY id DESC LIMIT 5"
        request, game_id, by = self.chance.choice(self._rows(open_requests))
        game = self.chance.choice([game for game in self.running() if game.id == game_id])
        user = self._user(game.white + game.black - by)
        verb = self.chance.choice(("accept", "accept", "accept", "decline"))
        message, custom_id = self._button(self._channel(game), f"request:{request}:{verb}")
        seen = message.edits
        act = Act("takeback", user.id, game_id, await self.discord.press(user, message, custom_id), seen)
        if verb == "accept":
            self.account.note(act)
        await self._changed(act)

    async def give_up_in_cup(self) -> None:
        """Let a player resign a game of a tournament, so that the next round or season comes soon."""
        in_cups = self.cups.running_games()
        await self.give_up(self.chance.choice([game for game in self.running() if game.id in in_cups]))

    async def give_up(self, game: Running | None = None) -> None:
        """Let a player resign or cancel a game."""
        game = game or self._any_game()
        user = self._user(self.chance.choice((game.white, game.black)))
        sent = await self.discord.slash(user, self._channel(game), "gipf resign", game=game_name(game.id))
        asked = (await self._answered(sent)).messages[0]
        ways, seen = [name for name in asked.custom_ids if ":resign" in name or ":cancel" in name], asked.edits
        pressed = await self.discord.press(user, asked, self.chance.choice(ways))
        await self._changed(self.account.note(Act("end", user.id, game.id, pressed, seen)))

    async def challenge(self) -> None:
        """Let a person challenge another, now and then anybody."""
        user, opponent = self.chance.sample(self.people, 2)
        terms = self._terms()
        if named := self.chance.random() < 0.8:
            terms["opponent"] = opponent
        sent = await self.discord.slash(user, self.chance.choice(self.channels), "gipf challenge", **terms)
        seen = 0
        if terms["other_terms"]:
            sent, seen = await self._choose_thread(user, (await self._answered(sent)).messages[0])
        await self._changed(self.account.note(Act("ask", user.id, opponent.id if named else ANYBODY, sent, seen)))

    async def challenge_bot(self) -> None:
        """Let a person begin a game against the bot: a private one, or one with boards in their direct messages."""
        user, place = self.chance.choice(self.people), self.chance.choice(self.channels)
        if self.chance.random() < 0.5:
            sent = await self.discord.slash(user, place, "gipf bot", level=self.chance.choice("12"))
        else:
            terms = {"rules": self.chance.choice(RULES), "opponent": self.discord.world.bot}
            sent = await self.discord.slash(user, self.discord.dm(user), "gipf challenge", **terms)
        self.account.note(Act("ask", user.id, self.account.bot, sent))
        await self._answered(sent)

    def _terms(self) -> dict[str, object]:
        """Return the terms of a challenge. Among all terms, its thread is switched on."""
        return {"rules": self.chance.choice(RULES), "other_terms": self.chance.random() < 0.2}

    async def _choose_thread(self, user: User, page: Message) -> tuple[Interaction, int]:
        """Let a person switch on the thread among all terms, and press what begins the challenge.

        Return that press, and how often the page had been edited before.
        """
        switch, seen = self.chance.choice([name for name in page.custom_ids if ":thread:True" in name]), page.edits
        await self._changed(Act("ask", user.id, ANYBODY, await self.discord.press(user, page, switch), seen))
        begin, seen = self.chance.choice([name for name in page.custom_ids if "post_terms:" in name]), page.edits
        return await self.discord.press(user, page, begin), seen

    async def answer_challenge(self) -> None:
        """Let a person answer a challenge; mostly they accept."""
        open_challenges = "SELECT id, to_user, channel FROM challenges WHERE state = 'open'"
        challenge, to, channel = self.chance.choice(self._rows(open_challenges))
        user = self._user(to) if to else self.chance.choice(self.people)
        verb = self.chance.choice(("accept", "accept", "accept", "accept", "decline" if to else "accept"))
        message, custom_id = self._button(self.discord.channel(channel), f"challenge:{challenge}:{verb}")
        seen = message.edits
        pressed = await self.discord.press(user, message, custom_id)
        await self._changed(self.account.note(Act("challenge", user.id, challenge, pressed, seen)))

    async def ask_rematch(self) -> None:
        """Let a player ask for a rematch of a game that is over."""
        channel = self.chance.choice(self.channels)
        message, custom_id = self._button(channel, "rematch:")
        seats = self._rows('SELECT "user" FROM seats WHERE game = ?', int(custom_id.split(":")[1].partition("~")[0]))
        await self.discord.press(self._user(self.chance.choice(seats)), message, custom_id)

    async def follow(self) -> None:
        """Let a person follow a game by direct messages."""
        game = self._any_game()
        named = {"game": game_name(game.id)}
        watcher = self.chance.choice(self.watchers)
        await self._answered(await self.discord.slash(watcher, self._channel(game), "gipf follow", **named))

    async def show_here(self) -> None:
        """Let anybody show everybody in a channel the board of a game that they see."""
        game, user = self._any_game(), self.chance.choice([*self.people, *self.watchers])
        asked = await self.discord.slash(user, self._channel(game), "gipf board", game=game_name(game.id))
        board = (await self._answered(asked)).messages[0]
        (button,) = [name for name in board.custom_ids if name.startswith("show:board:")]
        seen = board.edits
        pressed = await self.discord.press(user, board, button)
        await self._changed(self.account.note(Act("show", user.id, game.id, pressed, seen)))

    async def look_at_shown(self) -> None:
        """Let anybody open what somebody has shown."""
        shown, button = self._button(self.chance.choice(self.channels), "look:")
        pressed = await self.discord.press(self.chance.choice(self.watchers), shown, button)
        await self.until(lambda: pressed.followups, f"the answer to {pressed}")

    async def join_seekers(self) -> None:
        """Let anybody join the role that open challenges mention, or leave it."""
        user = self.chance.choice([*self.people, *self.watchers])
        asked = await self._answered(await self.discord.slash(user, self.chance.choice(self.channels), "gipf seeks"))
        listed = asked.messages[0]
        (button,), seen = [name for name in listed.custom_ids if name.startswith("seekers:")], listed.edits
        await self.discord.press(user, listed, button)
        await self.until(lambda: listed.edits > seen, "the list of open challenges")

    def _user(self, user: int) -> User:
        """Return a person. Raises LookupError for the bot, which plays by itself."""
        if user == self.account.bot:
            raise LookupError(user)
        return self.discord.world.users[user]

    def _channel(self, game: Running) -> Channel:
        """Return the channel of a game; any channel for one against the bot that is on no server."""
        found = self.discord.channel(game.channel) if game.channel > 0 else None
        return found if found and found.guild else self.chance.choice(self.channels)
