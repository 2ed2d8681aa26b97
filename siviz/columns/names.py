"""Names of columns in sentences, and what an unknown one may have meant."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

MOST_NAMED: Final = 12
"""Names that a sentence lists at the most."""


def listed(names: Sequence[str]) -> str:
    """Names in quotation marks, at most a dozen.

    Examples
    --------
    >>> listed(["a", "b"])
    "'a', 'b'"
    """
    more = ", …" if len(names) > MOST_NAMED else ""
    return ", ".join(map(repr, names[:MOST_NAMED])) + more


def name_hint(name: str, known: Sequence[str]) -> str:
    """What the reader of an unknown name may have meant.

    Examples
    --------
    >>> name_hint("specie", ["species", "island"])
    "did you mean 'species'?"
    >>> name_hint("zz", ["species", "island"])
    "there are 'species', 'island'"
    """
    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {listed(known)}"
