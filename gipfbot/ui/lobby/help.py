"""`/gipf help`: pages on how to play, with a button for each. The first has a picture."""

from gipfbot.match import position_after
from gipfbot.notation import parse_position, parse_turn
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.interactions import answers_privately, handles, slash_command
from gipfbot.ui.kit.pictures import describe_actions
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.kit.slash_commands import mention_commands
from render import Marks, Picture

from .help_texts import GIPF_IN_THREE_LINES, HELP_CAPTION, HELP_PAGES

FIRST_HELP_PAGE, *_ = HELP_PAGES
# White is about to make a row of four, with a black piece at its end.
_EXAMPLE_LINE = "basic w W=b5,h5,e3,e4,d4,e5,g4 B=b2,e8,h2,e6,d6,f3,c4 reserve=8-8 captured=0-0"
_EXAMPLE_TURN = "e1-e2"
_TUTORIAL = Button(texts.TUTORIAL_LABEL, "open_tutorial", "success", is_custom_id=True)


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
        rows = (text, (_TUTORIAL,), _page_buttons(page))
        await show_reply(interaction, GIPF_IN_THREE_LINES, example_picture(), rows, "help:")
    else:
        await show_reply(interaction, text, rows=(_page_buttons(page),), prefix="help:")


def _page_buttons(shown: str) -> tuple[Button, ...]:
    """Return a button for each page. The one of the page that is shown is marked, and cannot be pressed."""
    return tuple(
        Button(page.label, name, "primary" if name == shown else "secondary", disabled=name == shown)
        for name, page in HELP_PAGES.items()
    )


def example_picture() -> Picture:
    """Return a picture of a turn that removes a row and captures a piece."""
    before = parse_position(_EXAMPLE_LINE)
    actions = parse_turn(before, _EXAMPLE_TURN)
    marks = Marks.of_turn(describe_actions(before, actions))
    return Picture(position_after(before, actions), ("White", "Black"), HELP_CAPTION, marks)
