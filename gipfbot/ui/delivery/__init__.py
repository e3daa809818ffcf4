"""The delivery of the outbox, and the channels and threads it goes to."""
