"""How sure a ranking is: intervals from resampled tables, and pairs that tie."""

import numpy as np
import pandas as pd

from siviz.nulls import Centre, NullKind
from siviz.standardized import standardized_information
from siviz.tables import Array, Table


def resample_scores(
    table: Table,
    *,
    draws: int,
    null: NullKind,
    centre: Centre,
    rng: np.random.Generator,
) -> Array:
    """Standardized information of tables drawn from one table's own frequencies.

    A resampled table has the noise of a second sample on top of its own, which raises
    its information; so the draws are moved to have the observed value as their mean.

    Parameters
    ----------
    table : Table
        A single table, with its strata if it is conditional.

    Returns
    -------
    ndarray, shape (draws,)
    """
    cells = table.cells.reshape(-1)
    counts = rng.multinomial(int(table.sample_size), cells / cells.sum(), size=draws)
    drawn = Table.from_cells(counts.reshape(draws, *table.cells.shape).astype(float))
    # The margins differ in every draw, so permutations would take draws x draws tables.
    kind: NullKind = "calibrated" if null == "permutation" else null
    scores = standardized_information(drawn, null=kind, centre=centre)
    observed = standardized_information(table, null=kind, centre=centre)
    return scores - scores.mean() + observed


def stability_frame(scores: Array, draws: Array, *, level: float) -> pd.DataFrame:
    """Intervals of scores and ranks, and tiers, of pairs in the order of their scores.

    Parameters
    ----------
    scores : ndarray, shape (pairs,)
        Falling.
    draws : ndarray, shape (pairs, draws)
        Resampled scores.
    level : float
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        ``score``, ``low``, ``high``, ``rank_low``, ``rank_high`` (best and worst place
        among these pairs), ``tier``: pairs of one tier cannot be told apart from its
        first, because the interval of the difference contains 0.
    """
    tail = (1 - level) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], axis=1)
    places = (-draws).argsort(axis=0).argsort(axis=0) + 1
    best, worst = np.quantile(
        places, [tail, 1 - tail], axis=1, method="closest_observation"
    )
    return pd.DataFrame(
        {
            "score": scores,
            "low": low,
            "high": high,
            "rank_low": best.astype(int),
            "rank_high": worst.astype(int),
            "tier": _tiers(draws, tail),
        }
    )


def _tiers(draws: Array, tail: float) -> list[int]:
    """Number of the tier of each pair: a new one starts where the lead is sure."""
    tiers, leader, tier = [], 0, 1
    for pair in range(len(draws)):
        if np.quantile(draws[leader] - draws[pair], tail) > 0:
            leader, tier = pair, tier + 1
        tiers.append(tier)
    return tiers
