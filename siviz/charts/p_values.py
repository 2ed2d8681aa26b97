"""p-values of one table as the sample grows, and how each way to compute them dies."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import altair as alt
import numpy as np
import pandas as pd
from scipy import stats

from siviz.charts.figure import Figure
from siviz.charts.frame import Data, apart, look, raised_ten
from siviz.charts.theme import LINE_LEGEND, RED, TEXT
from siviz.information import likelihood_ratio, mutual_information
from siviz.significance import (
    cdf_p_value,
    fisher_log_p_value,
    log_p_value,
    survival_p_value,
)
from siviz.standardized import standardized_information
from siviz.tables import Array, Counts, Table, as_table

METHODS: Final = {
    "log p": look("log10_p"),
    "Fisher's normal": look("si_calibrated"),
    "survival function": look("p_value"),
    "1 − cdf": look("p_value_2006"),
}
"""Ways to compute a p-value, with their looks."""

MOST: Final = 10_000_000
"""Tables are drawn up to this sample size."""
_STEPS: Final = 160
_TICKS: Final = [0, 1, 3, 16, 100, 308, 1e3, 1e4, 1e5, 1e6, 1e7]
_LOG10: Final = float(np.log(10))


def copies_of(counts: Counts, copies: Sequence[int] | Array | int) -> Table:
    """The table with every count multiplied: the same shares, more data."""
    factor = np.asarray(copies, dtype=float)[..., None, None]
    return Table(as_table(counts).cells[0] * factor)


def log10_p_values(counts: Counts) -> dict[str, Array]:
    """Decimal logarithm of p by every method; -inf where it comes out as 0."""
    with np.errstate(divide="ignore"):
        return {
            "log p": log_p_value(counts) / _LOG10,
            "Fisher's normal": fisher_log_p_value(counts) / _LOG10,
            "survival function": np.log10(survival_p_value(counts)),
            "1 − cdf": np.log10(cdf_p_value(counts)),
        }


def p_values_frame(counts: Counts) -> pd.DataFrame:
    """The same table as N grows: ``method``, ``copies``, ``N``, ``places``.

    ``places`` is -log10 p, the number of zeros behind the decimal point; missing where
    the method gives p = 0.
    """
    size = float(as_table(counts).sample_size)
    copies = np.unique(np.round(np.geomspace(1, max(MOST / size, 1), _STEPS)))
    grown = copies_of(counts, copies)
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "method": method,
                    "copies": copies,
                    "N": copies * size,
                    "places": np.where(np.isfinite(value), np.abs(value), np.nan),
                }
            )
            for method, value in log10_p_values(grown).items()
        ],
        ignore_index=True,
    )


def last_sizes(frame: pd.DataFrame) -> dict[str, float]:
    """The largest N drawn at which a method still tells p from 0, where it ends."""
    ends = frame.dropna().groupby("method")["N"].max()
    return {method: end for method, end in ends.items() if end < frame["N"].max()}  # type: ignore[misc]


def p_values_figure(growth: pd.DataFrame) -> Figure:
    """`p_values_frame` as a chart; see `at_size` for the line in it."""
    return Figure(
        p_values_chart,
        {
            "curves": growth.dropna(),
            "ends": _ends(growth),
            "here": pd.DataFrame({"N": [], "told": []}),
        },
        "Minus log p of one table against the sample size, by several methods",
        p_values_sentence(growth),
        table=growth,
    )


def at_size(figure: Figure, sample_size: float) -> Figure:
    """A `p_values_figure` with a line at one sample size."""
    beyond = " →" if sample_size > MOST else ""
    told = f"N = {sample_size:,.0f}{beyond}"
    here = {"N": [min(sample_size, MOST)], "told": [told]}
    return replace(figure, frames={**figure.frames, "here": pd.DataFrame(here)})


def p_values_chart(curves: Data, ends: Data, here: Data) -> alt.LayerChart:
    """Zeros behind the point against N; a cross where a method falls to p = 0."""
    x = alt.X("N:Q", title="sample size N (the same table, copied)")
    x = x.scale(type="log", domain=[10, MOST], nice=False).axis(
        values=[10.0**power for power in range(1, 8)], format="~s"
    )
    y = alt.Y("places:Q", title="−log₁₀ p, zeros behind the point")
    y = y.scale(type="symlog", constant=1, domain=[0, MOST], nice=False)
    y = y.axis(values=_TICKS, labelExpr="format(datum.value, '~s')")
    names = list(METHODS)
    colour = alt.Color("method:N", title=None).scale(
        domain=names, range=[METHODS[name].colour for name in names]
    )
    dash = alt.StrokeDash("method:N", title=None).scale(
        domain=names, range=[list(METHODS[name].dash) for name in names]
    )
    told = [
        alt.Tooltip("method:N"),
        alt.Tooltip("N:Q", format=",.0f"),
        alt.Tooltip("places:Q", title="−log10 p", format=",.2f"),
    ]
    base = alt.Chart(curves).encode(x=x, y=y, color=colour, tooltip=told)
    lines = base.mark_line(strokeWidth=2.5, clip=True).encode(
        strokeDash=dash,
        color=colour.legend(orient="top", columns=2, labelLimit=200, **LINE_LEGEND),
    )
    last = alt.Chart(ends).encode(x=x, y=y, color=colour, tooltip=told)
    crosses = last.mark_point(shape="cross", size=160, filled=True, angle=45, opacity=1)
    labels = last.mark_text(align="left", dx=10, dy=12, fontSize=12)
    labels = labels.encode(text="told:N", color=alt.value(TEXT))
    chosen = alt.Chart(here).encode(x=x)
    rule = chosen.mark_rule(color=RED, strokeWidth=2, clip=True)
    name = chosen.mark_text(align="right", dx=-6, dy=10, fontSize=13)
    name = name.encode(y=alt.value(0), text="told:N")
    layers = rule + name + lines + crosses + labels
    return layers.properties(height=440)


def _ends(frame: pd.DataFrame) -> pd.DataFrame:
    """The last point of each method that falls to p = 0."""
    known = frame.dropna().assign(told=frame["method"] + " ends")
    last = known["method"].map(last_sizes(frame))
    return known[known["N"] == last]


def p_values_sentence(frame: pd.DataFrame) -> str:
    """Where each method falls to p = 0, in words."""
    ends = last_sizes(frame)
    exact = frame[frame["method"] == "log p"].iloc[-1]
    if exact["places"] < 1e-9:
        return "This table is exactly independent: p = 1 for every sample size."
    known = set(frame.dropna()["method"])
    told = [
        f"**{method}** gives p = 0 beyond about N = {ends[method]:,.0f}"
        if method in known
        else f"**{method}** gives p = 0 from the first copy on"
        for method in ("1 − cdf", "survival function")
        if method in ends or method not in known
    ]
    goes_on = (
        f"log p goes on, to {power_of_ten(-exact['places'])} at N = {exact['N']:,.0f}."
        if exact["places"] >= 1
        else f"Even at N = {exact['N']:,.0f} p is {10 ** -exact['places']:.2g}."
    )
    return f"{', '.join(told)}. {goes_on}" if told else goes_on


def printed_frame(counts: Counts) -> pd.DataFrame:
    """What is printed for a table, computed here and now: ``tool``, ``prints``."""
    table = as_table(counts)
    cells = table.cells[0]
    occurring = cells[cells.sum(axis=1) > 0][:, cells.sum(axis=0) > 0]
    tested = stats.chi2_contingency(
        occurring, correction=False, lambda_="log-likelihood"
    )
    g, dof = float(likelihood_ratio(table)), max(float(table.dof), 1)
    with np.errstate(divide="ignore"):
        log_survival = float(stats.chi2.logsf(g, dof)) if table.dof > 0 else 0.0
    exact = float(log_p_value(table)) / _LOG10
    cut = float(np.finfo(float).eps)
    return pd.DataFrame(
        [
            ("1 − cdf, as in 2006", repr(float(cdf_p_value(table)))),
            ("R's tests", _cut(exact, cut)),
            ("scipy chi2.sf", repr(float(survival_p_value(table)))),
            ("scipy chi2.logsf", repr(log_survival)),
            ("scipy chi2_contingency", repr(float(tested.pvalue))),
            ("siviz log_p_value", power_of_ten(exact)),
        ],
        columns=["tool", "prints"],
    )


def _cut(log10_p: float, cut: float) -> str:
    return f"< {cut:.1e}" if log10_p < np.log10(cut) else f"{10**log10_p:.4g}"


def power_of_ten(log10_p: float) -> str:
    """A p-value of any size for a reader.

    Examples
    --------
    >>> power_of_ten(-3153.02), power_of_ten(-1.3)
    ('9.55 × 10⁻³¹⁵⁴', '0.0501')
    """
    if log10_p >= -4:
        return f"{10**log10_p:.3g}"
    digits, exponent = f"{10 ** (log10_p % 1):.2e}".split("e")
    power = int(np.floor(log10_p)) + int(exponent)
    return f"{digits} × {raised_ten(power)}"


def weaker_rival(counts: Counts) -> Array:
    """The table moved half way to independence, rounded to whole numbers."""
    table = as_table(counts)
    return np.rint((table.cells[0] + table.expected[0]) / 2)


def cells_frame(counts: Counts) -> pd.DataFrame:
    """One table for a reader, with named columns."""
    cells = as_table(counts).cells[0].astype(int)
    frame = pd.DataFrame(cells, columns=[f"B{j + 1}" for j in range(cells.shape[1])])
    frame.insert(0, "", [f"A{i + 1}" for i in range(cells.shape[0])])
    return frame


def tie_frame(counts: Counts, rival: Counts) -> pd.DataFrame:
    """Both tables by each measure, and which is called stronger: a row a measure."""
    tables = (as_table(counts), as_table(rival))
    ways = [log10_p_values(table) for table in tables]
    rows = []
    for method in ("1 − cdf", "survival function", "log p"):
        values = [-float(way[method]) for way in ways]
        printed = ["0" if np.isinf(value) else power_of_ten(-value) for value in values]
        rows.append((f"p by {method}", *printed, _first(values)))
    for name, function in (
        ("mutual information, nats", mutual_information),
        ("standardized information", standardized_information),
    ):
        values = [float(function(table)) for table in tables]
        rows.append((name, *apart(*values), _first(values)))
    return pd.DataFrame(rows, columns=["measure", "table", "rival", "ranked first"])


def _first(values: Sequence[float]) -> str:
    if values[0] == values[1]:
        return "tie"
    return "table" if values[0] > values[1] else "rival"


def tie_sentence(frame: pd.DataFrame) -> str:
    """Which measures cannot tell the two tables apart, in words."""
    tied = list(frame.loc[frame["ranked first"] == "tie", "measure"])
    nats = frame.set_index("measure").loc["mutual information, nats"]
    known = f"The table holds {nats['table']} nats, its rival {nats['rival']}."
    if len(tied) == len(frame):
        return f"{known} They are equally dependent: there is nothing to rank."
    if not tied:
        return f"{known} At this sample size every way still tells them apart."
    return f"{known} They tie for {' and '.join(tied)}."
