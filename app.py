"""The dashboard: ``siviz`` or ``streamlit run app.py`` starts it."""

import streamlit as st

from siviz.charts.embedding import begin_vega_bundle
from siviz.locations import DASHBOARD_SCRIPT
from siviz.ui.routes import MIDDLEWARE, ROUTES

begin_vega_bundle()  # takes seconds, beside everything else that has to load
app = st.App(DASHBOARD_SCRIPT, routes=ROUTES, middleware=MIDDLEWARE)
