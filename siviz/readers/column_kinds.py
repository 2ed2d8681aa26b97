"""What kind of column a column of texts is: whole numbers, others, dates or text.

Texts become numbers only if nothing is lost, so `Facts` are gathered from every cell
before the kind is decided: a late surprise cannot change an early value.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from siviz.readers.column_names import listed

Texts: TypeAlias = pa.Array | pa.ChunkedArray
#: "comma" stands for numbers whose decimals are marked by a comma.
Kind: TypeAlias = Literal["whole", "number", "comma", "date", "text"]

_EXACT = 2.0**53
_FIRST = 100
_THOUSANDS = r"^[+-]?[1-9]\d{0,2}(,\d{3})+$"


@dataclass(frozen=True)
class Facts:
    """What is true of the cells of a column; facts of its parts add up.

    The flags ``numeric``, ``whole``, ``comma``, ``thousands`` and ``dates`` say "all
    cells", the others "some cell".  ``comma`` is about numbers if a comma marks their
    decimals, ``zoned`` and ``zoneless`` are about dates and their time zones.
    """

    filled: bool = False
    missing: bool = False
    numeric: bool = True
    whole: bool = True
    leading_zero: bool = False
    inexact: bool = False
    comma: bool = True
    has_comma: bool = False
    thousands: bool = True
    dates: bool = True
    zoned: bool = False
    zoneless: bool = False

    def __add__(self, other: "Facts") -> "Facts":
        every = ("numeric", "whole", "comma", "thousands", "dates")
        return Facts(
            **{
                key: value and vars(other)[key]
                if key in every
                else value or vars(other)[key]
                for key, value in vars(self).items()
            }
        )

    @property
    def undecided(self) -> bool:
        """Whether further cells can change what kind of column this is."""
        return self.numeric or self.comma or self.dates

    @property
    def decimal_comma(self) -> bool:
        """Whether the commas can only be decimal commas (not thousands)."""
        return self.comma and self.has_comma and not self.thousands

    def kind(self, *, decimal_comma: bool) -> Kind:
        """What the column becomes, given how the file writes decimals."""
        if self.leading_zero:
            return "text"
        if self.filled and self.dates and not (self.zoned and self.zoneless):
            return "date"
        if self.numeric and self.whole and self.filled and not self.missing:
            return "whole"
        if self.inexact:
            return "text"
        if self.numeric:
            return "number"
        return "comma" if self.comma and decimal_comma else "text"

    @property
    def why_text(self) -> str:
        """Why numbers were kept as text; empty if the cells are no numbers."""
        if not self.numeric and not self.comma:
            return ""
        if self.leading_zero:
            return "Numbers with leading zeros were kept as text, like postal codes"
        if self.inexact:
            return "Numbers too large to be held exactly were kept as text"
        return "Numbers whose commas may mark thousands were kept as text"


def kind_notes(kinds: Mapping[str, Kind], facts: Mapping[str, Facts]) -> list[str]:
    """One sentence for each decision about numbers that a reader may dispute."""
    said: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if kind == "date":
            said.setdefault("Texts like 2024-03-31 were read as dates", []).append(name)
        if kind == "date" and facts[name].zoned:
            said.setdefault("Times with a time zone were read in UTC", []).append(name)
        if kind == "comma":
            said.setdefault("Numbers with a decimal comma", []).append(name)
        if kind == "text" and (reason := facts[name].why_text):
            said.setdefault(reason, []).append(name)
        if not facts[name].filled:
            said.setdefault("Columns without any value", []).append(name)
    return [f"{what}: {listed(names)}." for what, names in said.items()]


def facts_of(
    values: Texts, *, missing: bool = False, floats: Texts | None = None
) -> Facts:
    """Facts of the cells that hold a value (their distinct texts are enough).

    ``floats`` are the values as numbers, if they are known already.

    Examples
    --------
    >>> facts_of(pa.array(["1", "2.5"])).kind(decimal_comma=False)
    'number'
    >>> facts_of(pa.array(["01234", "99999"])).kind(decimal_comma=False)
    'text'
    """
    facts = Facts(filled=len(values) > 0, missing=missing)
    numbers = as_floats(values) if floats is None else floats
    if numbers is None:
        dates, zoned = as_dates(values) is not None, _are_zoned(values)
        facts = replace(facts, numeric=False, whole=False, dates=dates)
        facts = replace(facts, zoned=dates and zoned, zoneless=dates and not zoned)
        return _with_comma_facts(facts, values)
    whole = as_integers(values) is not None
    return replace(
        facts,
        missing=missing or bool(pc.any(pc.is_nan(numbers)).as_py()),
        whole=whole,
        dates=not facts.filled,
        comma=whole or not _contains(values, "."),
        leading_zero=_some_leading_zero(values),
        inexact=_some_inexact(values, numbers),
    )


def as_floats(values: Texts, *, decimal_comma: bool = False) -> Texts | None:
    """The texts as 64-bit floats, or None if one of them is not a number."""
    if decimal_comma:
        values = pc.replace_substring(values, ",", ".")
    return _cast(values, pa.float64())


def as_integers(values: Texts) -> Texts | None:
    """The texts as 64-bit integers, or None if one of them is none."""
    return _cast(values, pa.int64())


def as_dates(values: Texts) -> Texts | None:
    """The texts as dates to the microsecond, or None if one is not like 2024-03-31.

    A time may follow, as in 2024-03-31 23:59.  If all have a time zone, as in
    2024-03-31T23:59:00Z or with +02:00 at the end, they are given in UTC.
    """
    if not _are_zoned(values):
        return _cast(values, pa.timestamp("us"))
    dates = _cast(values, pa.timestamp("us", "UTC"))
    return None if dates is None else dates.cast(pa.timestamp("us"))


def _are_zoned(values: Texts) -> bool:
    """Whether the first value ends like a time with its zone."""
    present = values if len(values) and values[0].is_valid else values.drop_null()
    first = str(present[0]) if len(present) else ""
    return re.search(r":\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)\s*$", first) is not None


def _cast(values: Texts, wanted: pa.DataType) -> Texts | None:
    for clean in (lambda cells: cells, pc.utf8_trim_whitespace):
        try:
            # A few cells mostly tell that the others need not be tried.
            clean(values[:_FIRST]).cast(wanted)
            return clean(values).cast(wanted)
        except pa.ArrowInvalid:
            continue
    return None


def _with_comma_facts(facts: Facts, values: Texts) -> Facts:
    with_comma = values.filter(pc.match_substring(values, ","))
    if len(with_comma) == 0 or _contains(values, "."):
        return replace(facts, comma=False)
    numbers = as_floats(values, decimal_comma=True)
    if numbers is None:
        return replace(facts, comma=False)
    thousands = pc.all(pc.match_substring_regex(with_comma, _THOUSANDS)).as_py()
    return replace(
        facts,
        has_comma=True,
        thousands=bool(thousands),
        leading_zero=_some_leading_zero(values),
        inexact=_some_inexact(values, numbers),
    )


def _contains(values: Texts, mark: str) -> bool:
    # The first cells mostly answer, at no cost.
    return any(
        pc.any(pc.match_substring(part, mark)).as_py()
        for part in (values[:_FIRST], values)
    )


def _some_leading_zero(values: Texts) -> bool:
    suspect = pc.and_not(pc.starts_with(values, "0"), pc.starts_with(values, "0."))
    for sign in ("+", " "):
        suspect = pc.or_(suspect, pc.starts_with(values, sign))
    found = pc.match_substring_regex(values.filter(suspect), r"^\s*[+]?0\d")
    return bool(pc.any(found).as_py())


def _some_inexact(values: Texts, numbers: Texts) -> bool:
    """Whether a whole number loses digits or a number becomes infinite."""
    size = pc.abs(numbers)
    if (pc.max(size).as_py() or 0) < _EXACT:
        return False
    large = pc.greater_equal(size, _EXACT)
    digits = pc.match_substring_regex(values.filter(large), r"^\s*[+-]?\d+\s*$")
    too_large = pc.match_substring_regex(values.filter(pc.is_inf(numbers)), r"\d")
    return bool(pc.any(digits).as_py() or pc.any(too_large).as_py())
