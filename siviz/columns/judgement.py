"""The rules by which a column becomes states or bins, or is left out."""

from typing import Final

import numpy as np

from siviz.columns.choices import ChosenKind, Method
from siviz.columns.spellings import meant_as
from siviz.columns.summaries import MOST_LEVELS, ColumnSummary

FEW_VALUES: Final = 12
"""Numbers or dates with at most so many different values, each on average in at least
two rows, are states as they are: scales of marks, months, small counts."""

MOSTLY_DIFFERENT: Final = 0.5
"""Text of which more than this share of the values are different (and more than
`FEW_VALUES` are) is free text or nearly an identifier."""

FREE_TEXT_LENGTH: Final = 20
"""Mean number of characters from which such text is called free text."""


def judge_column(
    summary: ColumnSummary,
    *,
    method: Method = "frequency",
    missing_as_state: bool = False,
) -> tuple[ChosenKind, str]:
    """What a column becomes by itself, and why if it is left out."""
    distinct = summary.values.size
    if summary.rows == 0:
        return "leave out", "no rows"
    if summary.present == 0:
        return "leave out", "all missing"
    if not summary.complete:
        return "leave out", f"more than {MOST_LEVELS:,} different values"
    if distinct == 1:
        return ("states", "") if missing_as_state else ("leave out", "constant")
    if summary.holds == "text":
        return _judge_text(summary)
    if summary.holds == "truth values":
        return "states", ""
    if _numbers_the_rows(summary):
        first, last = summary.limits or ("", "")
        return "leave out", f"it numbers the rows from {first:,.0f} to {last:,.0f}"
    few = distinct <= FEW_VALUES and 2 * distinct <= summary.present
    if not few and method == "width" and not has_finite_range(summary):
        return "leave out", "bins of equal width need two different finite numbers"
    return ("states", "") if few else ("bins", "")


def has_finite_range(summary: ColumnSummary) -> bool:
    """Whether there are two numbers or dates with a finite distance."""
    finite = summary.values[np.isfinite(summary.values)].astype(float)
    return bool(finite.size and finite[0] < finite[-1])


def _judge_text(summary: ColumnSummary) -> tuple[ChosenKind, str]:
    distinct, present = summary.values.size, summary.present
    if distinct == present:
        hint = meant_as(summary.values.tolist()) or "an identifier"
        return "leave out", f"all {present:,} values are different ({hint})"
    if distinct <= FEW_VALUES or distinct <= MOSTLY_DIFFERENT * present:
        return "states", ""
    length = sum(map(len, summary.values)) / distinct
    what = f"{distinct:,} different values in {present:,} rows"
    if hint := meant_as(summary.values.tolist()):
        return "leave out", f"{what}; {hint}"
    if length >= FREE_TEXT_LENGTH:
        return "leave out", f"free text ({what}, {length:.0f} characters on average)"
    return "leave out", f"nearly an identifier ({what})"


def _numbers_the_rows(summary: ColumnSummary) -> bool:
    """Whether whole numbers run from the first to the last without gap or repeat."""
    if not summary.whole or summary.holds != "numbers" or summary.limits is None:
        return False
    first, last = summary.limits
    return bool(
        last - first + 1 == summary.present
        and summary.present > FEW_VALUES
        and summary.counts.max() == 1
    )
