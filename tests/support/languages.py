"""Languages that no file holds."""

from collections.abc import Mapping
from gettext import GNUTranslations
from io import BytesIO
from typing import Any

import pytest
from babel import Locale
from babel.messages import Catalog
from babel.messages.mofile import write_mo

from gipfbot.languages import ENGLISH, Language
from gipfbot.ui.kit import slash_commands


def language(catalogue: Catalog) -> Language:
    """Return German with the sentences of a catalogue."""
    packed = BytesIO()
    write_mo(packed, catalogue)
    packed.seek(0)
    return Language("de", Locale("de"), GNUTranslations(packed))


def german(sentences: Mapping[Any, Any]) -> Language:
    """Return German with these sentences by the English ones, each a text or its two forms."""
    catalogue = Catalog("de")
    for english, text in sentences.items():
        catalogue.add(english, text)
    return language(catalogue)


def offer(monkeypatch: pytest.MonkeyPatch, *offered: Language) -> None:
    """Offer these languages and English for the commands."""
    known = {each.code: each for each in (ENGLISH, *offered)}
    monkeypatch.setattr(slash_commands, "languages", lambda: known)
