"""Write an export as files: JSON, zipped or in parts if it is larger than Discord takes. Pure but for the zipping."""

import io
import json
import zipfile
from typing import Any, NamedTuple

from .export import PersonalData
from .export_words import export_data

NAME = "gipf-data"


class ExportFile(NamedTuple):
    """A file of an export."""

    name: str
    content: bytes


def write_export(data: PersonalData, limit: int) -> list[ExportFile]:
    """Return an export as files of at most `limit` bytes each, if that can be done at all.

    It is one JSON file, or else one zipped, or else several zipped ones, each with a part of the longest section.
    """
    whole = export_data(data)
    text = _as_json(whole)
    if len(text) <= limit:
        return [ExportFile(f"{NAME}.json", text)]
    parts = _zipped_parts(whole, limit)
    if len(parts) == 1:
        return [ExportFile(f"{NAME}.zip", parts[0])]
    return [ExportFile(f"{NAME}-{number}-of-{len(parts)}.zip", part) for number, part in enumerate(parts, 1)]


def _as_json(table: dict[str, Any]) -> bytes:
    return json.dumps(table, ensure_ascii=False, indent=1).encode()


def _zipped_parts(table: dict[str, Any], limit: int) -> list[bytes]:
    """Return a table as zipped JSON files. A table that is too large is halved, at its longest section."""
    zipped = _zip_json(_as_json(table))
    lists = [name for name, value in table.items() if isinstance(value, list) and len(value) > 1]
    if len(zipped) <= limit or not lists:
        return [zipped]
    longest = max(lists, key=lambda name: len(_as_json({name: table[name]})))
    entries = table[longest]
    middle = len(entries) // 2
    rest = {name: value for name, value in table.items() if name == longest or not isinstance(value, list)}
    first, second = {**table, longest: entries[:middle]}, {**rest, longest: entries[middle:]}
    return [*_zipped_parts(first, limit), *_zipped_parts(second, limit)]


def _zip_json(text: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{NAME}.json", text)
    return target.getvalue()
