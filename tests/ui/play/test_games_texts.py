"""The list of games and the digest fit into a message, in lines that a phone shows whole."""

import re
from dataclasses import replace

import pytest

from gipfbot.match import GameRequest, RequestKind, RequestState, Status, Terms, Turn, new_game
from gipfbot.notation import parse_position, parse_turn
from gipfbot.rules import BASIC, Colour, start
from gipfbot.service.clock.digests import DIGEST_HOURS
from gipfbot.service.clock.zones import ZONES
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.play.games import LONGEST_NOTE
from gipfbot.ui.clock import reminder_texts, reminders
from gipfbot.ui.kit import listed_game
from gipfbot.ui.kit.components import LONGEST_LAYOUT_TEXT, Button, ListedText, build_layout
from gipfbot.ui.kit.game_picker import LONGEST_CHOICE, MOST_CHOICES
from gipfbot.ui.kit.listed_game import listed_game_line
from gipfbot.ui.play import game_list, game_texts
from gipfbot.ui.play.game_list import ROOM_ABOVE_GAMES, GameDetails, game_page, game_rows
from gipfbot.values import EndedGame, GameBrief, LastListed, StoredGame
from tests.support.people import ANN, BOB, CLUB, HOME
from tests.support.times import DAY, HOUR, NOW
from tests.ui.distinct_labels import repeated_labels

BRIEF = GameBrief(1, "basic", (ANN.user, BOB.user), ("Ann", "Bob"), HOME, Colour.WHITE, 3, NOW - 1000, False)
STORED = StoredGame(new_game(1, BASIC, (ANN, BOB)), HOME, False, None, None, NOW, NOW, None)
NOTHING_ELSE = GameDetails()
LONGEST = LONGEST_LAYOUT_TEXT - ROOM_ABOVE_GAMES - 100
AWAY = {990 + at: NOW + DAY for at in range(40)}


def games(number: int, name: str = "Bob", others: int = 0, **what: object) -> list[GameBrief]:
    """Return so many games of Ann against this opponent. The last `others` of them wait for the opponent."""
    waits = [Colour.WHITE] * (number - others) + [Colour.BLACK] * others
    made = [replace(BRIEF, id=990 + at, names=("Ann", name), asked=colour) for at, colour in enumerate(waits)]
    return [replace(brief, **what) for brief in made]  # type: ignore[arg-type]


def listed(brief: GameBrief, user: int = ANN.user, details: GameDetails = NOTHING_ELSE) -> str:
    """Return the text of one game in the list."""
    return game_list.listed_game_texts([brief], user, details, LONGEST)[brief.id]


def shown(line: str) -> str:
    """Return what a phone shows of a line, roughly."""
    return re.sub(r"<t:[0-9]+:R>", "in 12 hours", line).replace("*", "").replace("-# ", "")


def test_who_is_not_to_move_reads_which_game_waits_for_whom() -> None:
    briefs = [replace(BRIEF, id=1, names=("Is for it", "Bob")), replace(BRIEF, id=2, asked=Colour.BLACK)]
    said = game_texts.no_game_to_move_text(briefs)
    assert said == "It's not your turn. **#a1** is waiting for Is for it, **#b1** for Bob."
    many = game_texts.no_game_to_move_text([replace(BRIEF, id=at) for at in range(1, 9)])
    assert many.endswith(" for Ann and 3 more.")


def test_a_line_tells_how_long_there_is() -> None:
    cases = {
        f"turn began <t:{NOW - 1000}:R>": BRIEF,
        "due <t:5:R>": replace(BRIEF, deadline=5),
        "time over, grace ends <t:5:R>": replace(BRIEF, deadline=5, flagged=True),
        "paused at 2 hours": replace(BRIEF, paused_left=7200),
        f"turn began <t:{NOW - 1000}:R> ⚠": replace(BRIEF, unreachable=True),
    }
    for line, brief in cases.items():
        assert listed_game_line(brief, ANN.user, {}, {}) == f"• **#a1** vs Bob · {line}"
        page = game_page([brief], ANN.user, 0)
        assert listed(brief).splitlines()[-1] == line.removesuffix(" ⚠")
        assert game_list.waiting_heading(page) == "**Waiting for you** · 1"
        assert game_list.game_list_hints(page).count("\n") == 0
        assert (game_list.game_list_hints(page) == listed_game.GRACE_HINT) == brief.flagged
        assert (game_list.game_list_hints(page) == game_list.CAN_GO_ON_ELSEWHERE) == brief.unreachable
        assert ("⚠" in listed(brief)) == brief.unreachable


def test_nothing_waits_for_the_person() -> None:
    page = game_page([BRIEF], BOB.user, 0)
    heading, game, end, _ = game_rows(page, {1: "its text"})
    assert (heading, end) == ("**Waiting for others** · 1", "Nothing waits for you.")
    assert game == ListedText("its text", Button("Board #a1", "listed_game:1:0:board"))


def test_the_list_ends_with_the_next_game_and_its_button() -> None:
    """Whatever its player knows about it, and whatever notes they have. The other pages do not name it."""
    briefs = games(12, last=C2, deadline=NOW)
    for brief, time in (
        (briefs[0], f"due <t:{NOW}:R>"),
        (replace(briefs[0], flagged=True), f"time over, grace ends <t:{NOW}:R>"),
        (replace(briefs[0], deadline=None), f"turn began <t:{NOW - 1000}:R>"),
        (replace(briefs[0], deadline=None, paused_left=7200), "paused at 2 hours"),
    ):
        page = game_page([brief, *briefs[1:]], ANN.user, 0)
        details = GameDetails(notes={brief.id: "a note"}, win_claims={brief.id: 9})
        texts_of_games = game_list.listed_game_texts(page.briefs, ANN.user, details, LONGEST, page.up_next)
        *_, second, text, buttons = game_rows(page, texts_of_games)
        assert isinstance(text, str)
        assert text.splitlines()[0] == f"**Next, most urgent: {game_name(990)} vs Bob · {time}** · you're White"
        assert text.count(time) == 1
        assert isinstance(buttons, tuple)
        assert [button.label for button in buttons] == [f"Move {game_name(990)}", "◀", "▶", "Ended games"]
        assert isinstance(second, ListedText)
        assert second.button.label == f"Move {game_name(991)}"
    assert game_page(briefs, ANN.user, 1).up_next is None


def test_a_game_is_a_few_short_lines() -> None:
    """Its board is linked, once it is posted."""
    details = GameDetails({1: 9}, {1: "a  *b*\nc"})
    brief = replace(BRIEF, paused_left=7200, unreachable=True, board_channel=7, board_message=8)
    assert listed(brief, BOB.user, details).splitlines() == [
        f"**[#a1](https://discord.com/channels/{CLUB}/7/8)** vs Ann · you're Black ⚠",
        "**New:** Basic · Ann begins",
        "on vacation, back <t:9:R> · paused at 2 hours",
        "-# a \\*b\\* c",
    ]


def test_whoever_is_to_move_reads_his_own_time_first() -> None:
    line = listed(replace(BRIEF, deadline=5), ANN.user, GameDetails({1: 9})).splitlines()[-1]
    assert line == "you: due <t:5:R> (Bob on vacation, back <t:9:R>)"


# ── What is new ──


def turn(number: int, text: str) -> Turn:
    """Return the turn with this number, played at the start of a game."""
    before = start(BASIC)
    return Turn(number, Colour(1 - number % 2), text, parse_turn(before, text), before, before)


C2 = turn(4, "c2")  # Bob's
BOB_PLAYED, LAST = "**New:** Bob played b1 → c2", "**2. Black:** b1 → c2"


@pytest.mark.parametrize(
    ("last_listed", "taken_back", "said"),
    [
        (None, 0, BOB_PLAYED),
        ((4, 0), 0, LAST),
        ((3, 0), 0, BOB_PLAYED),
        ((2, 0), 0, BOB_PLAYED),
        ((5, 0), 1, "**New:** a turn was taken back"),
        ((3, 0), 1, f"**New:** a turn was taken back · {BOB_PLAYED.removeprefix('**New:** ')}"),
        ((6, 1), 3, "**New:** 2 turns were taken back"),
        ((4, 3), 3, LAST),
    ],
)
def test_the_list_says_what_is_new(last_listed: tuple[int, int] | None, taken_back: int, said: str) -> None:
    """It compares the turns with those that it showed the last time."""
    shown_before = LastListed(*last_listed) if last_listed else None
    brief = replace(BRIEF, turn_number=4, taken_back=taken_back, last=C2, last_listed=(shown_before, None))
    assert listed(brief).splitlines()[1] == said


def test_own_turns_are_no_news() -> None:
    brief = replace(BRIEF, turn_number=4, last=C2, last_listed=(None, LastListed(3, 0)))
    assert listed(brief, BOB.user).splitlines()[1] == LAST
    assert listed(replace(brief, last_listed=(None, None)), BOB.user).splitlines()[1] == LAST


def test_game_without_a_turn_is_new_once() -> None:
    fresh = replace(BRIEF, turn_number=0)
    assert "**New:** Basic · you begin" in listed(fresh)
    assert "\nNo turn yet · you begin\n" in listed(replace(fresh, last_listed=(LastListed(0, 0), None)))


def test_turns_are_in_words() -> None:
    removal = parse_position("basic w W=b5,h5,e3,e4,d4,e5,g4 B=b2,e8,h2,e6,d6,f3,c4 reserve=8-8 captured=0-0")
    actions = parse_turn(removal, "e1-e2")
    brief = replace(BRIEF, last=Turn(3, Colour.WHITE, "", actions, removal, removal))
    assert listed(brief).splitlines()[1] == "**2. White:** e1 → e2 and removed a row"


@pytest.mark.parametrize(
    ("newcomer", "turns"), [(False, "g1-c3 and your answer e2"), (True, "their last turn and your answer")]
)
def test_requests_of_the_opponent_stand_beside_the_game(newcomer: bool, turns: str) -> None:
    stored = replace(STORED, game=replace(STORED.game, terms=Terms(newcomer=newcomer)))
    request = GameRequest(
        5, RequestKind.TAKEBACK, 1, BOB.user, 3, 3, NOW, RequestState.OPEN, ("g1-c3;xc2,d3,e4,f4", "e2")
    )
    said = listed(replace(BRIEF, stored=stored), ANN.user, GameDetails(takebacks={1: request}, win_claims={1: 9}))
    assert f"\nBob asks to take back {turns}\n" in said
    assert "\nBob claims the win: play, or lose <t:9:R>\n" in said


def test_ended_games_say_how_they_ended() -> None:
    ended = [
        EndedGame(1, "basic", BRIEF.users, BRIEF.names, HOME, Status.OVER, Colour.WHITE, 8, 7),
        EndedGame(2, "basic", BRIEF.users, BRIEF.names, HOME, Status.OVER, None, None, None),
        EndedGame(3, "basic", BRIEF.users, BRIEF.names, HOME, Status.CANCELLED, None, None, None),
        EndedGame(4, "basic", BRIEF.users, BRIEF.names, HOME, Status.OVER, None, None, None, drawn=True),
    ]
    assert game_list.ended_games_text(ended, BOB.user).splitlines() == [
        "**Ended since you last looked**",
        f"**[#a1](https://discord.com/channels/{CLUB}/7/8)** vs Ann · you lost",
        "**#b1** vs Ann · void",
        "**#c1** vs Ann · cancelled",
        "**#d1** vs Ann · draw",
    ]
    assert "** vs Bob · you won" in game_list.ended_games_text(ended, ANN.user)
    assert game_list.ended_games_text(ended * 3, ANN.user).splitlines()[6:] == ["… and 7 more"]
    assert game_list.ended_games_text([], ANN.user) == ""


# ── Pages ──


def test_pages_of_ten_hold_each_game_once() -> None:
    briefs = games(34, others=17)
    pages = [game_page(briefs, ANN.user, number) for number in range(4)]
    assert [brief for page in pages for brief in page.briefs] == briefs
    assert [(len(page.waiting), len(page.others)) for page in pages] == [(10, 0), (7, 3), (0, 10), (0, 4)]
    assert game_page(briefs, ANN.user, 10**14) == pages[3]
    assert (
        game_page([], ANN.user, 5).page_number,
        game_page(briefs[:20], ANN.user, 5).page_number,
        game_page(briefs[:21], ANN.user, 5).page_number,
    ) == (
        0,
        1,
        2,
    )
    heads = [f"**Your games** · page {number} of 4" for number in range(1, 5)]
    assert [game_list.game_list_head(page) for page in pages] == heads
    assert game_list.game_list_head(game_page(briefs[:10], ANN.user, 0)) == "**Your games**"


def test_any_page_fits_into_a_message() -> None:
    """Notes are shortened, then left out, before any link is. The components are as few as Discord allows."""
    long = "*" * LONGEST_NOTE
    for name in ("Bob", "W" * 32, "*" * 32):
        for what in ({}, {"deadline": NOW, "flagged": True, "unreachable": True}, {"paused_left": 14 * DAY - 61}):
            briefs = games(40, name, 20, board_channel=BOB.user, board_message=BOB.user, last=C2, **what)
            for page in (game_page(briefs, ANN.user, number) for number in range(4)):
                for note in ("", "short", long):
                    notes = {brief.id: note for brief in briefs if note}
                    texts_of_games = game_list.listed_game_texts(
                        page.briefs, ANN.user, GameDetails(AWAY, notes), LONGEST, page.up_next
                    )
                    assert sum(map(len, texts_of_games.values())) <= LONGEST
                    assert all("](https:" in text for text in texts_of_games.values()) or name == "*" * 32
                    head = f"{game_list.game_list_head(page)}\n{game_list.game_list_hints(page)}"
                    layout = build_layout(head, (), game_rows(page, texts_of_games))
                    assert layout.content_length() <= LONGEST_LAYOUT_TEXT
                    assert 33 <= layout.total_children_count <= 40
                    assert repeated_labels(layout) == []
    page = game_page(games(10), ANN.user, 0)
    shown_texts = game_list.listed_game_texts(page.briefs, ANN.user, GameDetails(notes={990: "good"}), LONGEST)
    assert shown_texts[990].endswith("-# good")


def test_links_are_left_out_before_any_text_is_cut() -> None:
    request = GameRequest(5, RequestKind.TAKEBACK, 1, BOB.user, 3, 3, NOW, RequestState.OPEN, ("c2",))
    briefs = games(10, "*" * 32, deadline=NOW, board_channel=BOB.user, board_message=BOB.user, last=C2)
    briefs = [replace(brief, stored=STORED) for brief in briefs]
    requests = GameDetails(AWAY, takebacks={brief.id: request for brief in briefs})
    texts_of_games = game_list.listed_game_texts(briefs, ANN.user, requests, LONGEST)
    assert not any("](https:" in text for text in texts_of_games.values())
    assert all(text.endswith(f"vacation, back <t:{NOW + DAY}:R>)") for text in texts_of_games.values())


def test_even_impossibly_long_texts_are_cut_to_fit() -> None:
    request = GameRequest(5, RequestKind.TAKEBACK, 1, BOB.user, 3, 3, NOW, RequestState.OPEN, ("*" * 99,))
    briefs = games(
        10,
        "*" * 32,
        stored=STORED,
        deadline=NOW,
        flagged=True,
        last=C2,
        last_listed=(LastListed(0, 0), None),
        taken_back=10,
    )
    everything = GameDetails(AWAY, {}, {brief.id: request for brief in briefs}, {brief.id: 9 * NOW for brief in briefs})
    cut = game_list.listed_game_texts(briefs, ANN.user, everything, LONGEST)
    assert len(cut) == 10
    assert LONGEST - 200 < sum(map(len, cut.values())) <= LONGEST


def test_lines_are_short_enough_for_a_phone() -> None:
    for what in ({}, {"deadline": NOW}, {"paused_left": DAY + HOUR}):
        for brief in games(20, "Bartholomew the Great", 10, last=C2, **what):
            text = listed(brief, ANN.user, GameDetails(notes={990: "n" * 90}))
            assert max(len(shown(line)) for line in text.splitlines()) <= 51
            text = listed(replace(brief, names=("Ann", "Bob")))
            assert max(len(shown(line)) for line in text.splitlines()) <= 36


def test_first_line_of_a_digest_stands_alone() -> None:
    first = replace(BRIEF, deadline=NOW + 7200)
    one = reminder_texts.digest_text([first], ANN.user, {}, NOW).splitlines()
    assert one == ["Your turn in #a1 vs Bob: 2 hours left", f"• **#a1** vs Bob · due <t:{NOW + 7200}:R>"]
    two = reminder_texts.digest_text([first, BRIEF], ANN.user, {1: "note"}, NOW).splitlines()
    assert two[0] == "Your turn in 2 games, most urgent: #a1 vs Bob, 2 hours left"
    assert two[2] == "-# note"
    assert reminder_texts.digest_text([BRIEF], ANN.user, {}, NOW).startswith("Your turn in #a1 vs Bob\n")
    late = reminder_texts.digest_text([replace(first, flagged=True)], ANN.user, {}, NOW).splitlines()
    assert (late[0], late[-1]) == ("Your turn in #a1 vs Bob: 2 hours of grace left", listed_game.GRACE_HINT)
    for name, note in (("Bob", ""), ("*" * 32, "*" * LONGEST_NOTE)):
        briefs = games(60, name, deadline=NOW + 5)
        text = reminder_texts.digest_text(briefs, ANN.user, {brief.id: note for brief in briefs if note}, NOW)
        assert len(text) <= 2000
        assert text.endswith(f"… and {60 - text.count('•')} more: **/gipf games** lists them.")


def test_a_note_is_shown_whole_and_as_it_was_written() -> None:
    assert game_texts.own_note_text("") == ""
    assert game_texts.own_note_text("first *line*\n\n# second") == "-# first \\*line\\*\n-# \\# second"
    assert len(game_texts.own_note_text("*\n" * (LONGEST_NOTE // 2))) < 1500


def test_choices_for_the_digest_stay_within_discords_limits() -> None:
    assert len(reminders.DIGEST_TIMES) == len(DIGEST_HOURS) + 1 <= MOST_CHOICES
    assert len({*reminders.COMMON_ZONES}) == len(reminders.COMMON_ZONES) <= MOST_CHOICES
    assert {*reminders.COMMON_ZONES, *reminders.ZONE_BY_LOCALE.values()} <= {*ZONES}
    assert all(len(reminder_texts.zone_label(zone, "23:59")) <= LONGEST_CHOICE for zone in ZONES)
