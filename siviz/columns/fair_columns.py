"""Bins of all numeric columns that tell most about a target (Sec. 7.1)."""

from collections.abc import Container, Iterable
from dataclasses import replace

from siviz.columns import Column, ColumnChoice
from siviz.columns.cut_points import number_text
from siviz.cooccurrence import Cooccurrence
from siviz.fair_bins import FINE_BINS, fair_bins


def fine_choices(columns: Iterable[Column], target: str) -> dict[str, ColumnChoice]:
    """Choices that cut numbers into a fine grid where the bins were left to us.

    Columns whose bins or cut points the reader chose keep them, and so does the target.
    """
    return {
        column.name: replace(column.choice, bins=FINE_BINS, method="frequency")
        for column in columns
        if column.kind == "bins"
        and column.name != target
        and column.choice.cut_points is None
    }


def fair_choices(
    columns: Iterable[Column], counted: Cooccurrence, fine: Container[str]
) -> dict[str, tuple[ColumnChoice, str]]:
    """Of the fine grids the cut points that tell most about the target, and why.

    Parameters
    ----------
    columns : iterable of Column
        The columns that were counted, in their order.
    counted : Cooccurrence
        Counts of these columns against the target.
    fine : container of str
        Names of the columns cut into a fine grid.
    """
    choices = {}
    for place, column in enumerate(columns):
        if column.name not in fine or column.kind != "bins" or counted.target is None:
            continue
        fair = fair_bins(counted.table(place, counted.target))
        if len(fair.groups) < 2:
            continue
        cuts = tuple(column.cut_points[group[0] - 1] for group in fair.groups[1:])
        reason = (
            f"{len(column.states)} fine bins merged into the {len(fair.groups)} that "
            f"tell most about the target, cut at {', '.join(map(_short, cuts))} "
            f"(p = {fair.p_value:.3f} against the same search in random tables)"
        )
        missing = column.choice.missing
        choices[column.name] = ColumnChoice(cut_points=cuts, missing=missing), reason
    return choices


def _short(cut: float | str) -> str:
    return cut if isinstance(cut, str) else number_text(cut)
