"""Showing a chart with all that belongs to it."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from siviz.charts.frame import AnyChart, Picture, picture
from siviz.charts.handout import Figure, handout_html
from siviz.ui.text import prose

PICTURES: Final[dict[Picture, str]] = {"svg": "image/svg+xml", "png": "image/png"}


def show_figure(
    figure: Figure,
    frame: pd.DataFrame,
    *,
    name: str,
    formula: str | None = None,
) -> None:
    """Draw a chart, a sentence about it, its formula and its downloads on request.

    Parameters
    ----------
    figure : Figure
        Its ``alt`` must not change with the values, or the browser rebuilds the chart.
    frame : DataFrame
        The chart's data, for the download.
    name : str
        Of the downloaded files, and of the keys of the buttons.
    formula : str, optional
        Name of the Markdown that explains the formula.
    """
    st.altair_chart(figure.chart, width="stretch", alt=figure.alt, key=f"chart-{name}")
    st.markdown(figure.sentence)
    with st.container(horizontal=True, gap="small"):
        if formula:
            with st.popover("Formula", type="tertiary"):
                st.markdown(prose(formula))
        _downloads(figure.chart, frame, name)


def _downloads(chart: AnyChart, frame: pd.DataFrame, name: str) -> None:
    with st.popover("Download", type="tertiary"):
        st.download_button(
            "Data (CSV)",
            lambda: frame.to_csv(index=False).encode(),
            f"siviz-{name}.csv",
            "text/csv",
            key=f"csv-{name}",
            on_click="ignore",
        )
        for kind, mime in PICTURES.items():
            st.download_button(
                f"Picture ({kind.upper()})",
                partial(picture, chart, kind),
                f"siviz-{name}.{kind}",
                mime,
                key=f"{kind}-{name}",
                on_click="ignore",
            )


def handout_button(title: str, text: str, figures: Sequence[Figure]) -> None:
    """Offer the page as one HTML file that works from disk without internet.

    ``text`` is the name of the prose that opens the handout.
    """
    st.download_button(
        "Teaching handout (HTML)",
        lambda: handout_html(title, prose(text), figures).encode(),
        f"siviz-{text}.html",
        "text/html",
        key=f"handout-{text}",
        on_click="ignore",
        help="This view as one file that works without internet.",
    )
