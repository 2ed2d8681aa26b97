"""Colours, sizes and the Altair theme: the same measure always looks the same.

Colours are from Okabe and Ito's palette, which colour-blind readers can tell apart; a
dash pattern repeats the difference for print and tells apart what shares a colour.

The theme has no background, and text takes the colour of the page around it, so a chart
fits a light page and a dark one without being drawn again.  That colour and screen
readers know only SVG, which Streamlit otherwise leaves for more than 2,000 marks.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final, NamedTuple, TypeVar, cast

import altair as alt

BLUE: Final = "#0072B2"
SKY: Final = "#56B4E9"
GREEN: Final = "#009E73"
ORANGE: Final = "#E69F00"
VERMILION: Final = "#D55E00"
PURPLE: Final = "#CC79A7"
OLIVE: Final = "#B8A900"
GREY: Final = "#8A8A8A"
RED: Final = "#D62F2F"
"""What the reader has chosen or observed, a colour of no measure."""

TEXT: Final = "currentColor"
"""The colour of the page's own text."""
FONT: Final = "Source Sans, system-ui, sans-serif"
FONT_SIZE: Final = 13
LABEL_LIMIT: Final = 240
"""Pixels after which a label ends in an ellipsis."""

LABEL_ROOM: Final = alt.ExprRef("containerSize()[0] < 450 ? 110 : 230")
"""The same for labels beside rows, which a phone has less room for."""

PAIR_ROOM: Final = alt.ExprRef("containerSize()[0] < 450 ? 165 : 250")
"""The same for pairs, which are two names, and for names of measures."""

PALETTE: Final = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, GREY)
"""Colours of things that are not measures."""
_NO_BLUE, _ALL_BLUE = "rgba(0, 114, 178, 0.04)", "rgba(0, 114, 178, 1)"
_NO_ORANGE, _ALL_ORANGE = "rgba(213, 94, 0, 0.04)", "rgba(213, 94, 0, 1)"


LINE_LEGEND: Final[dict[str, Any]] = {
    "symbolType": "stroke",
    "symbolSize": 500,
    "symbolStrokeWidth": 2.5,
    "symbolOpacity": 1,
}
"""Entries of lines, long enough to tell their dashes apart."""


class Look(NamedTuple):
    """How one measure is drawn."""

    colour: str
    dash: tuple[int, ...]


SOLID: Final[tuple[int, ...]] = ()
"""No dashes.  The pattern 1, 0 looks the same, but is drawn as pieces of one pixel, and
the browser cuts the line so whenever it asks what lies at some place of the page."""
DASHES: Final = (SOLID, (6, 3), (2, 3))
"""Dashes of things that are not measures."""

LOOKS: Final[dict[str, Look]] = {
    "si_calibrated": Look(BLUE, SOLID),
    "si": Look(SKY, (8, 3)),
    "mi": Look(VERMILION, (2, 2)),
    "mi_bc": Look(ORANGE, (6, 2)),
    "z_score": Look(OLIVE, (4, 2)),
    "nmi": Look(GREEN, (2, 4)),
    "ami": Look(GREEN, (10, 2)),
    "p_value": Look(PURPLE, (2, 2)),
    "p_value_2006": Look(GREY, (2, 2)),
    "log10_p": Look(PURPLE, (8, 3, 2, 3)),
    "log10_p_calibrated": Look(PURPLE, SOLID),
    "aic": Look(VERMILION, (8, 3)),
    "bic": Look(VERMILION, SOLID),
    "log_bayes_factor": Look(VERMILION, (8, 3, 2, 3)),
    "cramers_v": Look(ORANGE, (2, 2)),
    "cramers_v_corrected": Look(ORANGE, SOLID),
    "theils_u_columns": Look(GREEN, SOLID),
    "theils_u_rows": Look(GREEN, (6, 2, 2, 2)),
    "conditional_entropy": Look(GREY, (8, 3)),
}
"""The measures that charts compare, by key."""


AnyChart = TypeVar("AnyChart", alt.Chart, alt.LayerChart)


def page_wide(chart: AnyChart, *, height: int, description: str) -> AnyChart:
    """The chart as wide as what contains it, with a description for screen readers.

    Only the width is fitted: ``height`` is that of the plot, without axes and legend.
    """
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    return chart.properties(
        width="container", height=height, autosize=fit, description=description
    )


def strength_scale(highest: float) -> alt.Scale:
    """Colours from 0, which is the colour of the page, to the highest value (blue)."""
    colours = [_NO_BLUE, _ALL_BLUE]
    return alt.Scale(domain=[0, highest], range=colours, clamp=True, interpolate="rgb")


def contrast_scale(limit: float) -> alt.Scale:
    """Colours from -limit (orange) over 0, the colour of the page, to limit (blue)."""
    near = limit / 1000  # two colours for about 0, so that no mixture lies between
    colours = [_ALL_ORANGE, _NO_ORANGE, _NO_BLUE, _ALL_BLUE]
    return alt.Scale(
        domain=[-limit, -near, near, limit], range=colours, interpolate="rgb"
    )


_enabling: Final = RLock()


@contextmanager
def siviz_look() -> Iterator[None]:
    """The theme, whatever theme the caller has enabled.

    Altair has one theme for all threads, and answers to sliders are made in several.
    """
    with _enabling, alt.theme.enable("siviz"):
        yield


@alt.theme.register("siviz", enable=False)
def siviz_theme() -> alt.theme.ThemeConfig:
    """The theme of all charts; ``alt.theme.enable("siviz")`` turns it on."""
    words: dict[str, Any] = {
        "labelColor": TEXT,
        "titleColor": TEXT,
        "labelFontSize": FONT_SIZE,
        "titleFontSize": FONT_SIZE,
        "titleFontWeight": "normal",
    }
    lines: dict[str, Any] = {
        "gridColor": GREY,
        "gridOpacity": 0.25,
        "domainColor": GREY,
        "tickColor": GREY,
    }
    theme = {
        "usermeta": {"embedOptions": {"renderer": "svg"}},
        "config": {
            "background": "transparent",
            "font": FONT,
            "axis": {**words, **lines, "labelLimit": LABEL_LIMIT, "titlePadding": 10},
            "legend": {**words, "labelLimit": LABEL_LIMIT},
            "header": words,
            "title": {"color": TEXT, "subtitleColor": TEXT, "anchor": "start"},
            "text": {"color": TEXT},
            # A label for every point of a curve slows each answer and tells nobody
            # anything: the chart as a whole is described.
            **{mark: {"aria": False} for mark in ("line", "area", "tick")},
            "view": {"stroke": None},
            "range": {"category": list(PALETTE)},
        },
    }
    return cast(alt.theme.ThemeConfig, theme)
