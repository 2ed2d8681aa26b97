"""Measures to compare with: model scores, Cramér's V, AMI and Theil's U."""

from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from scipy.special import gammaln

from siviz.information import (
    Average,
    average_entropy,
    entropy,
    likelihood_ratio,
    mutual_information,
)
from siviz.nulls import null_moments
from siviz.tables import Array, Table, statistic

Correction: TypeAlias = Literal["none", "bergsma"]


@statistic
def akaike_score(table: Table) -> Array:
    """Akaike's score of "dependent" against "independent", ``G/2 - d`` (Sec. 5.1).

    In nats; larger is stronger, above 0 the dependent model is preferred.

    Examples
    --------
    >>> round(float(akaike_score([[30, 10], [10, 30]])), 3)
    9.465
    """
    return likelihood_ratio(table) / 2 - table.dof


@statistic
def bayesian_information_score(table: Table) -> Array:
    """BIC, or description length, of "dependent" against "independent" (Sec. 5.1).

    ``G/2 - d log(N)/2``, in nats; larger is stronger, above 0 the dependent model is
    preferred.

    Examples
    --------
    >>> round(float(bayesian_information_score([[30, 10], [10, 30]])), 3)
    8.274
    """
    return likelihood_ratio(table) / 2 - table.dof * np.log(table.sample_size) / 2


@statistic
def log_bayes_factor(table: Table, *, equivalent_sample_size: float = 1.0) -> Array:
    """Log Bayes factor of "dependent" against "independent" (Sec. 5.1), in nats.

    Both models have a uniform Dirichlet prior (BDeu) of the given equivalent sample
    size N', spread over the states that occur: N'/(K_A K_B) per cell of the dependent
    model, N'/K_A and N'/K_B per state of the independent one.  The strata of a
    `conditional_table` share N' equally.  Larger is stronger.

    Examples
    --------
    >>> round(float(log_bayes_factor([[30, 10], [10, 30]])), 3)
    7.863
    """
    if not (np.isfinite(equivalent_sample_size) and equivalent_sample_size > 0):
        raise ValueError(
            f"equivalent_sample_size must be positive; got {equivalent_sample_size}"
        )
    occurring = np.count_nonzero(table.stratum_sizes, axis=-1, keepdims=True)
    prior = equivalent_sample_size / np.broadcast_to(
        occurring, table.stratum_sizes.shape
    )
    rows, columns = table.stratum_states
    joint = table.cells.reshape(*table.cells.shape[:-2], -1)
    # Gamma(N' + N) / Gamma(N') stands in all three evidences, so once in the ratio.
    factor = (
        _log_rising(joint, prior, rows * columns)
        - _log_rising(table.row_totals, prior, rows)
        - _log_rising(table.column_totals, prior, columns)
        + gammaln(prior + table.stratum_sizes)
        - gammaln(prior)
    )
    return factor.sum(axis=-1)[()]


def _log_rising(counts: Array, prior: Array, states: Array) -> Array:
    """Sum of ``log(Gamma(share + count) / Gamma(share))`` over the last axis.

    The share of each state in the prior is ``prior / states``; a state that does not
    occur has count 0 and adds exactly 0.  Looked up where counts repeat.
    """
    share = prior / np.maximum(states, 1)
    code, distinct = pd.factorize(share.ravel())
    largest = int(counts.max())
    if distinct.size * (largest + 1) > counts.size:
        each = gammaln(counts + share[..., None]) - gammaln(share)[..., None]
    else:
        column = distinct[:, None]
        known = gammaln(np.arange(largest + 1) + column) - gammaln(column)
        place = counts.astype(np.intp)
        place += (code * (largest + 1)).reshape(*share.shape, 1)
        each = known.take(place)
    return np.einsum("...i->...", each)


@statistic
def pearson_chi_squared(table: Table) -> Array:
    """Pearson's chi-squared statistic of independence (no continuity correction).

    Examples
    --------
    >>> float(pearson_chi_squared([[30, 10], [10, 30]]))
    20.0
    """
    return _stratum_chi_squared(table).sum(axis=-1)[()]


@statistic
def _stratum_chi_squared(table: Table) -> Array:
    expected = table.expected
    distance = table.cells - expected
    distance *= distance
    np.divide(distance, expected, out=distance, where=expected > 0)
    return np.einsum("...ij->...", distance)


@statistic
def cramers_v(table: Table, *, correction: Correction = "none") -> Array:
    """Cramér's V: Pearson's chi-squared scaled to 0 to 1; larger is stronger.

    ``sqrt(chi2 / (N min(K_A - 1, K_B - 1)))``; 0 where a variable has one state.
    ``correction="bergsma"`` subtracts its mean under independence and corrects the
    numbers of states (Bergsma 2013).  In a `conditional_table` numerators and divisors
    of the strata are added up.

    Examples
    --------
    >>> round(float(cramers_v([[30, 10], [10, 30]])), 3)
    0.5
    """
    rows, columns = table.stratum_states
    chi2 = _stratum_chi_squared(table)
    if correction == "bergsma":
        less = np.maximum(table.stratum_sizes - 1, 1)
        chi2 = np.maximum(chi2 - table.stratum_sizes * table.stratum_dof / less, 0)
        rows, columns = (
            rows - (rows - 1) ** 2 / less,
            columns - (columns - 1) ** 2 / less,
        )
    elif correction != "none":
        raise ValueError(f'correction must be "none" or "bergsma"; got {correction!r}')
    largest = table.stratum_sizes * np.maximum(np.minimum(rows, columns) - 1, 0)
    divisor = np.where(table.stratum_dof > 0, largest, 0).sum(axis=-1)
    ratio = chi2.sum(axis=-1) / np.where(divisor > 0, divisor, 1)
    return np.where(divisor > 0, np.sqrt(np.minimum(ratio, 1)), 0.0)[()]


@statistic
def adjusted_information(table: Table, *, average: Average = "mean") -> Array:
    """Mutual information adjusted for chance (AMI); larger is stronger.

    ``(I - E[I]) / (average of entropies - E[I])`` with E[I] the exact mean over all
    tables with the same margins: 0 on average under independence, 1 at most.  0 where
    the margins leave no freedom.

    Examples
    --------
    >>> round(float(adjusted_information([[30, 10], [10, 30]])), 4)
    0.1812
    """
    null = null_moments(table, kind="calibrated")
    chance = null.mean / (2 * table.sample_size)
    room = average_entropy(table, average=average) - chance
    free = (null.variance > 0) & (room != 0)
    excess = mutual_information(table) - chance
    return np.where(free, excess / np.where(free, room, 1), 0.0)[()]


@statistic
def theils_u(table: Table, *, of: Literal["rows", "columns"] = "columns") -> Array:
    """Theil's U: the share of one variable's entropy that the other explains.

    ``U(B|A) = I / H(B)``, 0 to 1, larger is stronger; not symmetric.  0 where the
    explained variable has a single state.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
    of : {"columns", "rows"}
        The variable that is explained.

    Examples
    --------
    >>> round(float(theils_u([[10, 0, 0], [0, 5, 5]], of="rows")), 4)
    1.0
    """
    if of not in ("rows", "columns"):
        raise ValueError(f'of must be "rows" or "columns"; got {of!r}')
    explained = entropy(table, of=of)
    known = explained > 0
    ratio = mutual_information(table) / np.where(known, explained, 1)
    return np.where(known, np.minimum(ratio, 1), 0.0)[()]
