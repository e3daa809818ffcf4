"""Playing a turn, and the boards it owes."""
