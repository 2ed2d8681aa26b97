"""The upper tail of the gamma distribution on a log scale, without underflow.

Every p-value of siviz is the upper tail of a gamma distribution (for the paper's null
a chi-squared one, Sec. 5.3).  ``1 - cdf`` is 0 below 1e-16, a survival function below
1e-308; the logarithm needs neither limit if it is computed directly.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from scipy.special import gammainc, gammaincc, gammaln

from siviz.tables import Array

# Within this many standard deviations of the mean scipy uses Temme's uniform
# expansion, which is accurate for every shape.
_UNIFORM_REGION: Final = 4.0
# From this shape on scipy's series and fraction, cut at 2,000 terms, may not converge.
_LARGE_SHAPE: Final = 100.0
_TINY: Final = 1e-290
_MAX_ITERATIONS: Final = 100_000

Term: TypeAlias = Callable[[int, Array, Array], tuple[Array, Array]]


def log_gamma_tail(shape: Array, x: Array) -> Array:
    """Logarithm of the regularized upper incomplete gamma function ``Q(shape, x)``.

    Accurate to about 1e-13 relative wherever the result is a normal number, however
    close to 0 or far below the smallest floating-point probability (1e-11 for shapes
    below 1e-5).  A shape of 0 is the point mass at 0, for which the answer is 0 (a
    p-value of 1).

    Parameters
    ----------
    shape, x : array_like
        Non-negative; broadcast against each other.

    Returns
    -------
    ndarray
        Values in ``(-inf, 0]``.

    Examples
    --------
    >>> import math
    >>> math.isclose(log_gamma_tail(1.0, 5000.0), -5000.0)  # Q(1, x) = exp(-x)
    True
    """
    shape, x = np.broadcast_arrays(
        np.asarray(shape, dtype=float), np.asarray(x, dtype=float)
    )
    result = np.zeros(shape.shape)
    below = (x > 0) & (x < shape)
    above = (shape > 0) & (x >= shape)
    result[below] = _log_tail_below(shape[below], x[below])
    result[above] = _log_tail_above(shape[above], x[above])
    return result[()]


def _log_tail_below(a: Array, x: Array) -> Array:
    """``log(1 - P)`` for ``x < a``, where P keeps its relative accuracy."""
    lower = gammainc(a, x)
    far = (x < a - _UNIFORM_REGION * np.sqrt(a)) & (a > _LARGE_SHAPE)
    lower[far] = np.exp(_log_density(a[far], x[far])) * _lower_fraction(a[far], x[far])
    return np.log1p(-lower)


def _log_tail_above(a: Array, x: Array) -> Array:
    """``log Q`` for ``x >= a``, by a fraction where Q is too small for scipy."""
    upper = gammaincc(a, x)
    far = (x > a + _UNIFORM_REGION * np.sqrt(a)) & (a > _LARGE_SHAPE)
    far |= upper < _TINY
    result = np.log(np.where(far, 1.0, upper))
    a, x = a[far], x[far]
    result[far] = _log_density(a, x) + np.log(a * _upper_fraction(a, x))
    return result


def _log_density(a: Array, x: Array) -> Array:
    """``log(x^a exp(-x) / Gamma(a + 1))`` without cancellation for a large ``a``."""
    large = a > 50
    safe = np.where(large, a, 1.0)
    stirling = 1 / (12 * safe) - 1 / (360 * safe**3) + 1 / (1260 * safe**5)
    stable = safe * log1p_minus((x - a) / safe) - stirling
    stable -= 0.5 * np.log(2 * np.pi * safe)
    return np.where(large, stable, a * np.log(x) - x - gammaln(a + 1))


def log1p_minus(u: Array) -> Array:
    """``log(1 + u) - u``, also for the small ``u`` where the two cancel."""
    s = u / (2 + u)
    series = np.zeros_like(u)
    for k in range(27, 1, -2):
        series = (series + 1 / k) * s * s
    near = np.abs(u) < 0.5
    with np.errstate(divide="ignore"):
        return np.where(near, s * (2 * series - u), np.log1p(u) - u)


def _upper_fraction(a: Array, x: Array) -> Array:
    """``Gamma(a, x) / (x^a exp(-x))`` by its continued fraction (DLMF 8.9.2)."""

    def term(k: int, a: Array, x: Array) -> tuple[Array, Array]:
        return k * (a - k), x + (2 * k + 1) - a

    return 1 / _continued_fraction(term, x + 1 - a, a, x)


def _lower_fraction(a: Array, x: Array) -> Array:
    """``gamma(a, x) * a / (x^a exp(-x))`` by its continued fraction (DLMF 8.9.1)."""

    def term(k: int, a: Array, x: Array) -> tuple[Array, Array]:
        half = (k + 1) // 2
        step = half * x if k % 2 == 0 else -(a + half - 1) * x
        return step, a + k

    return a / _continued_fraction(term, a, a, x)


def _continued_fraction(term: Term, start: Array, a: Array, x: Array) -> Array:
    """``start + n1/(d1 + n2/(d2 + ...))`` by the modified Lentz method.

    ``term(k, a, x)`` gives the k-th numerator and denominator.  Some 40 steps suffice
    outside the region of Temme's expansion, whatever the shape.
    """
    value = start.copy()
    active = np.arange(a.size)
    c, d, v = start.copy(), np.zeros_like(start), start.copy()
    for k in range(1, _MAX_ITERATIONS):
        if active.size == 0:
            break
        numerator, denominator = term(k, a, x)
        d = 1 / (denominator + numerator * d)
        c = denominator + numerator / c
        v = v * c * d
        going = np.abs(c * d - 1) > 3e-16
        value[active] = v
        if not going.all():
            active, a, x = active[going], a[going], x[going]
            c, d, v = c[going], d[going], v[going]
    return value
