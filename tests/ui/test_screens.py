"""Every screen and message keeps Discord's limits, in random and in built positions."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from inspect import signature
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest
from PIL import Image

import gipfbot
from gipfbot.match import (
    Challenge,
    Refused,
    RequestKind,
    RequestState,
    Seat,
    Side,
    Status,
    Terms,
    Why,
    days_per_turn,
    new_game,
    perform,
)
from gipfbot.rules import PRESETS, STANDARD, Ruleset, legal, start
from gipfbot.rules.pending import question
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.ui.board.public_board import public_board_message
from gipfbot.ui.commands import COMMANDS
from gipfbot.ui.kit import refusal_texts, texts
from gipfbot.ui.kit.pictures import Painter, challenge_card
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.play import game_texts
from render import Picture, ResultCard, alt_text, text_board
from tests.rules.generate import dense, dense_after_a_push, row_seeking
from tests.standin.limits import command_size
from tests.support.effort import amount

from .positions import CASES
from .shown_screens import SEATS, assert_fits, assert_fits_in_letters, game_at, screens


def test_a_text_and_a_board_share_a_message() -> None:
    board = "x" * 1500
    assert texts.with_code_block("one\ntwo", board) == f"one\ntwo\n```\n{board}\n```"
    assert texts.with_code_block(f"one\ntwo\n{'y' * 490}", board) == f"one\ntwo\n```\n{board}\n```"
    assert len(texts.with_code_block("y" * 600, board)) == 2000
    longest = texts.with_code_block("y" * (2000 - 1500 - 9), board)
    assert len(longest) == 2000
    assert "…" not in longest


def test_each_screen_of_the_built_positions_fits_and_leads_somewhere() -> None:
    for position, _ in CASES.values():
        for shown in screens(game_at(position)):
            assert_fits(shown)
            assert shown.rows, "nothing can be pressed"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_each_screen_of_crowded_positions_fits(rules: Ruleset) -> None:
    for seed in range(amount(test=8, long=25)):
        rng = Random(seed)
        for shown in screens(game_at(dense(rules, rng))):
            assert_fits(shown)
            assert shown.rows, "nothing can be pressed"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_desk_reaches_each_legal_removal_and_no_other(rules: Ruleset) -> None:
    """Whatever toggles are pressed, they make the removals that the rules allow, and no others."""
    for seed in range(amount(test=8, long=25)):
        position = dense_after_a_push(rules, Random(seed))
        asked = question(position)
        if asked is None:
            continue
        for row in asked.rows:
            taken = [way for way in legal(position) if getattr(way, "line", None) == row.line.number]
            reached = [w for n in range(2 ** len(row.toggles)) if (w := row.removal(_chosen(row.toggles, n)))]
            assert sorted(reached) == sorted(taken)


def _chosen(toggles: tuple[tuple[str, ...], ...], number: int) -> list[str]:
    return [spot for n, toggle in enumerate(toggles) if number >> n & 1 for spot in toggle]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_each_board_of_a_game_fits(rules: Ruleset) -> None:
    """The names are as long as possible and full of signs. The first line makes sense alone."""
    game = new_game(10**9, rules, SEATS)
    posts = [public_board_message(new_board_message(game))]
    rng = Random(3)
    while game.status is Status.RUNNING and game.turn_number < 80:
        assert game.asked is not None
        action = row_seeking(game.current, legal(game.current), rng)
        answered = perform(game, game.seats[game.asked].user, [action])
        game = answered.game
        if answered.turn:
            posts.append(public_board_message(new_board_message(game)))
    assert len(posts) > 5
    for post in posts:
        assert len(post.text) <= 2000
        assert isinstance(post.picture, Picture | ResultCard)
        assert 0 < len(alt_text(post.picture)) <= 1024
        assert_fits_in_letters(post.text, text_board(post.picture))
        assert len(post.text.splitlines()) <= 3
        assert len(post.text.splitlines()[0]) < 300
        row, *more = post.rows
        assert isinstance(row, tuple)
        last = post is posts[-1] and game.status is not Status.RUNNING
        assert isinstance(post.picture, ResultCard) == last
        kinds = ["rematch", "replay", "analyse", "record", "explore_game"] if last else ["board", "board_more"]
        assert [button.action.partition(":")[0] for button in row] == kinds
        below = [button.action for second in more if isinstance(second, tuple) for button in second]
        assert [action.partition(":")[0] for action in below] == ["why_capture"] * (last and any(more))
        assert set(post.pinged) <= {seat.user for seat in SEATS}


# ── Commands ──


def test_each_command_fits() -> None:
    """At most 20 subcommands, 25 options, 25 choices and 8,000 characters; a description has 1 to 100."""
    tree = discord.app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    for command in COMMANDS:
        data = command.to_dict(tree)
        subcommands = [option for option in data.get("options", ()) if option["type"] in (1, 2)]
        assert len(subcommands) <= 20
        assert command_size(data) <= 8000
        for option in _down(data):
            if "description" in option and data["type"] == 1:
                assert 1 <= len(option["description"]) <= 100
            assert len(option.get("options") or ()) <= 25
            assert len(option.get("choices") or ()) <= 25


def _down(option: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield option
    for key in ("options", "choices"):
        for part in option.get(key) or ():
            yield from _down(part)


# ── Sentences ──


FACTS: dict[str, Any] = {
    "channel": 5,
    **dict.fromkeys(("name", "waiting_for", "answer", "played", "option", "value", "zone", "server"), "Ann"),
    **dict.fromkeys(
        ("at", "until", "left", "game", "request", "challenge", "most", "cap", "plays", "pages", "room"), 5
    ),
    **dict.fromkeys(("found", "turns"), 5),
    **dict.fromkeys(("said", "near"), ("Ann", "Bob")),
    "state": RequestState.DECLINED,
    "kind": RequestKind.TAKEBACK,
    "is_seek": True,
    "end": "claim",
    "decision": True,
    "link": "https://discord.com",
    "here": True,
}


def needed(why: Why) -> set[str]:
    """Return the facts that the text of a refusal needs."""
    said = refusal_texts.REFUSAL_TEXTS[why]
    return set() if isinstance(said, str) else {*signature(said).parameters}


REFUSING = ("Refused", "check_running", "super().__init__")  # which calls name the reason of a refusal


def refusals() -> Iterator[tuple[str, set[str], str]]:
    """Yield each refusal in the bot's code: the reason, the facts that it gives, and the place."""
    for file in Path(gipfbot.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in REFUSING:
                facts = {str(keyword.arg) for keyword in node.keywords}
                inside = (each for argument in node.args for each in ast.walk(argument))
                whys = [each.attr for each in inside if isinstance(each, ast.Attribute)]
                yield from ((why, facts, f"{file.name}:{node.lineno}") for why in whys if why.isupper())


def test_each_refusal_tells_the_facts_that_its_sentence_needs() -> None:
    found = [*refusals()]
    assert {why for why, _, _ in found} == {why.name for why in Why}
    for why, facts, where in found:
        assert facts == needed(Why[why]), where


def said() -> Iterator[str]:
    """Yield the texts that need no game."""
    for why in Why:
        yield refusal_texts.refusal_text(Refused(why, **{fact: FACTS[fact] for fact in needed(why)}))
    for name, value in vars(texts).items():
        if name.isupper() and isinstance(value, str) and " " in value and len(value) > 40:
            yield value
    for channel in (None, 5):
        yield lobby_texts.cannot_see_channel_text("Ann", channel)
        yield texts.missing_permissions_text(["Send Messages"], channel)
    yield texts.bad_game_name_text("x")
    yield game_texts.newest_board_text(None)
    yield game_texts.newest_board_text("https://example.org")
    for what in (True, False):
        yield game_texts.confirm_resign_text("#a1", "Bob", what)
        offer = Challenge(1, Seat(1, "Ann"), Seat(2, "Bob") if what else None, STANDARD, Side.LOT, 0)
        yield lobby_texts.challenge_sent_text(offer, 5, "https://example.org")


def test_each_sentence_ends_as_sentences_do() -> None:
    for sentence in said():
        assert sentence[-1] in ".?!", sentence
        assert sentence[0].isupper() or sentence[0] in "`*#_", sentence
        assert len(sentence) <= 2000
        assert "None" not in sentence


def test_sentences_about_refusals_say_what_to_do() -> None:
    """None of them only says no."""
    for why in (Why.NOT_A_PLAYER, Why.OVER, Why.NO_GAME, Why.NO_CHALLENGE, Why.ILLEGAL):
        assert "**/" in refusal_texts.refusal_text(Refused(why))


def test_card_says_whether_it_challenges_and_whom() -> None:
    seek = Challenge(1, Seat(1, "Ann"), None, STANDARD, Side.LOT, 0)
    asked = replace(seek, to=Seat(2, "Bob"), side=Side.BLACK)
    told = [
        alt_text(
            challenge_card(offer, lobby_texts.challenge_card_title(offer), lobby_texts.challenge_card_terms(offer))
        )
        for offer in (seek, asked, replace(asked, side=Side.WHITE, rematch_of=7))
    ]
    assert told == [
        "Open challenge. GIPF Standard. Ann asks anybody. Time: no time limit. Rated: no.",
        "Challenge. GIPF Standard. Ann with Black asks Bob. Time: no time limit. Rated: no.",
        "Rematch of #g1. GIPF Standard. Ann with White asks Bob. Time: no time limit. Rated: no.",
    ]


@pytest.mark.full_size
async def test_result_is_about_as_high_as_the_boards() -> None:
    """A board as wide as the others, with the head on top, would be too large a file."""
    seconds = list[float]()
    painter = Painter(seconds.append)
    board = Picture(start(STANDARD), ("Ann", "Bob"), "#a1")
    drawn = [Image.open(BytesIO(await painter.png(each))) for each in (board, ResultCard(board, 1))]
    painter.close()
    assert len([each for each in seconds if each > 0]) == 2
    assert [image.width for image in drawn] == [800, 704]
    assert abs(drawn[0].height - drawn[1].height) < 10


def test_terms_say_who_plays_what() -> None:
    offer = Challenge(1, Seat(1, "Ann"), None, STANDARD, Side.LOT, 0)
    said = "**Standard** · random colours · no time limit"
    assert lobby_texts.challenge_terms_text(offer, "Ann") == f"{said} · not rated"
    rated = replace(offer, terms=Terms(rated=True))
    assert lobby_texts.challenge_terms_text(rated, "Ann") == f"{said} · rated"
    assert "Ann plays Black" in lobby_texts.challenge_terms_text(replace(offer, side=Side.BLACK), "Ann")
    timed = replace(offer, terms=Terms(days_per_turn(3)))
    assert "· 3 days for each turn · not rated" in lobby_texts.challenge_terms_text(timed, "Ann")


def test_terms_are_the_same_wherever_they_stand() -> None:
    """They stand on the open message, on the closed one, and in the list of seeks."""
    offer = Challenge(1, Seat(1, "Ann"), None, STANDARD, Side.LOT, 0, terms=Terms(days_per_turn(3)))
    terms = lobby_texts.challenge_terms_text(offer, "Ann")
    assert terms.endswith(" · 3 days for each turn · not rated")
    assert terms in lobby_texts.challenge_text(offer).splitlines()
    assert terms in lobby_texts.challenge_closed_text(replace(offer, state=RequestState.EXPIRED)).splitlines()
    assert lobby_texts.seek_list_text([(offer, None)], 5, user=2).splitlines()[1] == f"1. Ann: {terms}"
