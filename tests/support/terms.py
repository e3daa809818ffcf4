"""Terms on which the games of the tests are played."""

from gipfbot.match import Terms, TimeControl, days_per_turn

from .times import DAY, HOUR

THREE_DAYS = Terms(days_per_turn(3))
SAVING = Terms(TimeControl(10 * DAY, DAY, 12 * DAY))
BANK = Terms(TimeControl(10 * DAY, DAY, 15 * DAY), grace=12 * HOUR)
PER_TURN = Terms(days_per_turn(3), grace=12 * HOUR)
