"""What a contingency table is: validation, sample size, margins, states that occur.

Every measure of siviz is a function of a `Table`: one table of counts, a batch of them,
or tables stratified by a third variable.  Public functions take raw counts and make the
`Table` at the door (see `statistic`); passing a `Table` instead lets several measures
share the work.
"""

import operator
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, wraps
from inspect import Parameter, signature
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]
P = ParamSpec("P")
R = TypeVar("R")

# Counts are held as double-precision numbers, which are exact up to here.
_LARGEST_TOTAL = 2.0**53


class Table:
    """Contingency tables with the facts that all measures share.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
        Whole, non-negative numbers; leading axes are a batch.  A state that never
        occurs (an all-zero row or column) does not count as a state.

    Attributes
    ----------
    cells : ndarray, shape (..., strata, rows, columns)
        The counts.  A plain table has one stratum; `conditional_table` makes more.

    Examples
    --------
    >>> table = Table([[10, 0, 5], [0, 0, 5]])
    >>> int(table.sample_size), int(table.row_states), int(table.column_states)
    (20, 2, 2)
    """

    def __init__(self, counts: ArrayLike) -> None:
        self.cells: Array = as_counts(counts)[..., None, :, :]
        self._known: dict[Hashable, Any] = {}

    @classmethod
    def from_cells(cls, cells: Array) -> "Table":
        """Wrap counts that are valid already, shape (..., strata, rows, columns)."""
        table = cls.__new__(cls)
        table.cells = cells
        table._known = {}
        return table

    @property
    def shape(self) -> tuple[int, ...]:
        """The batch shape: one measure's result has this shape."""
        return self.cells.shape[:-3]

    @cached_property
    def row_totals(self) -> Array:
        """Margin of the rows, shape (..., strata, rows)."""
        return np.einsum("...ij->...i", self.cells)

    @cached_property
    def column_totals(self) -> Array:
        """Margin of the columns, shape (..., strata, columns)."""
        return np.einsum("...ij->...j", self.cells)

    @cached_property
    def stratum_sizes(self) -> Array:
        """Sample size of each stratum, shape (..., strata)."""
        return self.row_totals.sum(axis=-1)

    @cached_property
    def sample_size(self) -> Array:
        """The sample size N."""
        return self.stratum_sizes.sum(axis=-1)

    @cached_property
    def row_states(self) -> Array:
        """Number of row states that occur, K_A."""
        return _occurring(self.row_totals.sum(axis=-2))

    @cached_property
    def column_states(self) -> Array:
        """Number of column states that occur, K_B."""
        return _occurring(self.column_totals.sum(axis=-2))

    @cached_property
    def occupied_cells(self) -> Array:
        """Number of cells that occur, K_AB (summed over the strata)."""
        return _occurring(self.cells.reshape(*self.shape, -1))

    @cached_property
    def stratum_states(self) -> tuple[Array, Array]:
        """Numbers of row and of column states that occur in each stratum."""
        return _occurring(self.row_totals), _occurring(self.column_totals)

    @cached_property
    def stratum_dof(self) -> Array:
        """Nominal degrees of freedom of each stratum, (K_A - 1)(K_B - 1)."""
        rows, columns = self.stratum_states
        return np.maximum(rows - 1, 0) * np.maximum(columns - 1, 0)

    @cached_property
    def dof(self) -> Array:
        """Nominal degrees of freedom d, summed over the strata."""
        return self.stratum_dof.sum(axis=-1)

    @cached_property
    def stratum_effective_dof(self) -> Array:
        """``K_AB - K_A - K_B + 1`` of each stratum, which may be negative."""
        cells = _occurring(self.cells.reshape(*self.cells.shape[:-2], -1))
        rows, columns = self.stratum_states
        return np.where(self.stratum_sizes > 0, cells - rows - columns + 1, 0.0)

    @cached_property
    def effective_dof(self) -> Array:
        """Degrees of freedom by occupied cells (Sec. 2), summed over the strata."""
        return self.stratum_effective_dof.sum(axis=-1)

    @cached_property
    def expected(self) -> Array:
        """Counts expected under independence, r_i c_j / N, shaped like ``cells``."""
        size = np.maximum(self.stratum_sizes, 1)[..., None, None]
        return self.row_totals[..., :, None] * self.column_totals[..., None, :] / size

    def known(self, key: Hashable, compute: Callable[[], R]) -> R:
        """The value stored under ``key``, computed at the first call."""
        if key not in self._known:
            self._known[key] = compute()
        return self._known[key]

    def __repr__(self) -> str:
        strata, rows, columns = self.cells.shape[-3:]
        given = f", {strata} strata" if strata > 1 else ""
        return f"Table({rows} x {columns}{given}, batch {self.shape})"


Counts: TypeAlias = ArrayLike | Table


def conditional_table(counts: ArrayLike) -> Table:
    """Tables of two variables in the strata of a third, for conditional measures.

    Every measure of the result is the conditional one (Sec. 5.5): the log-likelihood
    ratios, degrees of freedom and null moments of the strata add up.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns, strata)
        The last axis is the variable to condition on.

    Examples
    --------
    >>> conditional_table([[[10, 1], [0, 2]], [[0, 3], [10, 4]]])
    Table(2 x 2, 2 strata, batch ())
    """
    cells = as_counts(counts, axes=("rows", "columns", "strata"))
    return Table.from_cells(np.moveaxis(cells, -1, -3))


def as_table(counts: Counts) -> Table:
    """Raw counts as a `Table`; a `Table` as it is."""
    return counts if isinstance(counts, Table) else Table(counts)


def statistic(
    function: Callable[Concatenate[Table, P], R],
) -> Callable[Concatenate[Counts, P], R]:
    """Let a function of a `Table` take raw counts, and compute it once per table.

    This is the public door: counts are validated here and nowhere else.
    """

    @wraps(function)
    def of_counts(counts: Counts, /, *args: P.args, **options: P.kwargs) -> R:
        table = as_table(counts)
        if args:
            raise TypeError(
                f"{function.__name__}() takes one positional argument, the counts; "
                f"name the options, as in {function.__name__}(counts, option=...)"
            )
        chosen = {**defaults, **options}
        if all(isinstance(value, str | float) for value in chosen.values()):
            key = (function, *chosen.items())
            return table.known(key, lambda: function(table, *args, **options))
        return function(table, *args, **options)

    declared = signature(function)
    _, *rest = declared.parameters.values()
    defaults = {option.name: option.default for option in rest}
    first = Parameter("counts", Parameter.POSITIONAL_ONLY, annotation="Counts")
    of_counts.__signature__ = declared.replace(  # type: ignore[attr-defined]
        parameters=[first, *rest]
    )
    return of_counts


def as_counts(
    counts: ArrayLike,
    *,
    axes: Sequence[str] | None = ("rows", "columns"),
    batch: bool = True,
) -> Array:
    """Check counts and return them as floats.

    Parameters
    ----------
    counts : array_like
        Whole, finite, non-negative numbers with at least one observation per table.
    axes : sequence of str or None
        Names of the last axes, which make a table; those before them are a batch.
        With None all axes make one table, at least two of them.
    batch : bool
        Whether there may be axes before them.

    Raises
    ------
    ValueError
        Saying which rule was broken, by what, and where.

    Examples
    --------
    >>> as_counts([[1, 2], [3, -4]])
    Traceback (most recent call last):
        ...
    ValueError: counts must not be negative; got -4.0 at index (1, 1)
    """
    given = _as_numbers(counts)
    array = given.astype(float)
    named = axes or ("states of 1", "states of 2")
    if array.ndim < len(named) or (array.ndim > len(named) and not batch):
        raise ValueError(
            f"counts must have the shape ({'..., ' * batch}{', '.join(named)}); "
            f"got {array.ndim} axes, {array.shape}"
        )
    if array.size == 0:
        raise ValueError(f"counts must not be empty; got the shape {array.shape}")
    if given.dtype.kind == "f":  # integers are finite and whole
        _refuse(~np.isfinite(array), array, "must be finite")
        _refuse(
            array != np.floor(array),
            array,
            "must be whole numbers (multiply shares by the sample size)",
        )
    _refuse(array < 0, array, "must not be negative")
    batch_shape = array.shape[: -len(axes)] if axes else ()
    totals = np.einsum("...i->...", array.reshape(*batch_shape, -1))
    _refuse(totals == 0, totals, "must hold at least one observation per table")
    _refuse(totals > _LARGEST_TOTAL, totals, "must add up to at most 2**53 per table")
    return array


def _as_numbers(counts: ArrayLike) -> NDArray[Any]:
    if np.ma.is_masked(counts):
        raise ValueError(
            "counts must not be masked; fill the masked cells or leave them out"
        )
    try:
        array = np.asarray(counts)
    except ValueError as error:
        raise ValueError(
            "counts must be a rectangular array; got rows of different lengths"
        ) from error
    if array.dtype == object:
        array = _numbers_from_objects(array)
    if array.dtype.kind not in "iuf":
        raise ValueError(
            f"counts must be numbers; got {array.dtype.name} "
            "(to count raw observations, use pandas.crosstab or siviz.rank_pairs)"
        )
    return array


def _numbers_from_objects(array: NDArray[Any]) -> NDArray[Any]:
    for index, value in np.ndenumerate(array):
        real = isinstance(value, int | float | np.integer | np.floating)
        if isinstance(value, bool) or not real:
            raise ValueError(
                f"counts must be numbers; got {value!r} at index {_place(index)}"
            )
        if isinstance(value, int) and abs(value) > _LARGEST_TOTAL:
            raise ValueError(
                "counts must add up to at most 2**53 per table; got a cell of "
                f"{value.bit_length()} bits at index {_place(index)}"
            )
    return array.astype(float)


def whole_number(name: str, value: Any, *, least: int = 1) -> int:
    """The value as an int, or an error that says what the parameter must be."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number; got {value!r}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}; got {number}")
    return number


def _refuse(wrong: NDArray[np.bool_], array: Array, rule: str) -> None:
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f" at index {_place(index)}" if index else ""
        raise ValueError(f"counts {rule}; got {array[index]}{where}")


def _place(index: tuple[int, ...]) -> str:
    return str(index if len(index) != 1 else index[0])


def _occurring(totals: Array) -> Array:
    return np.count_nonzero(totals, axis=-1).astype(float)


def merge_states(
    counts: ArrayLike, groups: Sequence[Sequence[int]], *, axis: int
) -> Array:
    """Merge states of one variable by adding up their counts.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
    groups : sequence of sequences of int
        The states that make each new state; every state in exactly one group.
    axis : {-2, -1}
        Which variable to merge: -2 the rows, -1 the columns.

    Examples
    --------
    >>> merge_states([[1, 2, 3], [4, 5, 6]], [[0, 1], [2]], axis=-1)
    array([[3., 3.],
           [9., 6.]])
    """
    array = as_counts(counts)
    if axis not in (-2, -1):
        raise ValueError(f"axis must be -2 (rows) or -1 (columns); got {axis}")
    members = [state for group in groups for state in group]
    if not all(map(len, groups)) or sorted(members) != list(range(array.shape[axis])):
        raise ValueError(
            f"groups must name each of the states 0 to {array.shape[axis] - 1} "
            f"exactly once, at least one each; got {[list(group) for group in groups]}"
        )
    merged = [array.take(list(group), axis=axis).sum(axis=axis) for group in groups]
    return np.stack(merged, axis=axis)
