"""A player's requests in a game: takebacks, wins by claim, conditional turns."""
