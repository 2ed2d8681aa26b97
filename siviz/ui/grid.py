"""An editable grid of counts, carried by the address as ``30-10_10-30``."""

from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from siviz.tables import Array
from siviz.ui.controls import View

MOST_STATES: Final = 8


def counts_text(counts: Array) -> str:
    """Counts as text for an address; an emptied cell is empty text.

    Examples
    --------
    >>> counts_text(np.array([[30, 10], [np.nan, 30]]))
    '30-10_-30'
    """
    return "_".join(
        "-".join("" if np.isnan(n) else f"{n:.0f}" for n in row) for row in counts
    )


def text_counts(text: str) -> Array:
    """Counts from such text, of 2 to 8 rows and columns.

    Examples
    --------
    >>> text_counts("30-10_10-30")
    array([[30., 10.],
           [10., 30.]])
    """
    rows = [row.split("-") for row in text.split("_")]
    sizes = {len(rows), *(len(row) for row in rows)}
    plain = all(n == "" or (n.isascii() and n.isdigit()) for row in rows for n in row)
    alike = len({len(row) for row in rows}) == 1
    if not (plain and alike and min(sizes) >= 2 and max(sizes) <= MOST_STATES):
        raise ValueError(
            "a table in the address must have 2 to 8 rows and columns of whole "
            f"numbers, such as 30-10_10-30; got {text!r}"
        )
    return np.array([[float(n) if n else np.nan for n in row] for row in rows])


def counts_grid(key: str, start: View) -> Array:
    """A grid to type counts into; emptied cells are nan.

    The text of the counts is in the session and in the address under ``key``.  When
    that is set from outside (a preset, a link, another number of states), the grid
    starts anew; while it is typed into it stays, so that the cursor does.
    """
    state = st.session_state
    text = state.get(key) or st.query_params.get(key) or start[key]
    if text != state.get(f"{key}-typed"):
        state[f"{key}-base"] = text = _readable(text, start[key])
        state[f"{key}-version"] = state.get(f"{key}-version", 0) + 1
    base = text_counts(state[f"{key}-base"])
    counts = st.data_editor(
        _grid_frame(base),
        key=f"{key}-grid-{state[f'{key}-version']}",
        width="stretch",
        column_config={
            f"B{j + 1}": st.column_config.NumberColumn(min_value=0, step=1, width=60)
            for j in range(base.shape[1])
        },
    ).to_numpy(dtype=float)
    state[key] = state[f"{key}-typed"] = st.query_params[key] = counts_text(counts)
    with st.container(horizontal=True):
        for axis, label in enumerate(("Rows", "Columns")):
            state[f"{key}-axis-{axis}"] = counts.shape[axis]
            st.number_input(
                label,
                2,
                MOST_STATES,
                key=f"{key}-axis-{axis}",
                on_change=partial(_resize, key, axis),
            )
    return counts


def _readable(text: str, otherwise: str) -> str:
    try:
        text_counts(text)
    except ValueError as error:
        st.warning(f"The opening table is shown: {error}.")
        return otherwise
    return text


def _resize(key: str, axis: int) -> None:
    """Cut the table, or add rows or columns of zeros, which are no states yet."""
    state = st.session_state
    old, size = text_counts(state[key]), state[f"{key}-axis-{axis}"]
    more = max(size - old.shape[axis], 0)
    widened = np.pad(old, [(0, more if axis == each else 0) for each in (0, 1)])
    state[key] = counts_text(np.take(widened, range(size), axis=axis))


def _grid_frame(counts: Array) -> pd.DataFrame:
    rows, columns = counts.shape
    return pd.DataFrame(
        counts,
        index=[f"A{i + 1}" for i in range(rows)],
        columns=[f"B{j + 1}" for j in range(columns)],
    )
