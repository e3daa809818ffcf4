"""All services as one value, which the interface gets instead of a database."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from gipfbot.engines.worker import OWN
from gipfbot.service.clock.undeliverable import UndeliverableBoards
from gipfbot.service.watching.follows import Follows
from gipfbot.service.watching.guesses import Guesses
from gipfbot.service.watching.live_games import LiveGames
from gipfbot.store import Store, due_work, end_snapshot
from gipfbot.values import DEFAULT_LIMITS, Limits, Trouble

from .clock.digests import Digests
from .clock.flag_watch import FlagWatch
from .clock.reminders import Reminders
from .clock.vacations import Vacations
from .competing.leaderboards import Leaderboards
from .competing.profiles import Profiles, ServerStats
from .delivery.outbox import Outbox
from .delivery.showing import Showing
from .delivery.untold import Untold
from .delivery.venues import Venues
from .health.vital_signs import OwnerNews, VitalSigns
from .house.house_player import Engine, HousePlayer
from .house.turn_reasons import Reasons
from .kit.aside import Aside
from .kit.discovery import defined_in
from .kit.message_kinds import MessageKind, MessageKinds
from .lobby.arrivals import Arrivals
from .lobby.lobby import Lobby
from .play.games import Games, Notes
from .privacy.deletion import Deletions
from .privacy.export import Exports
from .privacy.retention import Retention
from .puzzles.making import PuzzleWork
from .puzzles.puzzles import DailyPuzzles, Puzzles
from .records.analyses import Analyses, AnalysisWork
from .records.explorer import Explorer
from .records.studies import Practices, Studies
from .requests.claim_win import WinClaims
from .requests.conditionals import Conditionals
from .requests.game_requests import Requests
from .restoring.restored_check import RestoredCheck
from .restoring.timelines import RestoreNews, Timelines
from .settings.gateway import IdentifyTurns, SyncedCommands
from .settings.servers import Servers
from .settings.users import Blocks, Users
from .tournaments.course import TournamentCourse
from .tournaments.tournaments import Tournaments


@dataclass(frozen=True)
class App:
    """All services over one store. `now` returns UTC seconds. `limits` holds the host's limits for one person.

    Inside `snapshot`, all services read the same state of the database. The snapshot ends at the first write, or when
    `end_snapshot` is called.
    """

    now: Callable[[], int]
    limits: Limits
    kinds: MessageKinds  # of the messages in the outbox
    trouble: Callable[[], Trouble | None]  # why the database cannot be read or written now; None if it can
    what_is_due: Callable[[int], Awaitable[frozenset[str]]]  # the kinds of tasks, and members of `DueWork`
    doing_alone: Callable[[str], AbstractAsyncContextManager[bool]]  # whether this process may do a part of the sweep
    snapshot: Callable[[], AbstractAsyncContextManager[None]]
    end_snapshot: Callable[[], Awaitable[None]]
    aside: Aside
    lobby: Lobby
    arrivals: Arrivals
    games: Games
    live: LiveGames
    follows: Follows
    guesses: Guesses
    notes: Notes
    requests: Requests
    house: HousePlayer
    reasons: Reasons
    win_claims: WinClaims
    conditionals: Conditionals
    flag_watch: FlagWatch
    reminders: Reminders
    digests: Digests
    vacations: Vacations
    studies: Studies
    practices: Practices
    analyses: Analyses
    analysis_work: AnalysisWork
    explorer: Explorer
    puzzles: Puzzles
    daily_puzzles: DailyPuzzles
    puzzle_work: PuzzleWork
    leaderboards: Leaderboards
    profiles: Profiles
    tournaments: Tournaments
    tournament_course: TournamentCourse
    server_stats: ServerStats
    users: Users
    blocks: Blocks
    deletions: Deletions
    exports: Exports
    retention: Retention
    servers: Servers
    showing: Showing
    outbox: Outbox
    undeliverable: UndeliverableBoards
    venues: Venues
    untold: Untold
    synced_commands: SyncedCommands
    identify_turns: IdentifyTurns
    vital_signs: VitalSigns
    owner_news: OwnerNews
    timelines: Timelines
    restore_news: RestoreNews
    restored_check: RestoredCheck


@cache
def message_kinds() -> MessageKinds:
    """Return all kinds of messages that the service defines."""
    return MessageKinds(defined_in("gipfbot.service", MessageKind))


def create_app(
    store: Store,
    now: Callable[[], int],
    draw_lot: Callable[[], bool],
    steady: Callable[[], float] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    timeline_file: Path | None = None,
    engine: Engine | None = None,
    most_puzzles: int = 0,
    seated: Mapping[str, Engine] = MappingProxyType({}),
    kinds: MessageKinds | None = None,
) -> App:
    """Return all services over an open store.

    `draw_lot` returns whether a challenger gets White. `steady` returns the seconds of a clock that nobody can set.
    Without `steady`, as in a simulation, the bot does not detect jumps of the host's clock while it runs. `limits`
    holds the host's limits for one person. `timeline_file` stores the timeline of the database, so that a restored
    backup is recognised; None for no file. `engine` plays for the house player and makes analyses; without it, the
    house player plays by the rules alone. `seated` holds the engines by their names; see `HousePlayer`. The bot's own
    search makes puzzles until there are `most_puzzles`, because each needs a proof. `kinds` are those that the service
    defines, unless a test has others.
    """
    kinds = kinds or message_kinds()
    aside, deletions = Aside(), Deletions(store, now, kinds)
    games, requests, studies = Games(store, now), Requests(store, now, aside), Studies(store, now, aside)
    return App(
        now=now,
        limits=limits,
        kinds=kinds,
        trouble=lambda: store.troubles.current,
        what_is_due=lambda now: _what_is_due(store, now),
        doing_alone=store.doing_alone,
        snapshot=store.snapshot,
        end_snapshot=end_snapshot,
        aside=aside,
        lobby=Lobby(store, now, draw_lot, limits),
        arrivals=Arrivals(store, now),
        games=games,
        live=LiveGames(store),
        follows=Follows(store, now),
        guesses=Guesses(store, now),
        notes=Notes(store),
        requests=requests,
        house=HousePlayer(store, now, games, requests, engine, seated),
        reasons=Reasons(store, aside),
        win_claims=WinClaims(store, now),
        conditionals=Conditionals(store, now, aside),
        flag_watch=FlagWatch(store, now, steady or now),
        reminders=Reminders(store, now),
        digests=Digests(store, now),
        vacations=Vacations(store, now),
        studies=studies,
        practices=Practices(studies, aside, engine),
        analyses=Analyses(store, now, aside, has_engine=engine is not None),
        analysis_work=AnalysisWork(store, now, engine),
        explorer=Explorer(store, now, aside),
        puzzles=Puzzles(store, now, aside),
        daily_puzzles=DailyPuzzles(store, now),
        puzzle_work=PuzzleWork(store, now, seated.get(OWN, engine), most_puzzles),
        leaderboards=Leaderboards(store, now),
        profiles=Profiles(store, now),
        tournaments=Tournaments(store, now, draw_lot, limits),
        tournament_course=TournamentCourse(store, now, games),
        server_stats=ServerStats(store, now),
        users=Users(store, now),
        blocks=Blocks(store, now),
        deletions=deletions,
        exports=Exports(store, now, kinds),
        retention=Retention(store, now, kinds),
        servers=Servers(store, now),
        showing=Showing(store, now),
        outbox=Outbox(store, now, kinds),
        undeliverable=UndeliverableBoards(store, now, kinds),
        venues=Venues(store, now, kinds),
        untold=Untold(store, now),
        synced_commands=SyncedCommands(store),
        identify_turns=IdentifyTurns(store, now),
        vital_signs=VitalSigns(store, now),
        owner_news=OwnerNews(store, now),
        timelines=Timelines(store, now, timeline_file, deletions.begin_within),
        restore_news=RestoreNews(store, now),
        restored_check=RestoredCheck(store, now),
    )


async def _what_is_due(store: Store, now: int) -> frozenset[str]:
    async with store.reading() as db:
        return await due_work.what_is_due(db, now)
