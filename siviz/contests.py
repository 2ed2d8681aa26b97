"""Contests of many tables: which of two sides does each measure call stronger?

The studies of `siviz.experiments` say what is drawn; here every measure judges it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from siviz.measures import MEASURES, Measure
from siviz.significance import cdf_p_value
from siviz.tables import Table, whole_number

Rng: TypeAlias = np.random.Generator | int | None
Progress: TypeAlias = Callable[[float], object]
Draw: TypeAlias = Callable[[NDArray[np.intp], np.random.Generator], tuple[Table, Table]]

STUDY_MEASURES: Final[dict[str, Measure]] = {
    **MEASURES,
    "p_value_2006": Measure(
        "p_value_2006",
        "p-value as printed in 2006",
        r"1-F_{\chi^2_d}(G)",
        "",
        "lower",
        "It rounds to 0 below 1e-16, where everything ties.",
        cdf_p_value,
    ),
}
"""The catalogue and the p-value as ``1 - cdf``.  The p-value so comes in three ways:
``p_value_2006`` (0 below 1e-16), ``p_value`` (survival function, 0 below 1e-308) and
``log10_p`` (never ends)."""

CALIBRATED: Final = ("si_calibrated", "log10_p_calibrated", "ami")
"""Measures that need the calibrated null: slower, computed only when asked for."""
DEFAULT_MEASURES: Final = tuple(key for key in STUDY_MEASURES if key not in CALIBRATED)

# Cells evaluated at once: the working arrays stay near the processor, and a long study
# reports its progress several times a second.
_BLOCK: Final = 100_000
# Equal strengths may differ by rounding, as sums over tables of different shapes do.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class Contest:
    """Conditions whose tables have the same shapes."""

    conditions: pd.DataFrame
    draw: Draw
    """Tables of the simple and of the rich side for an array of conditions, each of
    shape (conditions, candidates, rows, columns)."""
    cells: int
    """Number of cells of both sides together."""
    tie_of_2006: float | NDArray[np.float64] = 0.5
    """What a tie of ``p_value_2006`` counts, for each condition."""


def play_contests(
    contests: Sequence[Contest],
    resamples: int,
    measures: Sequence[str],
    rng: Rng,
    progress: Progress | None,
) -> pd.DataFrame:
    """Play every contest in blocks of resamples, and tabulate who won."""
    resamples = whole_number("resamples", resamples)
    keys = _known(measures)
    generator = np.random.default_rng(rng)
    total = sum(len(contest.conditions) * contest.cells for contest in contests)
    done, frames = 0, []
    for contest in contests:
        which = np.repeat(np.arange(len(contest.conditions)), resamples)
        won = np.empty((2, len(keys), which.size), dtype=bool)
        step = max(_BLOCK // contest.cells, 1)
        for start in range(0, which.size, step):
            block = slice(start, start + step)
            won[:, :, block] = _compare(*contest.draw(which[block], generator), keys)
            done += which[block].size * contest.cells
            if progress is not None:
                progress(done / (total * resamples))
        shares = won.reshape(2, len(keys), -1, resamples).mean(axis=-1)
        frames.append(_tabulate(contest, keys, shares, resamples))
    return pd.concat(frames, ignore_index=True)


def _compare(simple: Table, rich: Table, keys: Sequence[str]) -> NDArray[np.bool_]:
    """Where the simple side wins, and where both tie, shape (2, keys, resamples)."""
    tables = simple, rich
    won = np.empty((2, len(keys), simple.shape[0]), dtype=bool)
    for row, key in enumerate(keys):
        measure = STUDY_MEASURES[key]
        few, many = (measure.strength(measure(table)).max(axis=1) for table in tables)
        negligible = _ROUNDING * np.maximum(np.abs(few), np.abs(many))
        won[0, row] = few - many > negligible
        won[1, row] = np.abs(few - many) <= negligible
    return won


def _tabulate(
    contest: Contest, keys: Sequence[str], shares: NDArray[np.float64], resamples: int
) -> pd.DataFrame:
    """The rows of a study (see `siviz.experiments`)."""
    conditions = contest.conditions
    favoured, ties = np.moveaxis(shares, 1, 2)  # shape (conditions, keys)
    worth = np.full(ties.shape, 0.5)
    worth[:, np.equal(keys, "p_value_2006")] = np.reshape(contest.tie_of_2006, (-1, 1))
    fraction = (favoured + worth * ties).ravel()
    share = (fraction * resamples + 1) / (resamples + 2)
    # One frame at once: column by column takes as long as a small study.
    return pd.DataFrame(
        {
            **{
                name: np.repeat(column.to_numpy(), len(keys))
                for name, column in conditions.items()
            },
            "measure": np.tile(keys, len(conditions)),
            "fraction": fraction,
            "standard_error": np.sqrt(share * (1 - share) / (resamples + 3)),
            "ties": ties.ravel(),
            "resamples": resamples,
        }
    )


def _known(measures: Sequence[str]) -> list[str]:
    if isinstance(measures, str) or len(measures) == 0:
        raise ValueError(f"measures must be a list of keys; got {measures!r}")
    for key in measures:
        if key not in STUDY_MEASURES:
            raise ValueError(
                f"measures must be among {', '.join(STUDY_MEASURES)}; got {key!r}"
            )
    return list(measures)
