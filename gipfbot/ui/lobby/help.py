"""`/gipf help`: pages on how to play, with a button for each. The first has a picture."""

from gipfbot.languages import mark, say, say_name
from gipfbot.match import position_after
from gipfbot.notation import parse_position, parse_turn
from gipfbot.rules import Push
from gipfbot.ui.kit import Button, Interaction, answers_privately, handles, show_reply, slash_command, texts
from gipfbot.ui.kit.pictures import describe_actions
from gipfbot.ui.kit.slash_commands import mention_commands
from render import Marks, Picture, SmallBoards

from .play_bot import play_bot_button

PUSH_LABEL, ROW_LABEL = mark("White pushes at e1"), mark("4 return, 1 captured")

GIPF_IN_THREE_LINES = mark(
    """\
**GIPF**: push a piece in from the edge.
Four in a row come back to you.
Nothing left to push? You lose."""
)

# White is about to make a row of four, with a black piece at its end.
_EXAMPLE_LINE = "basic w W=b5,h5,e3,e4,d4,e5,g4 B=b2,e8,h2,e6,d6,f3,c4 reserve=8-8 captured=0-0"
_EXAMPLE_TURN = "e1-e2"


class HelpPage:
    """A page of the help: the label of the button that leads to it, and its lines. They are marked sentences."""

    def __init__(self, label: str, *lines: str) -> None:
        self.label, self.lines = label, lines

    @property
    def text(self) -> str:
        """The text of the page, in the language that is spoken."""
        return "\n".join(say(line) if line else "" for line in self.lines)


HELP_PAGES = {
    "begin": HelpPage(
        mark("Intro"),
        mark("GIPF-pieces have rings: with none left on the board, you lose."),
        mark("• **/gipf-learn tutorial** teaches you, **/gipf-learn rules** has the rules."),
        mark("• **/gipf challenge** asks for a game."),
        mark("• **/gipf bot** plays against the bot."),
        mark("• **/gipf seeks** lists open challenges."),
        mark("• **/gipf live** lists games to watch."),
    ),
    "play": HelpPage(
        mark("Play"),
        mark("The bot pings you on your turn. Press **Move** below the board, or type your turn with **/move**:"),
        mark("• `e2` pushes a piece onto the vacant spot e2."),
        mark("• `e1-e4` pushes from the dot e1. The pieces in the way move along, the last to e4."),
        mark("• `g1-c3;xc2,d3,Ge4,f4,g4*` also takes these five off: `Ge4` is a GIPF-piece, `g4*` captured."),
        "",
        mark("**Your games**"),
        mark("• **/gipf games** lists them and what is new; **Ended games** there has the rest."),
        mark("• **/gipf board** shows you a game privately. If its channel is gone, the game moves to where you are."),
        mark(
            "• **Plan ahead…** or **/gipf if** saves your answer to a turn that your opponent may play. Nobody sees it "
            "until it is played."
        ),
        mark("• **/gipf resign** gives up a game, or cancels it if you haven't both moved yet."),
        "",
        mark(
            "**More…** below a board has the rest: take a turn back, keep a private note, ask for a rematch, offer a "
            "draw (Overboard only)."
        ),
        "",
        mark(
            "To challenge somebody, long-press or right-click their name on a server: Apps, **Challenge to GIPF**. All "
            "else works in direct messages, too."
        ),
    ),
    "time": HelpPage(
        mark("Time"),
        mark(
            "On a server, a game has 3 days for each turn, unless the server or its challenge says otherwise. Each "
            "board shows when the turn is due."
        ),
        mark(
            "If you are late, you lose, unless one last turn wins the game. You have 12 hours for it, called grace. "
            "The server can change the 12 hours."
        ),
        "",
        mark(
            "• **/gipf-me reminders** chooses when the bot reminds you, and whether one message a day lists all your "
            "games."
        ),
        mark("• **/gipf-me vacation start** stops your clocks for some days. You can still play."),
        mark("• **/gipf-me vacation end** ends your vacation early."),
        mark("• **/gipf-me vacation status** shows how many days you have left this year."),
        mark(
            "• In a game without a time limit, **Claim** in **More…** lets you win if your opponent hasn't played for "
            "30 days."
        ),
        "",
        mark("You lose no time while the bot is down or can't post your board."),
    ),
    "records": HelpPage(
        mark("Records"),
        mark("**Games**"),
        mark("• **/gipf record** sends you a game's players, turns and result."),
        mark("• **/gipf replay** plays a game as a film, which only you see."),
        mark("• **/gipf-learn analyse** shows the turning points of a finished game."),
        mark("• **/gipf follow** sends you direct messages about a game or a player."),
        mark("• **/gipf import** opens a record that you attach or paste: step through it and try turns."),
        "",
        mark("**Ratings**"),
        mark(
            "• **/gipf leaderboard** shows who plays best. Your first game against a person is not rated: a game is "
            "rated if both players have finished another one before. In rated games, no program may help you."
        ),
        mark("• **/gipf profile** shows a player's ratings, results and games, or how two players stand."),
        mark(
            "• **/gipf-learn puzzle** gives you a position to win. Only your first try at a puzzle changes your puzzle "
            "rating."
        ),
        "",
        mark(
            "**Record** and **Replay** are below a finished game, and in **More…** of a running one. **Study** lets "
            "you try turns in any game you see."
        ),
    ),
    "tournaments": HelpPage(
        mark("Tournaments"),
        mark(
            "A tournament of a server runs by itself: press **Join** below its message, and your games begin in time."
        ),
        mark("• In a **league** everybody plays everybody in a division of 4 to 8, season after season."),
        mark("• In a **Swiss** tournament you play somebody with about as many points in each round."),
        "",
        mark("• **/gipf-tournament list** lists the tournaments of the server."),
        mark("• **/gipf-tournament show** shows how one stands. There you join and leave it, too."),
        "",
        mark("**For those who manage the server, and a role that they name for it**"),
        mark("• **/gipf-tournament new** opens a tournament."),
        mark("• **/gipf-tournament stop** stops one. Its running games go on as friendly ones."),
    ),
    "settings": HelpPage(
        mark("Settings"),
        mark(
            "• **/gipf-me settings** changes how you see boards and turns, whether you confirm a typed turn before "
            "it's played, and whether others may follow you."
        ),
        mark(
            "• **/gipf-me block add** keeps somebody from challenging, following or nudging you. They are not told. "
            "**/gipf-me block remove** ends that, and **/gipf-me block list** shows whom you block."
        ),
        mark(
            "• **/gipf-me privacy export** sends you all that is stored about you. **/gipf-me privacy delete** deletes "
            "it."
        ),
        "",
        mark("**For those who manage the server**"),
        mark(
            "• **/gipf-server settings** sets rules, time, the channels for games and results, who may challenge, and "
            "more. Running games keep their rules and time."
        ),
        mark("• **/gipf-server stats** shows how much is played here, and how often White wins."),
        mark("• **/gipf-server status** shows whether the bot works here, and which permissions it lacks."),
        "",
        mark("**/gipf help** shows these pages again."),
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
        tutorial = Button(say(texts.TUTORIAL_LABEL), "open_tutorial", "success", is_custom_id=True)
        rules = Button(say(texts.RULES_LABEL), "open_rules", is_custom_id=True)
        rows = (text, (tutorial, rules, play_bot_button()), _page_buttons(page))
        await show_reply(interaction, say(GIPF_IN_THREE_LINES), example_picture(), rows, "help:")
    else:
        await show_reply(interaction, text, rows=(_page_buttons(page),), prefix="help:")


def _page_buttons(shown: str) -> tuple[Button, ...]:
    """Return a button for each other page: five fit into a row."""
    return tuple(Button(say(page.label), name) for name, page in HELP_PAGES.items() if name != shown)


def example_picture() -> SmallBoards:
    """Return a picture of a turn that removes a row and captures a piece: before the push, and at the end.

    It is low: on a phone, the first page is one screen.
    """
    before, players = parse_position(_EXAMPLE_LINE), (say_name("White"), say_name("Black"))
    push, *removal = parse_turn(before, _EXAMPLE_TURN)
    assert isinstance(push, Push)
    pushing = Picture(before, players, marks=Marks(choices=(push,)))
    marks = Marks.of_turn(describe_actions(before, (push, *removal)))
    removed = Picture(position_after(before, (push, *removal)), players, marks=marks)
    return SmallBoards(((say(PUSH_LABEL), pushing), (say(ROW_LABEL), removed)))
