"""True distributions to sample from: the paper's models, and a family for any shape.

A scenario is a function that builds a `TrueDistribution`, usually from a knob ``z``.
Because the truth is known, so is the right answer of every comparison.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import rel_entr

from siviz.tables import Array, whole_number

Partition: TypeAlias = Sequence[Sequence[int]]
Margin: TypeAlias = Literal["uniform", "zipf"] | ArrayLike

TWO_STATES: Final = ((0, 1), (2, 3))
"""Figure 2's coarser view: the first two of four states merged, and the last two."""
BINARY_CHANCES: Final = (0.6, 0.8, 0.3, 0.1)
"""Figure 3: chance of state 1 of a binary feature in each of the four classes."""

# numpy's multinomial sampler accepts no larger deviation of the sum from 1.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, eq=False)
class TrueDistribution:
    """The joint distribution of two discrete variables, known exactly.

    Parameters
    ----------
    probabilities : array_like, shape (rows, columns)
        Not negative, adding up to 1.  Kept as a read-only copy.

    Examples
    --------
    >>> coins = TrueDistribution([[0.4, 0.1], [0.1, 0.4]])
    >>> round(coins.true_information, 4)
    0.1927
    >>> coins.sample_tables(100, 3, rng=0).shape
    (3, 2, 2)
    """

    probabilities: Array

    def __post_init__(self) -> None:
        array = _as_probabilities("probabilities", self.probabilities)
        if array.ndim != 2:
            raise ValueError(
                f"probabilities must have the shape (rows, columns); got {array.shape}"
            )
        array.setflags(write=False)
        object.__setattr__(self, "probabilities", array)

    @cached_property
    def true_information(self) -> float:
        """Mutual information of the two variables (Eq. 1 of the truth), in nats."""
        joint = self.probabilities
        independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        return max(float(rel_entr(joint, independent).sum()), 0.0)

    def sample_tables(
        self, size: int, n: int = 1, rng: np.random.Generator | int | None = None
    ) -> NDArray[np.int64]:
        """Draw ``n`` tables of ``size`` observations each, shape (n, rows, columns)."""
        size, n = whole_number("size", size), whole_number("n", n)
        generator = np.random.default_rng(rng)
        chances = self.probabilities.ravel()
        if size < chances.size:
            tables = _placed(size, chances, n, generator)
        else:
            tables = generator.multinomial(size, chances, size=n)
        return tables.reshape(n, *self.probabilities.shape)

    def merged(self, rows: Partition, columns: Partition) -> "TrueDistribution":
        """The distribution seen with merged states, which holds no more information.

        ``rows`` and ``columns`` are the groups of states that make each new state.
        """
        row_states, column_states = self.probabilities.shape
        left = membership("rows", rows, row_states)
        right = membership("columns", columns, column_states)
        return TrueDistribution(left.T @ self.probabilities @ right)


def discretization_scenario(z: float) -> TrueDistribution:
    """Figure 2's distribution of two variables with four states each (Sec. 7.1).

    The published table is lost; this one is a reconstruction from what the text says
    of the results.  Merging by `TWO_STATES` keeps the information between its 2 x 2
    blocks, which is the same for every z from 0 to .1.  The information inside the
    blocks, lost by merging, is 0 at z = 0 and grows with z.

    Examples
    --------
    >>> fine = discretization_scenario(0.05)
    >>> coarse = fine.merged(TWO_STATES, TWO_STATES)
    >>> round(fine.true_information, 4), round(coarse.true_information, 4)
    (0.2974, 0.1927)
    """
    _check_knob(z, 0.1)
    inside = np.array([[0.1 + z, 0.1 - z], [0.1 - z, 0.1 + z]])
    outside = np.full((2, 2), 0.025)
    return TrueDistribution(np.block([[inside, outside], [outside, inside]]))


def binary_feature(chances: Sequence[float] = BINARY_CHANCES) -> TrueDistribution:
    """One of Figure 3's binary features (rows) and the class Y (columns) (Sec. 7.1).

    ``chances`` are the probabilities of state 1 in the four equally frequent classes.

    Examples
    --------
    >>> round(binary_feature().true_information, 4)
    0.1608
    """
    chance = np.array(chances, dtype=float)
    if chance.shape != (4,) or not np.all((chance >= 0) & (chance <= 1)):
        raise ValueError(f"chances must be four numbers from 0 to 1; got {chances}")
    return TrueDistribution(np.stack([chance, 1 - chance]) / 4)


def four_state_feature(z: float) -> TrueDistribution:
    """One of Figure 3's four-state features (rows) and the class Y (columns).

    The joint probability of agreeing in a given state is ``(1/4 + 3 z) / 4`` and of
    any other cell ``(1/4 - z) / 4``; only as joint probabilities do the printed values
    add up to 1.  From z = 0, independent, to z = 1/4, feature and class the same.

    Examples
    --------
    >>> four_state_feature(0.25).probabilities.diagonal()
    array([0.25, 0.25, 0.25, 0.25])
    """
    _check_knob(z, 0.25)
    return TrueDistribution((np.full((4, 4), 0.25 - z) + 4 * z * np.eye(4)) / 4)


def z_of_equal_information(chances: Sequence[float] = BINARY_CHANCES) -> float:
    """Figure 3's z at which both kinds of features know equally much of the class.

    Examples
    --------
    >>> round(z_of_equal_information(), 5)
    0.08834
    """
    wanted = binary_feature(chances).true_information
    return _root(lambda z: four_state_feature(z).true_information - wanted, 0.25)


def mixed_distribution(
    rows: int,
    columns: int,
    *,
    z: float,
    row_margin: Margin = "uniform",
    column_margin: Margin = "uniform",
) -> TrueDistribution:
    """A distribution of any shape between independence and near-determinism.

    ``(1 - z)`` times the independent distribution plus ``z`` times a coupling of the
    same two margins that pairs frequent states with frequent ones.  The margins are
    the same for every z from 0 to 1, and the information grows with z.  Figure 3's
    four-state feature is the 4 x 4 member with uniform margins and four times its z.

    Parameters
    ----------
    rows, columns : int
        Numbers of states.
    z : float
        From 0 (independent) to 1.
    row_margin, column_margin : {"uniform", "zipf"} or array_like
        See `margin_probabilities`.

    Examples
    --------
    >>> mixed_distribution(2, 2, z=0.5).probabilities
    array([[0.375, 0.125],
           [0.125, 0.375]])
    """
    _check_knob(z, 1)
    first = margin_probabilities(rows, row_margin)
    second = margin_probabilities(columns, column_margin)
    independent = np.outer(first, second)
    return TrueDistribution((1 - z) * independent + z * _coupling(first, second))


def informative_distribution(
    rows: int,
    columns: int,
    *,
    information: float,
    row_margin: Margin = "uniform",
    column_margin: Margin = "uniform",
) -> TrueDistribution:
    """The `mixed_distribution` with the given true mutual information, in nats.

    Possible are 0 to the information of the member with ``z = 1``.

    Examples
    --------
    >>> wide = informative_distribution(3, 20, information=0.2, column_margin="zipf")
    >>> round(wide.true_information, 10)
    0.2
    """

    def member(z: float) -> TrueDistribution:
        return mixed_distribution(
            rows, columns, z=z, row_margin=row_margin, column_margin=column_margin
        )

    most = member(1.0).true_information
    if not 0 <= information <= most:
        raise ValueError(
            f"information must lie between 0 and {most:.6g} nats, the most that a "
            f"{rows} x {columns} distribution of this family with these margins holds; "
            f"got {information}"
        )
    return member(_root(lambda z: member(z).true_information - information, 1.0))


def flipping_pairs() -> dict[str, Array]:
    """Figure 1's situation as two tables of counts whose order depends on the scale.

    (A, B) has d = 1, (X, Y) has d = 9, and both have N = 160.  (X, Y) has the larger
    information, also after bias correction (Eq. 2); but in units of its own null
    spread (Eq. 3) it lies within 1 of the mean, and (A, B) further out.

    Examples
    --------
    >>> from siviz import information_z_score, mutual_information
    >>> [round(float(mutual_information(t)), 3) for t in flipping_pairs().values()]
    [0.011, 0.039]
    >>> [round(float(information_z_score(t)), 2) for t in flipping_pairs().values()]
    [1.85, 0.84]
    """
    sign = np.array([[1.0, -1.0], [-1.0, 1.0]])
    first = 40 + 6 * sign
    second = 10 + np.block([[3 * sign, 3 * sign], [2 * sign, 3 * sign]])
    return {"(A, B)": first, "(X, Y)": second}


def margin_probabilities(states: int, margin: Margin = "uniform") -> Array:
    """The distribution of one variable: uniform, proportional to 1/i (Zipf), or given.

    Examples
    --------
    >>> margin_probabilities(3, "zipf").round(3)
    array([0.545, 0.273, 0.182])
    """
    states = whole_number("states", states)
    if isinstance(margin, str):
        if margin not in ("uniform", "zipf"):
            raise ValueError(
                'margin must be "uniform", "zipf" or one probability per state; '
                f"got {margin!r}"
            )
        weight = 1 / np.arange(1, states + 1) if margin == "zipf" else np.ones(states)
        return weight / weight.sum()
    given = _as_probabilities("margin", margin)
    if given.shape != (states,):
        raise ValueError(
            f"margin must hold {states} probabilities, one per state; "
            f"got the shape {given.shape}"
        )
    return given


def membership(name: str, groups: Partition, states: int) -> Array:
    """1 where a state belongs to a group, shape (states, groups).

    Multiplying a table by it merges states; unlike `siviz.merge_states`, which adds up
    counts, this also merges probabilities.  ``name`` is for the error message.

    Examples
    --------
    >>> membership("rows", [[0, 2], [1]], 3)
    array([[1., 0.],
           [0., 1.],
           [1., 0.]])
    """
    named = [list(group) for group in groups]
    members = sorted(state for group in named for state in group)
    if not all(named) or members != list(range(states)):
        raise ValueError(
            f"{name} must be groups of at least one state each that name the states 0 "
            f"to {states - 1} exactly once; got {named}"
        )
    matrix = np.zeros((states, len(named)))
    for column, group in enumerate(named):
        matrix[group, column] = 1
    return matrix


def _coupling(first: Array, second: Array) -> Array:
    """A joint distribution with these margins in which little is left to chance.

    Greedy: the largest remaining masses of both margins are paired, so equal margins
    give a diagonal.  Each step uses up a row or a column.
    """
    left, right = first.copy(), second.copy()
    joint = np.zeros((left.size, right.size))
    for _ in range(left.size + right.size - 1):
        i, j = int(left.argmax()), int(right.argmax())
        mass = min(left[i], right[j])
        joint[i, j] += mass
        left[i] -= mass
        right[j] -= mass
    return joint / joint.sum()


def _placed(
    size: int, chances: Array, n: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Multinomial counts, one observation after another, shape (n, cells).

    A sampler that asks cell after cell takes ten times as long where most are empty.
    """
    possible = np.flatnonzero(chances)
    edges = chances[possible].cumsum()
    edges[-1] = 1  # above every draw, whatever the sum is rounded to
    place = np.searchsorted(edges, generator.random((n, size)), side="right")
    cell = possible[place] + chances.size * np.arange(n)[:, None]
    counts = np.bincount(cell.ravel(), minlength=n * chances.size)
    return counts.reshape(n, chances.size)


def _root(excess: Callable[[float], float], high: float) -> float:
    """Where a function that grows from at most 0 to at least 0 on [0, high] is 0."""
    if excess(0.0) >= 0:
        return 0.0
    if excess(high) <= 0:
        return high
    return float(brentq(excess, 0.0, high, xtol=1e-16))


def _check_knob(z: float, high: float) -> None:
    if not 0 <= z <= high:
        raise ValueError(f"z must lie between 0 and {high:g}; got {z}")


def _as_probabilities(name: str, values: ArrayLike) -> Array:
    """A copy of the values, checked."""
    array = np.array(values, dtype=float)
    wrong = ~(array >= 0)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"{name} must not be negative or nan; got {array[at]} at index {at}"
        )
    if not abs(array.sum() - 1) <= _ROUNDING:
        raise ValueError(
            f"{name} must add up to 1; got a sum of {array.sum():.15g} "
            "(divide by the sum)"
        )
    return array
