"""A contingency table as a heat map of counts against what independence expects."""

import altair as alt
import numpy as np
import pandas as pd

from siviz.tables import Table


def table_frame(counts: np.ndarray) -> pd.DataFrame:
    """One row a cell: ``row``, ``column``, ``count``, ``expected``, ``residual``.

    The residual is Pearson's, ``(count - expected) / sqrt(expected)``, and 0 where
    nothing is expected.
    """
    table = Table(counts)
    cells, expected = table.cells[0], table.expected[0]
    spread = np.sqrt(np.where(expected > 0, expected, 1))
    rows, columns = np.indices(cells.shape)
    return pd.DataFrame(
        {
            "row": [f"A{i + 1}" for i in rows.ravel()],
            "column": [f"B{j + 1}" for j in columns.ravel()],
            "count": cells.ravel(),
            "expected": expected.ravel(),
            "residual": ((cells - expected) / spread).ravel(),
        }
    )


def table_chart(frame: pd.DataFrame) -> alt.LayerChart:
    """Counts on cells coloured by their residual: blue for more than expected."""
    limit = max(float(frame["residual"].abs().max()), 3.0)
    base = alt.Chart(frame).encode(
        x=alt.X("column:N", title="B", axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("row:N", title="A"),
    )
    cells = base.mark_rect().encode(
        color=alt.Color("residual:Q", title="residual")
        .scale(scheme="blueorange", reverse=True, domain=[-limit, limit])
        .legend(orient="bottom", gradientLength=180),
        tooltip=[
            alt.Tooltip("row:N", title="A"),
            alt.Tooltip("column:N", title="B"),
            alt.Tooltip("count:Q", format=",d"),
            alt.Tooltip("expected:Q", format=",.2f"),
            alt.Tooltip("residual:Q", format="+.2f"),
        ],
    )
    strong = f"abs(datum.residual) > {0.6 * limit}"
    numbers = base.mark_text(fontSize=15).encode(
        text=alt.Text("count:Q", format=",d"),
        color=alt.condition(strong, alt.value("white"), alt.value("#222")),
    )
    return (cells + numbers).properties(height=alt.Step(48))
