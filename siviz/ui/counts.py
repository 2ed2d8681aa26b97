"""A small table typed cell by cell, bound to the address like every control."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from siviz.locations import asset
from siviz.ui.controls import View, binding
from siviz.ui.sliders import option_slider

STATES: Final = 3
LARGEST: Final = 10_000
COPIES: Final = (1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 700, 1000)


def cell_values(counts: Sequence[Sequence[int]]) -> dict[str, int]:
    """A table of at most 3 x 3 counts as values of the cells' controls."""
    return {
        _key(row, column): (
            counts[row][column] if row < len(counts) and column < len(counts[0]) else 0
        )
        for row in range(STATES)
        for column in range(STATES)
    }


def typed_table(start: View) -> tuple[tuple[int, ...], ...]:
    """Fields for the counts of a 3 x 3 table; an empty row or column is no state."""
    st.html(asset("layout.css"))  # a row stays a row, however narrow
    st.markdown("Counts, rows × columns")
    rows = []
    for row in range(STATES):
        with st.container(horizontal=True, gap="xsmall", key=f"row-of-counts-{row}"):
            rows.append(tuple(_cell(row, column, start) for column in range(STATES)))
    return tuple(rows)


def copies(key: str, start: View) -> int:
    """A slider for how often a table is repeated."""
    label = "Copies of the table"
    return option_slider(key, label, COPIES, start[key], shown="{:,}".format)


def _key(row: int, column: int) -> str:
    return f"c{row + 1}{column + 1}"


def _cell(row: int, column: int, start: View) -> int:
    key = _key(row, column)
    return st.number_input(
        f"Row {row + 1}, column {column + 1}",
        0,
        LARGEST,
        start[key],
        key=key,
        bind=binding(key),
        label_visibility="collapsed",
        width=76,
    )
