"""Showing a chart with all that belongs to it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from siviz.charts.figure import Figure
from siviz.charts.frame import Picture, picture
from siviz.charts.handout import handout_html
from siviz.ui.text import prose

PICTURES: Final[dict[Picture, str]] = {"svg": "image/svg+xml", "png": "image/png"}


def show_figure(
    figure: Figure,
    *,
    name: str,
    formula: str | None = None,
    selects: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Draw a chart, a sentence about it, its formula and its downloads on request.

    Parameters
    ----------
    figure : Figure
        Its ``alt`` must not change with the values, or the browser rebuilds the chart.
    name : str
        Of the downloaded files, and of the keys of the buttons.
    formula : str, optional
        Name of the Markdown that explains the formula.
    selects : sequence of str
        Names of the chart's selections that the page answers to.

    Returns
    -------
    list of dict
        What is selected, each by the fields of the selection.
    """
    # Two descriptions of one chart make Streamlit complain in its log.
    spec = {key: part for key, part in figure.spec.items() if key != "description"}
    chart: Any = st.vega_lite_chart(
        spec,
        width="stretch",
        theme=None,  # the specification has siviz's own, as pictures and handouts do
        alt=figure.alt,
        key=f"chart-{name}",
        on_select="rerun" if selects else "ignore",
        selection_mode=selects or None,
    )
    selected = [point for key in selects for point in chart.selection.get(key, [])]
    st.markdown(figure.sentence)
    show_more(figure, name=name, formula=formula)
    return selected


def show_more(figure: Figure, *, name: str, formula: str | None) -> None:
    """Offer the formula, the data and the pictures of a chart."""
    more = st.popover(
        "Formula, data, picture" if formula else "Data, picture",
        type="tertiary",
        key=f"more-{name}",
        on_change="rerun",
    )
    if more.open:  # closed, its contents would only slow every answer down
        with more:
            if formula:
                st.markdown(prose(formula))
            _downloads(figure, name)


def _downloads(figure: Figure, name: str) -> None:
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Data (CSV)",
            lambda: figure.downloaded.to_csv(index=False).encode(),
            f"siviz-{name}.csv",
            "text/csv",
            key=f"csv-{name}",
            on_click="ignore",
        )
        for kind, mime in PICTURES.items():
            st.download_button(
                f"Picture ({kind.upper()})",
                partial(_picture, figure, kind),
                f"siviz-{name}.{kind}",
                mime,
                key=f"{kind}-{name}",
                on_click="ignore",
            )


def _picture(figure: Figure, kind: Picture) -> bytes:
    return picture(figure.chart, kind)


class HandoutParts(dict[str, Callable[[], Sequence[Figure]]]):
    """What the parts of a page that run by themselves give to its handout.

    Each keeps there how its latest figures are made.
    """

    def figures(self) -> list[Figure]:
        """The figures of all parts, in the order of the page."""
        return [figure for part in self.values() for figure in part()]


def handout_button(
    title: str,
    text: str,
    figures: Callable[[], Sequence[Figure]],
    *,
    table: str = "",
) -> None:
    """Offer the page as one HTML file that works from disk without internet.

    ``text`` is the name of the prose that opens the handout, with ``_why`` of the one
    that closes it, behind a ``table`` in Markdown; the figures are made when somebody
    asks for it.
    """
    closing = f"{table}\n\n{prose(f'{text}_why')}"
    st.download_button(
        "Teaching handout (HTML)",
        lambda: handout_html(
            title, prose(text), figures(), closing_markdown=closing
        ).encode(),
        f"siviz-{text}.html",
        "text/html",
        key=f"handout-{text}",
        on_click="ignore",
        help="This view as one file that works without internet.",
    )
