"""Multinomial counts with Dirichlet priors, and the N' that scores best for them.

Empirical Bayes scores N' by the marginal likelihood, cross-validation by how well each
observation is predicted from the others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from siviz.tables import Array

SIZES: Final = tuple(np.geomspace(1e-2, 1e6, 161).tolist())
"""Equivalent sample sizes that are searched unless others are given."""

# Scores in nats that differ by less are equal but for rounding.
_FLAT: Final = 1e-9


class Multinomials(NamedTuple):
    """Counts of a variable in one or several situations, each with its Dirichlet prior.

    A table is one situation (all its cells); a family of a network has one for each
    configuration of the parents that occurs.
    """

    counts: Array
    """Shape (situations, states)."""
    shares: Array
    """Share of N' in each cell, q; of the shape of the counts."""

    def log_evidence(self, size: float) -> float:
        """Log marginal likelihood for the equivalent sample size, in nats."""
        alpha = size * self.shares
        total = alpha.sum(axis=-1)
        cells = gammaln(alpha + self.counts) - gammaln(alpha)
        whole = gammaln(total) - gammaln(total + self.counts.sum(axis=-1))
        return float(cells.sum() + whole.sum())

    def left_out(self, size: float) -> float:
        """Sum over observations of the log probability that the others give it."""
        cell = self.counts - 1 + size * self.shares
        rest = cell.sum(axis=-1, keepdims=True) + self.counts.shape[-1] - 1
        held = self.counts > 0
        ratio = np.divide(cell, rest, out=np.ones_like(cell), where=held)
        return float((self.counts * np.log(ratio)).sum())


@dataclass(frozen=True, eq=False)
class SizeCurve:
    """A score of N' over a grid, and the N' where it is largest."""

    method: str
    sizes: Array
    scores: Array
    """In nats; larger is better."""
    best: float
    """The N' with the largest score, refined between grid points; nan if the score is
    largest at an end of the grid or the same everywhere."""
    reason: str
    """Why there is no `best`, in a sentence; empty if there is one."""


def best_size(
    score: Callable[[float], float], sizes: ArrayLike, *, method: str
) -> SizeCurve:
    """Maximum of a score of N': the best grid point, refined between its neighbours."""
    grid = np.asarray(sizes, dtype=float)
    rising = grid.ndim == 1 and grid.size >= 3 and np.all(np.diff(grid) > 0)
    if not (rising and np.isfinite(grid).all() and grid[0] > 0):
        raise ValueError(
            f"sizes must be at least 3 increasing, positive, finite numbers; got {grid}"
        )
    scores = np.array([score(float(size)) for size in grid])
    if np.ptp(scores) < _FLAT:
        reason = "The score is the same for every N': nothing depends on it."
        return SizeCurve(method, grid, scores, np.nan, reason)
    top = int(scores.argmax())
    if not 0 < top < grid.size - 1:
        end, course = ("largest", "rises") if top else ("smallest", "falls")
        reason = f"The score still {course} at the {end} N' tried, {grid[top]:,.10g}."
        return SizeCurve(method, grid, scores, np.nan, reason)
    bounds = np.log(grid[[top - 1, top + 1]])
    found = minimize_scalar(
        lambda log_size: -score(float(np.exp(log_size))),
        bounds=tuple(bounds),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return SizeCurve(method, grid, scores, float(np.exp(found.x)), "")
