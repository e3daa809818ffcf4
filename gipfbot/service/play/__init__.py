"""Games as they are begun, played and ended, and notes on them."""
