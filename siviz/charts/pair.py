"""One pair of a ranking: its tables, and what every measure says of it in words."""

import numpy as np
import pandas as pd

from siviz.charts.measures import measures_frame
from siviz.nulls import null_moments
from siviz.ranking import Ranking
from siviz.significance import significance_threshold
from siviz.standardized import standardized_information
from siviz.tables import Table


def pair_table(ranking: Ranking, first: str, second: str) -> Table:
    """The table of a pair, with its strata if the ranking is conditional."""
    prepared = ranking.prepared
    a, b = prepared.position(first), prepared.position(second)
    return Table.from_cells(np.stack([part.table(a, b) for part in prepared.counted]))


def pair_measures(table: Table) -> pd.DataFrame:
    """One row a measure: its value, unit and direction."""
    return measures_frame(table).drop(columns="fails")


def pair_sentence(table: Table, first: str, second: str) -> str:
    """What the calibrated null says of the pair, in words."""
    null = null_moments(table)
    si = float(standardized_information(table, null=null, centre="fisher"))
    limit = float(significance_threshold(0.05))
    predicted = f"Independence predicts G = {null.mean:.1f} ± {null.deviation:.1f}"
    if float(null.variance) == 0:
        return "The margins leave no freedom: these counts say nothing of dependence."
    verdict = (
        "more than 95 % of independent tables reach"
        if si > limit
        else "no more than independent tables often reach"
    )
    return f"{predicted}. SI = {si:.2f} is {verdict}."
