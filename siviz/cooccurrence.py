"""All pairwise tables of a data set at once: one mergeable matrix of counts.

With X the one-hot matrix of all columns (K states in total), ``X'X`` holds the table of
every pair of columns as a block and every column's own counts on its diagonal.  It is a
sum over rows: chunks, files and machines merge by ``+``.  A row with a missing value is
zero in that column's states, so each block counts just the rows where both are known.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from siviz.cores import side_by_side

Kernel: TypeAlias = Literal["product", "packed"]
Codes: TypeAlias = Sequence[NDArray[Any]]

# Nanoseconds per unit of work, measured; only their ratios matter.
_PRODUCT_COST: Final = 0.03  # one multiplication of the matrix product
_WRITE_COST: Final = 10.0  # one entry of the one-hot matrix
_COUNT_COST: Final = 3.0  # one row counted into one table of two packed columns
_TABLE_COST: Final = 4.0  # one cell of such a table
_CALL_COST: Final = 30_000.0  # one such table

_MOST_PACKED: Final = 256  # joint states of a pack: tables of two fit into the cache
_LONG: Final = 1 << 16  # rows from which several threads count
_CHUNK: Final = 1 << 20  # rows counted at once, for the memory
_ONE_HOT_BYTES: Final = 16 << 20
LARGEST_MATRIX: Final = 12_000
"""States of all columns together that a matrix of counts may have (1.2 GB)."""


@dataclass(frozen=True, eq=False)
class Cooccurrence:
    """Counts of pairs of states: all columns against all, or against one target.

    Parameters
    ----------
    sizes : tuple of int
        Number of states of each column.
    matrix : ndarray, shape (K, K) or (K, states of the target)
        Whole numbers; K is the sum of the sizes.
    target : int, optional
        The column that all others were counted against.

    Examples
    --------
    >>> first, second = np.array([0, 1, 1]), np.array([0, 0, 1])
    >>> counted = count_pairs([first, second], (2, 2))
    >>> (counted + counted).table(0, 1)
    array([[2., 0.],
           [2., 2.]])
    """

    sizes: tuple[int, ...]
    matrix: NDArray[np.float64]
    target: int | None = None

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """First state of each column among all states."""
        return np.cumsum((0, *self.sizes[:-1])).astype(np.intp)

    def table(self, first: int, second: int) -> NDArray[np.float64]:
        """Contingency table of two columns, by their positions."""
        shape = (self.sizes[first], self.sizes[second])
        return self.tables(np.array([first]), np.array([second]), shape)[0]

    def tables(
        self, first: NDArray[np.intp], second: NDArray[np.intp], shape: tuple[int, int]
    ) -> NDArray[np.float64]:
        """Tables of many pairs of columns, padded with empty states to one shape."""
        if self.target is not None and (second != self.target).any():
            raise ValueError(f"only pairs with column {self.target} were counted")
        start = self.starts if self.target is None else np.zeros_like(self.starts)
        rows = self._states(first, self.starts, shape[0], self.matrix.shape[0])
        columns = self._states(second, start, shape[1], self.matrix.shape[1])
        return self._bordered[rows[:, :, None], columns[:, None, :]]

    def __add__(self, other: "Cooccurrence") -> "Cooccurrence":
        """Counts of both sets of rows."""
        if (self.sizes, self.target) != (other.sizes, other.target):
            raise ValueError(
                "counts of the same columns with the same states can be added; "
                f"got columns with {self.sizes} and {other.sizes} states"
            )
        return Cooccurrence(self.sizes, self.matrix + other.matrix, self.target)

    @cached_property
    def _bordered(self) -> NDArray[np.float64]:
        """The matrix with an empty last row and column, which padding points to."""
        return np.pad(self.matrix, (0, 1))

    def _states(
        self,
        column: NDArray[np.intp],
        starts: NDArray[np.intp],
        states: int,
        nowhere: int,
    ) -> NDArray[np.intp]:
        step = np.arange(states)
        inside = step < np.asarray(self.sizes)[column][:, None]
        return np.where(inside, starts[column][:, None] + step, nowhere)


def count_pairs(
    codes: Codes,
    sizes: Sequence[int],
    *,
    target: int | None = None,
    weights: NDArray[Any] | None = None,
    kernel: Kernel | None = None,
) -> Cooccurrence:
    """Count all pairs of states of all columns, or of all columns with one.

    Parameters
    ----------
    codes : sequence of integer arrays
        One per column, all of the same length: 0 to size - 1, or -1 where missing.
    sizes : sequence of int
        Number of states of each column.
    target : int, optional
        Count only the pairs with this column.
    weights : ndarray, optional
        How often each row counts: whole numbers.
    kernel : {"product", "packed"}, optional
        How to count all pairs; by default what the cost model finds faster.  Both give
        the same whole numbers.

    Raises
    ------
    ValueError
        If the columns have more than `LARGEST_MATRIX` states together.
    """
    sizes = tuple(int(size) for size in sizes)
    if target is not None:
        return Cooccurrence(sizes, _count_target(codes, sizes, target, weights), target)
    if sum(sizes) > LARGEST_MATRIX:
        raise ValueError(
            f"all columns together must have at most {LARGEST_MATRIX:,} states; got "
            f"{sum(sizes):,}, {max(sizes):,} of them in one column: merge rare states, "
            "leave out columns with many, or choose a target"
        )
    packs = _pack(codes, sizes)
    chosen = kernel or _faster_kernel(len(codes[0]), sizes, packs)
    if chosen == "product":
        return Cooccurrence(sizes, _count_by_product(codes, sizes, weights))
    return Cooccurrence(sizes, _count_packed(codes, sizes, packs, weights))


def _faster_kernel(rows: int, sizes: tuple[int, ...], packs: list["_Pack"]) -> Kernel:
    states = sum(sizes)
    product = rows * states * (_WRITE_COST + _PRODUCT_COST * states / 2)
    joint = np.array([pack.states for pack in packs], dtype=float)
    pairs = len(packs) * (len(packs) + 1) / 2
    tables = (joint.sum() ** 2 + (joint**2).sum()) / 2
    packed = pairs * (rows * _COUNT_COST + _CALL_COST) + tables * _TABLE_COST
    return "product" if product < packed else "packed"


def _count_by_product(
    codes: Codes, sizes: tuple[int, ...], weights: NDArray[Any] | None
) -> NDArray[np.float64]:
    """``X'X`` with X built for a few rows at a time."""
    states, rows = sum(sizes), len(codes[0])
    starts = np.cumsum((0, *sizes[:-1]))
    matrix = np.zeros((states, states))
    # Whole numbers in single precision are exact up to 2^24, more than a chunk has.
    kind = np.float32 if weights is None else np.float64
    most = _ONE_HOT_BYTES // (states * np.dtype(kind).itemsize)
    step = max(min(most, rows), 1)
    # One state more, in front, takes the missing values and is left out of the product.
    buffer = np.empty((step, 1 + states), dtype=kind)
    row_start = np.arange(step) * (1 + states)
    for begin in range(0, rows, step):
        chunk = slice(begin, begin + step)
        used = min(step, rows - begin)
        buffer[:used] = 0
        for column, start in zip(codes, starts, strict=True):
            code = column[chunk].astype(np.intp)
            place = np.where(code >= 0, code + (1 + start), 0) + row_start[:used]
            buffer.ravel()[place] = 1
        one_hot = buffer[:used, 1:]
        other = one_hot if weights is None else one_hot * weights[chunk][:, None]
        matrix += one_hot.T @ other
    return matrix


class _Pack(NamedTuple):
    """Columns counted as one, with "missing" as a state where there are any."""

    columns: list[int]
    levels: list[int]

    @property
    def states(self) -> int:
        return prod(self.levels)


def _pack(codes: Codes, sizes: tuple[int, ...]) -> list[_Pack]:
    """Neighbouring columns packed while a table of two packs has fewer cells than rows.

    A column with many states is a pack of its own.
    """
    limit = min(np.sqrt(len(codes[0])), _MOST_PACKED)
    packs: list[_Pack] = []
    for column, size in enumerate(sizes):
        level = size + int(codes[column].min(initial=0) < 0)
        if not packs or packs[-1].states * level > limit:
            packs.append(_Pack([], []))
        packs[-1].columns.append(column)
        packs[-1].levels.append(level)
    return packs


def _count_packed(
    codes: Codes,
    sizes: tuple[int, ...],
    packs: list[_Pack],
    weights: NDArray[Any] | None,
) -> NDArray[np.float64]:
    """One table per pair of packs, marginalized to the tables of their columns.

    With P the 0/1 matrix that says which joint states contain a state, the block of two
    packs is ``P1 T P2'`` with T their joint table.
    """
    starts = np.cumsum((0, *sizes[:-1]))
    long = len(codes[0]) >= _LONG
    joint = side_by_side(partial(_joint_codes, codes), packs, worth_it=long)
    members = [_membership(sizes, pack) for pack in packs]
    places = [
        np.concatenate([starts[c] + np.arange(sizes[c]) for c in pack.columns])
        for pack in packs
    ]
    matrix = np.zeros((sum(sizes), sum(sizes)))
    amounts = np.ones(len(codes[0]), np.int32) if long and weights is None else weights

    def count(pair: tuple[int, int]) -> None:
        i, j = pair
        if i == j:
            table = np.diag(_count_keys(joint[i], packs[i].states, amounts))
        else:
            shape = (packs[i].states, packs[j].states)
            key = joint[i] * np.int32(shape[1])
            key += joint[j]
            table = _count_keys(key, prod(shape), amounts).reshape(shape)
        block = _fold(members[i], _fold(members[j], table.T).T)
        matrix[np.ix_(places[i], places[j])] = block
        matrix[np.ix_(places[j], places[i])] = block.T

    # Each pair of packs has blocks of the matrix of its own.
    pairs = itertools.combinations_with_replacement(range(len(packs)), 2)
    side_by_side(count, pairs, worth_it=long)
    return matrix


def _joint_codes(codes: Codes, pack: _Pack) -> NDArray[Any]:
    """One code for the joint state of a pack; a missing value is its column's last."""
    joint: NDArray[Any] = np.zeros(len(codes[0]), dtype=np.int32)
    for column, level in zip(pack.columns, pack.levels, strict=True):
        code = codes[column]
        joint *= np.int32(level)
        # The type of the codes may have no room for one state more.
        if code.min(initial=0) < 0:
            code = np.where(code < 0, np.int32(level - 1), code.astype(np.int32))
        joint += code
    return joint


def _membership(sizes: tuple[int, ...], pack: _Pack) -> NDArray[np.float64] | int:
    """Which joint states contain each state of the pack's columns.

    For a single column these are its first states: then their number is enough.
    """
    if len(pack.columns) == 1:
        return sizes[pack.columns[0]]
    grid = np.indices(pack.levels).reshape(len(pack.levels), -1)
    return np.concatenate(
        [
            (values == np.arange(sizes[column])[:, None]).astype(float)
            for column, values in zip(pack.columns, grid, strict=True)
        ]
    )


def _fold(members: NDArray[np.float64] | int, table: NDArray[Any]) -> NDArray[Any]:
    """``P T``: the rows of a table of joint states added up to those of the states."""
    return table[:members] if isinstance(members, int) else members @ table


def _count_target(
    codes: Codes, sizes: tuple[int, ...], target: int, weights: NDArray[Any] | None
) -> NDArray[np.float64]:
    """One table per column: its rows are the column's states."""
    # The target's missing values are counted too, in a last column that is cut off.
    levels = sizes[target] + 1
    second = codes[target].astype(np.intp)
    second[second < 0] = sizes[target]
    tables = []
    for column, size in zip(codes, sizes, strict=True):
        first = column.astype(np.intp)
        first[first < 0] = size
        key = first * levels + second
        table = _count_keys(key, (size + 1) * levels, weights)
        tables.append(table.reshape(size + 1, levels)[:-1, :-1])
    return np.concatenate(tables)


def _count_keys(
    key: NDArray[Any], states: int, weights: NDArray[Any] | None
) -> NDArray[np.float64]:
    total = np.zeros(states)
    for begin in range(0, len(key), _CHUNK):
        chunk = slice(begin, begin + _CHUNK)
        part = None if weights is None else weights[chunk]
        total += _count_chunk(key[chunk], states, part)
    return total


def _count_chunk(
    key: NDArray[Any], states: int, weights: NDArray[Any] | None
) -> NDArray[Any]:
    if len(key) < _LONG:
        return np.bincount(key, weights=weights, minlength=states)
    # The same as one row of a sparse matrix made dense: unlike bincount, this lets
    # other threads run.
    amounts = np.ones(len(key), np.int32) if weights is None else weights
    ends = np.array([0, len(key)], dtype=key.dtype)
    return csr_array((amounts, key, ends), shape=(1, states)).toarray()[0]
