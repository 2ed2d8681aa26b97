"""One table of counts: a heat map, a sentence, and every measure for a reader."""

import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import signed
from siviz.charts.measures import measures_frame
from siviz.charts.table import table_chart, table_frame
from siviz.information import likelihood_ratio
from siviz.nulls import null_moments, takes_few_values
from siviz.significance import significance_threshold
from siviz.standardized import standardized_information
from siviz.tables import Counts, as_table

_FEW = 50
"""Observations below which a table has few values of G, however few its cells."""


def one_table_figure(counts: Counts) -> Figure:
    """The counts, coloured by their distance from independence."""
    cells = table_frame(counts)
    return Figure.of_chart(
        table_chart(cells),
        "Counts of two variables, coloured by their distance from independence",
        one_table_sentence(counts),
        cells,
    )


def one_table_sentence(counts: Counts) -> str:
    """What the calibrated null says of a table, in words."""
    null, g = null_moments(counts), float(likelihood_ratio(counts))
    if float(null.variance) == 0:
        return "These margins leave G no freedom: the counts say nothing of dependence."
    si = float(standardized_information(counts, null=null, centre="fisher"))
    limit = float(significance_threshold(0.05))
    beyond = "above" if si > limit else "not above"
    table = as_table(counts)
    few = takes_few_values(null.deviation, table.dof) or table.sample_size < _FEW
    rough = " (roughly, for G can take only few values here)" if few else ""
    return (
        f"Independence predicts G = {null.mean:.1f} ± {null.deviation:.1f}; here it is "
        f"{g:.1f}. That makes **calibrated SI = {signed('{:.2f}', si)}**, {beyond} "
        f"{limit:.2f}, which chance exceeds in about 5 % of independent tables{rough}."
    )


def measures_table(counts: Counts) -> pd.DataFrame:
    """Every measure for a reader: ``measure``, ``value``, ``unit``, ``stronger``."""
    frame = measures_frame(counts).drop(columns="fails")
    return frame.assign(value=[_told(value) for value in frame["value"]])


def _told(value: float) -> str:
    return "undefined" if np.isnan(value) else signed("{:.4g}", value)
