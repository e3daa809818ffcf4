"""REST: the acknowledgement of an interaction, and its token as a webhook.

Modelled: 3 s to acknowledge, once only, with a fitting answer; a token of 15 min; a deferral decides private or public;
the first follow-up after a deferred reply fills it. Not modelled: launching activities, follow-ups into other threads.
"""

import time

from aiohttp import web

from .calls import answer, body
from .errors import ApiError, Json, Problem, refuse
from .interaction import (
    ANSWERS,
    CHOICES,
    DEFER_REPLY,
    DEFER_UPDATE,
    REPLY,
    SHOW_MODAL,
    UPDATE,
    Interaction,
)
from .limits import choices_problems, message_problems, modal_problems
from .messages import COMPONENTS_V2, EPHEMERAL, LOADING, Message, Upload
from .rest_channels import check_files
from .world import World

Files = dict[int, Upload]


class InteractionRoutes:
    """Handlers for /interactions and /webhooks."""

    def __init__(self, world: World) -> None:
        self.world = world

    def table(self, prefix: str) -> list[web.RouteDef]:
        """Return all routes below the prefix."""
        hook = prefix + "/webhooks/{app}/{token}"
        return [
            web.post(prefix + "/interactions/{interaction}/{token}/callback", self.callback),
            web.post(hook, self.follow_up),
            web.get(hook + "/messages/{message}", self.get_message),
            web.patch(hook + "/messages/{message}", self.edit),
            web.delete(hook + "/messages/{message}", self.delete),
        ]

    async def callback(self, request: web.Request) -> web.Response:
        payload, files = body(request)
        interaction = self._pending(request)
        kind, data = payload["type"], payload.get("data") or {}
        if kind not in ANSWERS[interaction.type] or (kind in (UPDATE, DEFER_UPDATE) and interaction.source is None):
            refuse([Problem("type", f"{kind} cannot answer an interaction of type {interaction.type}")])
        self._accept(interaction, kind, data, files)
        interaction.answer, interaction.answered_at = kind, time.perf_counter()
        if request.query.get("with_response") not in ("1", "true"):
            return answer()
        return answer(self._callback_json(interaction))

    async def follow_up(self, request: web.Request) -> web.Response:
        interaction = self._open(request)
        payload, files = body(request)
        check_files(interaction.channel, files=bool(files))
        original = interaction.original
        if original is not None and original.loading and not original.deleted:
            return answer(self._revise(original, payload, files).json())
        flags = (payload.get("flags") or 0) & EPHEMERAL
        message = self._make(interaction, payload, files, flags)
        interaction.followups.append(message)
        return answer(message.json())

    async def get_message(self, request: web.Request) -> web.Response:
        return answer(self._message(request).json())

    async def edit(self, request: web.Request) -> web.Response:
        message = self._message(request)
        payload, files = body(request)
        check_files(self._open(request).channel, files=bool(files))
        return answer(self._revise(message, payload, files).json())

    async def delete(self, request: web.Request) -> web.Response:
        self.world.delete(self._message(request))
        return answer()

    def _pending(self, request: web.Request) -> Interaction:
        """Return the interaction; raise if it can no longer be acknowledged."""
        interaction = self.world.interactions.get(request.match_info["token"])
        if interaction is None or str(interaction.id) != request.match_info["interaction"]:
            raise ApiError(10062)
        if interaction.answer is not None:
            raise ApiError(40060)
        if interaction.age >= self.world.ack_window:
            raise ApiError(10062)
        return interaction

    def _open(self, request: web.Request) -> Interaction:
        """Return the interaction; raise if its token does not work as a webhook."""
        interaction = self.world.interactions.get(request.match_info["token"])
        if interaction is None or interaction.answer is None:
            raise ApiError(10015)
        if interaction.age >= self.world.token_life:
            raise ApiError(50027)
        return interaction

    def _message(self, request: web.Request) -> Message:
        """Return the message of the path; raise unless it belongs to the interaction and exists."""
        interaction, wanted = self._open(request), request.match_info["message"]
        for message in interaction.messages:
            if wanted == str(message.id) or (wanted == "@original" and message is interaction.original):
                return message
        raise ApiError(10008)

    def _accept(self, interaction: Interaction, kind: int, data: Json, files: Files) -> None:
        """Carry out the callback."""
        if kind == REPLY:
            interaction.original = self._make(interaction, data, files, (data.get("flags") or 0) & EPHEMERAL)
        elif kind == DEFER_REPLY:
            interaction.original = self._make(interaction, {}, {}, (data.get("flags") or 0) & EPHEMERAL | LOADING)
        elif kind == DEFER_UPDATE:
            interaction.original = interaction.source
        elif kind == UPDATE:
            assert interaction.source is not None
            interaction.original = self._revise(interaction.source, data, files)
        elif kind == CHOICES:
            refuse(choices_problems(data.get("choices") or []))
            interaction.choices = data.get("choices") or []
        elif kind == SHOW_MODAL:
            refuse(modal_problems(data))
            interaction.modal = data

    def _make(self, interaction: Interaction, payload: Json, files: Files, flags: int) -> Message:
        """Make a message of the interaction; only a public one goes into the channel."""
        refuse(message_problems(payload, v2=bool((payload.get("flags") or 0) & COMPONENTS_V2)))
        message = self.world.post(interaction.channel, payload, files, flags=flags, via=interaction)
        if not message.ephemeral:
            interaction.channel.messages.append(message)
        return message

    def _revise(self, message: Message, payload: Json, files: Files) -> Message:
        flags = message.now.flags | (payload.get("flags") or 0)
        refuse(message_problems(payload, v2=bool(flags & COMPONENTS_V2)))
        return self.world.edit(message, payload, files)

    def _callback_json(self, interaction: Interaction) -> Json:
        original = interaction.original
        about: Json = {"id": str(interaction.id), "type": interaction.type}
        if original is not None:
            about |= {
                "response_message_id": str(original.id),
                "response_message_loading": original.loading,
                "response_message_ephemeral": original.ephemeral,
            }
        resource: Json = {"type": interaction.answer}
        if original is not None and interaction.answer in (REPLY, DEFER_REPLY, UPDATE):
            resource["message"] = original.json()
        return {"interaction": about, "resource": resource}
