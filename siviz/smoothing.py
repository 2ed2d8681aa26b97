"""Smoothed probabilities and how much to smooth: the equivalent sample size (Sec. 6).

Smoothing adds N' virtual observations, spread by a prior distribution q, to the N real
ones.  The paper's constraint (Eq. 9) finds N' from the bias of the information alone;
empirical Bayes and cross-validation are here to compare with.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from siviz.multinomials import SIZES, Multinomials, SizeCurve, best_size
from siviz.tables import Array, as_counts

Dof: TypeAlias = Literal["nominal", "effective"]

# The logarithm of 1 as sums of logarithms give it: less is exact independence.
_ROUNDING: Final = 1e-13


def smoothed_probabilities(
    counts: ArrayLike, *, equivalent_sample_size: float, prior: ArrayLike | None = None
) -> Array:
    """Smoothed estimate of the cell probabilities, ``(n + N' q) / (N + N')`` (Sec. 6).

    Parameters
    ----------
    counts : array_like, shape (states of 1, ..., states of k)
        All axes are variables: there is no batch axis.
    equivalent_sample_size : float
        N', at least 0.  0 gives the observed frequencies; as it grows the estimate
        tends to the prior.
    prior : array_like, optional
        The distribution q, of the shape of the counts.  By default uniform over the
        cells of states that occur; the others stay at 0.

    Examples
    --------
    >>> smoothed_probabilities([[3, 0], [0, 1]], equivalent_sample_size=4)
    array([[0.5  , 0.125],
           [0.125, 0.25 ]])
    """
    array = _joint_counts(counts)
    size = equivalent_sample_size
    if not (np.isfinite(size) and size >= 0):
        raise ValueError(
            f"equivalent_sample_size must be finite and at least 0; got {size}"
        )
    return (array + size * _prior(prior, array)) / (array.sum() + size)


def uniform_prior(counts: ArrayLike) -> Array:
    """The default prior q: uniform over the cells of states that occur.

    Examples
    --------
    >>> uniform_prior([[3, 0, 0], [0, 0, 1]])
    array([[0.25, 0.  , 0.25],
           [0.25, 0.  , 0.25]])
    """
    possible = _possible(_joint_counts(counts))
    return possible / possible.sum()


@dataclass(frozen=True)
class EquivalentSampleSize:
    """The constraint on N' (Eq. 9) of a table or a network, with its solutions.

    Eq. 9 is linear in the smoothed probabilities, hence solved in closed form.
    """

    sample_size: float
    """N."""
    information: float
    """Plug-in information I, in nats."""
    prior_mean: float
    """Mean under q of the log ratio L = log(p(x) / p_independent(x)), in nats."""
    dof: float
    """Degrees of freedom d."""
    empty_cells: int
    """Cells without an observation that were counted as one inside L (footnote 3)."""
    unseen_configurations: int = 0
    """Parent configurations of a network without an observation; L is 0 there."""

    @property
    def right(self) -> float:
        """Right side of Eq. 9: the information less its bias, ``I - d/N``."""
        return self.information - self.dof / self.sample_size

    def left(self, equivalent_sample_size: ArrayLike) -> Array:
        """Left side of Eq. 9: the mean of L under the smoothed probabilities.

        Runs from I at N' = 0 to the prior mean of L.  The paper takes it to fall for
        a uniform prior; it does wherever Eq. 9 has a solution, but may rise elsewhere
        (``[[1000, 1], [1, 1]]``).
        """
        size = np.asarray(equivalent_sample_size, dtype=float)
        if not np.all(size >= 0):
            raise ValueError(f"equivalent_sample_size must be at least 0; got {size}")
        drop = size / (self.sample_size + size) * (self.information - self.prior_mean)
        return (self.information - drop)[()]

    @property
    def exact(self) -> float:
        """Solution of Eq. 9, ``d / (I - <L>_q - d/N)``; nan if there is none."""
        room = self.right - self.prior_mean
        return self.dof / room if self.has_solution else np.nan

    @property
    def approximate(self) -> float:
        """First-order solution (Eq. 10), ``d / (I - <L>_q)``; nan if not positive."""
        fall = self.information - self.prior_mean
        return self.dof / fall if self.dof > 0 and fall > 0 else np.nan

    @property
    def has_solution(self) -> bool:
        """Whether Eq. 9 has a finite, positive solution."""
        return self.dof > 0 and self.right > self.prior_mean

    @property
    def reason(self) -> str:
        """Why Eq. 9 has no solution, in a sentence; empty if it has one."""
        if self.has_solution:
            return ""
        if self.dof == 0:
            return "There is no dependence to regularize: no degrees of freedom."
        if self.information == 0:
            return "Eq. 9 has no solution: this table is exactly independent already."
        if self.prior_mean >= self.information:
            empty = (
                f" Empty cells, {self.empty_cells:,} here, raise it: each counts as "
                "one observation inside L."
                if self.empty_cells
                else ""
            )
            return (
                "Eq. 9 has no solution: its left side rises or stays as more is "
                f"smoothed, from {self.information:.4g} nats, the mean of L under the "
                f"data, to {self.prior_mean:.4g}, its mean under the prior.{empty}"
            )
        return (
            f"Eq. 9 has no solution: even the prior itself (N' without bound) leaves "
            f"its left side at {self.prior_mean:.4g} nats, not below the right side, "
            f"{self.right:.4g}; {self.sample_size:.0f} observations are too few, or "
            f"the dependence is too weak, for d = {self.dof:.0f}."
        )


def equivalent_sample_size(
    counts: ArrayLike, *, prior: ArrayLike | None = None, dof: Dof = "nominal"
) -> EquivalentSampleSize:
    """How much to smooth a table, from the constraint of Sec. 6 (Eq. 9 and 10).

    N' is where the mean of ``L = log(p(x) / prod_i p(x_i))`` under the smoothed
    probabilities equals the bias-corrected information ``I - d/N``.  Empty cells count
    as one observation inside L (footnote 3); states that never occur are left out.

    Parameters
    ----------
    counts : array_like, shape (states of 1, ..., states of k)
        The full table, compared with independence of all k variables.
    prior : array_like, optional
        The distribution q; by default uniform over the cells of states that occur.
    dof : {"nominal", "effective"}
        d by the numbers of states, ``prod K_i - 1 - sum (K_i - 1)``, or by occupied
        cells (Sec. 2), which replace ``prod K_i``; then at least 1.

    Examples
    --------
    >>> size = equivalent_sample_size([[30, 10], [10, 30]])
    >>> round(size.exact, 3), round(size.approximate, 3)
    (3.815, 3.641)
    """
    array = _joint_counts(counts, least=2)
    q, possible = _prior(prior, array), _possible(array)
    if (q[~possible] > 0).any():
        raise ValueError(
            "prior must be 0 for states that never occur, which Eq. 9 cannot weigh; "
            f"got {q[~possible].max():.4g} at index {_first(~possible & (q > 0))}: "
            "leave those states out of the counts and of the prior"
        )
    log_ratio = np.where(possible, _log_ratio(array), 0.0)
    return EquivalentSampleSize(
        sample_size=float(array.sum()),
        information=max(float((array * log_ratio).sum() / array.sum()), 0.0),
        prior_mean=float((q * log_ratio).sum()),
        dof=_dof(array, dof),
        empty_cells=int(np.count_nonzero((array == 0) & possible)),
    )


def _log_ratio(counts: Array) -> Array:
    """L of every cell, with empty cells and margins counted as one observation."""
    size = counts.sum()
    log_ratio = np.log(np.maximum(counts, 1) / size)
    for margin in _margins(counts):
        log_ratio = log_ratio - np.log(np.maximum(margin, 1) / size)
    return np.where(np.abs(log_ratio) < _ROUNDING, 0.0, log_ratio)


def _dof(counts: Array, dof: Dof) -> float:
    if dof not in get_args(Dof):
        raise ValueError(f"dof must be one of {get_args(Dof)}; got {dof!r}")
    states = [np.count_nonzero(margin) for margin in _margins(counts)]
    margins = 1 + sum(k - 1 for k in states)
    nominal = float(np.prod(states, dtype=float) - margins)
    if dof == "nominal" or nominal == 0:
        return nominal
    return max(float(np.count_nonzero(counts) - margins), 1.0)


def empirical_bayes(
    counts: ArrayLike, *, prior: ArrayLike | None = None, sizes: ArrayLike = SIZES
) -> SizeCurve:
    """N' that maximizes a table's marginal likelihood under a Dirichlet prior N' q.

    Parameters
    ----------
    counts : array_like, shape (states of 1, ..., states of k)
    prior : array_like, optional
        The distribution q, positive on every cell that occurs; by default uniform.
    sizes : array_like
        Increasing, positive grid; the maximum is refined between its points.

    Examples
    --------
    >>> round(empirical_bayes([[30, 10], [10, 30]]).best, 2)
    12.88
    """
    part = _one_situation(counts, prior)
    return best_size(part.log_evidence, sizes, method="empirical Bayes")


def cross_validation(
    counts: ArrayLike, *, prior: ArrayLike | None = None, sizes: ArrayLike = SIZES
) -> SizeCurve:
    """N' with the best leave-one-out prediction of a table's cells, in closed form.

    ``sum n log((n - 1 + N' q) / (N - 1 + N'))``: each observation is predicted from the
    other N - 1.  The parameters are those of `empirical_bayes`.

    Examples
    --------
    >>> round(cross_validation([[30, 10], [10, 30]]).best, 2)
    14.59
    """
    part = _one_situation(counts, prior)
    return best_size(part.left_out, sizes, method="leave-one-out cross-validation")


def _one_situation(counts: ArrayLike, prior: ArrayLike | None) -> Multinomials:
    """All cells with a positive prior as one multinomial; the others must be empty."""
    array = _joint_counts(counts)
    q = _prior(prior, array)
    impossible = (array > 0) & (q == 0)
    if impossible.any():
        raise ValueError(
            "prior must be positive on every cell that occurs; got 0 at index "
            f"{_first(impossible)}, where {array[impossible][0]:.0f} were observed"
        )
    return Multinomials(array[q > 0][None, :], q[q > 0][None, :])


def _joint_counts(counts: ArrayLike, *, least: int = 1) -> Array:
    """Checked counts of which every axis is a variable."""
    try:
        axes = max(np.ndim(counts), least)
    except ValueError:  # rows of different lengths: as_counts says so
        axes = least
    names = [f"states of {i + 1}" for i in range(axes)]
    return as_counts(counts, axes=names)


def _prior(prior: ArrayLike | None, counts: Array) -> Array:
    """A checked prior distribution, or the uniform one over the states that occur."""
    if prior is None:
        return uniform_prior(counts)
    try:
        q = np.asarray(prior, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"prior must be numbers in the shape of the counts, {counts.shape}"
        ) from error
    if q.shape != counts.shape:
        raise ValueError(
            f"prior must have the shape of the counts, {counts.shape}; got {q.shape}"
        )
    wrong = ~(np.isfinite(q) & (q >= 0))
    if wrong.any():
        raise ValueError(
            "prior must be finite and not negative; "
            f"got {q[wrong][0]} at index {_first(wrong)}"
        )
    if abs(q.sum() - 1) > 1e-9:
        raise ValueError(
            f"prior must add up to 1; got {q.sum():.6g}: divide it by its sum"
        )
    return q


def _margins(counts: Array) -> list[Array]:
    """The one-way margin of every axis, ready to broadcast against the counts."""
    axes = range(counts.ndim)
    return [
        counts.sum(axis=tuple(a for a in axes if a != axis), keepdims=True)
        for axis in axes
    ]


def _possible(counts: Array) -> NDArray[np.bool_]:
    """Which cells belong to states that all occur."""
    possible = np.ones(counts.shape, dtype=bool)
    for margin in _margins(counts):
        possible &= margin > 0
    return possible


def _first(wrong: NDArray[np.bool_]) -> str:
    return str(tuple(int(i) for i in np.argwhere(wrong)[0]))
