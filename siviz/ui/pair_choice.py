"""Which pair of columns a page looks at, and given which third one."""

import streamlit as st

from siviz.columns import Column
from siviz.ranking import Ranking
from siviz.ui import workspace
from siviz.ui.workspace import NONE

_SHOWN = "pair shown"


def choose_pair(ranking: Ranking) -> tuple[Column, Column]:
    """The pair that was selected elsewhere, or the strongest; both can be changed.

    The choice is in the address under ``a`` and ``b``.  A pair that was selected on
    another page is in the session under ``pair``.
    """
    names = [column.name for column in ranking.prepared.kept]
    _take_over(names)
    strongest = ranking.frame.iloc[0]["first"]
    with st.container(horizontal=True):
        first = _column("a", "A", names, strongest)
        others = [name for name in names if name != first]
        second = _column("b", "B", others, _partner(ranking, first))
    st.session_state["pair"] = st.session_state[_SHOWN] = (first, second)
    by_name = {column.name: column for column in ranking.prepared.kept}
    return by_name[first], by_name[second]


def choose_third(ranking: Ranking, first: str, second: str) -> Column | None:
    """A third column to condition on, or none; at first the ranking's own."""
    usable = {
        column.name: column
        for column in ranking.columns
        if column.kind != "left out" and column.name not in (first, second)
    }
    start = ranking.given or NONE
    chosen = _column("third", "Given a third column", [NONE, *usable], start)
    return usable.get(chosen)


def show_berkeley() -> None:
    """Action of a button: the admissions of Berkeley, given the department."""
    workspace.keep_example("ucb_admissions")
    st.session_state.update(pair=("gender", "admit"), third="dept")


def _take_over(names: list[str]) -> None:
    """Set the controls to a pair from elsewhere; swap if both are the same column."""
    state = st.session_state
    wanted, shown = state.get("pair"), state.get(_SHOWN)
    came_back = "a" not in state and not {"a", "b"} & {*st.query_params}
    if wanted and set(wanted) <= set(names) and (wanted != shown or came_back):
        state["a"], state["b"] = wanted
    elif shown and state.get("a") is not None and state.get("a") == state.get("b"):
        state["b"] = shown[0]


def _partner(ranking: Ranking, first: str) -> str | None:
    """The column that depends most on the first, of the pairs that were ranked."""
    frame = ranking.frame
    pairs = frame[(frame["first"] == first) | (frame["second"] == first)]
    if pairs.empty:
        return None
    pair = pairs.iloc[0]
    return pair["second"] if pair["first"] == first else pair["first"]


def _column(key: str, label: str, names: list[str], start: str | None) -> str:
    place = names.index(start) if start in names else 0
    return st.selectbox(label, names, place, key=key, bind="query-params")
