"""The list of games and the digest fit into a message, in lines that a phone shows whole."""

import re
from dataclasses import replace

from gipfbot.rules import Colour
from gipfbot.service.clock.digests import DIGEST_HOURS
from gipfbot.service.clock.timezones import ZONES
from gipfbot.service.play.notes import LONGEST_NOTE
from gipfbot.ui.clock import digest_texts, digests, reminder_texts
from gipfbot.ui.kit import listed_game, text_parts
from gipfbot.ui.kit.autocomplete import LONGEST_CHOICE, MOST_CHOICES
from gipfbot.ui.play import game_list_texts, game_texts, note_texts
from gipfbot.ui.play.game_list import game_page
from gipfbot.values import GameBrief
from tests.support.people import ANN, BOB, HOME
from tests.support.times import DAY, HOUR, NOW

BRIEF = GameBrief(1, "basic", (ANN.user, BOB.user), ("Ann", "Bob"), HOME, Colour.WHITE, 3, NOW - 1000, False)
AWAY = {990 + at: NOW + DAY for at in range(40)}


def games(number: int, name: str = "Bob", others: int = 0, **what: object) -> list[GameBrief]:
    """Return so many games of Ann against this opponent. The last `others` of them wait for the opponent."""
    waits = [Colour.WHITE] * (number - others) + [Colour.BLACK] * others
    made = [replace(BRIEF, id=990 + at, names=("Ann", name), asked=colour) for at, colour in enumerate(waits)]
    return [replace(brief, **what) for brief in made]  # type: ignore[arg-type]


def shown(line: str) -> str:
    """Return what a phone shows of a line, roughly."""
    line = re.sub(r"<t:[0-9]+:d>", "21/11/2026", line)
    return re.sub(r"<t:[0-9]+:R>", "in 12 hours", line).replace("*", "").replace("-# ", "")


def test_who_is_not_to_move_reads_which_game_waits_for_whom() -> None:
    briefs = [replace(BRIEF, id=1, names=("Is for it", "Bob")), replace(BRIEF, id=2, asked=Colour.BLACK)]
    said = game_texts.no_game_to_move_text(briefs)
    assert said == "It's not your turn. **#a1** is waiting for Is for it, **#b1** for Bob."
    many = game_texts.no_game_to_move_text([replace(BRIEF, id=at) for at in range(1, 9)])
    assert many.endswith(" for Ann and 3 more.")


def test_a_line_tells_how_long_there_is() -> None:
    cases = {
        f"• **#a1** vs Bob · waiting since <t:{NOW - 1000}:d>": BRIEF,
        "• **#a1** vs Bob · due <t:5:R>": replace(BRIEF, deadline=5),
        "• **#a1** vs Bob · time over, grace ends <t:5:R>": replace(BRIEF, deadline=5, flagged=True),
        "• **#a1** vs Bob · paused at 2 hours": replace(BRIEF, paused_left=7200),
        f"• **#a1** vs Bob · waiting since <t:{NOW - 1000}:d> ⚠": replace(BRIEF, unreachable=True),
    }
    for line, brief in cases.items():
        told = game_list_texts.game_list_text(game_page([brief], ANN.user, 0), ANN.user, {}, {}).splitlines()
        assert told[:2] == ["**Waiting for you** · 1", line]
        assert len(told) == 2 + brief.unreachable + brief.flagged
        assert (listed_game.GRACE_HINT in told) == brief.flagged
    listed = game_list_texts.game_list_text(
        game_page([replace(BRIEF, paused_left=7200)], BOB.user, 0), BOB.user, {1: 9}, {1: "a  *b*\nc"}
    )
    assert listed.splitlines() == [
        "Nothing waits for you.",
        "**Waiting for others** · 1",
        "• **#a1** vs Ann · on vacation until <t:9:D> · paused at 2 hours",
        "-# a \\*b\\* c",
    ]


def test_whoever_is_to_move_reads_his_own_time_first() -> None:
    listed = game_list_texts.game_list_text(game_page([replace(BRIEF, deadline=5)], ANN.user, 0), ANN.user, {1: 9}, {})
    assert listed.splitlines()[1] == "• **#a1** vs Bob · you: due <t:5:R> (Bob on vacation until <t:9:D>)"


def test_pages_of_ten_hold_each_game_once() -> None:
    listed = games(34, others=17)
    pages = [game_page(listed, ANN.user, number) for number in range(4)]
    assert [brief for page in pages for brief in (*page.waiting, *page.others)] == listed
    assert [(len(page.waiting), len(page.others)) for page in pages] == [(10, 0), (7, 3), (0, 10), (0, 4)]
    assert game_page(listed, ANN.user, 10**14) == pages[3]
    assert (
        game_page([], ANN.user, 5).page_number,
        game_page(listed[:20], ANN.user, 5).page_number,
        game_page(listed[:21], ANN.user, 5).page_number,
    ) == (
        0,
        1,
        2,
    )
    assert game_list_texts.game_list_text(pages[2], ANN.user, {}, {}).splitlines()[:2] == [
        "Page 3 of 4",
        "**Waiting for others** · 17",
    ]
    assert "Nothing waits" not in game_list_texts.game_list_text(pages[3], ANN.user, {}, {})


def test_any_page_fits_into_a_message() -> None:
    """Notes are shortened, then left out, before any game is."""
    for name in ("Bob", "W" * 32, "*" * 32):
        for what in ({}, {"deadline": NOW, "flagged": True, "unreachable": True}, {"paused_left": 14 * DAY - 61}):
            briefs = games(40, name, 20, **what)
            for number in range(4):
                page = game_page(briefs, ANN.user, number)
                for note in ("", "short", "*" * LONGEST_NOTE, "long words " * 40):
                    text = game_list_texts.game_list_text(
                        page, ANN.user, AWAY, {brief.id: note for brief in briefs if note}
                    )
                    assert len(text) <= text_parts.LIST_LENGTH
                    if name == "Bob" and "flagged" not in what:
                        assert text.count("•") == 10
    page = game_page(games(10), ANN.user, 0)
    assert "-# so far so good" in game_list_texts.game_list_text(page, ANN.user, {}, {990: "so far so good"})


def test_lines_are_short_enough_for_a_phone() -> None:
    for what in ({}, {"deadline": NOW}, {"paused_left": DAY + HOUR}):
        text = game_list_texts.game_list_text(
            game_page(games(40, "Bartholomew the Great", 10, **what), ANN.user, 0), ANN.user, {}, {990: "n" * 90}
        )
        assert max(len(shown(line)) for line in text.splitlines()) <= 51
    text = game_list_texts.game_list_text(game_page(games(40, "Bob"), ANN.user, 0), ANN.user, {}, {})
    assert max(len(shown(line)) for line in text.splitlines()) <= 40


def test_first_line_of_a_digest_stands_alone() -> None:
    first = replace(BRIEF, deadline=NOW + 7200)
    one = digest_texts.digest_text([first], ANN.user, {}, NOW).splitlines()
    assert one == ["Your turn in #a1 vs Bob: 2 hours left", f"• **#a1** vs Bob · due <t:{NOW + 7200}:R>"]
    two = digest_texts.digest_text([first, BRIEF], ANN.user, {1: "note"}, NOW).splitlines()
    assert two[0] == "Your turn in 2 games, most urgent: #a1 vs Bob, 2 hours left"
    assert two[2] == "-# note"
    assert digest_texts.digest_text([BRIEF], ANN.user, {}, NOW).startswith("Your turn in #a1 vs Bob\n")
    late = digest_texts.digest_text([replace(first, flagged=True)], ANN.user, {}, NOW).splitlines()
    assert (late[0], late[-1]) == ("Your turn in #a1 vs Bob: 2 hours of grace left", listed_game.GRACE_HINT)
    for name, note in (("Bob", ""), ("*" * 32, "*" * LONGEST_NOTE)):
        briefs = games(60, name, deadline=NOW + 5)
        text = digest_texts.digest_text(briefs, ANN.user, {brief.id: note for brief in briefs if note}, NOW)
        assert len(text) <= 2000
        assert text.endswith(f"… and {60 - text.count('•')} more: **/gipf games** lists them.")


def test_a_note_is_shown_whole_and_as_it_was_written() -> None:
    assert note_texts.own_note_text("") == ""
    assert note_texts.own_note_text("first *line*\n\n# second") == "-# first \\*line\\*\n-# \\# second"
    assert len(note_texts.own_note_text("*\n" * (LONGEST_NOTE // 2))) < 1500


def test_choices_for_the_digest_stay_within_discords_limits() -> None:
    assert len(digests.DIGEST_TIMES) == len(DIGEST_HOURS) + 1 <= MOST_CHOICES
    assert len({*digests.COMMON_ZONES}) == len(digests.COMMON_ZONES) <= MOST_CHOICES
    assert {*digests.COMMON_ZONES, *digests.ZONE_BY_LOCALE.values()} <= {*ZONES}
    assert all(len(reminder_texts.zone_label(zone, "23:59")) <= LONGEST_CHOICE for zone in ZONES)
