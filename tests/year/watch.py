"""The notebook: every game as people would write it down, and each message checked against it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from heapq import heappop, heappush
from typing import Any
from zoneinfo import ZoneInfo

from gipfbot.match import Terms
from gipfbot.service.clock.downtime import MIN_NOTICED_DOWNTIME
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.lobby.lobby import MOST_MENTIONS
from gipfbot.service.settings.users import WISHES
from tests.bench.recording import SentMessage
from tests.support.times import DAY, WEEK

from .clocks import AWAY, SWEEP, Plain, ahead, counted
from .downtime_notices import DowntimeNotice, settled
from .messages import BOARDS, Read, read
from .people import Person, place_of, role_of
from .watched import Watched

DIGEST_WITHIN = 2  # hours after its own hour in which a digest may come
LATE = 120  # seconds that a message may be late, because of a restart or a failure of Discord


@dataclass
class Watch:
    """All running games and all posted messages.

    `late` and `flags` are heaps of moments: by then a reminder must have come, or a player must be flagged.
    """

    people: Mapping[int, Person]
    games: dict[int, Watched] = field(default_factory=dict)
    names: dict[str, Watched] = field(default_factory=dict)
    inbox: list[SentMessage] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    late: list[tuple[int, int, int, int]] = field(default_factory=list)
    flags: list[tuple[int, int, int]] = field(default_factory=list)
    slow_until: int = 0  # after an outage of Discord, owed messages may come late until then
    by_person: dict[int, set[int]] = field(default_factory=dict)
    downtime_notices: list[DowntimeNotice] = field(default_factory=list)
    secret: set[str] = field(default_factory=set)  # private games, those that are over too
    unseen: dict[int, set[int]] = field(default_factory=dict)  # by person: private games that the bot has ended
    shown: Counter[tuple[int, str]] = field(default_factory=Counter)  # by person and game: boards still to be posted
    cut: set[str] = field(default_factory=set)  # games of which turns were taken back
    mentions: dict[int, list[int]] = field(default_factory=dict)  # by club: when open challenges mentioned its role

    # ── What people do ──

    def began(
        self,
        game_id: int,
        players: tuple[Person, Person],
        terms: Terms,
        lasts: int,
        now: int,
        earlier: Plain | None = None,
        *,
        private: bool = False,
    ) -> Watched:
        """Note a new game. `earlier` is the clock of the void game that it follows."""
        stands, clock = players[0].away is not None, None
        if terms.time_control:
            clock = earlier.begun_anew(stands=stands) if earlier else Plain.begun(terms, now, stands=stands)
        game = Watched(game_id, players, terms, clock, lasts, now, since=now, private=private)
        self.games[game_id] = self.names[game_name(game_id)] = game
        for player in players:
            self.by_person.setdefault(player.user, set()).add(game_id)
        game.expect("start")
        self.plan(game)
        self.counts["games"] += 1
        if private:
            self.counts["private games"] += 1
            self.secret.add(game_name(game_id))
        return game

    def turned(self, game: Watched, text: str, now: int, *, won: bool, void: bool, answered: bool) -> None:
        """Note a turn. It ends the game if it wins, makes the game void or was played in grace.

        `answered` says that a conditional of the opponent replies at once.
        """
        self.counts["turns"] += 1
        in_grace = game.clock is not None and game.clock.flagged
        self._credit_downtime(game, now)
        game.number, game.serial = game.number + 1, game.serial + 1
        game.nudged = game.reminded = game.may_remind = False
        game.since = game.changed = now
        game.claimed_until = None
        if won or in_grace:
            self.counts["won in grace" if won and in_grace else "won by a turn" if won else "lost in grace"] += 1
            self.ends(game, "won", text)
            return
        if game.clock:
            game.clock.turn(now, stands=game.mover.away is not None)
        if void:
            self.ends(game, "void", text)
            return
        game.expect("answered" if answered else "turn", text)
        self.plan(game)

    def _credit_downtime(self, game: Watched, now: int) -> None:
        """Credit the player to move with the time since their board was due, if it is still owed."""
        if game.clock and game.boards and not game.clock.stands:
            game.clock.unseen(game.boards[0].since, now)

    def taken_back(self, game: Watched, turns: int, now: int) -> None:
        """Note that turns were taken back."""
        self.counts["taken_back"] += turns
        self.cut.add(game_name(game.id))
        game.number, game.serial = game.number - turns, game.serial + turns
        game.nudged = game.reminded = game.may_remind = False
        game.since = game.changed = now
        if game.clock:
            game.clock.back(turns, now, stands=game.mover.away is not None)
        game.expect("back")
        self.plan(game)

    def ends(self, game: Watched, kind: str, turn: str | None = None) -> None:
        """Note the end of a game."""
        self.counts[kind] += 1
        game.expect(kind, turn)
        game.remind_at = None
        for player in game.players:
            self.by_person[player.user].discard(game.id)
        if game.private:
            self._forget(game)

    def _forget(self, game: Watched) -> None:
        del self.games[game.id], self.names[game_name(game.id)]

    def ended_by_bot(self, game: Watched) -> None:
        """Note that the bot has ended a private game. The next command of its player tells so."""
        self.unseen.setdefault(game.people[0].user, set()).add(game.id)

    def moves(self, game: Watched, turn: str | None, now: int) -> None:
        """Note that a private game goes on in a channel, where its board is posted. `turn` is its last one."""
        self.counts["moved into a channel"] += 1
        game.private = False
        self.secret.discard(game_name(game.id))
        game.expect("turn" if game.number else "start", turn)
        game.boards[-1].since = now

    def told_by_command(self, person: Person, over: Iterable[int], waiting: Iterable[int], now: int) -> None:
        """Check what a command tells of a person's private games: each end once, and a long turn once."""
        ended = sorted(self.unseen.pop(person.user, ()))
        assert sorted(over) == ended, (person, over, ended)
        self.counts["private ends told"] += len(ended)
        for game in (self.games[game_id] for game_id in waiting):
            assert game.mover is person, game
            assert now - game.since >= WEEK, game
            told = game.weekly.setdefault(game.serial, [])
            assert not (told and game.private), f"twice: {game}"
            told.append((now, "command"))
            self.counts["private turns told"] += 1

    def of(self, person: Person) -> Iterable[Watched]:
        """Return the running games of a person."""
        return [self.games[game_id] for game_id in sorted(self.by_person.get(person.user, ()))]

    def plan(self, game: Watched) -> None:
        """Compute again when the player to move is reminded and flagged."""
        clock, wish = game.clock, WISHES[game.mover.wish]
        game.remind_at = None
        if clock and wish and not (clock.stands or clock.flagged or game.over or game.mover.user in game.quiet):
            game.remind_at = clock.reminds_at(wish.share, wish.hours)
            heappush(self.late, (game.remind_at, game.remind_at, game.id, game.serial))
        if clock and not clock.stands and not game.over:
            over = ahead(clock.at, clock.left + 1, game.terms.weekends)
            heappush(self.flags, (over, game.id, game.serial))

    def wishes(self, person: Person, wish: str, now: int) -> None:
        """Note that a person wants to be reminded at another time."""
        person.wish = wish
        for game in self.of(person):
            if wish != "off":
                game.quiet.discard(person.user)
            if game.mover is person and game.clock:
                game.clock.tick(now)
                self.plan(game)
                game.may_remind |= game.remind_at is not None and game.remind_at <= now

    def leaves(self, person: Person, until: int, not_in: Iterable[int], now: int) -> None:
        """Note that a person goes on vacation."""
        person.away = until
        for game in self.of(person):
            if game.mover is person and game.clock:
                self._credit_downtime(game, now)
                game.clock.pause(now)
                assert game.clock.stands != (game.id in not_in), game
                self.plan(game)

    def returns(self, person: Person, now: int) -> None:
        """Note that a person is back."""
        person.away = None
        for game in self.of(person):
            if game.mover is person and game.clock and game.clock.stands:
                game.clock.resume(now)
                game.resumed = now
                self.plan(game)

    def falls(self, game: Watched, now: int, *, over: bool) -> None:
        """Note that the player to move is flagged, or has lost on time."""
        assert game.clock
        assert over == (game.clock.flagged or not game.terms.grace), game
        assert not game.boards, f"they could not know of their turn: {game}"
        game.changed = now
        if over:
            self.ends(game, "won")
        else:
            self.counts["flags"] += 1
            game.clock.fall(now)
            game.expect("flagged")
            self.plan(game)

    def nobody(self, since: int, until: int) -> None:
        """Credit downtime in all games."""
        for game in self.running():
            if game.clock:
                game.clock.nobody(since, until)
                self.plan(game)
            if game.claimed_until:
                game.claimed_until += until - since

    def was_away(self, seconds: int, now: int) -> None:
        """Expect the notices of a downtime. After a long one, each club with a running clock gets a notice."""
        found = dict[int, DowntimeNotice]()
        for game in self.running() if seconds >= MIN_NOTICED_DOWNTIME else ():
            if game.clock and not game.clock.stands:
                game.clock.tick(now)
                place = place_of(game.players[0])
                left = game.clock.left, game.clock_is_loose, game.terms.weekends
                found.setdefault(place, DowntimeNotice(now, place)).games[game_name(game.id)] = left
        self.downtime_notices += found.values()

    def jumps(self, before: int, after: int) -> None:
        """Note a jump of the host's clock: all clocks move with it. A claim never gets less time."""
        if self.slow_until > before:
            self.slow_until += after - before
        for game in self.running():
            if game.clock:
                game.clock.goes_along(before, after)
                self.plan(game)
            if game.claimed_until and after > before:
                game.claimed_until += after - before

    def flagged(self, now: int) -> list[Watched]:
        """Return the games whose player to move should be out of time."""
        found = dict[int, Watched]()
        while self.flags and self.flags[0][0] <= now:
            _, game_id, serial = heappop(self.flags)
            game = self.games.get(game_id)
            if game and game.clock and not game.over and game.serial == serial and not game.clock.stands:
                game.clock.tick(now)
                if game.clock.left < 0:
                    found[game_id] = game
        return [*found.values()]

    def claimed(self, now: int) -> list[Watched]:
        """Return the games whose claims may be decided by now."""
        return [game for game in self.running() if game.claimed_until is not None and game.claimed_until <= now + 10]

    def loosen(self, since: int) -> None:
        """Allow some seconds on top where a clock began to run since then, during an unnoticed downtime.

        The turn began then, or its player came back from a vacation. The bot credits them for the whole downtime.
        """
        for game in self.running():
            began = max(game.since, game.resumed)
            if game.clock and began >= since and game.loosened != (game.serial, since):
                game.clock.loose[game.number % 2] += SWEEP
                game.loosened = game.serial, since

    def unsure(self, last: Read, longest: int) -> None:
        """Allow credit for this board: the bot died, and may take the board for posted later than it was."""
        if last.kind in BOARDS and (game := self.names.get(last.game)) and game.clock:
            game.clock.loose[game.number % 2] += AWAY + longest

    def running(self) -> list[Watched]:
        """Return the games that are not over."""
        return [game for game in self.games.values() if not game.over]

    def shows(self, person: Person, game: Watched) -> None:
        """Expect the board of a game that a person shows."""
        self.shown[person.user, game_name(game.id)] += 1

    def seeks(self, club: int, role: int | None, now: int) -> None:
        """Check whether a new open challenge mentions the role of its club: at most MOST_MENTIONS a day do."""
        known = self.mentions.setdefault(club, [])
        enough = sum(at > now - DAY for at in known) >= MOST_MENTIONS
        assert role == (None if enough else role_of(club)), (club, role, known, now)
        if role:
            known.append(now)
            self.counts["mentions owed"] += 1
        else:
            self.counts["mentioned enough"] += 1

    # ── What is posted ──

    def settle(self, now: int) -> list[Read]:
        """Check the new posts against the notebook and return them."""
        found = [read(sent) for sent in self.inbox]
        self.inbox.clear()
        for each in found:
            self.counts[each.kind] += 1
            self.counts["messages"] += 1
            self._check(each, now)
        return found

    def _check(self, each: Read, now: int) -> None:
        assert each.sent.mentioned == {int(role) for role in [each.said.get("role")] if role}, each
        self.counts["mentions"] += bool(each.sent.mentioned)
        named = self.secret & {*re.findall(r"#[a-z]\d+", each.sent.text)}
        assert each.sent.direct or not named, f"the game is private: {each}"
        if each.kind in BOARDS:
            self._board(each, now)
        elif each.kind in ("reminder", "call"):
            self._reminder(each, now)
        elif each.kind == "digest":
            self._digest(each, now)
        elif each.kind == "downtime_notice":
            settled(self.downtime_notices, each.sent)
        elif each.kind in ("nudge", "claim"):
            game = self.names[each.game]
            assert not game.over, each
            assert each.sent.pinged == {game.mover.user}, each
            assert not each.sent.direct, each
        elif each.kind == "shown":
            self._shown(each)
        elif each.kind in ("challenge", "undo", "draw"):
            assert {str(user) for user in each.sent.pinged} == {each.said["to"]}, each
        else:
            assert not each.sent.pinged, each
            assert each.sent.direct == (each.kind in ("lapsed", "forgotten", "claim by letter")), each

    def _shown(self, each: Read) -> None:
        by = int(each.said["who"] or 0)
        assert self.shown[by, each.game] > 0, f"nobody shows this, or it comes twice: {each}"
        assert (each.sent.place, each.sent.pinged) == (place_of(self.people[by]), frozenset()), each
        self.shown[by, each.game] -= 1

    def nothing_is_missing(self) -> None:
        """Fail if an end was not told, if a board was shown to nobody, or if a role was mentioned too often."""
        assert not self.unseen, "nobody was told how these games ended"
        lost = {what for what, number in self.shown.items() if number and what[1] not in self.cut}
        assert not lost, f"these were never shown: {lost}"
        assert self.counts["mentions"] <= self.counts["mentions owed"], self.counts

    def _board(self, each: Read, now: int) -> None:
        game = self.names[each.game]
        assert game.boards, f"no board is expected: {each}"
        self._skip_given_way(game, each)
        wanted = game.boards.popleft()
        assert each.kind == wanted.kind, (each, wanted)
        assert each.sent.pinged == wanted.pinged, (each, wanted)
        assert not each.sent.direct, each
        assert each.sent.place == place_of(game.players[0]), each
        if wanted.turn is not None:
            assert wanted.turn == each.last_turn, (each, wanted)
        if game.clock and not game.over and not game.boards and not game.clock.stands:
            game.clock.unseen(wanted.since, now)
            self.plan(game)
        if now - wanted.since > AWAY:
            game.seen = now
        if game.over and not game.boards:
            self._forget(game)

    def _skip_given_way(self, game: Watched, each: Read) -> None:
        """Skip boards that gave way to this one, in a game against the bot. It tells their last turns.

        Turns that were taken back are told as such.
        """
        shown, skipped = each.last_turn, list[str]()
        while game.is_against_bot and len(game.boards) > 1 and game.boards[0].kind == "turn":
            first = game.boards[0]
            if (first.kind, first.turn) == (each.kind, shown):
                break
            skipped.append(game.boards.popleft().turn or "")
        skipped = [told.partition(" · ")[0] for told in skipped]  # what came off is told on a turn's own board
        told = list(each.told_before)
        assert told == (skipped[-len(told) :] if told else skipped) or each.kind == "back", (each, skipped)
        self.counts["boards that gave way"] += len(skipped)

    def _reminder(self, each: Read, now: int) -> None:
        game = self.names[each.game]
        person = self.people[each.sent.place if each.sent.direct else int(each.said["to"] or 0)]
        assert not game.over, each
        assert game.mover is person, f"they have moved: {each}"
        assert each.sent.pinged == (frozenset() if each.sent.direct else {person.user}), each
        assert (each.kind == "reminder") == each.sent.direct, each
        if game.clock is None:
            self._weekly_reminder(game, each, now)
            return
        assert not game.reminded, f"twice: {each}"
        assert game.remind_at is not None, f"no reminder is wanted: {each} {game}"
        late = counted(game.remind_at, now, game.terms.weekends)
        in_time = -game.clock_is_loose <= late and (late <= LATE or now <= self.slow_until)
        assert game.may_remind or person.digest or in_time, (late, each, game)
        game.reminded = True

    def _weekly_reminder(self, game: Watched, each: Read, now: int) -> None:
        """Check a reminder of a game without a time limit: by letter at most each week, four a turn, on calls once.

        A private game has one a turn, by letter.
        """
        self.counts["private reminders"] += game.private
        self.counts["weekly reminders"] += 1
        assert WISHES[game.mover.wish], f"no reminder is wanted: {each}"
        assert game.mover.user not in game.quiet, f"no reminder of this game is wanted: {each}"
        assert not (each.sent.direct and game.mover.digest), f"the digest lists it: {each}"
        told = game.weekly.setdefault(game.serial, [])
        sent = [at for at, kind in told if kind != "command"]
        assert now - (sent[-1] if sent else max(game.since, game.seen)) >= WEEK - DAY, (each, game)
        told.append((now, each.kind))
        assert len(told) <= (1 if game.private else 4), (each, game)
        assert [kind for _, kind in told].count("call") <= 1, (each, game)

    def _digest(self, each: Read, now: int) -> None:
        person = self.people[each.sent.place]
        assert each.sent.direct, each
        assert not each.sent.pinged, each
        assert person.digest, f"they want none: {each}"
        here = datetime.fromtimestamp(now, ZoneInfo(person.digest[1]))
        hours = (here.hour - person.digest[0]) % 24
        assert hours < DIGEST_WITHIN or (hours == DIGEST_WITHIN and here.minute < 3), (here, each)
        assert person.digested != str(here.date()), f"twice: {each}"
        person.digested = str(here.date())
        named = {*re.findall(r"#[a-z]\d+", each.sent.text)}
        assert named == {game_name(game.id) for game in self.waiting(person)}, each

    def waiting(self, person: Person) -> list[Watched]:
        """Return the games that a digest lists."""
        if person.away is not None:
            return []
        return [game for game in self.of(person) if game.mover is person and person.user not in game.quiet]

    def nothing_is_late(self, now: int) -> None:
        """Fail if a reminder is missing."""
        while self.late and self.late[0][0] < now - LATE:
            _, at, game_id, serial = heappop(self.late)
            game = self.games.get(game_id)
            if game is None or (game.serial, game.remind_at) != (serial, at) or game.reminded or game.may_remind:
                continue
            if counted(at, now, game.terms.weekends) <= LATE + game.clock_is_loose:  # it may come after a weekend
                heappush(self.late, (now, at, game_id, serial))
            else:
                assert game.mover.digest or now <= self.slow_until, f"nobody was reminded: {game}"

    def stands_like(self, rows: Iterable[Any], now: int) -> None:
        """Check the stored running games against the notebook: none is missing, and no clock is wrong."""
        stored = {row.id: row for row in rows}
        running = {game.id: game for game in self.running()}
        assert stored.keys() == running.keys(), stored.keys() ^ running.keys()
        assert all(
            downtime_notice.at > now - LATE or now <= self.slow_until for downtime_notice in self.downtime_notices
        ), self.downtime_notices
        for game_id, game in running.items():
            row = stored[game_id]
            assert (row.turn_number, row.waiting_user) == (game.number, game.mover.user), (game, row)
            assert not game.boards or game.changed > now - LATE or now <= self.slow_until, game
            self._clock(game, row, now)

    def _clock(self, game: Watched, row: Any, now: int) -> None:
        if game.clock is None:
            assert (row.deadline_at, row.paused_left) == (None, None), game
            return
        game.clock.tick(now)
        assert (row.deadline_at is None, row.flagged) == (game.clock.stands, game.clock.flagged), (game, row)
        weekends = game.terms.weekends
        left = row.paused_left if game.clock.stands else counted(now, row.deadline_at, weekends)
        assert 0 <= left - game.clock.left <= game.clock_is_loose, (left, game)
