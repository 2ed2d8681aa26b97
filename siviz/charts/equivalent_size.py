"""Figure 4: both sides of Eq. 9 against N', and what other methods prefer."""

from collections.abc import Mapping
from typing import Any, Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import Data
from siviz.charts.theme import (
    BLUE,
    GREEN,
    GREY,
    LINE_LEGEND,
    PURPLE,
    RED,
    SOLID,
    VERMILION,
)
from siviz.multinomials import SizeCurve
from siviz.size_studies import SizeStudy
from siviz.smoothing import Dof, EquivalentSampleSize

REACH: Final = 4.0
"""End of the axis of N', in multiples of Eq. 9's solution."""
SIDES: Final = {
    "left side: after smoothing": (BLUE, SOLID),
    "right side: Î − d/N": (VERMILION, (2, 3)),
    "what the left side tends to": (GREY, (6, 3)),
}
SCORES: Final = {
    "empirical Bayes": (GREEN, SOLID),
    "cross-validation": (PURPLE, (6, 3)),
}
SIZE_TITLE: Final = "virtual observations N′"
PAPER: Final[Mapping[str, Mapping[str, str]]] = {
    "Sewell and Shah": {
        "Eq. 9": "≈ 67",
        "Eq. 10": "≈ 66.1",
        "empirical Bayes": "≈ 69",
        "cross-validation": "100 … 300 (by others)",
    },
    "ALARM": {
        "Eq. 9": "≈ 12",
        "Eq. 10": "≈ 14.7",
        "cross-validation": "≈ 16 (by others)",
    },
}
"""What the paper reports (Sec. 7.2), by data and method."""
_POINTS: Final = 100


def axis_reach(study: SizeStudy, dof: Dof) -> float:
    """End of the axis of N', the same wherever the slider stands."""
    return REACH * study.reference(dof)


def sides_frame(constraint: EquivalentSampleSize, reach: float) -> pd.DataFrame:
    """Both sides of Eq. 9: ``side``, ``size`` (N'), ``nats``.

    Where they never meet, also the value that the left side tends to.
    """
    sizes = np.linspace(0, reach, _POINTS + 1)
    left, right, limit = SIDES
    sides = {left: constraint.left(sizes), right: constraint.right}
    if not constraint.has_solution:
        sides[limit] = constraint.prior_mean
    frames = [
        pd.DataFrame({"side": s, "size": sizes, "nats": y}) for s, y in sides.items()
    ]
    return pd.concat(frames, ignore_index=True)


def meeting_frame(constraint: EquivalentSampleSize) -> pd.DataFrame:
    """Where Eq. 9 and 10 place N': ``equation``, ``size``, ``nats``, ``label``."""
    frame = pd.DataFrame(
        {
            "equation": ["Eq. 9", "Eq. 10"],
            "size": [constraint.exact, constraint.approximate],
            "nats": constraint.right,
        }
    ).dropna(ignore_index=True)
    return frame.assign(label=[f"{e}: {n:,.4g}" for e, n, _ in frame.to_numpy()])


def sides_figure(study: SizeStudy, dof: Dof, size: float) -> Figure:
    """Both sides of Eq. 9 with a line at the chosen N'."""
    constraint = study.constraints[dof]
    return Figure(
        sides_chart,
        {
            "curves": sides_frame(constraint, axis_reach(study, dof)),
            "meeting": meeting_frame(constraint),
            "chosen": chosen_frame(size),
        },
        "Left and right side of Eq. 9 against N′, with their crossing",
        sides_sentence(study, dof),
        sides_options(study, dof),
    )


def sides_options(study: SizeStudy, dof: Dof) -> dict[str, Any]:
    """What the form of `sides_chart` depends on."""
    constraint, reach = study.constraints[dof], axis_reach(study, dof)
    nats = sides_frame(constraint, reach)["nats"]
    low, high = float(nats.min()), float(nats.max())
    room = 0.08 * (high - low) or 0.01
    return {
        "reach": reach,
        "domain": (low - room, high + room),
        "sides": tuple(SIDES)[: 2 if constraint.has_solution else 3],
    }


def sides_chart(
    curves: Data,
    meeting: Data,
    chosen: Data,
    *,
    reach: float,
    domain: tuple[float, float],
    sides: tuple[str, ...],
) -> alt.LayerChart:
    """Both sides, their crossing, Eq. 10's value, and a line at the chosen N'."""
    colours, dashes = zip(*(SIDES[side] for side in sides), strict=True)
    lines = (
        alt.Chart(curves)
        .mark_line(strokeWidth=2.5)
        .encode(
            x=_size_axis(reach),
            y=alt.Y("nats:Q", title="nats").scale(domain=domain, nice=False),
            color=alt.Color("side:N", title=None)
            .scale(domain=sides, range=colours)
            .legend(orient="top", columns=1, labelLimit=300, **LINE_LEGEND),
            strokeDash=alt.StrokeDash("side:N", title=None).scale(
                domain=sides, range=dashes
            ),
            tooltip=["side:N", _tooltip("N′"), alt.Tooltip("nats:Q", format=".5f")],
        )
    )
    layers = [chosen_rule(chosen), lines, *_meeting_layers(meeting)]
    return alt.LayerChart(layer=layers).properties(height=360)


def _meeting_layers(meeting: Data) -> list[alt.Chart]:
    """Eq. 9 a filled point, Eq. 10 an open one; both are named right above."""
    base = alt.Chart(meeting).encode(
        x="size:Q",
        y="nats:Q",
        tooltip=["equation:N", _tooltip("N′"), alt.Tooltip("nats:Q", format=".5f")],
    )
    exact = base.transform_filter("datum.equation == 'Eq. 9'")
    straight = base.transform_filter("datum.equation == 'Eq. 10'")
    text = alt.Text("label:N")
    return [
        exact.mark_point(filled=True, size=130, opacity=1, color=RED),
        straight.mark_point(size=190, opacity=1, color=RED),
        exact.mark_text(
            align="left", dx=10, dy=-12, fontSize=14, fontWeight="bold"
        ).encode(text=text),
        straight.mark_text(align="left", dx=10, dy=-30, fontSize=14).encode(text=text),
    ]


def chosen_frame(size: float) -> pd.DataFrame:
    """The chosen N', ``size``, for `chosen_rule`."""
    return pd.DataFrame({"size": [size]})


def chosen_rule(chosen: Data) -> alt.Chart:
    """A line at the chosen N'."""
    rule = alt.Chart(chosen).mark_rule(strokeWidth=2, color=GREY, clip=True)
    return rule.encode(x="size:Q", tooltip=[_tooltip("chosen N′")])


def _tooltip(title: str) -> alt.Tooltip:
    return alt.Tooltip("size:Q", title=title, format=",.6~g")


def scores_frame(study: SizeStudy, reach: float) -> pd.DataFrame:
    """Scores of N': ``method``, ``size``, ``score``, ``below`` (nats below the best).

    Each score is shifted and scaled so that 0 is its least and 1 its largest value on
    the axis, which runs to ``reach``.
    """
    curves = zip(SCORES, (study.bayes, study.validation), strict=True)
    return pd.concat(
        [_score_frame(curve, method, reach) for method, curve in curves],
        ignore_index=True,
    )


def _score_frame(curve: SizeCurve, method: str, reach: float) -> pd.DataFrame:
    sizes = np.linspace(reach / _POINTS, reach, _POINTS)
    scores = np.interp(np.log(sizes), np.log(curve.sizes), curve.scores)
    spread = max(float(np.ptp(scores)), 1e-300)
    return pd.DataFrame(
        {
            "method": method,
            "size": sizes,
            "score": (scores - scores.min()) / spread,
            "below": curve.scores.max() - scores,
        }
    )


def best_frame(study: SizeStudy) -> pd.DataFrame:
    """The best N' of each method that has one: ``method``, ``size``, ``score`` (1)."""
    best = [study.bayes.best, study.validation.best]
    frame = pd.DataFrame({"method": list(SCORES), "size": best, "score": 1.0})
    return frame.dropna(ignore_index=True)


def scores_figure(study: SizeStudy, dof: Dof, size: float) -> Figure:
    """Scores of N' with a line at the chosen one."""
    reach = axis_reach(study, dof)
    return Figure(
        scores_chart,
        {
            "curves": scores_frame(study, reach),
            "best": best_frame(study),
            "chosen": chosen_frame(size),
        },
        "Scores of N′ by empirical Bayes and by cross-validation",
        scores_sentence(study, reach),
        {"reach": reach},
    )


def scores_chart(
    curves: Data, best: Data, chosen: Data, *, reach: float
) -> alt.LayerChart:
    """Both scores of N', a point at each best, and a line at the chosen N'."""
    colour = (
        alt.Color("method:N", title=None)
        .scale(domain=list(SCORES), range=[colour for colour, _ in SCORES.values()])
        .legend(orient="top", **LINE_LEGEND)
    )
    dash = alt.StrokeDash("method:N", title=None).scale(
        domain=list(SCORES), range=[dash for _, dash in SCORES.values()]
    )
    y = alt.Y("score:Q", title="score, scaled")
    y = y.scale(domain=[0, 1.08], nice=False).axis(values=[0, 0.5, 1])
    below = alt.Tooltip("below:Q", title="nats below its best", format=".3f")
    lines = alt.Chart(curves).mark_line(strokeWidth=2.5)
    lines = lines.encode(
        x=_size_axis(reach),
        y=y,
        color=colour,
        strokeDash=dash,
        tooltip=["method:N", _tooltip("N′"), below],
    )
    tops = alt.Chart(best).mark_point(filled=True, size=110, opacity=1, clip=True)
    tops = tops.encode(
        x="size:Q",
        y="score:Q",
        color=colour,
        tooltip=["method:N", _tooltip("best N′")],
    )
    layers = [chosen_rule(chosen), lines, tops]
    return alt.LayerChart(layer=layers).properties(height=260)


def _size_axis(reach: float) -> alt.X:
    return alt.X("size:Q", title=SIZE_TITLE).scale(domain=[0, reach], nice=False)


def methods_frame(study: SizeStudy, data: str) -> pd.DataFrame:
    """N' by every method, for a reader, beside the paper's where it has one."""
    both = (study.constraints["nominal"], study.constraints["effective"])
    sizes = {
        "Eq. 9": [_told(part.exact) for part in both],
        "Eq. 10": [_told(part.approximate) for part in both],
        "empirical Bayes": [_told(study.bayes.best)] * 2,
        "cross-validation": [_told(study.validation.best)] * 2,
    }
    frame = pd.DataFrame(
        [
            {
                "method": method,
                "d by all cells": every,
                "d by occupied cells": occupied,
            }
            for method, (every, occupied) in sizes.items()
        ]
    )
    paper = PAPER.get(data)
    if paper and len(study.tables) > 1:  # the paper's are those of networks
        frame["the paper"] = [paper.get(method, "–") for method in sizes]
    return frame


def _told(size: float) -> str:
    return f"{size:,.2f}" if np.isfinite(size) else "none"


def sides_sentence(study: SizeStudy, dof: Dof) -> str:
    """Where the two sides meet, or why they do not, in words."""
    constraint = study.constraints[dof]
    n, d = constraint.sample_size, constraint.dof
    nats = constraint.information
    start = f"N = {n:,.0f} observations, d = {d:,.0f}, Î = {nats:.4f} nats. "
    if not constraint.has_solution:
        told = f"{start}**The two sides do not meet.** {constraint.reason}"
        if constraint.dof == 0:
            return told
        others = np.isfinite([study.bayes.best, study.validation.best]).any()
        below = ", merge states, or take N′ from below" if others else ""
        return f"{told} Collect more data{below}."
    exact, approximate = constraint.exact, constraint.approximate
    less = 1 - approximate / exact
    return (
        f"{start}The sides meet at **N′ = {exact:,.4g}** (Eq. 9): "
        f"{_weighed(exact / n)}. The short cut of Eq. 10 says {approximate:,.4g}, "
        f"{less:.1%} less."
    )


def _weighed(share: float) -> str:
    """What N' is to N, in words.

    Examples
    --------
    >>> _weighed(18.7)
    '19 virtual ones for every real one'
    """
    if share > 1.5:
        return f"{share:,.0f} virtual ones for every real one"
    if share > 1 / 1.5:
        return "about one virtual observation for every real one"
    return f"one virtual observation for every {1 / share:,.0f} real ones"


def scores_sentence(study: SizeStudy, reach: float) -> str:
    """What empirical Bayes and cross-validation prefer, in words."""
    told = []
    for method, curve in zip(SCORES, (study.bayes, study.validation), strict=True):
        name = method[0].upper() + method[1:]
        if not np.isfinite(curve.best):
            told.append(
                f"{name} has no best N′: {curve.reason[0].lower()}{curve.reason[1:]}"
            )
            continue
        where = "" if curve.best <= reach else ", right of this picture"
        told.append(f"{name} prefers **N′ = {curve.best:,.4g}**{where}.")
    return " ".join(told)
