"""Games from their beginning to their end, and the players' notes on them."""
