"""One pair of columns: its table as a heat map, and what stands out in it."""

from typing import Final

import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.labels import LONGEST_OF_PAIR, markdown_name, told_state
from siviz.charts.table import View, table_chart, table_frame
from siviz.measures import MEASURES
from siviz.nulls import null_moments, takes_few_values
from siviz.significance import significance_threshold
from siviz.single_pair import SinglePair

MOST_STATES: Final = 50
"""States a side of the largest heat map; rarer ones are merged."""
LEVEL: Final = 0.05
"""Share of independent pairs that a threshold lets pass."""


def pair_frame(pair: SinglePair) -> pd.DataFrame:
    """The cells of a pair as `siviz.charts.table.table_frame` gives them."""
    shown = pair.shown(MOST_STATES)
    return table_frame(
        shown.table,
        rows=list(shown.first.states),
        columns=list(shown.second.states),
        longest=LONGEST_OF_PAIR,
    )


def pair_figure(pair: SinglePair, view: View) -> Figure:
    """The table of a pair as a heat map, with a sentence."""
    frame = pair_frame(pair)
    return Figure.of_chart(
        table_chart(frame, names=pair.names, view=view),
        "Heat map of the counts of a pair",
        pair_sentence(pair, frame, view),
        frame,
    )


def pair_sentence(pair: SinglePair, frame: pd.DataFrame, view: View) -> str:
    """Which cell stands out in this view, and what the picture leaves out."""
    shares = view.startswith("shares")
    field = f"{view.removeprefix('shares by ')}_share" if shares else "residual"
    cell = frame.iloc[int(frame[field].abs().argmax())]
    row, column = (
        told_state(name, cell[state])
        for name, state in zip(pair.names, ("row_state", "column_state"), strict=True)
    )
    if view == "shares by row":
        told = f"The largest share: of the rows with {row}, {_percent(cell[field])} "
        told += f"have {column}."
    elif view == "shares by column":
        told = f"The largest share: of the rows with {column}, {_percent(cell[field])} "
        told += f"have {row}."
    else:
        told = f"The cell furthest from independence is {row} with {column}: "
        told += f"{cell['count']:,.0f} rows, where {_expected(cell['expected'])} would "
        told += f"be expected (residual {_signed(cell['residual'])})."
    return f"{told} {_left_out(pair)}".strip()


def pair_verdict(pair: SinglePair) -> str:
    """What the calibrated null says of the pair, in words."""
    table = pair.table
    null = null_moments(table)
    if float(table.dof) == 0:
        return "In these rows a column has only one state: there is nothing to measure."
    if float(null.variance) == 0:
        return "The margins leave no freedom: these counts say nothing of dependence."
    si = float(MEASURES["si_calibrated"](table))
    limit = float(significance_threshold(LEVEL))
    chance = f"{limit:.2f}, which {100 * LEVEL:.0f} % of independent pairs exceed"
    verdict = (
        f"beyond {chance}: the columns depend on each other"
        if si > limit
        else f"not beyond {chance}: chance alone often gives as much"
    )
    given = f" within {markdown_name(pair.given.name)}" if pair.given else ""
    told = f"SI = {si:.2f}{given} is {verdict}."
    if takes_few_values(null.deviation, table.dof):
        told += (
            f" **With care**: so sparse that G takes only a few values (its standard "
            f"deviation under independence is {float(null.deviation):.2g}), so SI, its "
            "interval and every smooth p-value are rough; trust the permutations."
        )
    return told


def _left_out(pair: SinglePair) -> str:
    """What the picture merges or leaves out, in words."""
    told = []
    counts = pair.counts
    for column, axis in ((pair.first, 1), (pair.second, 0)):
        name = markdown_name(column.name)
        occurring = int((counts.sum(axis=axis) > 0).sum())
        absent = len(column.states) - occurring
        if absent:
            states = "state" if absent == 1 else "states"
            told.append(f"{absent:,} {states} of {name} never occur here.")
        if occurring > MOST_STATES:
            told.append(
                f"Of {name} the {MOST_STATES - 1} most frequent of {occurring:,} "
                "states are drawn, the others together."
            )
    return " ".join(told)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


def _expected(count: float) -> str:
    return f"{count:,.1f}" if count >= 0.1 else f"{count:.1g}"


def _signed(residual: float) -> str:
    return f"{residual:+.1f}".replace("-", "−")
