"""What a player asks of a game: a takeback, a win by claim, a conditional turn."""
