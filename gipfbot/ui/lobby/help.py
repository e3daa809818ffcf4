"""`/gipf help`: pages on how to play, with a button for each. The first has a picture."""

from typing import NamedTuple

from gipfbot.match import position_after
from gipfbot.notation import parse_position, parse_turn
from gipfbot.rules import Push
from gipfbot.ui.kit import Button, Interaction, answers_privately, handles, show_reply, slash_command, texts
from gipfbot.ui.kit.pictures import describe_actions
from gipfbot.ui.kit.slash_commands import mention_commands
from render import Marks, Picture, SmallBoards

from .play_bot import play_bot_button

PUSH_LABEL, ROW_LABEL = "White pushes at e1", "4 return, 1 captured"

GIPF_IN_THREE_LINES = """\
**GIPF**: push a piece in from the edge.
Four in a row come back to you.
Nothing left to push? You lose."""

# White is about to make a row of four, with a black piece at its end.
_EXAMPLE_LINE = "basic w W=b5,h5,e3,e4,d4,e5,g4 B=b2,e8,h2,e6,d6,f3,c4 reserve=8-8 captured=0-0"
_EXAMPLE_TURN = "e1-e2"
_TUTORIAL = Button(texts.TUTORIAL_LABEL, "open_tutorial", "success", is_custom_id=True)
_RULES = Button(texts.RULES_LABEL, "open_rules", is_custom_id=True)


class HelpPage(NamedTuple):
    """A page of the help: the label of the button that leads to it, and its text."""

    label: str
    text: str


HELP_PAGES = {
    "begin": HelpPage(
        "Intro",
        """\
GIPF-pieces have rings: with none left on the board, you lose.
• **/gipf-learn tutorial** teaches you, **/gipf-learn rules** has the rules.
• **/gipf challenge** asks for a game.
• **/gipf bot** plays against the bot.
• **/gipf seeks** lists open challenges.
• **/gipf live** lists games to watch.""",
    ),
    "play": HelpPage(
        "Play",
        """\
The bot pings you on your turn. Press **Move** below the board, or type your turn with **/move**:
• `e2` pushes a piece onto the vacant spot e2.
• `e1-e4` pushes from the dot e1. The pieces in the way move along, the last to e4.
• `g1-c3;xc2,d3,Ge4,f4,g4*` also takes these five off: `Ge4` is a GIPF-piece, `g4*` captured.

**Your games**
• **/gipf games** lists them and what is new; **Ended games** there has the rest.
• **/gipf board** shows you a game privately. If its channel is gone, the game moves to where you are.
• **Plan ahead…** or **/gipf if** saves your answer to a turn that your opponent may play. Nobody sees it \
until it is played.
• **/gipf resign** gives up a game, or cancels it if you haven't both moved yet.

**More…** below a board has the rest: take a turn back, keep a private note, ask for a rematch, offer a draw \
(Overboard only).

To challenge somebody, long-press or right-click their name on a server: Apps, **Challenge to GIPF**. All else works \
in direct messages, too.""",
    ),
    "time": HelpPage(
        "Time",
        """\
On a server, a game has 3 days for each turn, unless the server or its challenge says otherwise. Each board shows when \
the turn is due.
If you are late, you lose, unless one last turn wins the game. You have 12 hours for it, called grace. The server can \
change the 12 hours.

• **/gipf-me reminders** chooses when the bot reminds you, and whether one message a day lists all your games.
• **/gipf-me vacation start** stops your clocks for some days. You can still play.
• **/gipf-me vacation end** ends your vacation early.
• **/gipf-me vacation status** shows how many days you have left this year.
• In a game without a time limit, **Claim** in **More…** lets you win if your opponent hasn't played for 30 days.

You lose no time while the bot is down or can't post your board.""",
    ),
    "records": HelpPage(
        "Records",
        """\
**Games**
• **/gipf record** sends you a game's players, turns and result.
• **/gipf replay** plays a game as a film, which only you see.
• **/gipf-learn analyse** shows the turning points of a finished game.
• **/gipf follow** sends you direct messages about a game or a player.
• **/gipf import** opens a record that you attach or paste: step through it and try turns.

**Ratings**
• **/gipf leaderboard** shows who plays best. Your first game against a person is not rated: a game \
is rated if both players have finished another one before. In rated games, no program may help you.
• **/gipf profile** shows a player's ratings, results and games, or how two players stand.
• **/gipf-learn puzzle** gives you a position to win. Only your first try at a puzzle changes your puzzle rating.

**Record** and **Replay** are below a finished game, and in **More…** of a running one. **Study** lets \
you try turns in any game you see.""",
    ),
    "settings": HelpPage(
        "Settings",
        """\
• **/gipf-me settings** changes how you see boards and turns, whether you confirm a typed turn before it's played, \
and whether others may follow you.
• **/gipf-me block add** keeps somebody from challenging, following or nudging you. They are not told. \
**/gipf-me block remove** ends that, and **/gipf-me block list** shows whom you block.
• **/gipf-me privacy export** sends you all that is stored about you. **/gipf-me privacy delete** deletes it.

**For those who manage the server**
• **/gipf-server settings** sets rules, time, the channels for games and results, who may challenge, and more. Running \
games keep their rules and time.
• **/gipf-server stats** shows how much is played here, and how often White wins.
• **/gipf-server status** shows whether the bot works here, and which permissions it lacks.

**/gipf help** shows these pages again.""",
    ),
}

FIRST_HELP_PAGE, *_ = HELP_PAGES


@slash_command("gipf help", 80, "What GIPF is, how to play here, and what each command does")
@answers_privately
async def help_command(interaction: Interaction) -> None:
    """Show the first page of the help."""
    await show_help(interaction)


@handles("help", f"{{page:{'|'.join(HELP_PAGES)}}}")
async def press_help_page(interaction: Interaction, page: str) -> None:
    """Show another page of the help."""
    await show_help(interaction, page)


async def show_help(interaction: Interaction, page: str = FIRST_HELP_PAGE) -> None:
    """Show a page of the help privately."""
    text = mention_commands(HELP_PAGES[page].text, interaction.client.command_ids)
    if page == FIRST_HELP_PAGE:
        rows = (text, (_TUTORIAL, _RULES, play_bot_button()), _page_buttons(page))
        await show_reply(interaction, GIPF_IN_THREE_LINES, example_picture(), rows, "help:")
    else:
        await show_reply(interaction, text, rows=(_page_buttons(page),), prefix="help:")


def _page_buttons(shown: str) -> tuple[Button, ...]:
    """Return a button for each page. The one of the page that is shown is marked, and cannot be pressed."""
    return tuple(
        Button(page.label, name, "primary" if name == shown else "secondary", disabled=name == shown)
        for name, page in HELP_PAGES.items()
    )


def example_picture() -> SmallBoards:
    """Return a picture of a turn that removes a row and captures a piece: before the push, and at the end.

    It is low: on a phone, the first page is one screen.
    """
    before, players = parse_position(_EXAMPLE_LINE), ("White", "Black")
    push, *removal = parse_turn(before, _EXAMPLE_TURN)
    assert isinstance(push, Push)
    pushing = Picture(before, players, marks=Marks(choices=(push,)))
    marks = Marks.of_turn(describe_actions(before, (push, *removal)))
    removed = Picture(position_after(before, (push, *removal)), players, marks=marks)
    return SmallBoards(((PUSH_LABEL, pushing), (ROW_LABEL, removed)))
