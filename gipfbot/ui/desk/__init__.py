"""The desk: entering one turn by pressing, in a game or in a study."""
