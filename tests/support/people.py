"""The people of the tests as players, and the places where they play."""

from gipfbot.match import Seat
from gipfbot.values import Venue

# Real ids outgrow 32 bits.
ANN, BOB, CARA, DAN, EVE = (Seat(10**18 + at, name) for at, name in enumerate(("Ann", "Bob", "Cara", "Dan", "Eve"), 1))
CLUB, OTHER_CLUB, HALL = 10**18 + 10, 10**18 + 11, 10**18 + 20  # two servers, and a channel in the first
HOUSE_PLAYER = Seat(99, "GIPF")
HOME, ELSEWHERE = Venue(CLUB, HALL), Venue(OTHER_CLUB, HALL + 1)
