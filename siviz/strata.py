"""A pair within the states of a third column: what remains, and in which direction."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np

from siviz.measures import MEASURES
from siviz.significance import significance_threshold
from siviz.single_pair import SinglePair
from siviz.tables import Array, Table

Outcome: TypeAlias = Literal["none", "appears", "disappears", "reverses", "remains"]
LEVEL: Final = 0.05
"""Share of independent pairs that are called dependent."""


@dataclass(frozen=True, eq=False)
class Strata:
    """A pair with and without regard to a third column, on the same rows (Sec. 5.5).

    Examples
    --------
    >>> from siviz.columns import Column
    >>> a, b, c = (Column(name, "states", "", ("0", "1")) for name in "abc")
    >>> cells = np.array([[[18, 2], [72, 8]], [[8, 72], [2, 18]]], dtype=float)
    >>> strata = Strata(SinglePair(a, b, cells, c))
    >>> strata.outcome  # within both states of c the pair is exactly independent
    'disappears'
    """

    pair: SinglePair

    @property
    def sizes(self) -> Array:
        """Rows of each stratum."""
        return self.pair.table.stratum_sizes

    def stratum(self, place: int) -> SinglePair:
        """The pair in one stratum only."""
        return SinglePair(
            self.pair.first, self.pair.second, self.pair.cells[place : place + 1]
        )

    @property
    def together(self) -> float:
        """Calibrated SI of all rows, without regard to the third column."""
        return _information(self.pair.together.table)

    @property
    def within(self) -> float:
        """Calibrated conditional SI."""
        return _information(self.pair.table)

    @property
    def informations(self) -> Array:
        """Calibrated SI of each stratum by itself; nan if it has no rows."""
        values = np.full(self.sizes.shape, np.nan)
        full = self.sizes > 0
        values[full] = MEASURES["si_calibrated"](Table(self.pair.cells[full]))
        return values

    @property
    def directions(self) -> Array:
        """How far each stratum departs from independence as all rows do: -1 to 1.

        The cosine between the two tables of observed less expected counts.  In 2 x 2
        tables it is 1 or -1: the same direction or the opposite one.  nan if either is
        exactly independent.
        """
        return _cosines(_excess(self.pair.table), self._excess_together)

    @property
    def direction_within(self) -> float:
        """The same for the strata added up; its sign is that of Mantel and Haenszel."""
        excess = _excess(self.pair.table).sum(axis=0, keepdims=True)
        return float(_cosines(excess, self._excess_together)[0])

    @property
    def outcome(self) -> Outcome:
        """What becomes of the dependence within the strata.

        It reverses if it is still there, but on the whole in the opposite direction.
        """
        limit = float(significance_threshold(LEVEL))
        outside, inside = self.together > limit, self.within > limit
        if not outside:
            return "appears" if inside else "none"
        if not inside:
            return "disappears"
        return "reverses" if self.direction_within < 0 else "remains"

    def occurring(self) -> "Strata":
        """Without the states of the third column that have no rows."""
        given, full = self.pair.given, self.sizes > 0
        assert given is not None
        states = tuple(s for s, kept in zip(given.states, full, strict=True) if kept)
        given = replace(given, states=states)
        return Strata(replace(self.pair, cells=self.pair.cells[full], given=given))

    @property
    def _excess_together(self) -> Array:
        return _excess(self.pair.together.table)


def _information(table: Table) -> float:
    return float(MEASURES["si_calibrated"](table))


def _excess(table: Table) -> Array:
    """Observed less expected counts of each stratum; rounding is nothing."""
    excess = table.cells - table.expected
    return np.where(np.abs(excess) < 1e-9 * (1 + table.expected), 0.0, excess)


def _cosines(excess: Array, other: Array) -> Array:
    product = (excess * other).sum(axis=(-2, -1))
    lengths = np.sqrt((excess**2).sum(axis=(-2, -1)) * (other**2).sum(axis=(-2, -1)))
    known = lengths > 0
    return np.where(known, product / np.where(known, lengths, 1), np.nan)
