"""Stored things as plain values, which the store, the services and the interface share."""

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
from .figures import (
    BegunAlike,
    EndedAlike,
    EndedLine,
    ExploredTurn,
    FollowedGame,
    ListedStanding,
    LongGame,
    OpponentScore,
    PoolResults,
    Score,
    StandingPosition,
)
from .games import (
    PLAYER_LEFT,
    ChoosableGame,
    EndedGame,
    GameBrief,
    LastListed,
    ListedGame,
    StoredChallenge,
    StoredGame,
    StoredTurn,
    Venue,
)
from .host import DEFAULT_LIMITS, NO_LIMITS, UNLIMITED, HostFigures, Limits, ServerState, Shards, parse_shards
from .outbox import (
    THREAD,
    DueMessage,
    DueRow,
    DueWork,
    GivesWay,
    HouseTask,
    LastOwed,
    OutboxRow,
    SettledRow,
    StoredMessage,
)
from .people import (
    FORMER_NAME,
    Follow,
    Guess,
    GuessScore,
    LostReason,
    News,
    Nickname,
    Person,
    Vacation,
    VacationGame,
    is_former_player,
)
from .studies import (
    AnalysisState,
    Note,
    PuzzleSolvers,
    PuzzleTry,
    StoredAnalysis,
    StoredPuzzle,
    StoredStudy,
    StudyBrief,
)

__all__ = [
    "DEFAULT_LIMITS", "FORMER_NAME", "NO_LIMITS", "PLAYER_LEFT", "THREAD", "UNLIMITED", "AnalysisState", "BegunAlike",
    "ChoosableGame", "Conflict", "DatabaseTrouble", "DueMessage", "DueRow", "DueWork", "EndedAlike", "EndedGame",
    "EndedLine", "ExploredTurn", "Follow", "FollowedGame", "ForeignDatabase", "GameBrief", "GivesWay", "Guess",
    "GuessScore", "HostFigures", "HouseTask", "InUse", "LastListed", "LastOwed", "Limits", "ListedGame",
    "ListedStanding", "LongGame", "LostReason", "MessageTaken", "News", "Nickname", "NoRoom", "NoWrites", "Note",
    "OpponentScore", "OutboxRow", "Person", "PoolResults", "PuzzleSolvers", "PuzzleTry", "Score", "ServerState",
    "SettledRow", "Shards", "ShardsTaken", "Stale", "StandingPosition", "StoreError", "StoredAnalysis",
    "StoredChallenge", "StoredGame", "StoredMessage", "StoredPuzzle", "StoredStudy", "StoredTurn", "StudyBrief",
    "TooOld", "Trouble", "Unreachable", "UnreadableGame", "Unusable", "Vacation", "VacationGame", "Venue",
    "WrongShards", "is_former_player", "parse_shards",
]  # fmt: skip
