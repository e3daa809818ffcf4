"""Messages to channels and people: the outbox, the boards and the threads."""
