"""Facts about the columns of a data frame that add up over chunks of its rows."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from siviz.columns.contents import Content, Holds, level_labels, read_content
from siviz.columns.cut_points import check_weights, tally

MOST_LEVELS: Final = 10_000
"""Different texts that are remembered; of more it is only known that they are more."""

MOST_NUMBERS: Final = 200_000
"""Different numbers that are remembered exactly, however many rows there are.

Beyond, rows are thinned at random, half of them at a time, with a fixed seed: a rank is
then wrong by about 0.2 % of the rows at most, and 50 columns take about 160 MB.
"""

_SEED: Final = 20060713


@dataclass(frozen=True, eq=False)
class ColumnSummary:
    """What is known of one column; summaries of chunks of rows merge by ``+``.

    Rows are counted with their weights.
    """

    name: str
    holds: Holds
    """``"nothing"`` if no row has a value."""
    rows: int
    missing: int
    values: NDArray[Any]
    """Different values: text sorted, numbers increasing, dates as microseconds."""
    counts: NDArray[np.int64]
    """How often each occurs."""
    complete: bool = True
    """False if there are more than `MOST_LEVELS` texts; then none is remembered."""
    rate: float = 1.0
    """Share of the rows that ``counts`` hold; below 1 it is a random sample."""
    limits: tuple[Any, Any] | None = None
    """Smallest and largest number or date."""
    whole: bool = False
    """Whether all (finite) numbers are whole."""
    order: tuple[str, ...] = ()
    """The order of all levels, for ordered categories only."""
    note: str = ""

    @property
    def present(self) -> int:
        """Rows with a value."""
        return self.rows - self.missing

    def __add__(self, other: "ColumnSummary") -> "ColumnSummary":
        """The summary of both sets of rows."""
        rows, missing = self.rows + other.rows, self.missing + other.missing
        filled = [part for part in (self, other) if part.holds != "nothing"]
        if len(filled) < 2:
            return replace((filled or [self])[0], rows=rows, missing=missing)
        _refuse_conflicts(self, other)
        if self.limits is None or other.limits is None:
            merged = _add_levels(self, other)
        else:
            merged = _add_numbers(self, other)
        return replace(merged, rows=rows, missing=missing, note=self.note or other.note)


@dataclass(frozen=True, eq=False)
class ColumnSummaries:
    """Summaries of all columns of a frame; those of chunks of rows merge by ``+``."""

    columns: tuple[ColumnSummary, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns in order."""
        return tuple(column.name for column in self.columns)

    def __add__(self, other: "ColumnSummaries") -> "ColumnSummaries":
        """The summaries of both sets of rows."""
        if self.names != other.names:
            raise ValueError(
                "all chunks must have the same columns in the same order; "
                f"got {list(self.names)} and {list(other.names)}"
            )
        pairs = zip(self.columns, other.columns, strict=True)
        return ColumnSummaries(tuple(one + another for one, another in pairs))


def summarize_columns(
    frame: pd.DataFrame, *, weights: ArrayLike | None = None
) -> ColumnSummaries:
    """Count the different values of every column.

    Parameters
    ----------
    frame : DataFrame
        Each column has its own name (as text).
    weights : array_like, shape (rows,), optional
        How many observations each row stands for: whole numbers.  Values that occur
        only in rows of weight 0 do not occur.

    Returns
    -------
    ColumnSummaries
        For `siviz.columns.decide_columns`; add up those of several chunks.

    Examples
    --------
    >>> frame = pd.DataFrame({"sex": ["f", "m", "f", None]})
    >>> column, = summarize_columns(frame).columns
    >>> list(column.values), column.counts.tolist(), column.missing
    (['f', 'm'], [2, 1], 1)
    """
    names = column_names(frame)
    weight = None if weights is None else check_weights(weights, len(frame))
    columns = (column for _, column in frame.items())
    return ColumnSummaries(
        tuple(
            _summarize(name, read_content(column), weight)
            for name, column in zip(names, columns, strict=True)
        )
    )


def column_names(frame: pd.DataFrame) -> list[str]:
    """The names of the columns as text, or an error if they are not all different."""
    names = [str(name) for name in frame.columns]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ValueError(
            "columns must have different names; got "
            f"{', '.join(map(repr, twice))} more than once: rename or drop all but one"
        )
    return names


def _summarize(
    name: str, content: Content, weight: NDArray[np.int64] | None
) -> ColumnSummary:
    if content.holds in ("numbers", "dates"):
        return _summarize_numbers(name, content, weight)
    size = len(content.levels) + 1
    counts = np.bincount(content.codes + np.int8(1), weight, minlength=size)
    counts = counts.astype(np.int64)
    occurring = np.flatnonzero(counts[1:])
    summary = ColumnSummary(
        name,
        content.holds if occurring.size else "nothing",
        int(counts.sum()),
        int(counts[0]),
        np.array([], dtype=object),
        counts[:0],
        note=content.note,
    )
    if occurring.size > MOST_LEVELS:
        return replace(summary, complete=False)
    order = tuple(level_labels(content.levels)) if content.ordered else ()
    some = occurring.size < len(content.levels)
    labels = level_labels(content.levels[occurring] if some else content.levels)
    return _with_levels(replace(summary, order=order), labels, counts[1:][occurring])


def _with_levels(
    summary: ColumnSummary, labels: list[str], counts: NDArray[np.int64]
) -> ColumnSummary:
    """The summary with these levels in order; equal labels are one level."""
    total: dict[str, int] = {}
    for label, count in zip(labels, counts.tolist(), strict=True):
        total[label] = total.get(label, 0) + count
    if len(total) > MOST_LEVELS:
        none = np.array([], dtype=object)
        return replace(summary, complete=False, values=none, counts=counts[:0])
    ranked = _in_order(total, summary.order)
    values = np.array(ranked, dtype=object)
    return replace(
        summary, values=values, counts=np.array([total[v] for v in ranked], np.int64)
    )


def _in_order(labels: Iterable[str], order: tuple[str, ...]) -> list[str]:
    """Labels in the given order, else as numbers if all are, else as text."""
    known = set(labels)
    if order:
        return [label for label in order if label in known]
    try:
        number = {label: float(label) for label in known}
    except ValueError:
        return sorted(known)
    if not np.isfinite(list(number.values())).all():
        return sorted(known)
    return sorted(known, key=lambda label: (number[label], label))


def _summarize_numbers(
    name: str, content: Content, weight: NDArray[np.int64] | None
) -> ColumnSummary:
    missing = content.missing
    values, counts = tally(
        content.numbers[~missing], None if weight is None else weight[~missing]
    )
    gone = np.count_nonzero(missing) if weight is None else weight[missing].sum()
    rows = missing.size if weight is None else weight.sum()
    summary = ColumnSummary(
        name, "nothing", int(rows), int(gone), values, counts, note=content.note
    )
    if not values.size:
        return summary
    limits = values[0].item(), values[-1].item()
    whole = bool(np.all((values == np.floor(values)) | np.isinf(values)))
    return _thinned(replace(summary, holds=content.holds, limits=limits, whole=whole))


def _thinned(summary: ColumnSummary) -> ColumnSummary:
    """At most `MOST_NUMBERS` values: half of the rows is dropped until it is so."""
    values, counts, rate = summary.values, summary.counts, summary.rate
    rng = np.random.default_rng((_SEED, summary.rows, values.size))
    while values.size > MOST_NUMBERS:
        counts, rate = rng.binomial(counts, 0.5), rate / 2
        values, counts = values[counts > 0], counts[counts > 0]
    return replace(summary, values=values, counts=counts, rate=rate)


def _refuse_conflicts(one: ColumnSummary, other: ColumnSummary) -> None:
    if one.holds != other.holds:
        raise ValueError(
            f"column {one.name!r} must hold the same in all chunks; got {one.holds} in "
            f"one and {other.holds} in another: read it as text"
        )
    if one.note != other.note and one.holds != "text":
        raise ValueError(
            f"column {one.name!r} must be read alike in all chunks; got "
            f"{one.note or 'plain ' + one.holds} in one and "
            f"{other.note or 'plain ' + other.holds} in another"
        )
    if one.order != other.order:
        raise ValueError(
            f"column {one.name!r} must have the same order of categories in all "
            f"chunks; got {list(one.order)} and {list(other.order)}"
        )


def _add_levels(one: ColumnSummary, other: ColumnSummary) -> ColumnSummary:
    if not (one.complete and other.complete):
        return one if not one.complete else other
    labels = [*one.values, *other.values]
    return _with_levels(one, labels, np.concatenate([one.counts, other.counts]))


def _add_numbers(one: ColumnSummary, other: ColumnSummary) -> ColumnSummary:
    assert one.limits is not None
    assert other.limits is not None
    rate = min(one.rate, other.rate)
    counts = [_sampled(part, rate) for part in (one, other)]
    values, total = tally(
        np.concatenate([one.values, other.values]), np.concatenate(counts)
    )
    smallest = min(one.limits[0], other.limits[0])
    largest = max(one.limits[1], other.limits[1])
    return _thinned(
        replace(
            one,
            rows=one.rows + other.rows,
            values=values,
            counts=total,
            rate=rate,
            limits=(smallest, largest),
            whole=one.whole and other.whole,
        )
    )


def _sampled(summary: ColumnSummary, rate: float) -> NDArray[np.int64]:
    """Counts thinned to the share ``rate`` of the rows."""
    if summary.rate == rate:
        return summary.counts
    rng = np.random.default_rng((_SEED, summary.rows))
    return rng.binomial(summary.counts, rate / summary.rate)
