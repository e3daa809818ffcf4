"""The Discord interface: commands, components, texts and delivery. It contains no game rules and no SQL."""
