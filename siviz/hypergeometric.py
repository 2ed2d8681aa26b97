"""Moments of ``n log n`` for one cell of a table with given margins.

Under independence and given both margins, a cell ``n`` with row total r, column total c
and sample size N is hypergeometric with mean ``mu = r c / N``.  The calibrated null
(`siviz.nulls`) adds up, over the cells, moments of

    psi(n) = n log(n / mu) - (n - mu),

which differs from ``n log n`` by a linear function of n only.  That linear part cancels
in every quantity the null needs, and without it nothing is lost to rounding: psi is
never negative and about (n - mu)^2 / (2 mu) near the mean.
"""

from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import xlogy

from siviz.tables import Array

# Above this mean the expansion in central moments is accurate to 3e-10 of the mean of
# psi; below it the support is short enough to be summed term by term.
_LARGE_MEAN: Final = 80.0
_ORDER: Final = 16
# Points of the support summed at once: keeps the working arrays in the cache.
_BLOCK: Final = 200_000


class CellMoments(NamedTuple):
    """Moments of psi(n) of hypergeometric cells, one entry per distinct cell."""

    code: NDArray[np.intp]
    """Which entry belongs to each cell, shape (..., rows, columns)."""
    factor: Array
    """``f = N / (N - 1)``."""
    expected: Array
    """``mu = E[n]``."""
    variance: Array
    """``Var[n]``."""
    mean: Array
    """``E[psi]``."""
    residual: Array
    """``Var[psi] - Cov[psi, n]^2 / Var[n]``: what no linear function of n explains."""
    slope: Array
    """``Cov[psi, n] / Var[n]``, the slope of the best linear part (0 if n is fixed)."""


def cell_moments(row_totals: Array, column_totals: Array) -> CellMoments:
    """Moments of psi for all cells of tables with the given margins.

    Cells with equal margins are computed once, so a batch of similar tables costs
    little more than one of them.

    Parameters
    ----------
    row_totals : ndarray, shape (..., rows)
    column_totals : ndarray, shape (..., columns)

    Examples
    --------
    Where all row totals are 1 a cell is 0 or 1, so psi is linear in it:

    >>> bool(cell_moments(np.ones(5), np.array([2.0, 3.0])).residual.max() < 1e-15)
    True
    """
    code, (r, c, n) = _distinct(row_totals, column_totals)
    size = np.maximum(n, 2)
    factor = size / (size - 1)
    expected = r * c / size
    variance = factor * expected * (size - r) / size * (size - c) / size * (n > 1)
    free = variance > 0
    large = free & (expected > _LARGE_MEAN)
    small = free & ~large
    psi = np.zeros((3, r.size))
    for part, moments in ((large, _expanded), (small, _summed)):
        if part.any():
            psi[:, part] = moments(r[part], c[part], n[part])
    return CellMoments(code, factor, expected, variance, *psi)


def _distinct(
    row_totals: Array, column_totals: Array
) -> tuple[NDArray[np.intp], tuple[Array, Array, Array]]:
    """Code of each cell among the distinct (r, c, N), and those; (c, r, N) is equal."""
    size_code, sizes = _factorize(row_totals.sum(axis=-1))
    margins = np.concatenate([row_totals.ravel(), column_totals.ravel()])
    margin_code, margin = _factorize(margins)
    first = margin_code[: row_totals.size].reshape(row_totals.shape)
    second = margin_code[row_totals.size :].reshape(column_totals.shape)
    first = (size_code[..., None] * margin.size + first) * margin.size
    code, keys = _factorize(first[..., :, None] + second[..., None, :])
    rest, c = np.divmod(keys, margin.size)
    size, r = np.divmod(rest, margin.size)
    # Only the distinct keys, not those of all cells, are compared with their mirror.
    smaller, larger = np.minimum(r, c), np.maximum(r, c)
    ordered = (size * margin.size + smaller) * margin.size + larger
    _, kept, merged = np.unique(ordered, return_index=True, return_inverse=True)
    r, c, n = margin[r[kept]], margin[c[kept]], sizes[size[kept]]
    return merged.take(code), (r.astype(float), c.astype(float), n.astype(float))


def _factorize(values: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Code of each whole number among the distinct ones, and those.

    Small numbers are looked up in a table of all of them, which is several times
    faster than hashing.
    """
    whole = values.astype(np.intp, copy=False)
    span = int(whole.max()) + 1
    if span > 4 * whole.size:
        code, distinct = pd.factorize(whole.ravel())
        return code.reshape(values.shape), distinct
    seen = np.zeros(span, dtype=bool)
    seen[whole.ravel()] = True
    distinct = np.flatnonzero(seen)
    rank = np.zeros(span, dtype=np.intp)
    rank[distinct] = np.arange(distinct.size)
    return rank.take(whole), distinct


def _expanded(r: Array, c: Array, n: Array) -> NDArray[np.float64]:
    """Moments of psi from its Taylor series about the mean,

    ``psi = sum_k (-1)^k (n - mu)^k / (k (k-1) mu^(k-1))`` for k = 2, 3, ...
    """
    mu = r * c / n
    moment = _central_moments(r, c, n)
    term = [(-1) ** k / (k * (k - 1) * mu ** (k - 1)) for k in range(2, _ORDER + 1)]
    mean = sum(t * moment[k] for k, t in enumerate(term, start=2))
    covariance = sum(t * moment[k + 1] for k, t in enumerate(term[:-1], start=2))
    square = sum(
        term[j - 2] * term[k - j - 2] * moment[k]
        for k in range(4, _ORDER + 1)
        for j in range(2, k - 1)
    )
    residual = square - mean**2 - covariance**2 / moment[2]
    return np.stack([mean, np.maximum(residual, 0), covariance / moment[2]])


def _central_moments(r: Array, c: Array, n: Array) -> list[Array]:
    """Central moments 0 to ``_ORDER`` of the hypergeometric distribution, exactly.

    The ratio of neighbouring probabilities gives, for every function g,
    ``E[(r - x)(c - x) g(x)] = E[x (n - r - c + x) g(x - 1)]``; with
    ``g(x) = (x - mu)^k`` this is a recurrence for the central moments.
    """
    mu = r * c / n
    other = (n - r) * (n - c) / n
    moment = [np.ones_like(mu), np.zeros_like(mu)]
    inner: list[Array] = []  # of g(x) = (x - mu)^j, the last without its own moment
    for k in range(1, _ORDER):
        if inner:
            inner[-1] = inner[-1] + moment[k]
        inner.append(mu * other * moment[k - 1] + (mu + other) * moment[k])
        total = np.zeros_like(mu)
        for j, part in enumerate(inner):
            total -= (-1) ** (k - j) * comb(k, j) * part
        moment.append(total / (n - k))
    return moment


def _summed(r: Array, c: Array, n: Array) -> NDArray[np.float64]:
    """Moments of psi summed over the support, up to a negligible tail."""
    result = np.zeros((3, r.size))
    spread = np.sqrt(r * c / n * (n - r) / n * (n - c) / n)
    start = np.maximum(r + c - n, 0)
    stop = np.minimum(np.minimum(r, c), np.ceil(r * c / n + 9 * spread + 12))
    width = (stop - start).astype(np.intp) + 1
    for members, method in (
        (np.flatnonzero(start == 0), _summed_from_zero),
        (np.flatnonzero(start > 0), _summed_from_above_zero),
    ):
        order = members[np.argsort(width[members], kind="stable")]
        begin = 0
        while begin < order.size:
            # The block is as wide as its last cell: take it half as long to be safe.
            end = begin + max(_BLOCK // (2 * int(width[order[begin]])), 1)
            block = order[begin:end]
            widest = int(width[block[-1]])
            result[:, block] = method(r[block], c[block], n[block], widest)
            begin += block.size
    return result


def _summed_from_zero(r: Array, c: Array, n: Array, width: int) -> list[Array]:
    """The support is 0, 1, ... for all cells, so the sums are one matrix product."""
    x = np.arange(width, dtype=float)
    phi = xlogy(x, x)
    powers = np.stack([np.ones(width), phi, phi**2, phi * x], axis=-1)
    total, *sums = (_weights(r, c, n, x[None, :]) @ powers).T
    phi_mean, square, product = (value / total for value in sums)
    mu = r * c / n
    variance = mu * (n - r) * (n - c) / (n * (n - 1))
    covariance = product - mu * phi_mean
    residual = square - phi_mean**2 - covariance**2 / variance
    # psi is phi less the linear function n (log mu + 1) - mu.
    mean = phi_mean - xlogy(mu, mu)
    return [mean, np.maximum(residual, 0), covariance / variance - np.log(mu) - 1]


def _summed_from_above_zero(r: Array, c: Array, n: Array, width: int) -> list[Array]:
    """Row and column are so large that the cell cannot be empty: psi is centred."""
    x = (r + c - n)[:, None] + np.arange(width)
    weight = _weights(r, c, n, x)
    weight /= weight.sum(axis=1, keepdims=True)
    deviation = x - (r * c / n)[:, None]
    psi = x * np.log1p(deviation / (x - deviation)) - deviation
    mean = np.einsum("ij,ij->i", weight, psi)
    psi -= mean[:, None]
    variance = np.einsum("ij,ij,ij->i", weight, deviation, deviation)
    slope = np.einsum("ij,ij,ij->i", weight, deviation, psi) / variance
    psi -= slope[:, None] * deviation
    return [mean, np.einsum("ij,ij,ij->i", weight, psi, psi), slope]


def _weights(r: Array, c: Array, n: Array, x: Array) -> Array:
    """Probabilities of the values ``x`` relative to that of the first one."""
    before, after = x[:, :-1], x[:, 1:]
    ratio = (r[:, None] - before) * (c[:, None] - before)
    ratio /= (n - r - c)[:, None] + after
    ratio /= after
    weight = np.ones((r.size, x.shape[1]))
    np.cumprod(ratio, axis=1, out=weight[:, 1:])
    return weight
