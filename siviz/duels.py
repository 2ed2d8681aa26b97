"""One pair of variables against another: which does each measure rank first?

Both pairs are drawn from known truths, so every answer is right or wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from siviz.measures import evaluate, find_measure
from siviz.scenarios import informative_distribution
from siviz.tables import Array, Table, whole_number

DUEL_MEASURES: Final = ("si_calibrated", "si", "mi", "mi_bc", "nmi", "log10_p")
"""Measures that a duel compares unless others are named."""

# Equal strengths may differ by rounding, as sums over tables of different shapes do.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, eq=False)
class Duel:
    """Samples of two pairs and what each measure makes of them.

    Parameters
    ----------
    information : tuple of float
        True mutual information of the first and of the second pair, in nats.
    tables : tuple of Table
        The samples of both pairs, each a batch of shape (draws,).
    values : dict
        By measure, its values of both pairs, each of shape (draws,).
    """

    information: tuple[float, float]
    tables: tuple[Table, Table]
    values: dict[str, tuple[Array, Array]]

    @property
    def draws(self) -> int:
        """Number of samples of each pair."""
        return self.tables[0].shape[0]

    @property
    def stronger(self) -> int:
        """The truly more dependent pair: 0 the first, 1 the second, -1 neither."""
        first, second = self.information
        return -1 if first == second else int(second > first)

    def chosen(self, measure: str) -> NDArray[np.int_]:
        """The pair ranked first in each draw: 0, 1, or -1 for a tie."""
        direction = find_measure(measure)
        first, second = (direction.strength(value) for value in self.values[measure])
        negligible = _ROUNDING * np.maximum(np.abs(first), np.abs(second))
        second_wins = np.where(second - first > negligible, 1, 0)
        return np.where(np.abs(second - first) <= negligible, -1, second_wins)

    def share(self, measure: str, pair: int) -> float:
        """Share of the draws in which a pair is ranked first, a tie counted as half."""
        chosen = self.chosen(measure)
        return float(np.mean(np.where(chosen < 0, 0.5, chosen == pair)))

    def wrong(self, measure: str) -> float:
        """Share of the draws ranked wrongly; nan where both truths are equal."""
        if self.stronger < 0:
            return float("nan")
        return self.share(measure, 1 - self.stronger)


def play_duel(
    sample_size: int,
    *,
    states: tuple[int, int],
    information: tuple[float, float],
    draws: int = 100,
    seed: int = 1,
    measures: Sequence[str] = DUEL_MEASURES,
) -> Duel:
    """Draw samples of two square pairs of known dependence and measure them.

    The samples are a sequence that the seed fixes: more draws add to the same ones.

    Parameters
    ----------
    sample_size : int
        Observations in each sample.
    states, information : tuple
        Of the first and of the second pair: the number of states of both its variables
        (equally frequent), and its true mutual information in nats.

    Examples
    --------
    >>> duel = play_duel(200, states=(3, 12), information=(0.06, 0.0), draws=50)
    >>> [duel.wrong(key) for key in ("mi", "nmi", "si_calibrated")]
    [1.0, 1.0, 0.0]
    """
    draws = whole_number("draws", draws)
    tables = []
    for pair, (k, nats) in enumerate(zip(states, information, strict=True)):
        truth = informative_distribution(k, k, information=nats)
        rng = np.random.default_rng([whole_number("seed", seed, least=0), pair])
        tables.append(Table(truth.sample_tables(sample_size, draws, rng)))
    first, second = (evaluate(table, tuple(measures)) for table in tables)
    values = {key: (first[key], second[key]) for key in measures}
    return Duel(information, (tables[0], tables[1]), values)
