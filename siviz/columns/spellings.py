"""Texts that were meant as numbers, dates or the same state, told to the reader."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

_MOSTLY: Final = 0.8
_NUMBER: Final = re.compile(r"[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?")
_SIGNS: Final = re.compile(r"[\s%‰$€£¥'’]")
_DATE: Final = re.compile(
    r"(\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2})\b"
)


def meant_as(values: Sequence[str]) -> str:
    """What most of these texts seem to be meant as, and how to write them; or empty.

    Examples
    --------
    >>> meant_as(["$1.50", "$2.25", "$3"])
    "it looks like numbers with signs, such as '$1.50': write plain ones to cut them"
    >>> meant_as(["red", "green"])
    ''
    """
    for matches, what, remedy in (
        (_is_date, "dates", "write them like 2024-03-31 to cut them into bins"),
        (_is_plain, "numbers", "leave other cells empty to cut the numbers into bins"),
        (_is_number, "numbers with signs", "write plain ones to cut them"),
    ):
        fitting = [text for text in values if matches(text)]
        if not fitting or len(fitting) < _MOSTLY * len(values):
            continue
        others = [text for text in values if not matches(text)]
        example = f"also {others[0]!r}" if others else f"such as {fitting[0]!r}"
        return f"it looks like {what}, {example}: {remedy}"
    return ""


def nearly_alike(values: Iterable[str]) -> tuple[str, str] | None:
    """Two texts that differ only by blanks or by upper and lower case, if there are.

    Examples
    --------
    >>> nearly_alike(["no", "Yes", "yes "])
    ('Yes', 'yes ')
    """
    seen: dict[str, str] = {}
    for text in values:
        key = " ".join(text.casefold().split())
        if key in seen:
            return seen[key], text
        seen[key] = text
    return None


def _is_date(text: str) -> bool:
    return _DATE.match(text.strip()) is not None


def _is_plain(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(_SIGNS.sub("", text)) is not None
