"""A player's requests in a game: takebacks, draws, wins by claim, conditional turns."""
