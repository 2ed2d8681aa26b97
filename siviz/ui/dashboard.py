"""The script behind ``app.py``: navigation, then the chosen page.

It lives away from the folder ``pages``: beside it Streamlit would run a page's file
directly when a link to that page is the first request to a fresh server.
"""

import streamlit as st

from siviz.locations import DASHBOARD
from siviz.ui.loaded_modules import freeze_modules
from siviz.ui.pages import PAGES
from siviz.ui.visits import enter_page

st.set_page_config(page_title="siviz", page_icon="⚖️", layout="wide")
navigation = st.navigation(
    {
        group: [
            st.Page(DASHBOARD / "pages" / file, title=title) for file, title in pages
        ]
        for group, pages in PAGES.items()
    }
)
enter_page(navigation.url_path)
try:
    navigation.run()
finally:  # also after a page that stops early
    freeze_modules()
