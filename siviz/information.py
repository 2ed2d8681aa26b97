"""Entropy and the informations built from it (Eq. 1, 7, 8, Sec. 5.5), in nats."""

from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from siviz.tables import Array, Table, as_counts, conditional_table, statistic
from siviz.tails import log1p_minus

# With more observations than this per unit of G (or in all, if G is below 1) the terms
# of G cancel so much that their sum keeps fewer than 11 digits.
_CANCELLING: Final = 25_000

Average: TypeAlias = Literal["mean", "min", "max", "sqrt", "joint"]
Variable: TypeAlias = Literal["rows", "columns", "joint"]


@statistic
def likelihood_ratio(table: Table) -> Array:
    """Log-likelihood-ratio statistic of independence, ``G = 2 N I``.

    Never negative, and exactly 0 for an exactly independent table.  For a
    `conditional_table` the sum over its strata.

    Examples
    --------
    >>> float(likelihood_ratio([[10, 20], [20, 40]]))
    0.0
    """
    size = table.stratum_sizes[..., None, None]
    # Whole numbers above and below: an independent table has ratios of exactly 1.
    product = table.row_totals[..., :, None] * table.column_totals[..., None, :]
    ratio = table.cells * size
    np.divide(ratio, product, out=ratio, where=product > 0)
    ratio[table.cells == 0] = 1
    g = 2 * np.einsum("...sij,...sij->...", table.cells, np.log(ratio, out=ratio))
    near = np.asarray(table.sample_size > _CANCELLING * np.maximum(g, 1))
    if near.any():
        g = np.where(near, _centred_ratio(table), g)
    return np.maximum(g, 0)[()]


def _centred_ratio(table: Table) -> Array:
    """G as a sum of terms of which none is negative, accurate however small it is.

    ``G = 2 sum mu ((1 + u) log(1 + u) - u)`` with ``u = n/mu - 1``.
    """
    size = table.stratum_sizes[..., None, None]
    product = table.row_totals[..., :, None] * table.column_totals[..., None, :]
    excess = table.cells * size - product
    u = np.divide(excess, product, out=np.zeros_like(product), where=product > 0)
    # (1 + u) log(1 + u) - u without the cancellation; empty cells have u = -1.
    empty = table.cells == 0
    distance = u**2 + (1 + u) * log1p_minus(np.where(empty, 0, u))
    return 2 * np.einsum("...sij,...sij->...", table.expected, distance)


@statistic
def mutual_information(table: Table) -> Array:
    """Plug-in mutual information of rows and columns (Eq. 1).

    ``I = sum_ab p(a,b) log(p(a,b) / (p(a) p(b)))`` with the empirical frequencies, in
    nats; larger is stronger.  Biased upwards by about ``d / (2 N)``.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)

    Returns
    -------
    ndarray or scalar, shape (...)
        At least 0, and exactly 0 for an exactly independent table.

    Examples
    --------
    >>> round(float(mutual_information([[30, 10], [10, 30]])), 4)
    0.1308
    """
    return likelihood_ratio(table) / (2 * table.sample_size)


@statistic
def entropy(table: Table, *, of: Variable = "joint") -> Array:
    """Plug-in entropy of the rows, of the columns, or of both jointly, in nats.

    ``H = -sum_a p(a) log p(a)``.  For a `conditional_table` the entropy given the
    stratum, ``H(A|C)``.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
    of : {"joint", "rows", "columns"}

    Examples
    --------
    >>> round(float(entropy([[30, 10], [10, 30]], of="rows")), 4)  # log 2
    0.6931
    """
    totals = {
        "rows": table.row_totals,
        "columns": table.column_totals,
        "joint": table.cells.reshape(*table.cells.shape[:-2], -1),
    }
    if of not in tuple(totals):
        raise ValueError(f"of must be one of {tuple(totals)}; got {of!r}")
    shares = totals[of] / np.maximum(table.stratum_sizes, 1)[..., None]
    weights = table.stratum_sizes / table.sample_size[..., None]
    return (weights * entr(shares).sum(axis=-1)).sum(axis=-1)[()]


@statistic
def conditional_entropy(table: Table, *, of: Variable = "columns") -> Array:
    """What stays unknown of one variable when the other is known (Eq. 7), in nats.

    ``H(B|A) = H(B) - I``; smaller is stronger.  ``of="rows"`` gives ``H(A|B)``.

    Examples
    --------
    >>> float(conditional_entropy([[5, 0], [0, 5]]))
    0.0
    """
    if of == "joint":
        raise ValueError('of must be "rows" or "columns"; got "joint"')
    return np.maximum(entropy(table, of=of) - mutual_information(table), 0)[()]


@statistic
def normalized_information(table: Table, *, average: Average = "mean") -> Array:
    """Mutual information divided by an average of the two entropies (Eq. 8).

    ``NI = I / ((H(A) + H(B)) / 2)``, between 0 and 1, larger is stronger; 0 where the
    divisor is 0.  Not corrected for chance, and its penalty for many states does not
    vanish as N grows (Sec. 5.6).

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
    average : {"mean", "min", "max", "sqrt", "joint"}
        The divisor: arithmetic mean, minimum, maximum or geometric mean of the two
        entropies, or the joint entropy.

    Examples
    --------
    >>> float(normalized_information([[5, 0], [0, 5]]))
    1.0
    """
    divisor = average_entropy(table, average=average)
    known = divisor > 0
    ratio = mutual_information(table) / np.where(known, divisor, 1)
    return np.where(known, np.minimum(ratio, 1), 0.0)[()]


@statistic
def average_entropy(table: Table, *, average: Average = "mean") -> Array:
    """The divisor of `normalized_information`: an average of the two entropies."""
    rows, columns = entropy(table, of="rows"), entropy(table, of="columns")
    if average == "mean":
        return (rows + columns) / 2
    if average == "min":
        return np.minimum(rows, columns)
    if average == "max":
        return np.maximum(rows, columns)
    if average == "sqrt":
        return np.sqrt(rows * columns)
    if average == "joint":
        return entropy(table, of="joint")
    raise ValueError(
        f'average must be "mean", "min", "max", "sqrt" or "joint"; got {average!r}'
    )


def conditional_information(counts: ArrayLike) -> Array:
    """Plug-in mutual information of two variables given a third (Sec. 5.5), in nats.

    ``I(A;B|C) = sum_c p(c) I(A;B | C=c)``.  For the other measures and the null of a
    conditional dependence pass ``conditional_table(counts)`` to them.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns, strata)

    Examples
    --------
    Two coins that agree only because a third is known:

    >>> counts = [[[10, 0], [0, 10]], [[0, 10], [10, 0]]]
    >>> round(float(conditional_information(counts)), 4)
    0.6931
    """
    return mutual_information(conditional_table(counts))


def chain_tables(counts: ArrayLike) -> list[Table]:
    """Two-way tables of a k-way table: variable i against the joint of those before it.

    By the chain rule their informations add up to the multi-information.

    Parameters
    ----------
    counts : array_like, shape (states of 1, ..., states of k)
    """
    array = as_counts(counts, axes=None)
    tables = []
    for axis in range(1, array.ndim):
        joint = array.sum(axis=tuple(range(axis + 1, array.ndim)))
        tables.append(Table(joint.reshape(-1, array.shape[axis])))
    return tables


def multi_information(counts: ArrayLike) -> Array:
    """Multi-information (total correlation) of a k-way table (Sec. 5.5), in nats.

    ``sum_x p(x) log(p(x) / prod_i p(x_i))``, the log-likelihood ratio of the joint
    distribution against full independence, per observation.  Equal to the mutual
    information for two variables.  `siviz.multi_null` has its null.

    Parameters
    ----------
    counts : array_like, shape (states of 1, ..., states of k)
        All axes are variables: there is no batch axis.

    Examples
    --------
    >>> round(float(multi_information([[[5, 0], [0, 0]], [[0, 0], [0, 5]]])), 4)
    1.3863
    """
    return np.sum([mutual_information(table) for table in chain_tables(counts)], axis=0)
