"""How a game's board looks, and what it says."""
