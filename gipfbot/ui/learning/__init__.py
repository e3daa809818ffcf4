"""Learn the game: the rules as pages, and a tutorial."""
