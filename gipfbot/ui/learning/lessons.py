"""The lessons of the tutorial. Each has a board, a task for the learner, and what the task teaches."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gipfbot.languages import mark, say
from gipfbot.match import position_after
from gipfbot.match.study import Actions, Study, go_to_place
from gipfbot.notation import parse_position, parse_turn
from gipfbot.ui.kit import join_lines

NEXT_LESSON_LABEL, START_OVER_LABEL = mark("Next lesson"), mark("Start over")
FINISHED_TEXT = mark("That's all you need to begin. You also lose if it is your turn and your reserve is empty.")
PLAY_NEXT_TEXT = mark(
    "A practice game is a try-out against the weakest bot: you can take turns back, and it is not among your games. "
    "**Play the bot** begins a game that is, at a level you choose. **/gipf challenge** finds you an opponent."
)
LESSONS_AGAIN_TEXT = mark("You have finished the tutorial. Its lessons again, or the rules?")

_FIRST_LINE = "basic w W=b5,e2,e3,h5 B=b2,e6,h2 reserve=11-12 captured=0-0"


def lesson_text(number: int, asked: str, learned: str = "", missed: str = "") -> str:
    """Return the text of a lesson, which ends with the task.

    `asked` is the desk's question; empty as long as nothing is chosen. `learned` is the end of the lesson before, and
    `missed` says why the turn before was wrong.
    """
    lesson = LESSONS[number]
    place = say("Tutorial {number} of {last}", number=number + 1, last=len(LESSONS))
    told = asked or join_lines(say(lesson.text), missed, say(lesson.task))
    return join_lines(learned, f"**{place} · {say(lesson.title)}**", told)


def lesson_label(number: int) -> str:
    """Return the label of the button to a lesson: its number and its title."""
    return f"{number + 1} {say(LESSONS[number].title)}"


@dataclass(frozen=True)
class Lesson:
    """A lesson. The learner plays White and has to find one of the `answers`.

    `line` is the position line of its board, on which the turns `played` are played first. `answers` maps each right
    turn to the sentence that follows it. `misses` does the same for wrong turns; all others get the sentence `again`.
    All its sentences are marked, to be said.
    """

    title: str
    text: str
    task: str  # what to press
    line: str
    answers: Mapping[str, str]
    again: str
    played: tuple[str, ...] = ()
    misses: Mapping[str, str] = field(default_factory=dict)


LESSONS = (
    Lesson(
        mark("Push a piece in"),
        mark("You play White. Each turn you push one piece in from a dot at the edge. Pieces in its way move along."),
        mark("Press **e1**, then **→ e2**."),
        _FIRST_LINE,
        {
            "e1-e4": mark(
                "Your piece is on e2 now. The two pieces in its way have moved up. "
                "Then Black pushed a piece in at the lower left, to c2."
            )
        },
        mark("You may push there, too. But this lesson goes on with a push from e1."),
    ),
    Lesson(
        mark("Make a row"),
        mark(
            "You have three pieces side by side. A fourth makes them a row, and the row leaves the board. Black's "
            "piece on e6 will stand right behind your row, so that piece goes, too. Your pieces go **back** to your "
            "reserve, Black's are **captured**."
        ),
        mark("Press **e1** again, then **→ e2**."),
        _FIRST_LINE,
        {
            "e1-e5;xe2,e3,e4,e5,e6*": mark(
                "Four in a row! Your four pieces are back in your reserve. The black piece "
                "stood right behind the row's end, so it is captured: it is out of the game."
            )
        },
        mark("That makes no row."),
        played=("e1-e4", "c2"),
    ),
    Lesson(
        mark("Decide about a GIPF-piece"),
        mark(
            "A piece with rings is a GIPF-piece: two basic pieces, one on the other. When your row comes off, you "
            "choose: take its GIPF-piece off, too, and get 5 pieces back, or leave it on the board, and get 3 back."
        ),
        mark("Press **b1**, then **→ b2**. Then choose what happens to the GIPF-piece."),
        "standard w W=b2,b3,Gb4,Gh5 B=d6,Ge8,Gg2 reserve=12-13 captured=0-0",
        {
            "b1-b5;xb2,b3,b4": mark(
                "The GIPF-piece stays on b5. The other three pieces come back to you. You lose when you "
                "have no GIPF-piece on the board, so take care of them."
            ),
            "b1-b5;xb2,b3,b4,Gb5": mark(
                "Five pieces come back to you, as the GIPF-piece counts as two. You lose when you "
                "have no GIPF-piece on the board. You still have one on h5."
            ),
        },
        mark("That makes no row."),
    ),
    Lesson(
        mark("Win"),
        mark(
            "You win when Black has no GIPF-piece on the board. Black's last one is on g6. Make a row that ends right "
            "below g6: then you may take the GIPF-piece off with your row."
        ),
        mark("Press **g1**, then **→ g2**. Then choose what happens to the GIPF-piece."),
        "standard w W=Gb5,Ge2,g2,g3,g4 B=c3,d6,e8,Gg6 reserve=11-13 captured=0-0",
        {"g1-g5;xg2,g3,g4,g5,Gg6*": mark("You have captured Black's last GIPF-piece. **You win!**")},
        mark("That makes no row."),
        misses={
            "g1-g5;xg2,g3,g4,g5": mark(
                "Black's GIPF-piece is still on the board, so the game goes on. Choose **Take g6**."
            )
        },
    ),
)


def lesson_study(lesson: Lesson, draft: Actions = ()) -> Study:
    """Return the board of a lesson as a study, at the beginning of the learner's turn or after its first actions."""
    start = position = parse_position(lesson.line)
    turns = list[Actions]()
    for text in lesson.played:
        turns.append(parse_turn(position, text))
        position = position_after(position, turns[-1])
    names = say("You"), say("Opponent")
    study = Study(0, position.rules, names, tuple(turns), start_position=start)
    return replace(go_to_place(study, len(turns)), draft=draft)
