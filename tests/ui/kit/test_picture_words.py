"""Pictures are drawn in the language of who orders them, although another thread draws them."""

from gettext import NullTranslations

from babel import Locale

from gipfbot.languages import Language, speaking
from gipfbot.rules import STANDARD, start
from gipfbot.ui.kit.picture_words import spoken_words
from gipfbot.ui.kit.pictures import Painter
from render import Picture, alt_text, png
from render.layout import SMALLEST


class German(NullTranslations):
    """The few sentences that are drawn and said of a board at its start."""

    def gettext(self, message: str) -> str:
        """Return a sentence in German."""
        return {
            "White": "Weiß",
            "{colour} to move": "{colour} ist am Zug",
            "to move": "am Zug",
        }.get(message, message)


GERMAN = Language("de", Locale("de"), German())


async def test_a_picture_speaks_the_language_of_its_order() -> None:
    painter, picture = Painter(), Picture(start(STANDARD), ("Ann", "Bob"))
    with speaking(GERMAN):
        words = spoken_words()
        german = await painter.png(picture, width=SMALLEST)
        assert alt_text(picture, spoken_words()).startswith("Weiß ist am Zug.")
    assert alt_text(picture, spoken_words()).startswith("White to move.")
    english = await painter.png(picture, width=SMALLEST)
    assert german == png(picture, size=SMALLEST, words=words) != english == png(picture, size=SMALLEST)
    painter.close()


def test_words_of_a_language_are_equal() -> None:
    """A drawing that is kept by its order is drawn once for each language."""
    with speaking(GERMAN):
        first, second = spoken_words(), spoken_words()
    assert first == second != spoken_words()
    assert hash(first) == hash(second)
