"""The frame of a ranking: facts, measures and ranks of every pair of columns."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from siviz.discoveries import log_q_values
from siviz.measures import evaluate, find_measure
from siviz.nulls import Centre, NullKind, null_moments, takes_few_values
from siviz.preparation import Prepared, Progress
from siviz.significance import log_p_value
from siviz.standardized import standardized_information
from siviz.tables import Array, Table

# Cells evaluated at once: enough to share the work, little enough for the memory.
_BATCH: Final = 1_000_000
# Relative difference below which two values of a measure are the same.
_ROUNDING: Final = 1e-11

FACTS: Final = (
    "rank",
    "first",
    "second",
    "score",
    "log10_q",
    "rows",
    "states_first",
    "states_second",
    "dof",
    "empty_cells",
    "null_mean",
    "null_deviation",
    "note",
)
"""Columns before those of the measures; see `siviz.ranking.Ranking`."""


def pairs_frame(
    prepared: Prepared,
    target: str | None,
    keys: tuple[str, ...],
    null: NullKind,
    *,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """One row a pair, strongest first: `FACTS`, the measures and their ranks.

    Parameters
    ----------
    prepared : Prepared
        The counts of all pairs.
    target : str or None
        Only the pairs with this column.
    keys : tuple of str
        Measures of the catalogue.
    null : {"calibrated", "nominal", "effective", "permutation"}
        What the score and the q-value compare G with.
    """
    first, second = _pairs(prepared, target)
    values = _evaluate_pairs(prepared, first, second, keys, null, rng, progress)
    return _frame(prepared, first, second, values, keys)


def centre_of(null: NullKind) -> Centre:
    """Fisher's centre with the calibrated null, the paper's Eq. 6 otherwise."""
    return "fisher" if null == "calibrated" else "mean"


def _pairs(
    prepared: Prepared, target: str | None
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Positions of the columns of each pair; the target is always second."""
    columns = len(prepared.kept)
    if target is None:
        return np.triu_indices(columns, 1)
    goal = prepared.position(target)
    others = np.delete(np.arange(columns), goal)
    return others, np.full_like(others, goal)


def _evaluate_pairs(
    prepared: Prepared,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    keys: tuple[str, ...],
    null: NullKind,
    random: np.random.Generator,
    progress: Progress | None,
) -> dict[str, Array]:
    """Facts and measures of every pair; nan where no row has both values."""
    facts = [name for name in FACTS if name not in ("rank", "first", "second", "note")]
    names = [*facts, "log_p", *keys]
    values = {name: np.full(first.size, np.nan) for name in names}
    values["rows"][:] = 0
    done = 0
    for block, shape in _batches(prepared, first, second):
        cells = np.stack(
            [c.tables(first[block], second[block], shape) for c in prepared.counted],
            axis=1,
        )
        full = cells.any(axis=(1, 2, 3))
        if full.any():
            table = Table.from_cells(cells[full])
            computed = _evaluate_batch(table, keys, null, random)
            for name, value in computed.items():
                values[name][block[full]] = value
        done += block.size
        if progress:
            progress(0.7 + 0.3 * done / first.size, "comparing with independence")
    return values


def _batches(
    prepared: Prepared, first: NDArray[np.intp], second: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], tuple[int, int]]]:
    """Pairs whose tables, padded a little, have the same shape; a batch at a time."""
    padded = np.array([_padded_size(len(c.states)) for c in prepared.kept])
    rows, columns = padded[first], padded[second]
    key = rows * (padded.max() + 1) + columns
    order = np.argsort(key, kind="stable")
    edges = np.flatnonzero(np.diff(key[order])) + 1
    for group in np.split(order, edges):
        shape = (int(rows[group[0]]), int(columns[group[0]]))
        step = max(_BATCH // (shape[0] * shape[1] * len(prepared.counted)), 1)
        for begin in range(0, group.size, step):
            yield group[begin : begin + step], shape


def _padded_size(states: int) -> int:
    """Number of states rounded up by at most a quarter, so that few shapes remain."""
    grain = 1 << max(states.bit_length() - 3, 0)
    return -(-states // grain) * grain


def _evaluate_batch(
    table: Table, keys: tuple[str, ...], null: NullKind, random: np.random.Generator
) -> dict[str, Array]:
    moments = null_moments(table, kind=null, rng=random)
    possible = table.row_states * table.column_states
    strata = np.count_nonzero(table.stratum_sizes, axis=-1)
    return {
        "score": standardized_information(table, null=moments, centre=centre_of(null)),
        "log_p": log_p_value(table, null=moments),
        "rows": table.sample_size,
        "states_first": table.row_states,
        "states_second": table.column_states,
        "dof": table.dof,
        "empty_cells": 1 - table.occupied_cells / (possible * strata),
        "null_mean": moments.mean,
        "null_deviation": moments.deviation,
        **evaluate(table, keys),
    }


def _frame(
    prepared: Prepared,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    values: dict[str, Array],
    keys: tuple[str, ...],
) -> pd.DataFrame:
    values["log10_q"] = log_q_values(values.pop("log_p")) / np.log(10)
    names = np.array([column.name for column in prepared.kept], dtype=object)
    order = np.argsort(-values["score"], kind="stable")
    columns: dict[str, Any] = {name: values[name][order] for name in values}
    columns |= {"first": names[first[order]], "second": names[second[order]]}
    fitted = np.isin(columns["first"].astype(str), list(prepared.fitted))
    columns |= {"rank": _ranks(columns["score"]), "note": _notes(columns, fitted)}
    for key in keys:
        columns[f"rank_{key}"] = _ranks(find_measure(key).strength(columns[key]))
    for whole in ("rows", "states_first", "states_second", "dof"):
        columns[whole] = np.nan_to_num(columns[whole]).astype(np.int64)
    ranks = [f"rank_{key}" for key in keys]
    return pd.DataFrame({name: columns[name] for name in (*FACTS, *keys, *ranks)})


def _ranks(strength: Array) -> "pd.arrays.IntegerArray":
    """1 for the strongest; ties share the best of their places; nan has none.

    Values that differ by rounding only, as those of a table and its transpose, tie.
    """
    order = np.argsort(-strength, kind="stable")
    falling = strength[order]
    new = np.ones(strength.shape, dtype=bool)
    new[1:] = falling[:-1] - falling[1:] > _ROUNDING * np.abs(falling[:-1])
    ranks = np.empty(strength.shape, dtype=np.int64)
    ranks[order] = np.maximum.accumulate(np.where(new, np.arange(new.size) + 1, 0))
    return pd.arrays.IntegerArray(ranks, np.isnan(strength))


def _notes(columns: Mapping[str, Any], fitted: NDArray[np.bool_]) -> NDArray[Any]:
    """What a reader must know of single pairs."""
    notes = np.full(columns["rows"].size, "", dtype=object)
    deviation, dof = columns["null_deviation"], columns["dof"]
    rules: tuple[tuple[Callable[[], NDArray[np.bool_]], str], ...] = (
        (lambda: columns["rows"] == 0, "no row has both values"),
        (lambda: dof == 0, "only one state is left"),
        (lambda: deviation == 0, "the margins leave no freedom"),
        (
            lambda: takes_few_values(deviation, dof),
            "so sparse that G takes few values",
        ),
        (lambda: fitted, "bins were chosen for this target: the score is optimistic"),
    )
    for rule, text in rules:
        notes[rule() & (notes == "")] = text
    return notes
