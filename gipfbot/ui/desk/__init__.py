"""The desk: a private message on which a person enters a turn with buttons, in a game or in a study."""
