"""`make torture-postgres`: kill processes of several at random while people play, and miss nothing.

In each round, all processes but one are killed and started again while the others go on. One is left alone: Discord
lets shards identify so slowly that else none would be connected for minutes, and nothing done that is due. Now and then
the server of the database is started anew, or cuts all connections. At the end of a round all are killed, and the
account is checked.
"""

import asyncio
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from random import Random, SystemRandom
from typing import NamedTuple

from tests.support import postgres, stores
from tests.support.postgres import END_OTHERS

from .account import Account, Act
from .deadlines import Deadlines
from .fleet import SHARDS, Fleet, FleetPlayers, ShardingStandIn
from .fork_server import run_server
from .house_checks import THINKS
from .killing import NO_KILL, OUTSIDE, Kill, plan_kills
from .running import OWED
from .stored_courses import Fault, read_rows, require
from .torture import INTERACTIONS_KEPT, NONCE_LIFE, USUAL_KILLS, first_error, write_line

LONGEST_LIFE = 15.0  # seconds of a process until it is killed from outside
KILLS_A_ROUND = 5  # for each process
REST = 1.5  # seconds between two acts of a person while the program runs as it is
LOOK_SECONDS = 0.5  # between two looks at the deadlines
CUTS = None, None, "cut", "restart"  # what happens to the database in a round
# What a log may say while the database or its connections are away.
OUTAGES = (
    "cannot be reached",
    "is not healthy",
    "missed a heartbeat",
    "the database",
    "Attempting a reconnect",
    "failed; the next sweep tries again",
    "Exception closing connection",  # by SQLAlchemy, of one that is closed already
    "Broken pipe",
)


class Plan(NamedTuple):
    """How a run goes. If there are seconds `each`, the program runs as it is, and one process dies each time."""

    seed: int
    processes: int
    kills: int
    each: float = 0.0


class FleetTorture:
    """Processes that are killed again and again, and the people who play on."""

    def __init__(self, folder: Path, discord: ShardingStandIn, fork_server: Path, plan: Plan) -> None:
        self.chance, self.discord, self.each = Random(plan.seed), discord, plan.each
        self.fleet = Fleet(folder, discord, fork_server, plan.processes)
        discord.world.old_edits_allowed = 10**9
        self.account = Account(self.fleet.database, discord)
        self.players = FleetPlayers(self.fleet, discord, self.account, self.chance)
        self.deadlines = Deadlines(self.fleet.database, self.chance)
        self.players.abandoned = self.deadlines.abandoned
        self.plan, self.cuts = plan_kills(self.chance), 0
        if self.each:
            self.players.rest, self.fleet.is_hurried = REST, False

    async def endure(self, kills: int) -> None:
        """Let people play for a round in which so many kills are carried out, and check what is left."""
        await self.players.cups.keep_going()
        self.fleet.is_stopped, before = False, self.fleet.kills.total()
        queue = asyncio.Queue[Kill]()
        for _ in range(0 if self.each else kills):
            queue.put_nowait(self._next_kill())
        spared = self.chance.randrange(len(self.fleet.bots))
        async with asyncio.TaskGroup() as group:
            for number in range(len(self.fleet.bots)):
                group.create_task(self.fleet.keep_running(number, queue if number != spared else asyncio.Queue()))
            group.create_task(self.players.live())
            group.create_task(self._watch_deadlines())
            if self.each:
                group.create_task(self.fleet.kill_each(self.each, kills, self.chance))
            group.create_task(self._disturb(self.chance.choice(CUTS)))
            await self.fleet.killed(before + kills)
            await self.fleet.stop()
        self._look_through()

    def _next_kill(self) -> Kill:
        kill = next(self.plan)
        if kill.moment == OUTSIDE:
            return Kill(kill.number, OUTSIDE, seconds=self.chance.uniform(0, LONGEST_LIFE))
        return kill

    async def _watch_deadlines(self) -> None:
        while not self.fleet.is_stopped:
            self.deadlines.look()
            self.deadlines.bring_forward()
            await asyncio.sleep(LOOK_SECONDS)

    async def _disturb(self, how: str | None) -> None:
        """Let the database be away for a moment, or cut all its connections."""
        if how is None:
            return
        await asyncio.sleep(self.chance.uniform(0, 20))
        for bot in self.fleet.bots:
            bot.expect(*OUTAGES)
        server, self.fleet.is_cut, self.cuts = postgres.server(), True, self.cuts + 1
        name = server.url_for(self.fleet.database).partition("?")[0].rpartition("/")[2]
        if how == "cut":
            await asyncio.to_thread(server.execute, END_OTHERS, database=name)
        else:
            await asyncio.to_thread(server.restart)

    def _look_through(self) -> None:
        """Check everything while all processes are dead. Then let Discord forget some of it."""
        stores.wait_until_unused(self.fleet.database)
        self.discord.gateway.sessions.clear()
        try:
            self.account.check()
        except Fault as fault:
            acts = self.fleet.folder / "acts"
            acts.write_text("\n".join(map(_act_line, self.account.acts)))
            raise Fault(f"{fault}\nWhat people did is in {acts}.") from fault
        require(self.discord.violations == [], "Discord does not take this:", self.discord.violations)
        require(not self.discord.gateway.hasty, "shards have identified too fast:", self.discord.gateway.hasty)
        require(not self.fleet.complaints, "the log says:", *self.fleet.complaints)
        self.discord.calls.clear()
        self.discord.world.files.clear()
        interactions = self.discord.world.interactions
        for token in [*interactions][: max(0, len(interactions) - INTERACTIONS_KEPT)]:
            del interactions[token]
        if self.chance.random() < 0.5:
            self.discord.age_messages(NONCE_LIFE)
            stores.run_statement(
                self.fleet.database,
                "UPDATE outbox SET first_tried_at = first_tried_at - ? WHERE done_at IS NULL",
                NONCE_LIFE,
            )

    async def finish(self) -> None:
        """Let all processes run in peace until nothing is owed, and check that nothing is missing."""
        self.fleet.is_stopped = False
        async with asyncio.TaskGroup() as group:
            for number in range(len(self.fleet.bots)):
                group.create_task(self.fleet.keep_running(number, asyncio.Queue()))
            await self.fleet.are_live()
            await self.discord.wait_for(self._is_all_done, "what is owed or due, and the bot's turns")
            await self.fleet.stop()
        stores.wait_until_unused(self.fleet.database)
        self.account.check_end()

    def _is_all_done(self) -> bool:
        """Return whether nothing is owed or overdue, and no game waits for the bot."""
        self.deadlines.look()
        thinks = read_rows(self.fleet.database, THINKS, self.account.bot)
        return not self.deadlines.is_overdue() and (read_rows(self.fleet.database, OWED), thinks) == ([0], [0])

    def report(self) -> str:
        """Return what has happened so far."""
        refused = self.discord.rates.refused if self.discord.rates else 0
        kills = f"{self.fleet.kills.total()} kills ({self.fleet.kills}), {self.cuts} faults of the database"
        kills += f" ({self.fleet.vain_starts} starts in vain)"
        across = f"{self.players.games_across()} games between people of different processes"
        return f"{kills}, {refused} requests refused, {self.account}, {across}, {self.deadlines}"


async def torture(folder: Path, fork_server: Path, plan: Plan) -> FleetTorture:
    """Let people play, and carry out the kills of a plan. Raises Fault for anything amiss."""
    async with ShardingStandIn() as discord:
        tortured = FleetTorture(folder, discord, fork_server, plan)
        try:
            await _begin(tortured)
            while (left := plan.kills - tortured.fleet.kills.total()) > 0:
                await tortured.endure(min(left, KILLS_A_ROUND * plan.processes))
                write_line(tortured.report())
            await tortured.finish()
        except* Fault as faults:
            raise Fault(f"{first_error(faults)}\n{plan}\n{tortured.report()}") from faults
        finally:
            await tortured.fleet.stop()
        write_line(tortured.report())
    return tortured


def _act_line(act: Act) -> str:
    """Return what a person has tried, and all that they saw."""
    revisions = (
        [revision.content[:60] for revision in act.interaction.source.revisions] if act.interaction.source else []
    )
    return f"{act.kind} about {act.about} by {act.user}, seen {act.seen}: {act.answer[:90]!r} of {revisions}"


async def _begin(tortured: FleetTorture) -> None:
    """Start all processes once, so that people have the commands."""
    bots = tortured.fleet.bots
    for bot in bots:
        await bot.launch(NO_KILL.changes())
    await tortured.discord.wait_for(lambda: tortured.discord.world.commands, "the commands")
    await tortured.fleet.stop()


def main() -> int:
    """Torture the processes. Return 0 if nothing was lost."""
    parser = ArgumentParser("python -m tests.process.fleet_torture", description="Kill several processes at random.")
    parser.add_argument("--kills", type=int, default=USUAL_KILLS, help="how often")
    parser.add_argument("--processes", type=int, default=3, choices=range(2, SHARDS + 1), help="how many of them")
    parser.add_argument("--each", type=float, default=0, help="kill one every so many seconds, from outside only")
    parser.add_argument("--seed", type=int, default=None, help="what decides the kills (default: any)")
    options = parser.parse_args()
    stores.POSTGRES = True
    seed = SystemRandom().randrange(10**6) if options.seed is None else options.seed
    plan, folder = Plan(seed, options.processes, options.kills, options.each), Path(tempfile.mkdtemp())
    write_line(str(plan))
    try:
        with run_server(folder / "socket") as address:
            asyncio.run(torture(folder, address, plan))
    except Fault as fault:
        write_line(f"FAULT: {fault}\nThe logs are left in {folder}.")
        return 1
    shutil.rmtree(folder)
    write_line("Nothing was lost, and nothing came twice.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
