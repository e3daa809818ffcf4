"""The use cases of the bot. Each loads from the store, asks `match`, and saves. Independent of Discord."""
