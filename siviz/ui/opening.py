"""Charts and tables of a visitor's data, in which selecting a pair opens it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import pandas as pd
import streamlit as st

from siviz.charts.figure import Figure
from siviz.charts.opening import OPENED
from siviz.exports import defused
from siviz.ui.ranking_table import LONGEST_NAME, name_columns, open_pair
from siviz.ui.show import show_figure
from siviz.ui.text import cell

_NAMES: Final = ("A", "B")
_LONGEST_TEXT: Final = 300  # characters of a cell


def show_data(figure: Figure, **options: Any) -> list[dict[str, Any]]:
    """As `siviz.ui.show.show_figure`; no text is downloaded as a formula."""
    return show_figure(replace(figure, table=defused(figure.downloaded)), **options)


def show_pairs(
    figure: Figure,
    *,
    name: str,
    formula: str | None = None,
    selects: Sequence[str] = (OPENED,),
) -> None:
    """Draw a chart that has `siviz.charts.opening.opened_pair`; a click opens a pair.

    Parameters
    ----------
    figure, name, formula, selects
        As in `siviz.ui.show.show_figure`.
    """
    for pair in show_data(figure, name=name, formula=formula, selects=selects):
        first, second = pair.get("first"), pair.get("second")
        if first is not None and second is not None:  # a mark that is no pair has none
            open_pair(first, second)


def pairs_table(
    table: pd.DataFrame,
    pairs: pd.DataFrame,
    *,
    name: str,
    alt: str,
) -> None:
    """A table with one row a pair; selecting a row opens the pair.

    Parameters
    ----------
    table : DataFrame
        What is shown, with the names under ``A`` and ``B``.
    pairs : DataFrame
        ``first`` and ``second`` of each row.
    name : str
        Key of the table.
    alt : str
        What it shows, for screen readers.
    """
    picked = st.dataframe(
        table.apply(_cells),
        hide_index=True,
        height="content" if len(table) <= 15 else 560,
        on_select="rerun",
        selection_mode="single-row",
        key=f"table-{name}",
        column_config=_configuration(table),
        alt=alt,
    )
    if picked.selection.rows:
        pair = pairs.iloc[picked.selection.rows[0]]
        open_pair(pair["first"], pair["second"])


def _cells(column: pd.Series) -> pd.Series:
    """Texts as a grid may hold them: see `siviz.ui.text.cell`."""
    longest = LONGEST_NAME if column.name in _NAMES else _LONGEST_TEXT
    return column.map(lambda v: cell(v, longest) if isinstance(v, str) else v)


def _configuration(table: pd.DataFrame) -> dict[str, Any]:
    config = st.column_config
    decimals = {
        str(name): config.NumberColumn(format="%.2f")
        for name in table.select_dtypes("float")
    }
    return decimals | name_columns(table[list(_NAMES)].to_numpy().ravel())
