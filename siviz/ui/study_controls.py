"""Controls of the resampling studies, bound to the address as those of `controls`."""

from typing import Final

import streamlit as st

from siviz.charts.selection import SIZES
from siviz.contests import STUDY_MEASURES
from siviz.ui import controls
from siviz.ui.controls import View
from siviz.ui.sliders import option_range

FEW_SIZES: Final = (10, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


def several_sizes(key: str, start: View) -> tuple[int, ...]:
    """Up to four sample sizes, in increasing order."""
    chosen = st.multiselect(
        "Sample sizes N",
        FEW_SIZES,
        default=start[key],
        format_func="{:,}".format,
        max_selections=4,
        key=key,
        bind="query-params",
    )
    return tuple(sorted(chosen))


def size_range(key: str, start: View) -> tuple[int, int]:
    """The least and the greatest of the powers of two that are shown."""
    label, shown = "Sample sizes N, from and to", "{:,}".format
    return option_range(key, label, SIZES, start[key], shown=shown)


def study_measures(key: str, start: View) -> tuple[str, ...]:
    """Any of the measures, the p-value of 2006 included."""
    return controls.measures(key, start, offered=tuple(STUDY_MEASURES))


def draws(start: View) -> tuple[int, int]:
    """The number of resamples, and the seed."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        resamples = controls.count("resamples", start, "Resamples", 10, 10_000)
        seed = controls.count("seed", start, "Seed", 0, 999_999)
    return resamples, seed
