"""What names and texts of people must not do to what the bot says."""

import re
import unicodedata

CODE = re.compile(r"`[^`\n]*`")  # Discord formats nothing in it
FORMATTING = ("<@1>", "[a](", "https://e.org", "**x**", "\u202e", "\u2066", "\x1b", "@everyone", "\n#h")


def assert_harmless(text: str) -> None:
    """Assert that no name formats, pings, links or reorders a text."""
    for part in FORMATTING:
        assert part not in text, (part, text)
    assert not [sign for sign in text if unicodedata.category(sign) == "Cc" and sign != "\n"], text
