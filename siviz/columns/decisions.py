"""What each column of a data frame becomes, and why: states, bins, or left out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

import pandas as pd

from siviz.columns.binning import cut_into_bins
from siviz.columns.choices import (
    ColumnChoice,
    Defaults,
    Method,
    Missing,
    named_choices,
)
from siviz.columns.contents import Holds, date_texts
from siviz.columns.cut_points import DEFAULT_BINS, number_labels
from siviz.columns.judgement import judge_column
from siviz.columns.summaries import MOST_LEVELS, ColumnSummaries, ColumnSummary

Kind: TypeAlias = Literal["states", "bins", "left out"]

_OTHER: Final = "(other)"
_MISSING: Final = "(missing)"
_NOUNS: Final[dict[Holds, str]] = {
    "text": "value",
    "truth values": "truth value",
    "numbers": "number",
    "dates": "date",
}


@dataclass(frozen=True)
class Column:
    """What one column becomes, with everything needed to encode it."""

    name: str
    kind: Kind
    reason: str
    """One plain sentence."""
    states: tuple[str, ...] = ()
    """Labels in the order of the codes: numbers and dates increasing, text sorted (as
    numbers if all of it are numbers), ordered categories in their own order; then
    "(other)" for merged states and "(missing)"."""
    missing: int = 0
    """Rows without a value."""
    cut_points: tuple[float | str, ...] = ()
    """Where bins begin; dates as ISO text."""
    merged: tuple[tuple[str, int], ...] = ()
    """States merged into "(other)", with their numbers of rows."""
    choice: ColumnChoice = field(default_factory=ColumnChoice)
    """The choice that leads to this column, for `column_choices`."""
    holds: Holds = "nothing"
    values: tuple[Any, ...] = ()
    """For states: the values (dates in microseconds since 1970) ..."""
    codes: tuple[int, ...] = ()
    """... and the code of each."""
    missing_code: int = -1
    """Code of missing values; -1 leaves them out."""


def decide_columns(
    summaries: ColumnSummaries,
    *,
    bins: Method = "frequency",
    bin_count: int = DEFAULT_BINS,
    missing: Missing = "pairwise",
    rare: int | None = None,
    overrides: Mapping[str, ColumnChoice | Mapping[str, Any]] | None = None,
) -> tuple[Column, ...]:
    """Decide for every column whether it becomes states or bins, or is left out.

    Left out are columns without rows or values, constants, text that is all different
    (an identifier), mostly different or has more than `summaries.MOST_LEVELS` values,
    and whole numbers that just number the rows.  Numbers and dates with few values are
    states; others become bins.  `judgement` has the rules.

    Parameters
    ----------
    summaries : ColumnSummaries
    bins : {"frequency", "width"}
        Bins of equal frequency or of equal width.
    bin_count : int
        Number of bins.
    missing : {"pairwise", "state"}
        Leave missing values out of each pair, or make them a state of their own.
    rare : int, optional
        Merge the states of a column with fewer rows than this, if there are several.
    overrides : mapping of column name to ColumnChoice or dict, optional
        What to do instead for single columns.

    Examples
    --------
    >>> from siviz.columns.summaries import summarize_columns
    >>> frame = pd.DataFrame({"sex": ["f", "m"] * 4, "age": [2, 9, 4, 7, 5, 6, 1, 8]})
    >>> sex, age = decide_columns(summarize_columns(frame), bin_count=2)
    >>> sex.states, age.states
    (('f', 'm'), ('< 6', '≥ 6'))
    >>> age.reason
    'numbers with 8 different values, cut into 2 bins of equal frequency at 6'
    """
    defaults = Defaults(bin_count, bins, missing, rare)
    choices = named_choices(overrides, summaries.names)
    return tuple(
        _decide(column, defaults, choices.get(column.name, ColumnChoice()))
        for column in summaries.columns
    )


def report_columns(columns: Iterable[Column]) -> pd.DataFrame:
    """What became of each column, for a reader.

    Returns
    -------
    DataFrame
        ``name``, ``becomes`` (states, bins, left out), ``states`` (their number),
        ``missing`` (rows without a value), ``reason`` (a sentence).
    """
    rows = [
        (column.name, column.kind, len(column.states), column.missing, column.reason)
        for column in columns
    ]
    names = ["name", "becomes", "states", "missing", "reason"]
    return pd.DataFrame(rows, columns=names)


def column_choices(columns: Iterable[Column]) -> dict[str, dict[str, Any]]:
    """The choices behind columns as plain dicts, which JSON can carry.

    As ``overrides`` of `decide_columns` they give the same columns again.
    """
    return {column.name: column.choice.as_dict() for column in columns}


def _decide(summary: ColumnSummary, defaults: Defaults, wish: ColumnChoice) -> Column:
    as_state = (wish.missing or defaults.missing) == "state" and summary.missing > 0
    kind, why = judge_column(summary, method=defaults.method, missing_as_state=as_state)
    if wish.rare and kind == "bins" and wish.kind is None:
        raise ValueError(
            f"choice for column {summary.name!r}: rare is only for states, and the "
            "column would be cut into bins; choose kind 'states' too"
        )
    choice = defaults.fill(replace(wish, kind=wish.kind or kind))
    column = replace(
        _build(summary, choice, why if choice.kind == kind else ""),
        missing=summary.missing,
        choice=choice,
        holds=summary.holds,
    )
    note = f" ({summary.note})" if summary.note and column.kind != "left out" else ""
    chosen = " (your choice)" if choice != defaults.fill(ColumnChoice(kind)) else ""
    return replace(column, reason=column.reason + note + chosen)


def _build(summary: ColumnSummary, choice: ColumnChoice, why: str) -> Column:
    name = summary.name
    if choice.kind == "leave out":
        return Column(name, "left out", f"left out: {why}" if why else "left out")
    if choice.kind == "bins":
        made = cut_into_bins(summary, choice)
        column = Column(
            name, "bins", made.reason, made.labels, cut_points=made.cut_points
        )
    else:
        column = _states(summary, choice)
    if choice.missing == "state" and summary.missing > 0:
        states = (*column.states, _unused(_MISSING, column.states))
        reason = f"{column.reason}; missing values are a state of their own"
        column = replace(
            column, states=states, reason=reason, missing_code=len(states) - 1
        )
    if len(column.states) < 2 and column.merged:
        what = f"all {len(column.merged):,} values are rarer than {choice.rare:,} rows"
        return Column(name, "left out", f"left out: {what}", merged=column.merged)
    return column


def _states(summary: ColumnSummary, choice: ColumnChoice) -> Column:
    labels = _value_labels(summary)
    counted = list(zip(labels, summary.counts.tolist(), strict=True))
    merged = [(label, rows) for label, rows in counted if rows < (choice.rare or 0)]
    if len(merged) < 2:
        merged = []
    gone = {label for label, _ in merged}
    states = [label for label in labels if label not in gone]
    code = {label: place for place, label in enumerate(states)}
    noun = _NOUNS[summary.holds]
    reason = f"{len(labels):,} different {noun}s" if len(labels) > 1 else f"1 {noun}"
    if merged:
        states.append(_unused(_OTHER, states))
        reason += (
            f", {len(merged):,} of them in fewer than {choice.rare:,} rows "
            f"({sum(rows for _, rows in merged):,} in all) merged into {states[-1]}"
        )
    return Column(
        summary.name,
        "states",
        reason,
        tuple(states),
        merged=tuple(merged),
        values=tuple(summary.values.tolist()),
        codes=tuple(code.get(label, len(code)) for label in labels),
    )


def _value_labels(summary: ColumnSummary) -> list[str]:
    values = summary.values.tolist()
    if not values or len(values) > MOST_LEVELS:
        much = f"more than {MOST_LEVELS:,} different values"
        raise ValueError(
            f"column {summary.name!r} cannot become states: it has "
            f"{'no values' if summary.present == 0 else much}"
        )
    if summary.holds == "dates":
        return date_texts(values)
    if summary.holds == "numbers":
        return number_labels(values)
    return values


def _unused(label: str, taken: Iterable[str]) -> str:
    """The label, with as many stars as make it different from those taken."""
    while label in taken:
        label += "*"
    return label
