"""Columns of any type in two common forms: levels with codes, or plain numbers."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from siviz.columns.cut_points import number_text

Holds: TypeAlias = Literal["text", "truth values", "numbers", "dates", "nothing"]


@dataclass(frozen=True, eq=False)
class Content:
    """The values of one column in a common form."""

    holds: Holds
    codes: NDArray[Any]
    """Code of each row's level, -1 for missing; empty for numbers and dates."""
    levels: pd.Index
    """The levels in code order; they may hold levels that no row has."""
    numbers: NDArray[Any]
    """Value of each row; dates are microseconds since 1970.  Empty for levels."""
    missing: NDArray[np.bool_]
    """Which rows of ``numbers`` are missing."""
    ordered: bool = False
    note: str = ""
    """What was done to the values, for the reader; often empty."""

    @property
    def rows(self) -> int:
        """Number of rows."""
        return max(self.codes.size, self.missing.size)

    @property
    def all_missing(self) -> bool:
        """Whether no row has a value."""
        return bool(self.missing.all() and (self.codes < 0).all())

    def describe(self, row: int) -> str:
        """The value of a row in words."""
        if self.missing[row] if self.missing.size else self.codes[row] < 0:
            return "a missing value"
        if self.holds == "dates":
            return f"the date {date_texts([self.numbers[row]])[0]}"
        if self.holds == "numbers":
            return f"the number {number_text(self.numbers[row].item())}"
        return f"the value {level_labels([self.levels[self.codes[row]]])[0]!r}"


def read_content(series: "pd.Series[Any]") -> Content:
    """Read a column of any type into levels or numbers.

    Whole numbers of up to 64 bits stay exact.  Dates are kept to the microsecond, those
    with a time zone in UTC, periods by their start; durations become seconds.  A column
    of objects is what all its values are; if they are of several types, each is taken
    as its text.
    """
    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        held: Any = series.array
        return _levels("text", held.codes, kind.categories, ordered=bool(kind.ordered))
    if types.is_object_dtype(kind):
        return _read_objects(series)
    if types.is_bool_dtype(kind):
        return _read_truth(series)
    if types.is_datetime64_any_dtype(kind):
        return _read_dates(series)
    if isinstance(kind, pd.PeriodDtype):
        return _read_dates(series.dt.to_timestamp())
    if types.is_timedelta64_dtype(kind):
        return replace(_numbers(series.dt.total_seconds()), note="durations in seconds")
    if types.is_numeric_dtype(kind) and not types.is_complex_dtype(kind):
        return _numbers(series)
    if types.is_string_dtype(kind):
        codes, levels = pd.factorize(series)
        return _levels("text", codes, pd.Index(levels))
    return _read_objects(series.astype(object))


def level_labels(levels: pd.Index | Iterable[Any]) -> list[str]:
    """The text of each level."""
    levels = levels.tolist() if isinstance(levels, pd.Index) else levels
    return [
        number_text(level) if isinstance(level, float) else str(level)
        for level in levels
    ]


def date_micros(text: str) -> int:
    """A date given as text as microseconds since 1970 (UTC if it has a time zone).

    Examples
    --------
    >>> date_micros("1970-01-02")
    86400000000
    """
    date = pd.to_datetime(text, errors="coerce")
    if not isinstance(date, pd.Timestamp):
        raise ValueError(f"a date must be written like 2024-03-31; got {text!r}")
    zoneless = date if date.tz is None else date.tz_convert("UTC").tz_localize(None)
    return int(zoneless.to_datetime64().astype("datetime64[us]").astype(np.int64))


def date_texts(micros: Iterable[int]) -> list[str]:
    """Microseconds since 1970 as dates, with the time only where one has it.

    Examples
    --------
    >>> date_texts([0, 86400000000])
    ['1970-01-01', '1970-01-02']
    """
    dates = np.array(list(micros), dtype=np.int64).astype("datetime64[us]")
    for unit in ("D", "m", "s", "us"):
        if np.array_equal(dates.astype(f"datetime64[{unit}]"), dates):
            break
    return np.datetime_as_string(dates, unit=unit).tolist()


def _read_objects(series: "pd.Series[Any]") -> Content:
    kind = types.infer_dtype(series, skipna=True)
    if kind in ("integer", "floating", "mixed-integer-float", "decimal"):
        return _numbers(_narrowed(series))
    if kind == "boolean":
        return _read_truth(series)
    if kind in ("datetime", "datetime64", "date"):
        return _read_dates(series)
    if kind == "timedelta":
        return read_content(pd.to_timedelta(series))
    present = series.notna().to_numpy()
    codes = np.full(len(series), -1)
    codes[present], levels = pd.factorize(
        np.array([str(value) for value in series[present]], dtype=object)
    )
    mixed = kind not in ("string", "empty")
    note = "values that are not text taken as text" if mixed else ""
    return _levels("text", codes, pd.Index(levels), note=note)


def _narrowed(series: "pd.Series[Any]") -> "pd.Series[Any]":
    """Numbers held as objects as whole numbers of 64 bits, or else as floats."""
    present = series.dropna()
    if len(present) == len(series) and all(isinstance(v, int) for v in present):
        for kind in ("int64", "uint64"):
            limits = np.iinfo(kind)
            if limits.min <= present.min() and present.max() <= limits.max:
                return series.astype(kind)
    return series.astype(float)


def _read_truth(series: "pd.Series[Any]") -> Content:
    truth = series.astype("boolean")
    codes = truth.astype("Int8").fillna(-1).to_numpy(dtype=np.int8)
    return _levels("truth values", codes, pd.Index(["False", "True"]))


def _read_dates(series: "pd.Series[Any]") -> Content:
    if types.is_object_dtype(series.dtype):
        zoned = any(getattr(date, "tzinfo", None) for date in series.dropna())
    else:
        kind = getattr(series.dtype, "pyarrow_dtype", series.dtype)
        zoned = getattr(kind, "tz", None) is not None
    dates = pd.to_datetime(series, utc=True).dt.tz_localize(None)
    micros = dates.to_numpy(dtype="datetime64[us]")
    missing = np.isnat(micros)
    content = _numbers(pd.Series(micros.astype(np.int64)))
    note = "times in UTC" if zoned else ""
    return replace(content, holds="dates", missing=missing, note=note)


def _numbers(series: "pd.Series[Any]") -> Content:
    missing = series.isna().to_numpy(dtype=bool)
    kind = {"i": "int64", "u": "uint64"}.get(_kind(series), "float64")
    if isinstance(series.dtype, np.dtype):
        numbers = series.to_numpy(dtype=kind)
    else:
        numbers = series.to_numpy(
            dtype=kind, na_value=0 if kind != "float64" else np.nan
        )
    if kind == "float64":
        missing = np.isnan(numbers)
    none = np.array([], dtype=np.int8)
    return Content("numbers", none, pd.Index([]), numbers, missing)


def _kind(series: "pd.Series[Any]") -> str:
    if types.is_unsigned_integer_dtype(series.dtype):
        return "u"
    return "i" if types.is_integer_dtype(series.dtype) else "f"


def _levels(
    holds: Holds,
    codes: NDArray[Any],
    levels: pd.Index,
    *,
    ordered: bool = False,
    note: str = "",
) -> Content:
    none = np.array([])
    return Content(holds, codes, levels, none, none.astype(bool), ordered, note)
