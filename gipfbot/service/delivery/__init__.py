"""Everything owed to channels and people: the outbox, the boards, the threads."""
