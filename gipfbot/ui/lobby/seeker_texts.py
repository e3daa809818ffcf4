"""The texts about the role that open challenges mention."""

from collections.abc import Sequence

from gipfbot.languages import mark, say
from gipfbot.service.lobby.lobby import MOST_MENTIONS
from gipfbot.ui.kit.permissions import permission_name
from gipfbot.ui.kit.texts import channel_mention, role_mention

JOIN_SEEKERS_LABEL, LEAVE_SEEKERS_LABEL = mark("Mention me"), mark("Don't mention me")
SEEKERS_JOINED = mark("You have joined the role that open challenges mention.")
SEEKERS_LEFT = mark("You have left the role that open challenges mention.")
SEEKERS_OFF = mark("Open challenges mention nobody here at present.")
SEEKERS_GONE = mark("The role that open challenges mentioned was deleted, so they mention nobody now.")
MAY_NOT_GIVE_ROLE = mark(
    "The bot can't give or take this role. Ask somebody who manages the server: the bot needs the permission "
    "**Manage Roles**, and its own role must stand above this one."
)
MAY_NOT_GIVE_SEEKERS = mark(
    "**Nobody can join the role that open challenges mention: the bot lacks the permission Manage Roles.**"
)
MAY_NOT_MENTION_SEEKERS = mark(
    "**The mention notifies nobody yet: switch on “Allow anyone to @mention this role” in the role's settings, or let "
    "the bot mention all roles.**"
)
NEEDS_MANAGE_ROLES = mark(
    "Nothing was changed: only somebody with the permission **Manage Roles** can choose the role that open "
    "challenges mention."
)
CANNOT_CHOOSE_SEEKERS = mark(
    "Only somebody with the permission **Manage Roles** can choose this role. Ask one of them to open "
    "**/gipf-server settings**."
)
# Why a role cannot be the one that seeks mention.
ROLE_IS_EVERYONE = mark("{role} has everybody in it.")
ROLE_IS_MANAGED = mark("{role} belongs to an app or to Discord itself.")
ROLE_IS_ABOVE = mark("{role} doesn't stand below the bot's own role.")
ROLE_CHALLENGES = mark("{role} is the role that may challenge.")
ROLE_ORGANISES = mark("{role} is the role that may open tournaments.")
ROLE_MANAGES = mark("{role} may use **/gipf-server**.")


def role_unfit_text(role: int, sentence: str) -> str:
    """Return why a role cannot be the one that seeks mention. `sentence` is one of those above."""
    return say(sentence, role=role_mention(role))


def role_may_more_text(role: int, permissions: Sequence[str]) -> str:
    """Return why a role cannot be the one that seeks mention: it has these permissions, and not everybody has them."""
    names = ", ".join(permission_name(name) for name in permissions[:3])
    sentence = mark("{role} has permissions that not everybody has ({permissions}).")
    return say(sentence, role=role_mention(role), permissions=f"{names} …" if len(permissions) > 3 else names)


def role_is_allowed_text(role: int, channel: int) -> str:
    """Return why a role cannot be the one that seeks mention: a channel allows it something."""
    sentence = mark("{role} has permissions of its own in {channel}.")
    return say(sentence, role=role_mention(role), channel=channel_mention(channel))


def role_challenges_text(role: int) -> str:
    """Return the refusal of a role that a manager has chosen both to challenge and to be mentioned."""
    sentence = mark(
        "Nothing was changed: {role} can't be both the role that may challenge and the one that open challenges "
        "mention, because anybody may join the mentioned one. Choose two roles."
    )
    return say(sentence, role=role_mention(role))


def role_refused_text(reason: str) -> str:
    """Return the refusal of a role that a manager has chosen. `reason` is the sentence why it is unfit."""
    sentence = mark("Anybody may join the role that open challenges mention, so choose one without permissions.")
    return f"{say('Nothing was changed:')} {reason} {say(sentence)}"


def cannot_join_text(reason: str) -> str:
    """Return the refusal to a player who wants to join a role. `reason` is the sentence why it is unfit."""
    return f"{reason} {say('Nobody can join it here: tell somebody who manages the server.')}"


def nobody_joins_text(reason: str) -> str:
    """Return the warning about the role that seeks mention. `reason` is the sentence why it is unfit."""
    return f"**{say('Nobody can join the role that open challenges mention:')} {reason} {say('Choose another.')}**"


def seekers_text(role: int, *, joined: bool) -> str:
    """Return the sentence on the role that seeks mention, above the button by which a player joins or leaves it."""
    sentence = mark("The first {count} open challenges of a day mention {role}. **Mention me** gives you that role.")
    if joined:
        sentence = mark("The first {count} open challenges of a day mention {role}, and you have that role.")
    return say(sentence, count=MOST_MENTIONS, role=role_mention(role))


def mentioned_enough_text(role: int) -> str:
    """Return the note to a person whose seek mentions nobody, because other seeks of the last day did."""
    sentence = mark("{role} was mentioned {count} times within a day already, so your challenge mentions nobody.")
    return say(sentence, role=role_mention(role), count=MOST_MENTIONS)
