"""Which pair of a ranking a page looks at."""

import streamlit as st

from siviz.ranking import Ranking


def choose_pair(ranking: Ranking) -> tuple[str, str]:
    """The pair that was selected elsewhere, or the strongest; both can be changed."""
    strongest = ranking.frame.iloc[0]
    start = st.session_state.get("pair", (strongest["first"], strongest["second"]))
    names = [column.name for column in ranking.prepared.kept]
    with st.container(horizontal=True):
        first = _column("A", names, start[0])
        second = _column("B", [name for name in names if name != first], start[1])
    st.session_state["pair"] = (first, second)
    if ranking.target is not None and second != ranking.target:
        st.info(f"Only pairs with the target were counted: B is {ranking.target!r}.")
        st.stop()
    return first, second


def _column(label: str, names: list[str], start: str) -> str:
    place = names.index(start) if start in names else 0
    return st.selectbox(label, names, place)
