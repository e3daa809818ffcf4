"""The board of a game: its picture, its texts, and the public message of each turn."""
