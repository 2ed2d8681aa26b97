"""What independence predicts for G: the null, and the ways to get one.

Every regularized measure compares the log-likelihood-ratio statistic G = 2 N I with its
distribution under independence, of which siviz uses a mean and a variance.  That is one
object, `Null`; where it comes from is a separate choice (`null_moments`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from siviz.hypergeometric import cell_moments
from siviz.information import chain_tables, likelihood_ratio
from siviz.tables import Array, Counts, Table, as_table, whole_number
from siviz.tails import log_gamma_tail

NullKind: TypeAlias = Literal["nominal", "effective", "calibrated", "permutation"]
Centre: TypeAlias = Literal["mean", "fisher"]

# A calibrated variance below this share of the mean is rounding: no freedom is left.
_ROUNDING: Final = 1e-11
# scipy's sampler of random tables hangs or crashes with many more observations.
_LARGEST_PERMUTED: Final = 2**31 - 1
# Cells assembled at once: keeps the working arrays in the cache.
_BLOCK: Final = 50_000


@dataclass(frozen=True, eq=False)
class Null:
    """Distribution of G under independence: a gamma distribution by its two moments.

    With ``(mean, variance) = (d, 2 d)`` it is the chi-squared distribution with d
    degrees of freedom.  A variance of 0 says that G cannot vary (a single state, an
    identifier column): then nothing can be learned from G, and every standardized
    measure is 0 with a p-value of 1.

    Parameters
    ----------
    mean, variance : array_like
        Moments of G, one per table.
    draws : ndarray, shape (..., draws), optional
        Values of G under independence; if given, tails are counted in them.

    Examples
    --------
    >>> null = Null(4.0, 8.0)
    >>> round(float(null.quantile(0.95)), 4)  # the 95 % point of chi-squared, d = 4
    9.4877
    """

    mean: Array
    variance: Array
    draws: Array | None = None

    def __post_init__(self) -> None:
        for name in ("mean", "variance"):
            value = np.asarray(getattr(self, name), dtype=float)
            if not np.all(np.isfinite(value) & (value >= 0)):
                raise ValueError(f"{name} must be finite and not negative; got {value}")
            object.__setattr__(self, name, value[()])
        if np.shape(self.mean) != np.shape(self.variance):
            raise ValueError(
                "mean and variance must have one shape; "
                f"got {np.shape(self.mean)} and {np.shape(self.variance)}"
            )
        if self.draws is not None:
            object.__setattr__(self, "draws", np.asarray(self.draws, dtype=float))

    def __add__(self, other: "Null") -> "Null":
        """Null of the sum of two independent statistics: moments add."""
        return Null(self.mean + other.mean, self.variance + other.variance)

    @property
    def deviation(self) -> Array:
        """Standard deviation of G."""
        return np.sqrt(self.variance)

    def standardize(self, g: ArrayLike, *, centre: Centre = "mean") -> Array:
        """Standardized information of a value of G (Eq. 6 for any null).

        ``sqrt(max(G - m + v/2, 0)) - sqrt(v/2)``, which is ``sqrt(G) - sqrt(d)`` for
        the paper's null.  ``centre="fisher"`` is Fisher's better centre (Sec. 5.4):
        the last term becomes ``sqrt(v/2 * max(1 - 1/(2 m), 0))``.
        """
        half = self.variance / 2
        raised = np.sqrt(np.maximum(np.asarray(g) - self.mean + half, 0))
        return np.where(half > 0, raised - np.sqrt(half * self._share(centre)), 0.0)[()]

    def z_score(self, g: ArrayLike) -> Array:
        """Deviation of G from its mean in standard deviations (Eq. 4)."""
        free = self.variance > 0
        spread = np.sqrt(np.where(free, self.variance, 1.0))
        return np.where(free, (np.asarray(g) - self.mean) / spread, 0.0)[()]

    def log_survival(self, g: ArrayLike) -> Array:
        """Natural logarithm of the probability of a value of at least ``g``.

        Never ``-inf``: the smallest p-value a floating-point number can hold is no
        limit.  With ``draws`` it is the logarithm of ``(1 + #{draws >= g}) / (1 +
        #draws)``.
        """
        g = np.asarray(g, dtype=float)
        if self.draws is not None:
            # Equal tables may differ in the last digits of G: they count as equal.
            reached = self.draws >= (g - 1e-9 * (1 + np.abs(g)))[..., None]
            return np.log((1 + reached.sum(-1)) / (1 + self.draws.shape[-1]))
        shape, scale = self._gamma()
        return np.where(shape > 0, log_gamma_tail(shape, g / scale), 0.0)[()]

    def density(self, g: ArrayLike) -> Array:
        """Probability density at ``g``; nan where G cannot vary."""
        shape, scale = self._gamma()
        with np.errstate(divide="ignore", invalid="ignore"):
            return stats.gamma.pdf(g, np.where(shape > 0, shape, np.nan), scale=scale)

    def quantile(self, probability: ArrayLike) -> Array:
        """Value of G that is exceeded with probability ``1 - probability``."""
        shape, scale = self._gamma()
        value = stats.gamma.ppf(probability, np.where(shape > 0, shape, 1), scale=scale)
        return np.where(shape > 0, value, self.mean)[()]

    def _share(self, centre: Centre) -> Array:
        if centre == "mean":
            return np.ones_like(self.mean)
        if centre == "fisher":
            return np.maximum(1 - 1 / (2 * np.where(self.mean > 0, self.mean, 1)), 0)
        raise ValueError(f'centre must be "mean" or "fisher"; got {centre!r}')

    def _gamma(self) -> tuple[Array, Array]:
        """Shape and scale of the gamma distribution; shape 0 where G cannot vary."""
        free = (self.variance > 0) & (self.mean > 0)
        mean, variance = np.where(free, self.mean, 1), np.where(free, self.variance, 1)
        return np.where(free, mean**2 / variance, 0.0), variance / mean


def null_moments(
    counts: Counts,
    /,
    *,
    kind: NullKind = "calibrated",
    draws: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Null:
    """Mean and variance of G under independence.

    Parameters
    ----------
    counts : array_like or Table, shape (..., rows, columns)
        A `conditional_table` adds up the moments of its independent strata.
    kind : {"calibrated", "nominal", "effective", "permutation"}
        - ``nominal``: ``(d, 2 d)`` with ``d = (K_A - 1)(K_B - 1)``, the paper's
          asymptotics.  Wrong by many standard deviations in sparse tables.
        - ``effective``: the same with ``d = K_AB - K_A - K_B + 1``, degrees of freedom
          by occupied cells (Sec. 2), at least 1.  Favours noise with many states.
        - ``calibrated``: moments over all tables with the same two margins, in closed
          form.  The mean is exact; the standard deviation is within about 5 % of the
          exact one from N = 50 on (10 % at N = 20) and exact for dense tables.
        - ``permutation``: the same moments, and tails, from random tables with the same
          margins; slow, for one pair.
    draws, rng
        Number of random tables and their random generator or seed, for ``permutation``.

    Returns
    -------
    Null

    Examples
    --------
    >>> null_moments([[10, 20], [30, 40]], kind="nominal")
    Null(mean=np.float64(1.0), variance=np.float64(2.0), draws=None)
    """
    table = as_table(counts)
    if kind == "permutation":
        # Its own draws every time but for the string default, which a table remembers.
        return _permutation(table, draws, rng)
    if kind not in get_args(NullKind):
        raise ValueError(f"kind must be one of {get_args(NullKind)}; got {kind!r}")
    return table.known(("null", kind), lambda: _CLOSED_FORM[kind](table))


def resolve_null(table: Table, null: NullKind | Null) -> Null:
    """A `Null` as it is, or the one of this kind for the table."""
    if isinstance(null, Null):
        if np.shape(null.mean) not in ((), table.shape):
            raise ValueError(
                f"null must hold one mean, or one per table in the shape {table.shape};"
                f" got the shape {np.shape(null.mean)}"
            )
        return null
    if null not in get_args(NullKind):
        raise ValueError(
            f"null must be one of {get_args(NullKind)} or a Null; got {null!r}"
        )
    return table.known(("null", null), lambda: null_moments(table, kind=null))


def _nominal(table: Table) -> Null:
    return Null(table.dof, 2 * table.dof)


def _effective(table: Table) -> Null:
    floored = np.maximum(table.stratum_effective_dof, 1)
    dof = np.where(table.stratum_dof > 0, floored, 0).sum(axis=-1)
    return Null(dof, 2 * dof)


def _calibrated(table: Table) -> Null:
    """Moments of G over all tables with the same margins.

    Given the margins, cell ``n_ij`` is hypergeometric with mean ``mu_ij``, and
    ``G/2 = sum_ij psi(n_ij)`` with psi of `siviz.hypergeometric`, so the mean is exact.

    For the variance, psi of each cell is split into its best linear part
    ``slope_ij n_ij`` and a residual.  The margins fix all row and column sums, so of
    the linear parts only the interaction of the slopes (two-way analysis of variance
    with the product weights mu) moves G.  The residual of a cell is uncorrelated with
    that cell but not with the others; in the dense limit the cells are Gaussian with a
    projection matrix of rank d as covariance, whose trace shows that the sum of the
    cells' residual variances is too small by the factor ``P_ij = (1 - r_i/N)(1 -
    c_j/N)`` per cell.  Dividing by it is exact in the dense limit (``v = 2 d``), exact
    (0) where the margins leave no freedom, and an approximation between.
    """
    rows, columns = table.cells.shape[-2:]
    row_totals = table.row_totals.reshape(-1, rows)
    column_totals = table.column_totals.reshape(-1, columns)
    cell = cell_moments(row_totals, column_totals)
    # Var n = f mu P, so 1 / (f^2 P) = mu / (f Var n).
    weight = cell.expected / (
        cell.factor * np.where(cell.variance > 0, cell.variance, 1)
    )
    spread = cell.residual * weight + cell.factor * cell.expected * cell.slope**2
    moments = np.empty((2, len(row_totals)))
    step = max(_BLOCK // (rows * columns), 1)
    for start in range(0, len(row_totals), step):
        block = slice(start, start + step)
        code, r, c = cell.code[block], row_totals[block], column_totals[block]
        moments[0, block] = 2 * np.einsum("tij->t", cell.mean.take(code))
        moments[1, block] = 4 * np.einsum("tij->t", spread.take(code))
        moments[1, block] -= 4 * _margins_part(cell.slope.take(code), r, c)
    mean, variance = moments.reshape(2, *table.stratum_sizes.shape).sum(axis=-1)
    return Null(mean, np.where(variance > _ROUNDING * mean, variance, 0.0))


def _margins_part(slope: Array, r: Array, c: Array) -> Array:
    """What the fixed margins take from the sum of squares of the slopes.

    Sum of squares of the interaction = total - rows - columns + overall.
    """
    size = np.maximum(r.sum(axis=-1), 2)
    by_row = np.einsum("tij,tj->ti", slope, c)
    by_column = np.einsum("tij,ti->tj", slope, r)
    rows = np.einsum("ti,ti,ti->t", by_row, by_row, r)
    columns = np.einsum("tj,tj,tj->t", by_column, by_column, c)
    overall = np.einsum("ti,ti->t", by_row, r) ** 2 / size
    return (rows + columns - overall) / (size * (size - 1))


def _permutation(
    table: Table, draws: int, rng: np.random.Generator | int | None
) -> Null:
    draws = whole_number("draws", draws, least=2)
    largest = table.stratum_sizes.max()
    if largest > _LARGEST_PERMUTED:
        raise ValueError(
            f"a permutation null takes tables of at most {_LARGEST_PERMUTED:,} "
            f'observations; got {largest:.0f} (use "calibrated", exact for so many)'
        )
    generator = np.random.default_rng(rng)
    sample = np.zeros((*table.shape, draws))
    for index in np.ndindex(table.cells.shape[:-2]):
        if table.stratum_dof[index] > 0:
            rows = table.row_totals[index].astype(int)
            columns = table.column_totals[index].astype(int)
            random = stats.random_table(rows, columns)
            tables = random.rvs(draws, random_state=generator)
            sample[index[:-1]] += likelihood_ratio(tables)
    sample.sort(axis=-1)
    variance = sample.var(axis=-1, ddof=1)
    mean = sample.mean(axis=-1)
    return Null(mean, np.where(variance > _ROUNDING * mean, variance, 0.0), sample)


_CLOSED_FORM: Final[dict[str, Callable[[Table], Null]]] = {
    "nominal": _nominal,
    "effective": _effective,
    "calibrated": _calibrated,
}


def takes_few_values(deviation: ArrayLike, dof: ArrayLike) -> NDArray[np.bool_]:
    """Whether G varies so little that no smooth distribution describes its tail.

    That is where its standard deviation is below 2, and also below the square root of
    the degrees of freedom: a well-filled 2 x 2 table has 1.4 and many values of G.

    Examples
    --------
    >>> takes_few_values([1.2, 1.4], [841, 1]).tolist()
    [True, False]
    """
    return np.asarray(deviation) ** 2 < np.minimum(4, dof)


def multi_null(counts: ArrayLike, *, kind: NullKind = "nominal") -> Null:
    """Null of the multi-information of a k-way table, ``G = 2 N I`` (Sec. 5.5).

    By the chain rule G is a sum over two-way tables, variable i against the joint of
    those before it, and under full independence the summands are independent.

    Parameters
    ----------
    counts : array_like, shape (states of 1, ..., states of k)
    kind : {"nominal", "effective", "calibrated", "permutation"}
        ``nominal``: ``d = prod K_i - 1 - sum (K_i - 1)``.  The other kinds add up the
        nulls of the chain's tables: ``calibrated`` and ``permutation`` thus condition,
        at each step, on the margin of variable i and on the observed joint table of the
        variables before it, and depend (a little) on the order of the axes.

    Examples
    --------
    >>> float(multi_null([[[5, 0], [0, 0]], [[0, 0], [0, 5]]]).mean)
    4.0
    """
    tables = chain_tables(counts)
    if kind == "nominal":
        states = [
            float(tables[0].row_states),
            *(float(t.column_states) for t in tables),
        ]
        dof = np.prod(states) - 1 - np.sum(np.subtract(states, 1))
        return Null(dof, 2 * dof)
    first, *rest = (null_moments(table, kind=kind) for table in tables)
    return sum(rest, start=first)
