"""What a learner presses in the tutorial who does as told, lesson by lesson."""

from gipfbot.ui.learning.lessons import NEXT_LESSON_LABEL

MOST_PRESSES = 12
PRESSES = (
    ("e1", "→ e2"),
    ("e1", "→ e2 · row: 4 back, 1 captured", NEXT_LESSON_LABEL),
    ("b1", "→ b2 · row: 3 or 5 back", "Leave b5 on the board", NEXT_LESSON_LABEL),
    ("g1", "→ g2 · row: 4 back, 0 or 2 captured", "Take g6"),
)
