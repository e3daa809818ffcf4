"""Routes of Discord that tests hold, fail and count; and how often they fail."""

MESSAGES = "/channels/{id}/messages"
CALLBACK = "/interactions/{id}/{token}/callback"
THREADS = "/channels/{id}/messages/{message}/threads"
FOR_EVER = 10**9
OPENINGS = "POST", "/users/@me/channels"  # of direct messages
