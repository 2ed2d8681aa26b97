"""Figure 4: both sides of Eq. 9 against N', and what other methods prefer."""

from collections.abc import Mapping
from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.multinomials import SizeCurve
from siviz.size_studies import SizeStudy
from siviz.smoothing import Dof, EquivalentSampleSize

REACH: Final = 4.0
"""End of the axis of N', in multiples of Eq. 9's solution."""
SIDES: Final = {
    "left side: after smoothing": ("#0072B2", [1, 0]),
    "right side: Î − d/N": ("#D55E00", [2, 3]),
    "what the left side tends to": ("#7F7F7F", [6, 3]),
}
SCORES: Final = {
    "empirical Bayes": ("#009E73", [1, 0]),
    "cross-validation": ("#CC79A7", [6, 3]),
}
SIZE_TITLE: Final = "virtual observations N′"
CHOSEN: Final = "#8B8B8B"
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


def sides_chart(
    frame: pd.DataFrame, meeting: pd.DataFrame, rule: alt.Chart, reach: float
) -> alt.LayerChart:
    """Both sides, their crossing, Eq. 10's value, and a `chosen_rule`."""
    y = alt.Y("nats:Q", title="nats").scale(domain=_padded(frame["nats"]), nice=False)
    sides = [side for side in SIDES if side in set(frame["side"])]
    lines = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2.5)
        .encode(
            x=_size_axis(reach),
            y=y,
            color=alt.Color("side:N", title=None)
            .scale(domain=sides, range=[SIDES[side][0] for side in sides])
            .legend(orient="top", columns=1, labelLimit=300, symbolStrokeWidth=3),
            strokeDash=alt.StrokeDash("side:N", title=None).scale(
                domain=sides, range=[SIDES[side][1] for side in sides]
            ),
            tooltip=[
                "side:N",
                alt.Tooltip("size:Q", title="N′", format=",.4g"),
                alt.Tooltip("nats:Q", format=".5f"),
            ],
        )
    )
    layers = rule + lines + _meeting_layers(meeting, "Eq. 9")
    return (layers + _meeting_layers(meeting, "Eq. 10")).properties(height=300)


def _meeting_layers(meeting: pd.DataFrame, equation: str) -> alt.LayerChart:
    """A filled point with its label to the right, or an open one, to the left below."""
    exact = equation == "Eq. 9"
    base = alt.Chart(meeting[meeting["equation"] == equation]).encode(
        x="size:Q",
        y="nats:Q",
        tooltip=[
            "equation:N",
            alt.Tooltip("size:Q", title="N′", format=",.6g"),
            alt.Tooltip("nats:Q", format=".5f"),
        ],
    )
    point = base.mark_point(
        filled=exact, size=130 if exact else 190, opacity=1, color="#D62F2F"
    )
    words = base.mark_text(
        align="left" if exact else "right",
        dx=10 if exact else -10,
        dy=-12 if exact else 14,
        fontSize=14,
        fontWeight="bold" if exact else "normal",
        color="#D62F2F",
    ).encode(text="label:N")
    return point + words


def chosen_rule(size: float) -> alt.Chart:
    """A line at the chosen N'."""
    return (
        alt.Chart(pd.DataFrame({"size": [size]}))
        .mark_rule(strokeWidth=2, color=CHOSEN, clip=True)
        .encode(
            x="size:Q",
            tooltip=[alt.Tooltip("size:Q", title="chosen N′", format=",.4g")],
        )
    )


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


def scores_chart(
    frame: pd.DataFrame, best: pd.DataFrame, rule: alt.Chart, reach: float
) -> alt.LayerChart:
    """Both scores of N', a point at each best, and a `chosen_rule`."""
    colour = (
        alt.Color("method:N", title=None)
        .scale(domain=list(SCORES), range=[colour for colour, _ in SCORES.values()])
        .legend(orient="top", symbolStrokeWidth=3)
    )
    dash = alt.StrokeDash("method:N", title=None).scale(
        domain=list(SCORES), range=[dash for _, dash in SCORES.values()]
    )
    y = alt.Y("score:Q", title="score (0 least, 1 best here)")
    y = y.scale(domain=[0, 1.08], nice=False).axis(values=[0, 0.25, 0.5, 0.75, 1])
    lines = (
        alt.Chart(frame)
        .mark_line(strokeWidth=2.5)
        .encode(
            x=_size_axis(reach),
            y=y,
            color=colour,
            strokeDash=dash,
            tooltip=[
                "method:N",
                alt.Tooltip("size:Q", title="N′", format=",.4g"),
                alt.Tooltip("below:Q", title="nats below its best", format=".3f"),
            ],
        )
    )
    tops = (
        alt.Chart(best[best["size"] <= reach])
        .mark_point(filled=True, size=110, opacity=1)
        .encode(
            x="size:Q",
            y="score:Q",
            color=colour,
            tooltip=["method:N", alt.Tooltip("size:Q", title="best N′", format=",.4g")],
        )
    )
    return (rule + lines + tops).properties(height=200)


def _size_axis(reach: float) -> alt.X:
    return alt.X("size:Q", title=SIZE_TITLE).scale(domain=[0, reach], nice=False)


def _padded(values: pd.Series) -> list[float]:
    low, high = float(values.min()), float(values.max())
    room = 0.08 * (high - low) or 0.01
    return [low - room, high + room]


def methods_frame(study: SizeStudy, data: str) -> pd.DataFrame:
    """N' by every method, for a reader, beside the paper's where it has one."""
    both = (study.constraints["nominal"], study.constraints["effective"])
    sizes = {
        "Eq. 9": [part.exact for part in both],
        "Eq. 10": [part.approximate for part in both],
        "empirical Bayes": [study.bayes.best] * 2,
        "cross-validation": [study.validation.best] * 2,
    }
    frame = pd.DataFrame(
        [
            {
                "method": method,
                "d by all cells": _told(every),
                "d by occupied cells": _told(occupied),
            }
            for method, (every, occupied) in sizes.items()
        ]
    )
    paper = PAPER.get(data)
    if paper:
        frame["the paper"] = [paper.get(method, "–") for method in sizes]
    return frame


def _told(size: float) -> str:
    return f"{size:,.6g}" if np.isfinite(size) else "none"


def sides_sentence(study: SizeStudy, dof: Dof) -> str:
    """Where the two sides meet, or why they do not, in words."""
    constraint = study.constraints[dof]
    n, d = constraint.sample_size, constraint.dof
    nats = constraint.information
    start = f"N = {n:,.0f} observations, d = {d:,.0f}, Î = {nats:.4f} nats. "
    if not constraint.has_solution:
        return (
            f"{start}**The two sides do not meet.** {constraint.reason} Collect more "
            "data, merge states, or take the N′ of another method below."
        )
    exact, approximate = constraint.exact, constraint.approximate
    less = 1 - approximate / exact
    ratio = n / exact
    per = f"every {ratio:,.0f} real ones" if ratio >= 1.5 else "every real one or more"
    return (
        f"{start}The sides meet at **N′ = {exact:,.4g}** (Eq. 9): one virtual "
        f"observation for {per}. The short cut of Eq. 10 says {approximate:,.4g}, "
        f"{less:.1%} less."
    )


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
