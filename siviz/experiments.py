"""Resampling studies: which of two views of the data does each measure favour?

A study draws many tables from a known truth and lets each measure choose between a
simple side (few states) and a rich one (more states).  It returns a tidy frame with one
row per condition and measure; besides the columns that name the condition there are

- ``measure``: key of `siviz.contests.STUDY_MEASURES`;
- ``fraction``: share of resamples in which the measure favours the simple side, a tie
  counted as half;
- ``standard_error``: Monte-Carlo error of the fraction, never 0 (standard deviation of
  a Beta posterior with a uniform prior, so 0 out of 100 is not taken for certainty);
- ``ties``: share of resamples in which both sides are equally strong;
- ``resamples``: how many were drawn.

Every study takes ``resamples`` (draws per condition), ``measures`` (keys of
`siviz.contests.STUDY_MEASURES`), ``rng`` (generator or seed: equal seeds give equal
frames) and ``progress`` (called with the share that is done; may raise to stop the
study).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from siviz.contests import (
    DEFAULT_MEASURES,
    Contest,
    Progress,
    Rng,
    play_contests,
)
from siviz.scenarios import (
    BINARY_CHANCES,
    TWO_STATES,
    Partition,
    TrueDistribution,
    binary_feature,
    discretization_scenario,
    four_state_feature,
    membership,
    mixed_distribution,
)
from siviz.tables import Table, whole_number

FIGURE_2_Z: Final = tuple(step / 200 for step in range(21))
FIGURE_3_SIZES: Final = tuple(2**power for power in range(5, 15))


def discretization_study(
    sample_sizes: Sequence[int] = (25, 100, 500),
    z: Sequence[float] = FIGURE_2_Z,
    *,
    scenario: Callable[[float], TrueDistribution] = discretization_scenario,
    coarse: Partition = TWO_STATES,
    fine: Partition | None = None,
    resamples: int = 100,
    measures: Sequence[str] = DEFAULT_MEASURES,
    rng: Rng = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """How often each measure favours the coarser states, against z (Figure 2).

    Each table is drawn once and seen through both partitions, ``coarse`` and ``fine``:
    groups of states, applied to both variables (``fine=None`` merges nothing).
    ``scenario`` makes a square distribution from z.

    Returns
    -------
    DataFrame
        Columns ``sample_size``, ``z``, ``information_coarse`` and ``information_fine``
        (the true ones, in nats), then those listed in the module.

    Examples
    --------
    >>> study = discretization_study([100], [0, 0.1], measures=["si"], rng=1)
    >>> study[["sample_size", "z", "measure", "fraction"]]
       sample_size    z measure  fraction
    0          100  0.0      si       1.0
    1          100  0.1      si       0.0
    """
    conditions = _conditions(sample_size=sample_sizes, z=np.asarray(z, dtype=float))
    truths = {value: scenario(value) for value in conditions["z"].unique()}
    states = _states(truths.values())
    everything = [[state] for state in range(states)]
    views = {"coarse": coarse, "fine": everything if fine is None else fine}
    few, many = (membership(*view, states) for view in views.items())
    if few.shape[1] > many.shape[1]:
        raise ValueError(
            "coarse must have no more groups than fine; "
            f"got {few.shape[1]} and {many.shape[1]} (swap them)"
        )
    for name, groups in views.items():
        seen = {at: truth.merged(groups, groups) for at, truth in truths.items()}
        known = {at: truth.true_information for at, truth in seen.items()}
        conditions[f"information_{name}"] = conditions["z"].map(known)
    sizes = conditions["sample_size"].to_numpy()
    chances = np.stack([truths[at].probabilities.ravel() for at in conditions["z"]])

    def draw(which: NDArray[np.intp], rng: np.random.Generator) -> tuple[Table, Table]:
        tables = rng.multinomial(sizes[which], chances[which]).astype(float)
        tables = tables.reshape(-1, 1, states, states)
        return Table(few.T @ tables @ few), Table(many.T @ tables @ many)

    contest = Contest(conditions, draw, few.shape[1] ** 2 + many.shape[1] ** 2)
    return play_contests([contest], resamples, measures, rng, progress)


def selection_study(
    sample_sizes: Sequence[int] = FIGURE_3_SIZES,
    z: Sequence[float] = (0.10, 0.08),
    *,
    chances: Sequence[float] = BINARY_CHANCES,
    copies: int = 10,
    resamples: int = 100,
    measures: Sequence[str] = DEFAULT_MEASURES,
    rng: Rng = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """How often the best of many features is a binary one, against N (Figure 3).

    A class Y of four equally frequent states, ``copies`` binary features (see
    `binary_feature` for ``chances``) and as many with four states (`four_state_feature`
    for z), all independent given Y.  In each resample a measure picks the feature most
    dependent on Y; the simple side wins if it is binary.  Features are the rows and Y
    the columns of the tables, so that the conditional entropy is that of Y.

    All z share the classes and the binary features that are drawn.

    The paper's rule for the p-value of 2006: where ``1 - cdf`` makes the best of both
    kinds tie, the wrong answer is counted, to show where the computation breaks down.

    Returns
    -------
    DataFrame
        Columns ``z``, ``sample_size``, ``information_binary`` and
        ``information_four_state`` (the true ones, in nats), then those listed in the
        module.

    Examples
    --------
    >>> study = selection_study([16384], [0.1], measures=["si", "nmi"], rng=1)
    >>> study[["z", "sample_size", "measure", "fraction"]]
         z  sample_size measure  fraction
    0  0.1        16384      si      0.00
    1  0.1        16384     nmi      0.98
    """
    copies = whole_number("copies", copies)
    generator = np.random.default_rng(rng)
    seed = _seed(generator)
    binary = binary_feature(chances)
    contests = []
    for at in _conditions(z=np.asarray(z, dtype=float))["z"]:
        rich = four_state_feature(at)
        conditions = _conditions(z=[at], sample_size=sample_sizes)
        conditions["information_binary"] = binary.true_information
        conditions["information_four_state"] = rich.true_information
        contests.append(_selection_contest(conditions, binary, rich, copies, seed))
    return play_contests(contests, resamples, measures, generator, progress)


def _selection_contest(
    conditions: pd.DataFrame,
    binary: TrueDistribution,
    rich: TrueDistribution,
    copies: int,
    seed: int,
) -> Contest:
    """Binary against four-state features, for samples of several sizes.

    Contests with the same seed share the classes and the binary features: they are
    drawn once for all z, and what a measure says of them is known from then on.
    """
    gap = binary.true_information - rich.true_information
    sizes = conditions["sample_size"].to_numpy()
    seeds = np.random.default_rng(seed)
    within = _within_classes(binary)

    def draw(which: NDArray[np.intp], rng: np.random.Generator) -> tuple[Table, Table]:
        drawn = tuple(sizes[which].tolist())
        classes, few = _binary_side(drawn, within, copies, _seed(seeds))
        return few, _features(classes, _within_classes(rich), copies, rng)

    wrong = (1 - np.sign(round(gap, 12))) / 2
    return Contest(conditions, draw, copies * (8 + 16), wrong)


# As many blocks as a study of 1,000 resamples at eleven sample sizes has; each takes
# half a megabyte.
@lru_cache(maxsize=32)
def _binary_side(
    sizes: tuple[int, ...],
    within: tuple[tuple[float, ...], ...],
    copies: int,
    seed: int,
) -> tuple[NDArray[np.int64], Table]:
    """How often each class occurs in samples of these sizes, and binary features."""
    rng = np.random.default_rng(seed)
    classes = rng.multinomial(sizes, np.full(4, 0.25))[:, None]
    return classes, _features(classes, within, copies, rng)


def _features(
    classes: NDArray[np.int64],
    within: Sequence[Sequence[float]],
    copies: int,
    rng: np.random.Generator,
) -> Table:
    """Features with these chances within each class; the classes are the columns."""
    drawn = rng.multinomial(classes, within, size=(len(classes), copies, 4))
    # In the order of their axes, tables are summed and compared faster.
    tables = np.ascontiguousarray(np.swapaxes(drawn, -1, -2), dtype=float)
    return Table.from_cells(tables[..., None, :, :])


def _within_classes(feature: TrueDistribution) -> tuple[tuple[float, ...], ...]:
    """Distribution of a feature within each of four equally frequent classes."""
    return tuple(map(tuple, 4 * feature.probabilities.T))


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**63))


def fairness_study(
    states: Sequence[int] = (2, 4, 8, 16, 32),
    sample_sizes: Sequence[int] = (50, 200, 1000),
    margins: Sequence[str] = ("uniform", "zipf"),
    *,
    resamples: int = 400,
    measures: Sequence[str] = DEFAULT_MEASURES,
    rng: Rng = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """How often, on independent data, a 2 x 2 pair outranks a k x k pair.

    Where there is nothing to find a fair measure favours neither: a fraction of .5 for
    every number of states k, sample size, and margin of the four variables.

    Returns
    -------
    DataFrame
        Columns ``states``, ``sample_size``, ``margin``, then those listed in the
        module.

    Examples
    --------
    >>> study = fairness_study([30], [200], ["uniform"], measures=["mi", "si"], rng=1)
    >>> study[["states", "sample_size", "margin", "measure", "fraction"]]
       states  sample_size   margin measure  fraction
    0      30          200  uniform      mi       0.0
    1      30          200  uniform      si       1.0
    """
    contests = []
    for k in _conditions(states=states)["states"]:
        grid = _conditions(states=[k], sample_size=sample_sizes, margin=margins)
        contests.append(_independent_contest(grid, whole_number("states", k, least=2)))
    return play_contests(contests, resamples, measures, rng, progress)


def _independent_contest(conditions: pd.DataFrame, k: int) -> Contest:
    """A 2 x 2 and a k x k table of independent variables under each condition."""
    sizes = conditions["sample_size"].to_numpy()
    few, many = (
        [
            mixed_distribution(states, states, z=0, row_margin=kind, column_margin=kind)
            for kind in conditions["margin"]
        ]
        for states in (2, k)
    )

    def draw(which: NDArray[np.intp], rng: np.random.Generator) -> tuple[Table, Table]:
        def tables(truths: Sequence[TrueDistribution]) -> Table:
            drawn = [
                truths[at].sample_tables(sizes[at], times, rng)
                for at, times in zip(*np.unique(which, return_counts=True), strict=True)
            ]
            return Table(np.concatenate(drawn)[:, None])

        return tables(few), tables(many)

    return Contest(conditions, draw, 4 + k**2)


def _conditions(**grid: Any) -> pd.DataFrame:
    """Every combination of the values, the last varying fastest."""
    for name, values in grid.items():
        if isinstance(values, str) or np.ndim(values) != 1 or len(values) == 0:
            parameter = {"sample_size": "sample_sizes", "margin": "margins"}.get(
                name, name
            )
            raise ValueError(f"{parameter} must be a list of values; got {values!r}")
    for size in grid.get("sample_size", ()):
        whole_number("sample_sizes", size)
    return pd.DataFrame(product(*grid.values()), columns=list(grid))


def _states(truths: Any) -> int:
    shapes = {truth.probabilities.shape for truth in truths}
    (rows, columns), *others = shapes
    if others or rows != columns:
        raise ValueError(
            "scenario must make square distributions of one shape for every z; "
            f"got the shapes {sorted(shapes)}"
        )
    return rows
