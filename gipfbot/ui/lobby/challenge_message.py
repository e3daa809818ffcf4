"""The public message of an open challenge or seek, with its buttons."""

from gipfbot.match import RequestState
from gipfbot.service.app import App
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import Button, ComponentRow
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.ui.kit.pictures import challenge_card
from gipfbot.values import OutboxRow
from render import CLASSIC, THEMES

from . import lobby_texts


@outbox_message(CHALLENGE)
async def build_challenge(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the public message of a challenge or seek. Return None if it is no longer open."""
    stored = await app.lobby.stored_challenge(row.payload["challenge"])
    challenge = stored.challenge
    if challenge.state is not RequestState.OPEN:
        return None
    pinged = (challenge.to.user,) if challenge.to else ()
    title, terms = lobby_texts.challenge_card_title(challenge), lobby_texts.challenge_card_terms(challenge)
    settings = await app.servers.settings(stored.venue.server)
    text, theme = lobby_texts.challenge_text(challenge), THEMES.get(settings.theme, CLASSIC)
    rows = challenge_buttons(challenge.id, challenge.to is None)
    return OutboxMessage(text, pinged, challenge_card(challenge, title, terms), rows, theme)


def challenge_buttons(challenge_id: int, seek: bool) -> tuple[ComponentRow, ...]:
    """Return the row of buttons under an open challenge, or under an open seek if `seek` is true."""
    label = texts.TAKE_SEEK_LABEL if seek else texts.ACCEPT_LABEL
    accept = Button(label, f"challenge:{challenge_id}:accept", "success")
    decline = () if seek else (Button(texts.DECLINE_LABEL, f"challenge:{challenge_id}:decline"),)
    return ((accept, *decline, Button(texts.WITHDRAW_LABEL, f"challenge:{challenge_id}:withdraw")),)
