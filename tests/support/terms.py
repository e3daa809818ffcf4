"""Terms on which the games of the tests are played."""

from gipfbot.match import Terms, TimeControl, days_per_turn

from .times import DAY

THREE_DAYS = Terms(days_per_turn(3))
SAVING = Terms(TimeControl(10 * DAY, DAY, 12 * DAY))
