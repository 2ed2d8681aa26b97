"""One table of counts: a heat map, a sentence, and every measure for a reader."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import signed
from siviz.charts.measures import measures_frame
from siviz.charts.table import table_chart, table_frame
from siviz.information import likelihood_ratio
from siviz.nulls import Null
from siviz.significance import significance_threshold
from siviz.tables import Counts


def one_table_figure(counts: Counts, nulls: Mapping[str, Null]) -> Figure:
    """The counts, coloured by their distance from independence.

    ``nulls`` are the calibrated one and one with random tables, by their kinds.
    """
    cells = table_frame(counts)
    return Figure.of_chart(
        table_chart(cells),
        "Counts of two variables, coloured by their distance from independence",
        one_table_sentence(counts, nulls),
        cells,
    )


def one_table_sentence(counts: Counts, nulls: Mapping[str, Null]) -> str:
    """What the calibrated null says of a table, and how often chance says more."""
    null, g = nulls["calibrated"], float(likelihood_ratio(counts))
    if float(null.variance) == 0:
        return "These margins leave G no freedom: the counts say nothing of dependence."
    si = float(null.standardize(g, centre="fisher"))
    limit = float(significance_threshold(0.05))
    beyond = "above" if si > limit else "not above"
    random = np.asarray(nulls["permutation"].draws)
    share = np.mean(null.standardize(random, centre="fisher") > limit)
    return (
        f"Independence predicts G = {null.mean:,.1f} ± {null.deviation:,.1f}; here it "
        f"is {g:,.1f}. That makes **calibrated SI = {signed('{:.2f}', si)}**, {beyond} "
        f"{limit:.2f}, the threshold for 5 %: of {random.size:,} random tables with "
        f"the same margins {share:.1%} lie above it."
    )


def measures_table(counts: Counts) -> pd.DataFrame:
    """Every measure for a reader: ``measure``, ``value``, ``unit``, ``stronger``."""
    frame = measures_frame(counts).drop(columns="fails")
    return frame.assign(value=[_told(value) for value in frame["value"]])


def _told(value: float) -> str:
    return "undefined" if np.isnan(value) else signed("{:.4g}", value)
