"""Controls that return core inputs, each bound to the address of the page.

A page keeps its opening values in one dict, ``START``, whose keys are the keys of its
controls and the names in its address: ``states("k", START, "States")``.  A link thus
restores the view, and presets are dicts of the same keys.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isinf
from typing import Any, Final, Literal, TypeAlias

import streamlit as st

from siviz.charts.frame import short_label
from siviz.measures import MEASURES
from siviz.ui.sliders import option_slider, slider
from siviz.ui.visits import belongs_to_page

View: TypeAlias = Mapping[str, Any]

SAMPLE_SIZES: Final = tuple(
    round(step * 10**power)
    for power in range(1, 6)
    for step in (1, 1.5, 2, 3, 5, 7)
    if 20 <= step * 10**power <= 100_000
)
"""Sample sizes on a nearly logarithmic scale, 20 to 100,000."""


def sample_size(
    key: str, start: View, label: str = "Sample size N", *, most: int = 100_000
) -> int:
    """A slider for N on a logarithmic scale."""
    offered = {size for size in SAMPLE_SIZES if size <= most} | {start[key]}
    return option_slider(key, label, sorted(offered), start[key])


def states(key: str, start: View, label: str, *, most: int = 50) -> int:
    """A slider for a number of states, from 2."""
    return int(slider(key, label, 2, most, start[key], 1))


def number(
    key: str, start: View, label: str, least: float, most: float, step: float
) -> float:
    """A slider for a real number, such as z or a true information."""
    return slider(key, label, least, most, start[key], step)


def count(key: str, start: View, label: str, least: int, most: int) -> int:
    """A field for a whole number, such as a seed or a number of resamples."""
    return st.number_input(label, least, most, start[key], key=key, bind=binding(key))


def binding(key: str) -> Literal["query-params"] | None:
    """How a field for a whole number is bound to the address.

    Streamlit trips over an infinite number there, so such a field is left alone.
    """
    try:
        infinite = isinf(float(st.query_params.get(key, "0")))
    except ValueError:  # no number at all: Streamlit ignores it by itself
        infinite = False
    return None if infinite else "query-params"


def choice(key: str, start: View, label: str, options: Sequence[str]) -> str:
    """Buttons of which exactly one is pressed."""
    chosen = st.segmented_control(
        label,
        options,
        default=start[key],
        required=True,
        wrap=True,
        key=key,
        bind="query-params",
    )
    # A link that names nothing presses no button, required or not.
    return chosen or str(start[key])


def switch(key: str, start: View, label: str) -> bool:
    """A switch."""
    return st.toggle(label, start[key], key=key, bind="query-params")


def measures(
    key: str,
    start: View,
    label: str = "Measures",
    *,
    offered: Sequence[str] = tuple(MEASURES),
) -> tuple[str, ...]:
    """Any of the measures, in the order of the catalogue."""
    chosen = st.pills(
        label,
        offered,
        selection_mode="multi",
        wrap=True,
        default=start[key],
        format_func=short_label,
        key=key,
        bind="query-params",
    )
    return tuple(measure for measure in offered if measure in chosen)


def views(start: View, presets: Mapping[str, View]) -> None:
    """Buttons for the presets and one that brings the opening view back.

    A preset names only what differs from the opening view.
    """
    belongs_to_page(*start)
    st.markdown("Try one of these views:")
    with st.container(horizontal=True, gap="small"):
        for name, view in {**presets, "↺ Reset": {}}.items():
            button(name, partial(show_view, {**start, **view}))


def show_view(view: View) -> None:
    """Set controls to these values; only a button's action may do this."""
    st.session_state.update(view)


def more(key: str, amounts: Sequence[int], most: int) -> None:
    """Buttons that raise a `count`, each by an amount."""

    def raised(amount: int) -> Callable[[], None]:
        return lambda: show_view({key: min(st.session_state[key] + amount, most)})

    with st.container(horizontal=True, gap="small"):
        for amount in amounts:
            button(f"Draw {amount:,}", raised(amount))


def button(label: str, action: Callable[[], None]) -> None:
    """A button that does something before the page runs again."""
    st.button(label, on_click=action)
