"""Play turns and end games: the desk in a game, typed turns, private boards, the list of games, and notes."""
