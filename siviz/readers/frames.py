"""Data frames as given: typed already, so text is never searched for numbers."""

import numpy as np
import pandas as pd

from siviz.readers.column_names import refuse_too_many_columns, unique_names
from siviz.readers.readings import Reading
from siviz.readers.sources import ReadingError


def read_frame(source: pd.DataFrame, name: str) -> Reading:
    """The same cells with plain types, unique names and rows counted from 0."""
    rows, columns = source.shape
    if not rows or not columns:
        raise ReadingError(
            f"{name} is empty ({rows} rows, {columns} columns); it needs at least one "
            "of each"
        )
    refuse_too_many_columns(columns, name)
    names, renamed = unique_names(list(source.columns))
    numbered = source.reset_index(drop=True)
    frame = pd.DataFrame(
        {
            new: plain_column(column)
            for new, (_, column) in zip(names, numbered.items(), strict=True)
        },
        copy=False,
    )
    notes = [f"Data frame with {columns} columns.", *renamed]
    if not isinstance(source.index, pd.RangeIndex):
        notes.append("The index of the data frame was skipped.")
    return Reading(frame, tuple(notes), name)


def plain_column(column: pd.Series, *, gaps: bool = False) -> pd.Series:
    """Numbers as int64 or float64, text as category, dates and the like unchanged.

    ``gaps`` says that other parts of the column have missing values.

    Examples
    --------
    >>> plain_column(pd.Series([1, 2], dtype="int8"), gaps=True).tolist()
    [1.0, 2.0]
    """
    types, dtype = pd.api.types, column.dtype
    if isinstance(dtype, pd.CategoricalDtype) or dtype.kind in "mM":
        return column
    if _is_text(column):
        return _as_states(column)
    gaps = gaps or bool(column.isna().any())
    if types.is_bool_dtype(dtype):
        return _as_states(column) if gaps else column.astype(bool)
    if types.is_integer_dtype(dtype) and not gaps:
        return column if dtype == np.uint64 else column.astype("int64")
    if types.is_numeric_dtype(dtype):
        return column.astype("float64")
    present = column.dropna()
    if len(present) and all(is_number(cell) for cell in present):
        return pd.to_numeric(column.astype(object))
    return _as_states(column)


def is_number(cell: object) -> bool:
    """Whether a cell of a workbook or data frame is a number, not a truth value."""
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _is_text(column: pd.Series) -> bool:
    kind = column.dtype
    if isinstance(kind, pd.StringDtype):
        return True
    texts = pd.api.types.infer_dtype(column, skipna=True) == "string"
    return pd.api.types.is_object_dtype(kind) and texts


def _as_states(column: pd.Series) -> pd.Series:
    texts = column
    if not _is_text(column):
        texts = column.map(str, na_action="ignore").astype(object)
    codes, states = pd.factorize(texts)
    text = pd.Categorical.from_codes(codes, categories=pd.Index(states, dtype=str))
    return pd.Series(text, index=column.index)
