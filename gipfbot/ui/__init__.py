"""Discord: commands, components, texts and the delivery of what is owed. Holds no rule and no SQL."""
