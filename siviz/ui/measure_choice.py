"""Which measures a data page compares, bound to the address."""

import streamlit as st

from siviz.charts.ranks import SCORE, rank_label
from siviz.ranking import Ranking
from siviz.ui.controls import View


def several_measures(key: str, start: View, ranking: Ranking) -> tuple[str, ...]:
    """Measures, and the score of the ranking, in the order in which they are chosen."""
    chosen = st.multiselect(
        "Measures, from left to right",
        [SCORE, *ranking.measures],
        default=start[key],
        format_func=rank_label,
        wrap=True,
        key=key,
        bind="query-params",
    )
    return tuple(chosen)


def one_measure(key: str, start: View, label: str, ranking: Ranking) -> str:
    """One measure, or the score of the ranking."""
    options = [SCORE, *ranking.measures]
    return st.selectbox(
        label,
        options,
        options.index(start[key]),
        format_func=rank_label,
        key=key,
        bind="query-params",
    )
