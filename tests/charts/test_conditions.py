"""The curves of the two conditions, in Python and in Vega's language."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from siviz import evaluate, likelihood_ratio, transition_measure
from siviz.charts import (
    conditions,
    conditions_handout,
    conditions_rate,
    conditions_walk,
)
from siviz.charts.conditions import ZOOMS
from siviz.charts.frame import picture, sized_spec
from siviz.nulls import Null

STATES = (3, 5, 10)
SIZE = 10_000
VEGA = {
    "abs": abs,
    "exp": math.exp,
    "max": max,
    "min": min,
    "pow": pow,
    "sqrt": math.sqrt,
}


def even_table(states, size=7200):
    """Evenly filled margins with a preferred diagonal."""
    share = size // states // (states + 1)
    return np.full((states, states), share) + share * np.eye(states)


@pytest.mark.parametrize("measure", conditions.GROWING.values())
@pytest.mark.parametrize("states", [2, 3, 5, 8])
def test_curves_are_the_measures_of_tables_with_even_margins(measure, states):
    counts = even_table(states)
    drawn = conditions.grown(measure, states, likelihood_ratio(counts), counts.sum())
    assert_allclose(drawn, evaluate(counts, (measure,))[measure], rtol=1e-12)


@pytest.mark.parametrize("measure", conditions.GROWING.values())
@pytest.mark.parametrize("states", [2, 5, 50])
def test_slopes_are_derivatives_at_the_null_mean(measure, states):
    d = conditions.degrees_of_freedom(states)
    step = 1e-5
    g = d + np.array([-step, step]) * math.sqrt(2 * d)
    low, high = conditions.grown(measure, states, g, SIZE)
    expected = (high - low) / (2 * step)
    assert_allclose(conditions.slope(measure, states, SIZE), expected, rtol=1e-6)


def test_only_si_satisfies_both_conditions():
    limits = {
        measure: (
            conditions.slope_ratio(measure, STATES, SIZE),
            conditions.end_ratio(measure, STATES, 1e15),
        )
        for measure in conditions.GROWING.values()
    }
    spread = math.sqrt(81 / 4)
    assert_allclose(limits["si"], (1, 1), rtol=1e-6)
    assert_allclose(limits["z_score"], (1, spread), rtol=1e-6)
    assert_allclose(limits["mi_bc"], (spread, 1), rtol=1e-6)
    assert min(limits["nmi"]) > 2


def test_the_table_names_the_conditions_that_hold():
    table = conditions.conditions_table(STATES, SIZE).set_index("measure")
    assert table["holds"].to_dict() == {
        "z-score": "1",
        "MI, bias-corrected": "2",
        "normalized MI": "neither",
        "SI": "both",
    }
    assert table.loc["z-score", "ends, N → ∞"] == "× 4.50"


@pytest.mark.parametrize("measure", conditions.GROWING.values())
def test_sentences_say_that_a_condition_holds_where_the_ratio_tends_to_1(measure):
    ratios = {
        "near": (1, conditions.slope_ratio(measure, STATES, SIZE)),
        "far": (2, conditions.end_ratio(measure, STATES, 1e15)),
    }
    for zoom, (number, ratio) in ratios.items():
        told = conditions.conditions_sentence(measure, STATES, SIZE, zoom)
        holds = "holds" if ratio < 1.005 else "fails"
        assert told.startswith(f"**Condition {number} {holds}.**")


def test_pairs_with_equally_many_states_show_nothing():
    for zoom in conditions.ZOOMS:
        near = conditions.conditions_sentence("mi_bc", (4, 4, 4), SIZE, zoom)
        assert "every measure looks fair" in near
        assert conditions_walk.zoom_sentence((4, 4, 4), 10_000, 1.0, zoom) == near


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.25, 1.0, 3.0])
def test_the_sentence_on_the_rate_has_the_largest_excess_of_the_curves(rate):
    told = conditions_rate.rate_figure(STATES, rate).sentence
    si = np.linspace(0.01, 20, 20_000)
    curve = transition_measure(si, np.asarray(4.0), rate=rate) / np.sqrt(2)
    share = curve / si - 1
    assert f"at SI = 20 by {share[-1]:.1%}" in told
    if rate > 0.05:
        peak = si[share.argmax()]
        assert f"most at SI = {peak:.1f}, by {share.max():.0%}" in told
    else:
        assert "not yet on its way back" in told


@pytest.mark.parametrize("measure", conditions.GROWING.values())
@pytest.mark.parametrize("zoom", conditions.ZOOMS)
@pytest.mark.parametrize("states", [(2, 2, 2), (2, 50, 50), STATES])
@pytest.mark.parametrize("size", [20, 100_000])
def test_heights_stay_within_the_fixed_axis(measure, zoom, states, size):
    frame = conditions.conditions_frame(measure, states, size, zoom)
    assert len(frame) < 300
    assert np.isfinite(frame["height"]).all()
    assert frame["height"].max() <= 1 + 1e-12
    assert conditions.conditions_sentence(measure, states, size, zoom)


def test_too_few_data_are_said_and_not_divided_by():
    told = conditions.conditions_sentence("si", (2, 4, 50), 20, "far")
    assert told.startswith("With 20 observations")
    assert "too few data" in set(conditions.conditions_table((2, 4, 50), 20).iloc[:, 2])


@pytest.mark.parametrize("measure", ["si", "mi_bc", "nmi", "z_score"])
@pytest.mark.parametrize("states, size", [((2, 4, 50), 20), ((3, 10, 20), 200)])
def test_both_far_charts_say_that_data_are_too_few(measure, states, size):
    walk = conditions_walk.zoom_sentence(states, size, 0.0, "far")
    few = walk.split(" **Condition 2 holds**")[0]
    assert few.startswith(f"With {size} observations even 0.69 nats lie below")
    told = conditions.conditions_sentence(measure, states, size, "far")
    assert (told == few) == (measure != "nmi")  # it knows no null mean
    assert conditions_walk.zoom_sentence((2, 3, 4), 10_000, 0, "far").startswith("**")


@pytest.mark.parametrize("walk", [-0.05, 0.05])
def test_a_condition_that_fails_narrowly_is_not_said_to_hold(walk):
    zoom = "far" if walk < 0 else "near"
    told = conditions_walk.zoom_sentence((49, 50, 50), 10_000, walk, zoom)
    assert "fails" in told
    assert "1.00 ×" not in told
    both = [conditions_walk.zoom_sentence((49, 50, 50), 10_000, 0, z) for z in ZOOMS]
    assert all("holds" in each and "1.00 ×" in each for each in both)
    narrow = conditions.conditions_sentence("mi_bc", (49, 50, 50), 10_000, "near")
    assert "1.02 times" in narrow


def test_the_ends_and_the_middle_of_the_slider_are_known_measures():
    g = np.linspace(0.5, 300, 50)
    null = Null(np.asarray(9.0), np.asarray(18.0))
    walk = conditions_walk.walk_measure
    assert_allclose(walk(g, 9.0, walk=-1), math.sqrt(2) * null.z_score(g))
    assert_allclose(walk(g, 9.0, walk=0), null.standardize(g), atol=1e-12)
    assert_allclose(walk(g, 9.0, walk=1), g - 9)


@pytest.mark.parametrize("walk", [-0.7, -0.2])
def test_left_of_the_middle_only_condition_1_holds(walk):
    near, far = measured_ratios(walk)
    assert_allclose(near, 1, rtol=1e-3)
    assert far > 1.3


@pytest.mark.parametrize("walk", [0.2, 0.7])
def test_right_of_the_middle_only_condition_2_holds(walk):
    near, far = measured_ratios(walk)
    assert near > 1.3
    assert_allclose(far, 1, rtol=1e-3)


def measured_ratios(walk):
    """Ratio of slopes at the null mean and of values far out, for d = 4 and 81."""
    slopes, ends = [], []
    for d in (4.0, 81.0):
        step = 1e-4 * math.sqrt(2 * d)
        low, high = conditions_walk.walk_measure([d - step, d + step], d, walk=walk)
        slopes.append(high - low)
        ends.append(float(conditions_walk.walk_measure(1e12, d, walk=walk)))
    return max(slopes) / min(slopes), max(ends) / min(ends)


def vega(expression, **names):
    return eval(expression, {"__builtins__": {}}, {**VEGA, **names})


def parameters(chart):
    """Values of the parameters of a chart, the computed ones included."""
    known = {}
    for parameter in sized_spec(chart)["params"]:
        known[parameter["name"]] = (
            vega(parameter["expr"], **known)
            if "expr" in parameter
            else parameter["value"]
        )
    return known


def drawn_curves(panel, known):
    """Values that the browser computes for the layers of one panel."""
    curves = []
    for layer in panel["layer"]:
        steps = range(
            layer["data"]["sequence"]["start"], layer["data"]["sequence"]["stop"]
        )
        rows = [SimpleNamespace(step=step) for step in steps]
        for transform in layer["transform"]:
            for row in rows:
                value = vega(transform["calculate"], datum=row, **known)
                setattr(row, transform["as"], value)
        curves.append(rows)
    return curves


@pytest.mark.parametrize("walk", [-1.0, -0.4, 0.0, 0.6, 1.0])
@pytest.mark.parametrize("states", [STATES, (2, 50, 7)])
def test_the_browser_draws_the_curves_of_the_frame(walk, states):
    chart = conditions_handout.sliding_walk(states, SIZE, walk)
    known = parameters(chart)
    frame = conditions_walk.walk_frame(states, SIZE, walk)
    for zoom, panel in zip(("near", "far"), sized_spec(chart)["vconcat"], strict=False):
        rows = frame[frame["zoom"] == zoom]
        for name, curve in zip(
            conditions.TRIO, drawn_curves(panel, known), strict=True
        ):
            expected = rows[rows["pair"] == name]
            assert_allclose([row.x for row in curve], expected["x"], atol=1e-12)
            height = [row.height * known[f"unit_{zoom}"] for row in curve]
            assert_allclose(height, expected["value"], rtol=1e-9, atol=1e-9)
            page = expected["height"]
            assert_allclose([row.height for row in curve], page, rtol=1e-9, atol=1e-9)


def test_the_browser_draws_the_family_with_a_rate():
    chart = conditions_handout.sliding_rate(STATES, 0.3)
    curves = drawn_curves(sized_spec(chart), parameters(chart))
    for states, curve in zip(STATES, curves, strict=True):
        x = np.array([row.x for row in curve])
        d = np.asarray(conditions.degrees_of_freedom(states))
        expected = transition_measure(x, d, rate=0.3) / math.sqrt(2)
        assert_allclose([row.value for row in curve], expected, rtol=1e-12)
    frame = conditions_rate.rate_frame(STATES, 0.3)
    assert_allclose(frame["value"], [row.value for curve in curves for row in curve])


def test_a_handout_has_sliders_for_everything():
    spec = sized_spec(conditions_handout.walk_handout(STATES, SIZE, 0.0).chart)
    bound = [p["name"] for p in spec["params"] if "bind" in p]
    assert bound == ["walk", "log_n", "k1", "k2", "k3"]


def test_charts_with_sliders_can_be_drawn_without_a_browser():
    for chart in (
        conditions_handout.sliding_walk(STATES, SIZE, -1.0),
        conditions_handout.sliding_rate(STATES, 0.25),
    ):
        text = re.sub(r"<[^>]+>", " ", picture(chart, "svg").decode())
        assert "(A, B)" in text
    assert "NaN" not in text
