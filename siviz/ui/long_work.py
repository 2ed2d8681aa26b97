"""Long work that shows its progress and can be stopped.

Once the reader has moved a control, Streamlit ends the running script at its next call
of Streamlit.  A callback that draws a bar is such a call, so any control ends the work,
and so does the button beside the bar.
"""

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

PATIENCE: Final = 0.5
"""Seconds of work before a bar is shown, so that short work does not flicker."""
_STOPPED: Final = "stopped work"
_SHARE: Final = "share of the work done"


def told_stopped(work: Hashable, *, instead: str = "") -> bool:
    """Whether this work was stopped; if so, say it and offer to start again.

    ``instead`` is a sentence about what is shown in its place.
    """
    stopped, done = st.session_state.get(_STOPPED, (None, 0.0))
    if stopped != work:
        return False
    parts = (f"Stopped at {done:.0%}.", instead, "Change a control, or start again.")
    st.warning(" ".join(part for part in parts if part))
    st.button("Start again", on_click=_forget)
    return True


def show_progress(
    work: Hashable, *, doing: str = "Resampling"
) -> Callable[[float], None]:
    """A callback that shows the share done, and a button that ends the work.

    Stopped work is not begun again, but ends the page, until the reader asks for it or
    for something else.

    Parameters
    ----------
    work : hashable
        What is being done: the arguments of the work.
    doing : str
        The same in a word.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return lambda share: None  # an answer ahead of the page: see `siviz.ui.live`
    if told_stopped(work):
        st.stop()
    place, begin = st.empty(), monotonic()
    shown: list[DeltaGenerator] = []

    def report(share: float) -> None:
        st.session_state[_SHARE] = share
        spent = monotonic() - begin
        if share >= 1:
            place.empty()
        elif shown:
            shown[0].progress(share, _told(doing, share, spent))
        elif spent > PATIENCE:
            box = place.container(horizontal=True, vertical_alignment="center")
            shown.append(box.progress(share, _told(doing, share, spent)))
            box.button("Stop", on_click=_stop, args=(work,), key=f"stop-{hash(work)}")

    return report


def _told(doing: str, share: float, spent: float) -> str:
    left = spent * (1 - share) / max(share, 1e-9)
    return f"{doing}: {share:.0%}, about {left:,.0f} s left"


def _stop(work: Hashable) -> None:
    st.session_state[_STOPPED] = (work, st.session_state.get(_SHARE, 0.0))


def _forget() -> None:
    st.session_state.pop(_STOPPED, None)
