"""A contingency table as a heat map of counts against what independence expects."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias, get_args

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.labels import LONGEST, short_labels, short_name
from siviz.charts.theme import TEXT, contrast_scale, page_wide, strength_scale
from siviz.tables import Array, Counts, as_table

View: TypeAlias = Literal["counts", "residuals", "shares by row", "shares by column"]
VIEWS: Final[tuple[View, ...]] = get_args(View)
"""What the numbers on the cells can be."""
_FIELDS: Final[dict[View, tuple[str, str]]] = {
    "counts": ("count", ",.0f"),
    "residuals": ("residual", "+.1f"),
    "shares by row": ("row_share", ".0%"),
    "shares by column": ("column_share", ".0%"),
}
# Characters of all labels of the columns that stand side by side on a phone.
_FLAT_CHARACTERS: Final = 40
_SMALLEST_FONT: Final = 8
MANY_COLUMNS: Final = 12
"""From more columns on a table wants the whole width of a page."""


def table_frame(
    counts: Counts,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    longest: int = LONGEST,
) -> pd.DataFrame:
    """One row a cell: its states, ``count``, ``expected`` and ``residual``.

    The residual is Pearson's, ``(count - expected) / sqrt(expected)``, and 0 where
    nothing is expected.  Strata of a conditional table are added up, counts and what
    is expected in each.

    Parameters
    ----------
    counts : array_like or Table, shape (rows, columns)
    rows, columns : sequence of str, optional
        Labels of the states; A1, A2, … and B1, B2, … by default.
    longest : int
        Characters of a short label.

    Returns
    -------
    DataFrame
        ``row``, ``column`` (short labels), ``row_state``, ``column_state`` (whole
        ones), ``count``, ``expected``, ``residual``, and the share of the count in
        its row and in its column, ``row_share`` and ``column_share`` (0 in an empty
        one).

    Examples
    --------
    >>> frame = table_frame([[30, 10], [10, 30]], rows=["no", "yes"])
    >>> frame[["row", "column", "count", "expected"]].head(2)
      row column  count  expected
    0  no     B1   30.0      20.0
    1  no     B2   10.0      20.0
    """
    table = as_table(counts)
    cells, expected = table.cells.sum(axis=0), table.expected.sum(axis=0)
    rows = rows or [f"A{i + 1}" for i in range(len(cells))]
    columns = columns or [f"B{j + 1}" for j in range(cells.shape[1])]
    spread = np.sqrt(np.where(expected > 0, expected, 1))
    row_labels, column_labels = (
        short_labels(names, longest) for names in (rows, columns)
    )
    states = [(row, column) for row in rows for column in columns]
    return pd.DataFrame(
        {
            "row": [row_labels[row] for row, _ in states],
            "column": [column_labels[column] for _, column in states],
            "row_state": [row for row, _ in states],
            "column_state": [column for _, column in states],
            "count": cells.ravel(),
            "expected": expected.ravel(),
            "residual": ((cells - expected) / spread).ravel(),
            "row_share": _shares(cells, axis=1),
            "column_share": _shares(cells, axis=0),
        }
    )


def _shares(cells: Array, *, axis: int) -> Array:
    return (cells / np.maximum(cells.sum(axis=axis, keepdims=True), 1)).ravel()


def residual_limit(frame: pd.DataFrame) -> float:
    """The residual that has full colour, at least 3."""
    return max(float(frame["residual"].abs().max()), 3.0)


def table_chart(
    frame: pd.DataFrame,
    *,
    names: tuple[str, str] = ("A", "B"),
    view: View = "counts",
) -> alt.LayerChart:
    """Numbers on coloured cells, from 2 x 2 to 50 x 50 states.

    Parameters
    ----------
    frame : DataFrame
        As `table_frame` returns.
    names : (str, str)
        Names of the variables of the rows and of the columns.
    view : {"counts", "residuals", "shares by row", "shares by column"}
        Counts and residuals are coloured by their residuals: blue for more than
        independence expects.
    """
    row_name, column_name = (short_name(name) for name in names)
    rows, columns = (frame[name].unique().tolist() for name in ("row", "column"))
    flat = len(columns) * max(map(len, columns)) <= _FLAT_CHARACTERS
    many = len(columns) > MANY_COLUMNS
    angle = 0 if flat else -90 if many else -45
    base = alt.Chart(frame).encode(
        x=alt.X("column:N", title=column_name)
        .scale(domain=columns)
        .axis(orient="top", labelAngle=angle, labelLimit=150, labelOverlap=many),
        y=alt.Y("row:N", title=row_name)
        .scale(domain=rows)
        .axis(labelLimit=150, labelOverlap=False),
    )
    cells = base.mark_rect().encode(
        color=_cell_colour(frame, view),
        # Titles are never names of the data: to Vega "image" and "title" are commands.
        tooltip=[
            alt.Tooltip("row_state:N", title="row"),
            alt.Tooltip("column_state:N", title="column"),
            alt.Tooltip("count:Q", format=",d"),
            alt.Tooltip("expected:Q", format=",.2f"),
            alt.Tooltip("residual:Q", format="+.2f"),
            alt.Tooltip("row_share:Q", title="share of the row", format=".1%"),
            alt.Tooltip("column_share:Q", title="share of the column", format=".1%"),
        ],
    )
    step = 48 if len(rows) <= 6 else 32 if len(rows) <= 12 else 18
    return page_wide(
        cells + _cell_numbers(base, frame, view, step, len(columns)),
        height=step * len(rows),
        description="Counts of two variables, coloured by their Pearson residuals"
        if view in ("counts", "residuals")
        else f"Counts of two variables as {view}",
    )


def _cell_colour(frame: pd.DataFrame, view: View) -> alt.Color:
    if view in ("counts", "residuals"):
        colour = alt.Color("residual:Q", title="residual (standard deviations)")
        colour = colour.scale(contrast_scale(residual_limit(frame)))
        return colour.legend(orient="bottom", gradientLength=180, titleLimit=300)
    colour = alt.Color(f"{_FIELDS[view][0]}:Q", title=view).scale(strength_scale(1))
    return colour.legend(orient="bottom", gradientLength=180, format=".0%")


def _cell_numbers(
    base: alt.Chart, frame: pd.DataFrame, view: View, step: int, columns: int
) -> alt.Chart:
    """Numbers as large as their cells allow, and none where they would be too small."""
    field, form = _FIELDS[view]
    strong = (
        f"abs(datum.residual) > {0.6 * residual_limit(frame)}"
        if view in ("counts", "residuals")
        else f"datum.{field} > 0.6"
    )
    longest = max(len(format(value, form)) for value in frame[field])
    room = f"width / {columns * max(0.62 * longest, 1):.3f}"
    return base.mark_text(
        fontSize=alt.expr(f"min(15, {step - 6}, {room})"),
        opacity=alt.expr(f"{room} < {_SMALLEST_FONT} ? 0 : 1"),
    ).encode(
        text=alt.Text(f"{field}:Q", format=form),
        color=alt.when(strong).then(alt.value("white")).otherwise(alt.value(TEXT)),
    )
