"""Stored things as plain values, which the store, the services and the interface share."""

from .analyses import AnalysisState, StoredAnalysis
from .challenges import StoredChallenge
from .deletions import Deletion
from .due import DueRow
from .errors import (
    Conflict,
    DatabaseTrouble,
    ForeignDatabase,
    InUse,
    MessageTaken,
    NoRoom,
    NoWrites,
    ShardsTaken,
    Stale,
    StoreError,
    TooOld,
    Trouble,
    Unreachable,
    UnreadableGame,
    Unusable,
    WrongShards,
)
from .explorer import EndedLine, ExploredTurn, StandingPosition
from .follows import Follow, LostReason, News
from .former_players import FORMER_NAME, is_former_player
from .games import (
    PLAYER_LEFT,
    ChoosableGame,
    EndedGame,
    GameBrief,
    LastListed,
    ListedGame,
    StoredGame,
    StoredTurn,
    Venue,
)
from .guesses import Guess, GuessScore
from .host_figures import HostFigures, ServerState
from .limits import DEFAULT_LIMITS, NO_LIMITS, UNLIMITED, Limits
from .outbox import THREAD, LastOwed, OutboxRow, SettledRow, StoredMessage
from .profiles import BegunAlike, EndedAlike, LongGame, OpponentScore, Score
from .puzzles import PuzzleSolvers, PuzzleTry, StoredPuzzle
from .retention import Batch, Place
from .server_stats import FollowedGame, PoolResults
from .shards import Shards, parse_shards
from .standings import ListedStanding
from .studies import Note, StoredStudy, StudyBrief
from .vacations import Vacation, VacationGame
from .version import VERSION

__all__ = [
    "DEFAULT_LIMITS",
    "FORMER_NAME",
    "NO_LIMITS",
    "PLAYER_LEFT",
    "THREAD",
    "UNLIMITED",
    "VERSION",
    "AnalysisState",
    "Batch",
    "BegunAlike",
    "ChoosableGame",
    "Conflict",
    "DatabaseTrouble",
    "Deletion",
    "DueRow",
    "EndedAlike",
    "EndedGame",
    "EndedLine",
    "ExploredTurn",
    "Follow",
    "FollowedGame",
    "ForeignDatabase",
    "GameBrief",
    "Guess",
    "GuessScore",
    "HostFigures",
    "InUse",
    "LastListed",
    "LastOwed",
    "Limits",
    "ListedGame",
    "ListedStanding",
    "LongGame",
    "LostReason",
    "MessageTaken",
    "News",
    "NoRoom",
    "NoWrites",
    "Note",
    "OpponentScore",
    "OutboxRow",
    "Place",
    "PoolResults",
    "PuzzleSolvers",
    "PuzzleTry",
    "Score",
    "ServerState",
    "SettledRow",
    "Shards",
    "ShardsTaken",
    "Stale",
    "StandingPosition",
    "StoreError",
    "StoredAnalysis",
    "StoredChallenge",
    "StoredGame",
    "StoredMessage",
    "StoredPuzzle",
    "StoredStudy",
    "StoredTurn",
    "StudyBrief",
    "TooOld",
    "Trouble",
    "Unreachable",
    "UnreadableGame",
    "Unusable",
    "Vacation",
    "VacationGame",
    "Venue",
    "WrongShards",
    "is_former_player",
    "parse_shards",
]  # fmt: skip
