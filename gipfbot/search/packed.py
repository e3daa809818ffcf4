"""The numbers of the hot modules: packed where they are compiled, plain ones and lists where they are not.

`i64` is a whole number of 64 bits for mypyc, and `vec[i64]` a packed vector of them, which `librt` brings. Compiled
numbers wrap and interpreted ones grow, so none on the way of a search may exceed 62 bits. This module is not compiled.
"""

from typing import TYPE_CHECKING

__all__ = ["i64", "vec"]

if TYPE_CHECKING:
    from librt.vecs import vec
    from mypy_extensions import i64
else:
    i64 = int

    class vec:  # noqa: N801 (its name in librt)
        """Stands for the class of a vector: `vec[i64](numbers)` makes a list."""

        def __class_getitem__(cls, _: type) -> type:
            """Return the class of a list."""
            return list
