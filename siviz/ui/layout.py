"""Where things stand on a page."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from siviz.locations import asset


def sides() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns, for figures and for controls; on a phone the figures come first."""
    figures, controls = st.columns([2, 1], gap="large")
    return figures, controls


def sides_and_more() -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Columns as of `sides`, and a place for more figures below the first ones.

    On a phone the controls come between, so that a slider and the figure that follows
    it are on one screen.
    """
    st.html(asset("layout.css"))
    with st.container(key="sides-and-more"):
        figures, controls, more = st.columns([2, 1, 2], gap="large")
    return figures, controls, more
