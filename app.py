"""The dashboard: ``siviz`` or ``streamlit run app.py`` starts it."""

import streamlit as st

from siviz.locations import DASHBOARD_SCRIPT

app = st.App(DASHBOARD_SCRIPT)
