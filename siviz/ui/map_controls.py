"""Controls of the dependence map."""

from typing import Final

import streamlit as st

from siviz.dependence_graph import Rule
from siviz.ui.controls import View

LEVELS: Final = (0.0001, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2)
RULES: Final[dict[str, Rule]] = {
    "each pair": "level",
    "false discoveries": "discoveries",
}
"""What the level means, in the words of the page."""


def level_slider(key: str, start: View) -> float:
    """A slider for the significance level."""
    begin: float = start[key]
    return st.select_slider(
        "Significance level α",
        LEVELS,
        begin,
        key=key,
        bind="query-params",
    )


def edge_limit(key: str, start: View, *, tree: bool) -> int:
    """A slider for the number of edges, which a tree does not need."""
    begin: int = start[key]
    return st.slider(
        "Edges at most",
        10,
        200,
        begin,
        10,
        disabled=tree,
        key=key,
        bind="query-params",
    )
