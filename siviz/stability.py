"""How sure a ranking is: intervals from resampled tables, and pairs that tie."""

from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd
from scipy.special import rel_entr
from scipy.stats import rankdata

from siviz.information import likelihood_ratio
from siviz.nulls import Centre, NullKind, null_moments
from siviz.standardized import standardized_information
from siviz.tables import Array, Table

# Cells drawn at once, for the memory.
_BATCH: Final = 1_000_000
# Halvings of an interval: the share is then known to nine digits.
_HALVINGS: Final = 30


def resample_scores(
    table: Table,
    *,
    draws: int,
    null: NullKind,
    centre: Centre,
    rng: np.random.Generator,
) -> Array:
    """Standardized information of tables drawn from what is behind one table.

    A table's own frequencies hold more dependence than the distribution it came from,
    and its empty cells stay empty in every draw.  So tables are drawn from a mixture of
    its frequencies and of independence that holds its G less the null's mean.  What
    bias is left is taken away: the draws have the observed value as their mean.

    Measured share of 95 % intervals that hold the expected value (2 x 2 to 8 x 8
    states, N = 50 to 1,000): 88 to 96 % for clear dependences, 90 to 99 % for weak ones
    and without any; 81 to 100 % where so few observations break the dependence that
    they are 1 or 2, or 0.

    Parameters
    ----------
    table : Table
        A single table, with its strata if it is conditional.

    Returns
    -------
    ndarray, shape (draws,)
    """
    # The margins differ in every draw, so permutations would take draws x draws tables.
    kind: NullKind = "calibrated" if null == "permutation" else null
    shares = _shrunk(table, kind).reshape(-1)
    shares /= shares.sum()
    scores = np.empty(draws)
    step = max(_BATCH // shares.size, 1)
    for begin in range(0, draws, step):
        part = scores[begin : begin + step]
        counts = rng.multinomial(int(table.sample_size), shares, size=part.size)
        cells = counts.reshape(part.size, *table.cells.shape).astype(float)
        drawn = Table.from_cells(cells)
        part[:] = standardized_information(drawn, null=kind, centre=centre)
    observed = standardized_information(table, null=kind, centre=centre)
    return scores - scores.mean() + observed


def _shrunk(table: Table, null: NullKind) -> Array:
    """Cells between the table and independence with ``max(G - m, 0)`` as their G."""
    goal = likelihood_ratio(table) - null_moments(table, kind=null).mean
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        cells = share * table.cells + (1 - share) * table.expected
        enough = 2 * rel_entr(cells, table.expected).sum() >= goal
        low, high = (low, share) if enough else (share, high)
    return low * table.cells + (1 - low) * table.expected


def pair_generator(
    rng: np.random.Generator | int | None,
) -> Callable[[int, int], np.random.Generator]:
    """Random numbers for each pair of columns, by their positions in any order.

    They do not depend on which other pairs are resampled, so that a pair has the same
    interval by itself as in a ranking.
    """
    base = int(np.random.default_rng(rng).integers(2**63))
    return lambda a, b: np.random.default_rng([base, min(a, b), max(a, b)])


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
    best, worst = (
        np.quantile(
            rankdata(-draws, method=tied, axis=0),
            share,
            axis=1,
            method="closest_observation",
        )
        for tied, share in (("min", tail), ("max", 1 - tail))
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
