"""Charts and tables of pairs in which selecting a pair opens it."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from siviz.charts.figure import Figure
from siviz.charts.opening import OPENED
from siviz.ui.ranking_table import open_pair
from siviz.ui.show import show_figure


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
    for pair in show_figure(figure, name=name, formula=formula, selects=selects):
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
        What is shown.
    pairs : DataFrame
        ``first`` and ``second`` of each row.
    name : str
        Key of the table.
    alt : str
        What it shows, for screen readers.
    """
    decimals = st.column_config.NumberColumn(format="%.2f")
    picked = st.dataframe(
        table,
        hide_index=True,
        height="content" if len(table) <= 15 else 560,
        on_select="rerun",
        selection_mode="single-row",
        key=f"table-{name}",
        column_config={
            str(number): decimals for number in table.select_dtypes("float")
        },
        alt=alt,
    )
    if picked.selection.rows:
        pair = pairs.iloc[picked.selection.rows[0]]
        open_pair(pair["first"], pair["second"])
