"""Columns as text, by pyarrow: a large ranking has millions of numbers to write."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

TEXT = pa.large_string()


def written(values: pd.Series, text: Callable[[Any], str | None]) -> pa.Array:
    """Each value as text; null where it is missing.

    Numbers keep their full precision.  All else is written by ``text``, which is called
    once for every different value.

    Examples
    --------
    >>> written(pd.Series([0.1, None, 1e-9]), str).to_pylist()
    ['0.1', None, '1e-9']
    >>> written(pd.Series(["a", "b", "a"]), str.upper).to_pylist()
    ['A', 'B', 'A']
    """
    if pd.api.types.is_numeric_dtype(values):
        return pc.cast(pa.array(values, from_pandas=True), TEXT)
    codes, different = pd.factorize(values)
    texts = pa.array([text(value) for value in different], TEXT)
    return texts.take(pa.array(codes, mask=codes < 0))


def joined_rows(parts: Sequence[str | pa.Array], between: str = "") -> list[str]:
    """The parts side by side, a text for each row; a text alone stands in every row.

    Examples
    --------
    >>> joined_rows(["<", pa.array(["a", "b"], TEXT), ">"])
    ['<a>', '<b>']
    """
    return join(parts, between).to_pylist()


def join(parts: Sequence[str | pa.Array], between: str = "") -> pa.Array:
    """As `joined_rows`, but as an array; null where a part is."""
    told = [pa.scalar(p, TEXT) if isinstance(p, str) else p for p in parts]
    return pc.binary_join_element_wise(*told, pa.scalar(between, TEXT))
