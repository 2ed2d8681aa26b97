"""Figure 3: is the best of twenty features one with two states, or one with four?"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from siviz.charts.figure import Figure
from siviz.charts.frame import Data
from siviz.charts.study import (
    MANY_TIES,
    P_VALUES,
    crossing,
    fraction_layers,
    listed,
)
from siviz.charts.truth import truth_frame
from siviz.scenarios import (
    TrueDistribution,
    binary_feature,
    four_state_feature,
    z_of_equal_information,
)

LARGEST_Z: Final = 0.25
SIZES: Final = tuple(2**power for power in range(3, 17))
"""Sample sizes to choose from; the paper's are 32 to 16384."""
# A share of four-state picks in the smallest sample that is called hasty.
_HASTY: Final = 0.7
VARIABLES: Final = ("feature", "class")
_EQUAL: Final = z_of_equal_information()


def selection_views(z: float) -> Mapping[str, TrueDistribution]:
    """The true table of each kind of feature (rows) and the class (columns)."""
    return {
        "2-state feature": binary_feature(),
        "4-state feature": four_state_feature(z),
    }


def selection_truth(z: float) -> pd.DataFrame:
    """`siviz.charts.truth.truth_frame` of both kinds of features."""
    return truth_frame(selection_views, z)


def selection_figure(study: pd.DataFrame, measures: tuple[str, ...]) -> Figure:
    """A `siviz.charts.study.study_frame` as curves."""
    return Figure(
        selection_chart,
        {"curves": study},
        "How often the best of twenty features is one with two states, against N",
        selection_sentence(study),
        {"measures": measures},
    )


def selection_chart(
    curves: Data, *, measures: tuple[str, ...]
) -> alt.LayerChart | alt.FacetChart:
    """How often the pick has two states, against the sample size."""
    x = alt.X("sample_size:Q", title="sample size N (logarithmic)").scale(
        type="log", base=2, domain=[SIZES[0], SIZES[-1]], nice=False
    )
    x = x.axis(values=list(SIZES), format=",d", labelOverlap=True)
    y = alt.Y("fraction:Q", title="the pick has two states").scale(domain=[0, 1])
    y = y.axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    title = "pick has two states"
    layers = fraction_layers(curves, "sample_size", x, y, measures, title)
    return alt.layer(*layers).properties(height=340)


def at_sizes(study: pd.DataFrame, sizes: tuple[int, int]) -> pd.DataFrame:
    """The part of a study with samples of the first to the last of these sizes."""
    return study[study["sample_size"].between(*sizes)]


def selection_sentence(frame: pd.DataFrame) -> str:
    """The right answer, then a line a measure: where it switches and what is wrong."""
    few, many = frame[["information_binary", "information_four_state"]].iloc[0]
    right = "two" if few > many else "four"
    line = "100%" if few > many else "0%"
    truth = (
        f"At z = {frame['z'].iloc[0]:.3g} a feature with {right} states knows more of "
        f"the class ({max(few, many):.4f} nats against {min(few, many):.4f}), so with "
        f"enough data every line should reach {line}."
    )
    lines = [
        f"- **{label}** {_course(curve)}: {_judgement(curve, few > many)}"
        for label, curve in _curves(frame)
    ]
    return truth + "\n\n" + "\n".join(lines)


class _Curve(NamedTuple):
    """What a study found for one measure, by increasing sample size."""

    measure: str
    sizes: NDArray[np.int64]
    fraction: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    ties: NDArray[np.float64]


def _curves(frame: pd.DataFrame) -> Iterator[tuple[str, _Curve]]:
    """The curve of each measure, by its label."""
    # A frame a measure would take several times as long, at each move of the slider.
    names = ("sample_size", "fraction", "low", "high", "ties")
    columns = [frame[name].to_numpy() for name in names]
    keys = frame["measure"].to_numpy()
    labels = dict(zip(keys.tolist(), frame["label"].tolist(), strict=True))
    for key, label in labels.items():
        yield label, _Curve(key, *(column[keys == key] for column in columns))


def _course(curve: _Curve) -> str:
    last = curve.fraction[-1]
    if last == 0.5:
        undecided = curve.ties.min() > MANY_TIES
        return "never decides" if undecided else "does not decide in the end"
    finally_ = "two" if last > 0.5 else "four"
    size = 2 ** crossing(np.log2(curve.sizes), curve.fraction)
    if size != size:
        everywhere = " at every N" if curve.sizes.size > 1 else ""
        return f"picks {finally_} states{everywhere}"
    return f"goes over to {finally_} states {_switch_place(curve, size)}"


def _switch_place(curve: _Curve, size: float) -> str:
    """Where a curve passes one half, as closely as its errors tell."""
    undecided = (curve.low <= 0.5) & (curve.high >= 0.5)
    after = int(np.searchsorted(curve.sizes, size))
    low, high = after - 1, after
    while low > 0 and undecided[low]:
        low -= 1
    while high < undecided.size - 1 and undecided[high]:
        high += 1
    if high - low == 1:
        return f"near N = {size:,.0f}"
    return f"between N = {curve.sizes[low]:,} and {curve.sizes[high]:,}"


def _judgement(curve: _Curve, two_is_right: bool) -> str:
    """What is wrong with a measure, by the numbers shown."""
    lost = curve.ties > MANY_TIES
    if lost.any():
        return _tie_fault(curve, lost)
    first, last = curve.fraction[[0, -1]]
    smallest, largest = curve.sizes[[0, -1]]
    wrong = 1 - last if two_is_right else last
    if wrong > 0.5:
        before = 1 - first if two_is_right else first
        worse = ", and more data make it worse" if wrong > before + 0.02 else ""
        return f"wrong in {wrong:.0%} at N = {largest:,}{worse}."
    right = f"right in {1 - wrong:.0%} at N = {largest:,}"
    if smallest == largest:
        return f"{right}."
    if two_is_right and 1 - first > _HASTY:
        return (
            f"{right}, but at N = {smallest:,} it takes four states in "
            f"{1 - first:.0%}: the noise of many states wins."
        )
    if curve.low[0] > 0.5:
        told = f"cautious at N = {smallest:,} (two states in {first:.0%})"
    elif curve.high[0] < 0.5:
        told = f"takes four states in {1 - first:.0%} already at N = {smallest:,}"
    else:
        told = f"not sure of either at N = {smallest:,} (two states in {first:.0%})"
    return f"{right}, and {told}."


def _tie_fault(curve: _Curve, lost: NDArray[np.bool_]) -> str:
    """What is said of a measure that ties under the lost conditions."""
    sizes = [f"{size:,}" for size in curve.sizes[lost]]
    for_good = lost[lost.argmax() :].all()
    where = f"from N = {sizes[0]} on" if for_good else f"at N = {listed(sizes)}"
    counted = (
        "the wrong answer is counted, as in the paper"
        if curve.measure == "p_value_2006"
        else "a tie counts half"
    )
    reason = " because p rounds to 0" if curve.measure in P_VALUES else ""
    return f"{where} the best of both kinds tie{reason} ({counted})."


def truth_sentence(z: float) -> str:
    """How often a four-state feature agrees with the class."""
    agreement = float(four_state_feature(z).probabilities.trace())
    return (
        "Rows are the states of a feature, columns the classes. The four-state feature "
        f"agrees with the class in {agreement:.0%} of all cases; by chance it would in "
        "25%."
    )


def information_sentence(z: float) -> str:
    """Which kind of feature knows more, and where both know the same."""
    views = selection_views(z)
    few, many = (truth.true_information for truth in views.values())
    equal = _EQUAL
    more = "more" if many > few else "less"
    return (
        f"At z = {z:.3g} a feature with four states knows {abs(many - few):.4f} nats "
        f"{more} of the class than one with two. Both know the same at z = {equal:.4f}."
    )
