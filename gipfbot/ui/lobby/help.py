"""`/gipf help`: how to play."""

from discord import app_commands

from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.respond import tell_privately


@app_commands.command(name="help", description="How to play here")
async def help_command(interaction: Interaction) -> None:
    """Show the help text privately."""
    await tell_privately(interaction, HELP_TEXT)


HELP_TEXT = """\
**GIPF by correspondence.** Each turn you put a piece on a dot and push it one step along a line. Four or more of \
your colour in a row leave the board: yours return to your reserve, your opponent's are captured.
• **/gipf challenge** asks somebody (or anybody) for a game of Basic, Standard or Tournament. So does *Challenge to \
GIPF* in a person's menu.
• **/move** plays: type a turn such as `e2`, `Ge8` or `g1-c3;xc2,d3,e4,f4`, or type nothing and use buttons.
• **/gipf board** shows a game or a study to you alone. It also moves a game here when its channel is gone.
• **/gipf games** lists what waits for you, **/gipf note** keeps a private note, **/gipf seeks** lists \
who is looking for a game, **/gipf resign** gives a game up.
• **/gipf if** adds conditional turns: your answers to turns your opponent may play. Each answer stays \
hidden until that turn is played.
• **/gipf undo** asks to take a turn back, **/gipf claim** ends a game that your opponent has stopped playing.
• **/gipf record** sends a game as a file, **/gipf replay** shows it in motion. **/gipf import** makes a study of a \
record: step through it and try other turns.
• **/gipf-me settings** chooses how turns are written for you, and whether you see a typed turn before it is played.
• **/gipf-me reminders** chooses when you are reminded, or one digest a day. **/gipf-me vacation** pauses \
your clocks for some days.
• **/gipf-server settings** is for server managers: terms, the channel for games, and more.
If the spot you push to is vacant, type just that spot (`e2`). If not, type the dot and the last spot reached \
(`e1-e4`). `x` lists what a row takes off the board, `G` is a GIPF-piece, `*` a captured piece. \
Julio974's notation works, too, such as `g1*` or `g1*Xf6`.
**Winning:** your opponent has no piece left to push, or (Standard, Tournament) no GIPF-piece on the board.
Every game has a name such as #a7. Challenges and seeks need a channel of a server; all else works \
in direct messages to the bot, too."""
