"""Where things stand on a page."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def sides() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns, for figures and for controls; on a phone the figures come first."""
    figures, controls = st.columns([2, 1], gap="large")
    return figures, controls
