"""Codes of the rows of a data frame, as decided for its columns."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from siviz.columns.contents import Content, date_micros, level_labels, read_content
from siviz.columns.cut_points import check_weights
from siviz.columns.decisions import Column
from siviz.columns.summaries import column_names

# Stands for a value that no state has; never leaves this file.
_UNSEEN: Final = -2


@dataclass(frozen=True, eq=False)
class Codes:
    """Codes of the columns that were not left out."""

    columns: tuple[Column, ...]
    arrays: tuple[NDArray[Any], ...]
    """One array of whole numbers per column, of the smallest signed type that fits: the
    place of each row's state in ``Column.states``, -1 for missing."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def state_counts(self) -> tuple[int, ...]:
        """Number of states of each column."""
        return tuple(len(column.states) for column in self.columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The codes of the column with this name."""
        return self.arrays[self.names.index(name)]


def encode_columns(
    frame: pd.DataFrame, columns: Iterable[Column], *, weights: ArrayLike | None = None
) -> Codes:
    """Encode every column that was not left out.

    Parameters
    ----------
    frame : DataFrame
        The rows, or a chunk of them; columns that were left out may be absent.
    columns : iterable of Column
        From `siviz.columns.decide_columns`.
    weights : array_like, shape (rows,), optional
        Rows of weight 0 may hold values that no other row has: these get -1.

    Raises
    ------
    ValueError
        If a column is absent or holds a value that its summary has not seen.

    Examples
    --------
    >>> from siviz.columns import decide_columns, summarize_columns
    >>> frame = pd.DataFrame({"sex": ["f", "m", "f", None]})
    >>> encode_columns(frame, decide_columns(summarize_columns(frame)))["sex"]
    array([ 0,  1,  0, -1], dtype=int8)
    """
    kept = tuple(column for column in columns if column.kind != "left out")
    place = {name: i for i, name in enumerate(column_names(frame))}
    idle = None if weights is None else check_weights(weights, len(frame)) == 0
    arrays = []
    for column in kept:
        if column.name not in place:
            raise ValueError(
                f"column {column.name!r} is not in the frame; it has {list(place)}"
            )
        content = read_content(frame.iloc[:, place[column.name]])
        arrays.append(_encode(column, content, idle))
    return Codes(kept, tuple(arrays))


def _encode(
    column: Column, content: Content, idle: NDArray[np.bool_] | None
) -> NDArray[Any]:
    # A missing value is unseen too if it ought to be a state and there was none.
    surprise = column.choice.missing == "state" and column.missing_code < 0
    missing = _UNSEEN if surprise else column.missing_code
    dtype = np.min_scalar_type(-max(len(column.states), 2))
    if content.all_missing:
        codes = np.full(content.rows, missing, dtype)
    elif content.holds != column.holds:
        raise ValueError(
            f"column {column.name!r} held {column.holds} when it was summarized, but "
            f"now {content.holds}: read it alike"
        )
    elif content.holds in ("numbers", "dates"):
        codes = np.where(content.missing, missing, _number_codes(column, content))
    else:
        codes = _level_codes(column, content, missing, dtype)
    if codes.size and codes.min() == _UNSEEN:
        codes = _checked(column, content, codes, idle)
    return codes.astype(dtype, copy=False)


def _level_codes(
    column: Column, content: Content, missing: int, dtype: np.dtype[Any]
) -> NDArray[Any]:
    known = dict(zip(column.values, column.codes, strict=True))
    labels = level_labels(content.levels)
    # The last entry is for code -1, missing.
    lookup = np.array([*(known.get(v, _UNSEEN) for v in labels), missing], dtype)
    return lookup[content.codes]


def _number_codes(column: Column, content: Content) -> NDArray[np.intp]:
    if column.kind == "bins":
        dates = column.holds == "dates"
        cuts = [date_micros(str(c)) if dates else c for c in column.cut_points]
        return np.searchsorted(np.array(cuts), content.numbers, side="right")
    values, codes = np.array(column.values), np.array(column.codes)
    place = np.minimum(np.searchsorted(values, content.numbers), values.size - 1)
    return np.where(values[place] == content.numbers, codes[place], _UNSEEN)


def _checked(
    column: Column,
    content: Content,
    codes: NDArray[Any],
    idle: NDArray[np.bool_] | None,
) -> NDArray[Any]:
    """The codes with -1 for unseen values in rows of weight 0; others are refused."""
    unseen = codes == _UNSEEN
    refused = unseen if idle is None else unseen & ~idle
    if refused.any():
        row = int(np.argmax(refused))
        raise ValueError(
            f"column {column.name!r} has {content.describe(row)} in row {row}, which "
            "its summary has not seen: summarize all rows before encoding"
        )
    return np.where(unseen, -1, codes)
