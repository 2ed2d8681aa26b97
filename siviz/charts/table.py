"""A contingency table as a heat map of counts against what independence expects."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.labels import LONGEST, short_labels
from siviz.charts.theme import TEXT, contrast_scale, page_wide
from siviz.markup import shorten, visible
from siviz.tables import Counts, as_table


def table_frame(
    counts: Counts,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
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

    Returns
    -------
    DataFrame
        ``row``, ``column`` (short labels), ``row_state``, ``column_state`` (whole
        ones), ``count``, ``expected``, ``residual``.

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
    row_labels, column_labels = short_labels(rows), short_labels(columns)
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
        }
    )


def residual_limit(frame: pd.DataFrame) -> float:
    """The residual that has full colour, at least 3."""
    return max(float(frame["residual"].abs().max()), 3.0)


def table_chart(
    frame: pd.DataFrame, *, names: tuple[str, str] = ("A", "B")
) -> alt.LayerChart:
    """Counts on cells coloured by their residual: blue for more than expected.

    Parameters
    ----------
    frame : DataFrame
        As `table_frame` returns.
    names : (str, str)
        Names of the variables of the rows and of the columns.
    """
    limit = residual_limit(frame)
    row_name, column_name = (shorten(visible(name), LONGEST) for name in names)
    rows, columns = (frame[name].unique().tolist() for name in ("row", "column"))
    base = alt.Chart(frame).encode(
        x=alt.X("column:N", title=column_name)
        .scale(domain=columns)
        .axis(orient="top", labelAngle=-45 if max(map(len, columns)) > 8 else 0),
        y=alt.Y("row:N", title=row_name).scale(domain=rows),
    )
    cells = base.mark_rect().encode(
        color=alt.Color("residual:Q", title="residual (standard deviations)")
        .scale(contrast_scale(limit))
        .legend(orient="bottom", gradientLength=180),
        # Titles are never names of the data: to Vega "image" and "title" are commands.
        tooltip=[
            alt.Tooltip("row_state:N", title="row"),
            alt.Tooltip("column_state:N", title="column"),
            alt.Tooltip("count:Q", format=",d"),
            alt.Tooltip("expected:Q", format=",.2f"),
            alt.Tooltip("residual:Q", format="+.2f"),
        ],
    )
    strong = f"abs(datum.residual) > {0.6 * limit}"
    numbers = base.mark_text(fontSize=15).encode(
        text=alt.Text("count:Q", format=",d"),
        color=alt.when(strong).then(alt.value("white")).otherwise(alt.value(TEXT)),
    )
    return page_wide(
        cells + numbers,
        height=48 * len(rows),
        description="Counts of two variables, coloured by their Pearson residuals",
    )
