"""The board message of a game: everything that it shows, as plain data for the outbox."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gipfbot.match import Game, House, Status, position_after
from gipfbot.match.clock import is_over_weekend
from gipfbot.notation import action_code, parse_action_code, parse_position, position_text, turn_text
from gipfbot.rules import Action, ByColour, Colour, Position, Reason, Ruleset
from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.values import GivesWay, OutboxRow, is_former_player, named_player

BOARD = MessageKind("board", "board after a turn", people=("seats", "names"))
# Fields of BoardMessage that `pack_board` copies unchanged.
PLAIN_FIELDS = (
    "turn_number", "text", "followed_by", "deadline", "flagged", "credited", "paused_left", "vacation_until", "untimed",
    "cancelled_by_claim", "within_turn", "was_conditional", "conditional_follows", "theme", "flipped", "bank",
    "over_weekend", "hand_overs", "mover_flagged", "restored_from", "house", "house_level", "stands_in_for",
    "by_rules", "was_cut", "newcomer", "tournament",
)  # fmt: skip


class TurnBefore(NamedTuple):
    """A turn whose board gave way to a newer one. It has no actions if an older version packed it."""

    number: int
    text: str
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class BoardMessage:
    """One board message: a position, and the turn that led to it, if any.

    `before` is the position before that turn; None at the start of the game.

    >>> from gipfbot.rules import BASIC, start
    >>> BoardMessage(7, 0, (1, 2), ("Ann", "Bob"), start(BASIC)).theme
    'wood'
    """

    game: int
    turn_number: int
    seats: ByColour[int]
    names: ByColour[str]
    position: Position
    before: Position | None = None
    actions: tuple[Action, ...] = ()
    text: str = ""  # the turn in the official notation, also in a newcomer's game
    cancelled_by: Colour | None = None
    followed_by: int | None = None  # the game that follows this one, if this one is void
    deadline: int | None = None  # the deadline of the player to move, in UTC seconds
    flagged: bool = False  # whether the player to move is flagged; then `deadline` is the end of their grace
    credited: int = 0  # seconds credited to the player to move in this turn
    paused_left: int | None = None  # seconds left to the player to move while their clock is paused
    vacation_until: int | None = None  # the end of the vacation of the player to move, in UTC seconds
    turn_serial: int = 0  # the turn serial of the game, for the board's button
    turns_taken_back: tuple[str, ...] = ()  # the texts of the turns that were just taken back
    untimed: bool = False  # whether there is no time limit; then a loss on time means that the win was claimed
    cancelled_by_claim: bool = False  # whether a claim cancelled the game, because not both players had moved
    within_turn: bool = False  # whether the turn is not complete, because the opponent decides in it (R8.4)
    hand_overs: int = 0  # how often the decision has passed between the players within the turn
    was_conditional: bool = False  # whether the turn that led here was a conditional turn
    conditional_follows: bool = False  # whether a conditional turn follows at once, so that nobody is asked
    theme: str = "wood"  # a name in THEMES
    flipped: bool = False  # whether Black's side is at the bottom
    over_weekend: bool = False  # whether a weekend that does not count lies before the deadline
    bank: int | None = None  # seconds that the waiting player has saved; None if time cannot be saved up
    mover_flagged: bool = False  # whether a flagged player's turn waits for the opponent's decision (R8.4)
    restored_from: int | None = None  # when the backup was made from which the game was just restored, in UTC seconds
    stands_in_for: str | None = None  # the engine for which the bot's own search plays from this turn on
    by_rules: bool = False  # whether no engine gave an answer, so that the rules alone have decided for the bot
    was_cut: bool = False  # whether time ended the search for the bot's turn
    house: int | None = None  # the user of the house player's seat; None between two people
    house_level: int | None = None  # None also if an older version packed the board
    newcomer: bool = False  # whether one of the players had finished no game when this one began
    tournament: int | None = None  # to which the game belongs
    # each player's rating before and after the game; None without a change, or for a player off the leaderboards
    ratings: ByColour[tuple[int, int] | None] = (None, None)
    turns_before: tuple[TurnBefore, ...] = ()  # the turns whose boards gave way to this one

    @property
    def over(self) -> bool:
        """Whether this is the last board of its game."""
        return self.position.result is not None or self.cancelled_by is not None

    @property
    def pinged_at_end(self) -> tuple[int, ...]:
        """The players to ping on the last board, without former players and the house player."""
        return tuple(user for user in self.seats if not is_former_player(user) and user != self.house)

    @property
    def house_decides(self) -> bool:
        """Whether the house player has to decide."""
        return self.house is not None and self.seats[self.position.decider] == self.house

    @property
    def mover(self) -> Colour:
        """The colour of the player who played the last turn, or who is playing it."""
        return self.position.mover if self.within_turn else self.position.mover.other

    @property
    def tells_turn(self) -> bool:
        """Whether the message has a line on the last turn. Not if something else has happened since."""
        return self.before is not None and not self.turns_taken_back and not ended_without_turn(self)

    @property
    def gives_way(self) -> GivesWay | None:
        """What the board gives way to while it is owed. The first, the last and one that tells other news stay."""
        if self.house is None:
            return None
        stays = self.before is None or self.over or self.flagged or self.turns_taken_back or self.restored_from
        return GivesWay.TO_PEOPLE if stays else GivesWay.TO_NEWER

    @property
    def lost_after_flag(self) -> bool:
        """Whether the last turn lost the game, because it was played while flagged and did not win (FAQ 11)."""
        result = self.position.result
        return result is not None and result.by is Reason.TIME and result.winner is self.position.mover


def new_board_message(game: Game, *, cancelled_by: Colour | None = None) -> BoardMessage:
    """Return the board of a game at the start of a turn, with the last turn played.

    If the opponent decides something within the turn, the board shows the turn so far. `cancelled_by` is the colour of
    the player who cancelled the game; None if nobody did.
    """
    seats = (game.seats[0].user, game.seats[1].user)
    names = (game.seats[0].name, game.seats[1].name)
    board = BoardMessage(
        game.id, game.turn_number, seats, names, game.position, cancelled_by=cancelled_by, turn_serial=game.turn_serial
    )
    house, level = (game.terms.house.user, game.terms.house.level) if game.terms.house else (None, None)
    board = replace(board, untimed=game.terms.time_control is None, newcomer=game.terms.newcomer)
    board = replace(board, tournament=game.terms.tournament)
    board = with_clock_shown(replace(board, house=house, house_level=level), game)
    last = game.last
    if game.status is Status.RUNNING and game.handed_over:
        return _with_turn_so_far(board, game)
    return board if last is None else replace(board, before=last.before, actions=last.actions, text=last.text)


def _with_turn_so_far(board: BoardMessage, game: Game) -> BoardMessage:
    """Return the board with the unfinished turn, up to the last hand-over (R8.4).

    Later actions of the player to decide are left out.
    """
    played = game.public_actions
    text = turn_text(game.position, played)
    turn = replace(board, before=game.position, actions=played, text=text, turn_number=game.turn_number + 1)
    return replace(turn, position=position_after(game.position, played), within_turn=True, hand_overs=game.hand_overs)


def with_clock_shown(board: BoardMessage, game: Game) -> BoardMessage:
    """Return the board with its fields about the clock set from `game`. Unchanged if the game has no clock."""
    clock, time_control = game.clock, game.terms.time_control
    if clock is None or time_control is None:
        return board
    held = clock.held_grace(game.position.mover) > 0
    bank = None if time_control.per_turn or held else clock.bank[game.decider.other]
    running = replace(board, deadline=clock.deadline, paused_left=clock.paused_left, bank=bank, mover_flagged=held)
    over_weekend = is_over_weekend(clock, game.terms, game.decider)
    return replace(running, flagged=clock.flagged, credited=clock.credited, over_weekend=over_weekend)


def pack_board(board: BoardMessage) -> dict[str, Any]:
    """Return the board as plain data. `unpack_board` reads the data back."""
    return {
        "rules": board.position.rules.data(),
        "seats": board.seats,
        "names": board.names,
        "position": position_text(board.position),
        "before": board.before and position_text(board.before),
        "actions": [action_code(action) for action in board.actions],
        "cancelled_by": board.cancelled_by,
        "turn_serial": board.turn_serial,
        "turns_taken_back": board.turns_taken_back,
        "untold": [  # under their name in older rows
            (turn.number, turn.text, [action_code(action) for action in turn.actions]) for turn in board.turns_before
        ],
        "ratings": board.ratings,
        **{name: getattr(board, name) for name in PLAIN_FIELDS},
    }


def board_key(game: Game) -> str:
    """Return the key of the outbox row for the first board of this version of a game."""
    return f"{BOARD}:{game.id}:{game.version}"


@dataclass(frozen=True)
class OwedBoard(OutboxRow):
    """The row of a board, leased by the transaction that wrote it.

    A row that is leased later does not have the board as a value, nor the channel and message ids of the `older` board.
    """

    board: BoardMessage
    older: tuple[int, int] | None


def board_of(owed: OutboxRow) -> BoardMessage:
    """Return the board that a row owes."""
    assert owed.game is not None
    return owed.board if isinstance(owed, OwedBoard) else unpack_board(owed.game, owed.payload)


def unpack_board(game: int, data: dict[str, Any]) -> BoardMessage:
    """Return the board in `data`, as `pack_board` writes it.

    Missing fields keep their defaults; unknown ones are ignored. Raises KeyError, TypeError or ValueError if the rule
    set, the position, the players or the turn number are missing.
    """
    ruleset = Ruleset.from_data(data["rules"])
    rulesets = {ruleset.name: ruleset}
    before, cancelled_by = data.get("before"), data.get("cancelled_by")
    board = BoardMessage(
        game,
        data["turn_number"],
        tuple(data["seats"]),
        _unpack_names(data),
        parse_position(data["position"], rulesets),
        before and parse_position(before, rulesets),
        tuple(parse_action_code(code) for code in data.get("actions", ())),
        cancelled_by=None if cancelled_by is None else Colour(cancelled_by),
        turn_serial=packed_turn_serial(data),
        turns_taken_back=tuple(data.get("turns_taken_back", ())),
        turns_before=tuple(_unpack_turn(*turn) for turn in data.get("untold", ())),
        ratings=unpack_changes(data.get("ratings")),
    )
    return replace(board, **{name: data[name] for name in PLAIN_FIELDS if name in data})


def _unpack_names(data: dict[str, Any]) -> ByColour[str]:
    user, level = data.get("house"), data.get("house_level")
    house = House(level, user) if user and level else None
    white, black = (named_player(*each, house) for each in zip(data["seats"], data["names"], strict=True))
    return white, black


def _unpack_turn(number: int, text: str, codes: Sequence[str] = ()) -> TurnBefore:
    return TurnBefore(number, text, tuple(parse_action_code(code) for code in codes))


def unpack_changes(data: Sequence[Sequence[int] | None] | None) -> ByColour[tuple[int, int] | None]:
    """Return packed changes of ratings. There are none if `data` is None, as in messages of older versions."""
    white, black = ((change[0], change[1]) if change else None for change in data or (None, None))
    return white, black


def packed_turn_serial(data: dict[str, Any]) -> int:
    """Return the turn serial of a board that `pack_board` has packed; the turn number if no turn serial is stored."""
    turn_serial: int = data.get("turn_serial", data["turn_number"])
    return turn_serial


def shows_decision(data: dict[str, Any], game: Game) -> bool:
    """Return whether a board that `pack_board` has packed asks for the decision that the game waits for.

    It does not if the turn is over, or if the decision has passed to the other player within the turn.
    """
    return (packed_turn_serial(data), data.get("hand_overs", 0)) == (game.turn_serial, game.hand_overs)


def with_turns_before(board: BoardMessage, gone: Sequence[Mapping[str, Any]]) -> BoardMessage:
    """Return the board with what the older boards that gave way to it tell, and what they have from older ones.

    These are their turns, and who has played for the bot's engine. Leaves out the turn that the board tells itself, and
    turns that were taken back.
    """
    owns = [(each["turn_number"], each["text"], each.get("actions", ())) for each in gone]
    told = [_unpack_turn(*turn) for each, own in zip(gone, owns, strict=True) for turn in (*each["untold"], own)]
    turns = {turn.number: turn for turn in told}
    last = board.turn_number - board.tells_turn
    turns_before = tuple(turn for turn in turns.values() if turn.number <= last)
    by_rules = board.by_rules or any(each["by_rules"] for each in gone)
    stands_in_for = board.stands_in_for or next((each["stands_in_for"] for each in gone if each["stands_in_for"]), None)
    return replace(board, turns_before=turns_before, by_rules=by_rules, stands_in_for=stands_in_for)


def ended_without_turn(board: BoardMessage) -> bool:
    """Return whether the game ended other than by its last turn: by resignation, agreement, cancelling, or on time."""
    result, outside = board.position.result, (Reason.RESIGN, Reason.TIME, Reason.AGREEMENT)
    without = result is not None and result.by in outside and not board.lost_after_flag
    return board.cancelled_by is not None or without
