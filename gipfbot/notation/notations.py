"""The two notations, official and Julio974's, by name."""

from .base import Notation
from .julio974 import Julio974
from .official import Official

__all__ = ["JULIO974", "NOTATIONS", "OFFICIAL", "Notation"]

OFFICIAL, JULIO974 = Official(), Julio974()
NOTATIONS: dict[str, Notation] = {notation.name: notation for notation in (OFFICIAL, JULIO974)}
