"""The `data` of interactions with buttons, selects and modals."""

from collections.abc import Sequence

from .command_data import resolve_users
from .components import STRING_SELECT, TEXT_INPUT, find_button, find_select
from .errors import Json
from .messages import Revision
from .people import User
from .places import Channel

USER_SELECT, LABEL, FILES = 5, 18, 19


def press_data(shown: Revision, wanted: str) -> Json:
    """Return the data of a press of the button with this custom_id or label."""
    button = find_button(shown.components, wanted)
    return {"custom_id": button["custom_id"], "component_type": button["type"], "id": button.get("id", 0)}


def choose_data(shown: Revision, channel: Channel, wanted: str, values: Sequence[str | User]) -> Json:
    """Return the data of a choice in the select with this custom_id or placeholder: options or people."""
    select = find_select(shown.components, wanted)
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    if not low <= len(values) <= high:
        raise ValueError(f"{wanted!r} takes {low} to {high} values")
    data: Json = {"custom_id": select["custom_id"], "component_type": select["type"], "id": select.get("id", 0)}
    if select["type"] == STRING_SELECT:
        return data | {"values": [_option(select, str(value)) for value in values]}
    people = [value for value in values if isinstance(value, User)]
    if select["type"] != USER_SELECT or len(people) != len(values):
        raise ValueError(f"a select of type {select['type']} is not modelled with {values!r}")
    return data | {"values": [str(user.id) for user in people], "resolved": resolve_users(channel, people)}


def submit_data(modal: Json, values: Json) -> Json:
    """Return the data of a sent modal; values go by custom_id or label, other fields keep their values.

    No files are sent.
    """
    left = dict(values)
    components = [_submitted(component, left) for component in modal["components"]]
    if left:
        raise LookupError(f"the modal has no fields {sorted(left)}")
    return {"custom_id": modal["custom_id"], "components": components}


def _option(select: Json, wanted: str) -> str:
    for option in select["options"]:
        if wanted in (option["value"], option["label"]):
            return str(option["value"])
    raise LookupError(f"no option {wanted!r} among {[option['label'] for option in select['options']]}")


def _submitted(component: Json, left: Json) -> Json:
    """Return one top component of a modal as Discord sends it back: a row, a label, or a text."""
    answer: Json = {"type": component["type"], "id": component.get("id", 0)}
    if component["type"] == LABEL:
        return answer | {"component": _field(component["component"], component.get("label", ""), left)}
    if "components" in component:
        fields = [_field(field, field.get("label", ""), left) for field in component["components"]]
        return answer | {"components": fields}
    return answer


def _field(field: Json, label: str, left: Json) -> Json:
    name = field["custom_id"] if field["custom_id"] in left else label
    given = left.pop(name, None)
    answer: Json = {"type": field["type"], "id": field.get("id", 0), "custom_id": field["custom_id"]}
    if field["type"] == TEXT_INPUT:
        return answer | {"value": _typed(field, field.get("value") or "" if given is None else str(given))}
    if field["type"] == STRING_SELECT:
        chosen = [o["value"] for o in field["options"] if o.get("default")] if given is None else given
        return answer | {"values": [_option(field, value) for value in chosen]}
    if field["type"] == FILES and given is None:
        return answer | {"values": []}
    raise ValueError(f"a modal field of type {field['type']} is not modelled")


def _typed(field: Json, value: str) -> str:
    low = field.get("min_length") or (1 if field.get("required", True) else 0)
    if not low <= len(value) <= (field.get("max_length") or 4000):
        raise ValueError(f"{field['custom_id']!r} does not take a text of {len(value)} characters")
    return value
