"""Columns of a data frame as coded states, and tables of their joint counts."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import prod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from siviz.columns.codes import Codes
from siviz.columns.cut_points import check_weights
from siviz.tables import Array


@dataclass(frozen=True, eq=False)
class DiscreteData:
    """Columns of states, coded by whole numbers, with a weight for each row."""

    states: Mapping[str, tuple[Hashable, ...]]
    codes: Mapping[str, NDArray[np.intp]]
    weights: Array
    left_out: float = 0.0
    """Observations without a value in some column, which are not among the rows."""

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, *, weights: str | None = None
    ) -> "DiscreteData":
        """Code the columns of a frame; only states with a positive weight count.

        Parameters
        ----------
        frame : DataFrame
            Every column a discrete variable without missing values.
        weights : str, optional
            The column that says how often each row was observed.

        Examples
        --------
        >>> frame = pd.DataFrame({"a": ["x", "y"], "b": [1, 2], "n": [30, 10]})
        >>> DiscreteData.from_frame(frame, weights="n").sample_size
        40.0
        """
        if weights is not None and weights not in frame:
            raise ValueError(
                f"weights must be one of the columns {list(frame)}; got {weights!r}"
            )
        counts = np.ones(len(frame)) if weights is None else _weights(frame[weights])
        return cls._from_columns(frame.drop(columns=weights or []), counts)

    @classmethod
    def from_codes(
        cls, codes: Codes, *, weights: ArrayLike | None = None
    ) -> "DiscreteData":
        """The rows of encoded columns that have a value in every column.

        Examples
        --------
        >>> from siviz.columns import decide_columns, encode_columns, summarize_columns
        >>> frame = pd.DataFrame({"a": ["x", "y", "x", None], "b": list("uvvu")})
        >>> columns = decide_columns(summarize_columns(frame))
        >>> data = DiscreteData.from_codes(encode_columns(frame, columns))
        >>> data.sample_size, data.left_out
        (3.0, 1.0)
        """
        if not codes.arrays:
            raise ValueError("codes must hold at least one column; got none")
        rows = len(codes.arrays[0])
        given = np.ones(rows) if weights is None else weights
        counts = check_weights(given, rows).astype(np.float64)
        whole = np.all([array >= 0 for array in codes.arrays], axis=0)
        pairs = zip(codes.columns, codes.arrays, strict=True)
        frame = pd.DataFrame(
            {
                column.name: pd.Categorical.from_codes(
                    array[whole], pd.Index(column.states)
                )
                for column, array in pairs
            }
        )
        data = cls._from_columns(frame, counts[whole])
        return replace(data, left_out=float(counts[~whole].sum()))

    @classmethod
    def _from_columns(cls, frame: pd.DataFrame, counts: Array) -> "DiscreteData":
        if counts.sum() == 0:
            raise ValueError("frame must hold at least one observation; got none")
        # Names are compared as text: 1 and "1" would be one variable.
        if len({str(name) for name in frame}) < frame.columns.size:
            raise ValueError(f"columns must have distinct names; got {list(frame)}")
        kept = frame.loc[counts > 0]
        coded = {str(name): _coded(kept[name]) for name in kept}
        return cls(
            states={name: tuple(column.categories) for name, column in coded.items()},
            codes={
                name: column.codes.astype(np.intp) for name, column in coded.items()
            },
            weights=counts[counts > 0],
        )

    @property
    def sample_size(self) -> float:
        """The sample size N."""
        return float(self.weights.sum())

    def number_of_states(self, names: Sequence[str]) -> int:
        """Number of joint states of some columns, whether they occur or not."""
        self._require(names)
        return prod(len(self.states[name]) for name in names)

    def configurations(self, names: Sequence[str]) -> tuple[NDArray[np.intp], int]:
        """Code of each row among the joint states that occur, and their number."""
        code, number = np.zeros(self.weights.size, dtype=np.intp), 1
        for name in names:
            joint = code * len(self.states[name]) + self.codes[name]
            code, distinct = pd.factorize(joint)
            number = distinct.size
        return code, number

    def counts(self, *axes: Sequence[str]) -> Array:
        """Table of joint states: each axis the states that occur of some columns."""
        self._require(chain(*axes))
        coded = [self._axis(axis) for axis in axes]
        shape = [number for _, number in coded]
        cell = np.ravel_multi_index([code for code, _ in coded], shape)
        totals = np.bincount(cell, self.weights, minlength=prod(shape))
        return totals.reshape(shape).astype(float)

    def _require(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.states:
                raise ValueError(
                    f"variables must be columns of the data, {list(self.states)}; "
                    f"got {name!r}"
                )

    def _axis(self, names: Sequence[str]) -> tuple[NDArray[np.intp], int]:
        if len(names) == 1:
            return self.codes[names[0]], len(self.states[names[0]])
        return self.configurations(names)


def _weights(column: pd.Series) -> Array:
    try:
        counts = column.to_numpy(dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"weights must be numbers; column {column.name!r} holds {column.dtype}"
        ) from error
    wrong = ~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts)))
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"weights must be whole numbers of at least 0; got {counts[row]} "
            f"in row {row} of column {column.name!r}"
        )
    return counts


def _coded(column: pd.Series) -> pd.Categorical:
    coded = pd.Categorical(column).remove_unused_categories()
    missing = int((coded.codes < 0).sum())
    if missing:
        raise ValueError(
            f"columns must have no missing values; {column.name!r} lacks {missing}: "
            "drop those rows or make missing a state of its own"
        )
    return coded
