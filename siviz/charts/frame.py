"""What every chart shares: names, colours by measure or pair, and pictures of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.theme import GREY, LOOKS, SOLID, Look, siviz_look
from siviz.measures import find_measure

Picture: TypeAlias = Literal["svg", "png"]
Data: TypeAlias = pd.DataFrame | alt.NamedData
"""Rows to draw, or the name they are sent by."""
AnyChart: TypeAlias = alt.Chart | alt.LayerChart | alt.FacetChart | alt.VConcatChart

SHORT_LABELS: Final[dict[str, str]] = {
    "si_calibrated": "SI, calibrated",
    "si": "SI",
    "mi": "MI",
    "mi_bc": "MI, bias-corrected",
    "z_score": "z-score",
    "nmi": "normalized MI",
    "ami": "adjusted MI",
    "p_value": "p-value",
    "log10_p": "p-value (log)",
    "log10_p_calibrated": "p-value (log), calibrated",
    "aic": "AIC",
    "bic": "BIC",
    "log_bayes_factor": "Bayes factor (log)",
    "cramers_v": "Cramér's V",
    "cramers_v_corrected": "Cramér's V, corrected",
    "theils_u_columns": "Theil's U(B|A)",
    "theils_u_rows": "Theil's U(A|B)",
    "conditional_entropy": "H(B|A)",
    "p_value_2006": "p-value of 2006",
}
"""Names of measures on axes and in legends."""

PAIRS: Final = ("(A, B)", "(X, Y)")
"""The two pairs of variables that pages compare."""
PAIR_COLOURS: Final = ("#7B61C9", "#BF8300")
PAIR_DASHES: Final = (SOLID, (6, 3))

_OTHER: Final = Look(GREY, SOLID)
_WIDTH: Final = 720
_RAISED: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def short_label(measure: str) -> str:
    """Name of a measure for an axis."""
    return SHORT_LABELS.get(measure) or find_measure(measure).label


def signed(form: str, number: float) -> str:
    """A number as text, with a true minus sign.

    Examples
    --------
    >>> signed("{:.1f}", -4.53)
    '−4.5'
    """
    return form.format(number).replace("-", "−")


def told_number(value: float) -> str:
    r"""A number as it is read: three digits that matter, no noise.

    Examples
    --------
    >>> told_number(0.1 + 0.2), told_number(-12345.6), told_number(2e-7)
    ('0.3', '−12,346', '2\xa0·\xa010⁻⁷')
    >>> told_number(999.7)
    '1,000'
    """
    if np.isnan(value):
        return "undefined"
    text = f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"
    digits, _, exponent = text.partition("e")
    told = f"{digits}\u00a0·\u00a0{raised_ten(float(exponent))}" if exponent else digits
    return told.replace("-", "−")


def apart(one: float, other: float, *, form: str = "g") -> tuple[str, str]:
    """Two numbers with as many digits as tell them apart, three at least.

    Examples
    --------
    >>> apart(0.25, 0.2), apart(0.2203, 0.2199), apart(-0.00012, 0.0, form="f")
    (('0.25', '0.2'), ('0.2203', '0.2199'), ('−0.0001', '0.0000'))
    """
    forms = [f".{digits}{form}" for digits in range(3, 18)]
    texts = [(format(one, form), format(other, form)) for form in forms]
    differing = (pair for pair in texts if float(pair[0]) != float(pair[1]))
    first, second = next(differing, texts[0])
    return first.replace("-", "−"), second.replace("-", "−")


def raised_ten(exponent: float) -> str:
    """A power of ten.

    Examples
    --------
    >>> raised_ten(-7)
    '10⁻⁷'
    """
    return "10" + f"{exponent:.0f}".translate(_RAISED)


def as_told(
    frame: pd.DataFrame, forms: Mapping[str, str], names: Mapping[str, str]
) -> pd.DataFrame:
    """The frame as text for a reader: columns in forms and by names of their own.

    Examples
    --------
    >>> as_told(pd.DataFrame({"d": [-1.5]}), {"d": "{:.2f}"}, {"d": "degrees"})
      degrees
    0   −1.50
    """

    def told(name: str) -> list[str]:
        cells = frame[name]
        return [signed(forms[name], n) for n in cells] if name in forms else list(cells)

    columns = {names.get(name, name): told(name) for name in map(str, frame)}
    return pd.DataFrame(columns, dtype=object)


def look(measure: str) -> Look:
    """Colour and dash of a measure; grey for those that charts seldom compare."""
    return LOOKS.get(measure, _OTHER)


def half_rule() -> alt.Chart:
    """A line at a share of one half, which is fair when there is nothing to find."""
    once = alt.Chart(alt.Data(values=[{}]))
    rule = once.mark_rule(strokeDash=[3, 3], color=GREY, aria=False)
    return rule.encode(x=alt.datum(0.5))


def measure_axis(field: str, measures: Sequence[str]) -> alt.Y:
    """Measures below each other, by a field of short labels."""
    order = [short_label(key) for key in measures]
    return alt.Y(f"{field}:N", title=None, sort=order).axis(labelLimit=200)


def measure_colour(field: str, measures: Sequence[str]) -> alt.Color:
    """Colour by a field of short labels, the same for a measure in every chart."""
    return alt.Color(f"{field}:N", title=None).scale(
        domain=[short_label(key) for key in measures],
        range=[look(key).colour for key in measures],
    )


def measure_dash(field: str, measures: Sequence[str]) -> alt.StrokeDash:
    """Dash by a field of short labels, to go with `measure_colour`."""
    return alt.StrokeDash(f"{field}:N", title=None).scale(
        domain=[short_label(key) for key in measures],
        range=[list(look(key).dash) for key in measures],
    )


def pair_colour(field: str = "pair") -> alt.Color:
    """Colour by pair, without a legend: name the pairs where they are drawn."""
    return (
        alt.Color(f"{field}:N", title=None)
        .scale(domain=list(PAIRS), range=list(PAIR_COLOURS))
        .legend(None)
    )


def pair_dash(field: str = "pair") -> alt.StrokeDash:
    """Dash by pair, to go with `pair_colour`."""
    return alt.StrokeDash(f"{field}:N", title=None).scale(
        domain=list(PAIRS), range=list(PAIR_DASHES)
    )


def sized_spec(chart: AnyChart, width: int | str = _WIDTH) -> dict[str, Any]:
    """The chart as Vega-Lite with a width, which pages otherwise give it.

    Charts below each other cannot follow their container and keep their own width.
    """
    with siviz_look():
        spec = chart.to_dict(validate=False)
    if width == "container" and "vconcat" not in spec:
        spec["width"] = width
        spec.setdefault("autosize", {"type": "fit-x", "contains": "padding"})
    elif width != "container":
        view = spec.setdefault("config", {}).setdefault("view", {})
        view["continuousWidth"] = view["discreteWidth"] = width
    return spec


def picture(chart: AnyChart, kind: Picture) -> bytes:
    """The chart as an SVG or a PNG file on white, without internet.

    Examples
    --------
    >>> import pandas as pd
    >>> chart = alt.Chart(pd.DataFrame({"x": [1, 2]})).mark_point().encode(x="x:Q")
    >>> picture(chart, "svg")[:4], picture(chart, "png")[1:4]
    (b'<svg', b'PNG')
    """
    import vl_convert  # loads slowly, and few ask for a picture

    spec = {"background": "white", **sized_spec(chart)}
    if kind == "svg":
        return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode()
    return vl_convert.vegalite_to_png(spec, scale=2, allowed_base_urls=[])
