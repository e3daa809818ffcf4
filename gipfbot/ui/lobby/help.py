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


class HelpPage(NamedTuple):
    """A page of the help: the label of the button that leads to it, and its text."""

    label: str
    text: str


HELP_PAGES = {
    "begin": HelpPage(
        "Begin",
        """\
• **/gipf-learn tutorial** teaches you in four turns, **/gipf-learn rules** has the rules.
• **/gipf challenge** asks somebody or anybody for a game.
• **/gipf bot** plays you. On a server, only you see it.
• **/gipf seeks** lists open challenges.""",
    ),
    "play": HelpPage(
        "Play",
        """\
The bot pings you when it's your turn. Press **Move** below the board, or type your turn.
• **/move** plays what you type. Without a turn it shows buttons.
• `e2` pushes to that spot, if it's vacant. If not, name the dot and the last spot reached: `e1-e4`.
• `x` lists what comes off: `g1-c3;xc2,d3,e4,f4`. `G` is a GIPF-piece, `*` a captured one. \
Julio974's notation works, too.

**Your games**
• **/gipf games** lists them, with what is new. **Ended games** there has those that are over.
• **/gipf board** shows a game to you alone. If its channel is gone, the game moves to where you are.
• **Plan ahead…** or **/gipf if** answers a turn before your opponent plays it. Nobody sees it until then.
• **/gipf resign** gives a game up, or cancels it before you both have moved.

**More…** below a board has the rest: to take your last turn back, to keep a note that only you see, to offer a draw \
(only Overboard knows one), to ask for a rematch when the game is over.""",
    ),
    "time": HelpPage(
        "Time",
        """\
A game has a time limit only if its challenge names one. Each board shows until when there is time.
When your time is over, you have 12 hours of grace, or what the server has set. Only a winning turn saves the game then.

• **/gipf-me reminders** chooses when you are reminded of a turn, or one message a day on all your games.
• **/gipf-me vacation start** stops your clocks for some days. You may still play.
• **/gipf-me vacation end** lets them run again.
• **/gipf-me vacation status** tells how many days you have left this year.
• **Claim** in **More…** ends a game without a time limit if your opponent hasn't played for 30 days.

You lose no time while the bot is down or can't post your board.

Challenging people needs a server, where *Challenge to GIPF* in a person's menu does it, too. All else works in direct \
messages. **/gipf help** shows these pages.""",
    ),
    "records": HelpPage(
        "Records",
        """\
A record is a game as text: its players, its turns, its result.

• **/gipf record** sends you a game as a file and as text.
• **/gipf replay** shows a game in motion, to you alone.
• **/gipf-learn analyse** shows the turning points of a finished game.
• **/gipf live** lists running games that you can see, with boards.
• **/gipf follow** sends you direct messages about a game or a player.
• **/gipf import** opens a record as a study: step through it and try your own turns. Attach a file or paste the turns.

**Ratings**
• **/gipf leaderboard** shows who plays best. A game is rated once both players have finished one. \
Help by any program is forbidden then.
• **/gipf profile** shows a player's ratings, results and games, or how two people stand.
• **/gipf-learn puzzle** gives you a win to find. Your first try at each is rated.

Finished games have **Record** and **Replay**. **Study** opens any game that you may see.""",
    ),
    "settings": HelpPage(
        "Settings",
        """\
• **/gipf-me settings** is yours: the colours and the side of your boards, how turns are written for you, \
whether you see a typed turn before it's played, and whether others may follow you.
• **/gipf-me block add** keeps somebody from challenging, following or nudging you. They are not told. \
**/gipf-me block remove** ends that, and **/gipf-me block list** shows whom you block.
• **/gipf-me privacy export** sends you all that is stored about you. **/gipf-me privacy delete** deletes it.
• **/gipf-server settings** is for those who manage the server: rules, time, the channels for games \
and results, who may challenge, and more.
• **/gipf-server stats** shows them how much is played here, and how often White wins.
• **/gipf-server status** shows them whether the bot lacks a permission here, and how it is.

A new setting changes no running game.""",
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
        rows = (text, (_TUTORIAL, play_bot_button()), _page_buttons(page))
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
