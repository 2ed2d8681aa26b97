"""What belongs to a page alone, and is forgotten when the visitor goes to another.

Pages use the same short keys for their controls, since keys are names in the address.
Streamlit would hand a control's value to the next page that has one of the same key,
though it means something else there.
"""

from typing import Final

import streamlit as st

_PAGE: Final = "page"
_OWN: Final = "keys of this page"


def belongs_to_page(*keys: str) -> None:
    """Note keys of the session that no other page shall see."""
    st.session_state.setdefault(_OWN, set()).update(keys)


def enter_page(page: str) -> None:
    """Forget what belongs to the page from before, if this is another."""
    if st.session_state.setdefault(_PAGE, page) != page:
        st.session_state[_PAGE] = page
        for key in st.session_state.pop(_OWN, ()):
            st.session_state.pop(key, None)
