"""The bins of one column: cut points, their labels and a sentence about them."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from siviz.columns.choices import ColumnChoice
from siviz.columns.contents import date_micros, date_texts
from siviz.columns.cut_points import (
    cut_labels,
    equal_frequency_starts,
    equal_width_cuts,
    number_text,
    short_number,
)
from siviz.columns.judgement import has_finite_range
from siviz.columns.summaries import MOST_NUMBERS, ColumnSummary

# Cut points listed in a sentence.
_MOST_LISTED: Final = 9


@dataclass(frozen=True)
class Bins:
    """Bins of a column of numbers or dates."""

    cut_points: tuple[float | str, ...]
    """Dates as ISO text."""
    labels: tuple[str, ...]
    reason: str


def cut_into_bins(summary: ColumnSummary, choice: ColumnChoice) -> Bins:
    """Cut a column as chosen: at given points or by method and number of bins.

    Raises
    ------
    ValueError
        If the column cannot be cut so.
    """
    if summary.holds not in ("numbers", "dates"):
        raise ValueError(
            f"column {summary.name!r} holds {summary.holds} and cannot be cut into "
            "bins: only numbers and dates can"
        )
    if summary.values.size < 2:
        raise ValueError(
            f"column {summary.name!r} cannot be cut into bins: it has a single value"
        )
    cuts = _cuts(summary, choice)
    if summary.holds == "dates":
        points: tuple[Any, ...] = tuple(date_texts(cuts.tolist()))
        labels = cut_labels(points, str)
    else:
        points = tuple(cuts.tolist())
        labels = cut_labels(points, number_text)
    return Bins(points, tuple(labels), _reason(summary, choice, cuts, labels))


def _cuts(summary: ColumnSummary, choice: ColumnChoice) -> NDArray[Any]:
    if choice.cut_points is not None:
        return _given_cuts(summary, choice.cut_points)
    assert choice.bins is not None
    dates = summary.holds == "dates"
    if choice.method == "width":
        if not has_finite_range(summary):
            raise ValueError(
                f"column {summary.name!r} cannot be cut into bins of equal width: it "
                "has fewer than two different finite numbers; use equal frequency"
            )
        cuts = equal_width_cuts(summary.values, choice.bins)
        width = (summary.values[-1] - summary.values[0]) / choice.bins
        return _round_dates(cuts, width) if dates else cuts
    # Plain Python numbers: whole numbers of any size are compared exactly.
    values, shorten = summary.values.tolist(), _short_date if dates else short_number
    starts = equal_frequency_starts(summary.counts, choice.bins)
    points = [shorten(values[start - 1], values[start]) for start in starts]
    return np.array(points, dtype=summary.values.dtype)


def _given_cuts(
    summary: ColumnSummary, points: tuple[float | str, ...]
) -> NDArray[Any]:
    dates = summary.holds == "dates"
    if dates != isinstance(points[0], str):
        wanted = "dates as text" if dates else "numbers"
        raise ValueError(
            f"column {summary.name!r} holds {summary.holds}: its cut_points must be "
            f"{wanted}; got {points[0]!r}"
        )
    cuts = np.array([date_micros(str(p)) if dates else p for p in points])
    smallest, largest = summary.values[0], summary.values[-1]
    if cuts[0] > largest or cuts[-1] <= smallest:
        ends = date_texts([smallest, largest]) if dates else [smallest, largest]
        raise ValueError(
            f"column {summary.name!r} lies between {ends[0]} and {ends[1]}, so its "
            "cut_points leave all values in one bin; put one of them in between"
        )
    return cuts


def _short_date(below: int, value: int) -> int:
    """The start of the longest calendar unit of ``value`` that is after ``below``."""
    date = np.int64(value).astype("datetime64[us]")
    for unit in ("Y", "M", "D", "h", "m", "s"):
        start = int(
            date.astype(f"datetime64[{unit}]").astype("M8[us]").astype(np.int64)
        )
        if start > below:
            return start
    return int(value)


def _round_dates(cuts: NDArray[np.float64], width: float) -> NDArray[np.int64]:
    """Dates moved back to the start of a calendar unit much shorter than the bins."""
    exact = cuts.astype(np.int64)
    dates = exact.astype("datetime64[us]")
    for unit in ("D", "h", "m", "s"):
        rounded = dates.astype(f"datetime64[{unit}]").astype("M8[us]").astype(np.int64)
        if np.all(exact - rounded < width / 20):
            return rounded
    return exact


def _reason(
    summary: ColumnSummary,
    choice: ColumnChoice,
    cuts: NDArray[Any],
    labels: list[str],
) -> str:
    """Such as "numbers with 212 different values, cut into 5 bins of ..."."""
    thinned = summary.rate < 1
    points = (
        date_texts(cuts.tolist())
        if summary.holds == "dates"
        else [number_text(cut) for cut in cuts.tolist()]
    )
    if len(points) > _MOST_LISTED:
        points = [*points[: _MOST_LISTED - 1], "…", points[-1]]
    how = "" if choice.cut_points else f" of equal {choice.method}"
    count = f"more than {MOST_NUMBERS:,}" if thinned else f"{summary.values.size:,}"
    text = (
        f"{summary.holds} with {count} different values, "
        f"cut into {len(labels)} bins{how} at {', '.join(points)}"
    )
    used = np.unique(np.searchsorted(cuts, summary.values, side="right")).size
    if choice.method == "frequency" and choice.bins and len(labels) < choice.bins:
        text += f" ({choice.bins} were asked for, but equal values are never split)"
    if used < len(labels):
        text += f"; {len(labels) - used} of the bins hold no value"
    if thinned:
        sample = f"{int(summary.counts.sum()):,} of the {summary.present:,} values"
        text += f"; judged by a random sample of {sample}"
    return text
