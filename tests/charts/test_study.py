"""Charts of the studies: true tables, bands, and sentences that follow the numbers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siviz.charts import discretization, selection
from siviz.charts.frame import picture
from siviz.charts.study import crossing, listed, study_frame
from siviz.charts.truth import (
    information_figure,
    information_frame,
    truth_chart,
    truth_figure,
    truth_frame,
    truth_handout,
)
from siviz.experiments import discretization_study, selection_study
from siviz.scenarios import discretization_scenario, four_state_feature

KEYS = ["si", "mi_bc", "nmi", "log10_p", "p_value_2006"]
SCENARIOS = [
    (discretization.discretization_views, discretization.LARGEST_Z),
    (selection.selection_views, selection.LARGEST_Z),
]


@pytest.fixture(scope="module")
def figure_2():
    return study_frame(discretization_study(measures=KEYS, resamples=200, rng=1))


@pytest.fixture(scope="module")
def figure_3():
    sizes = [16, 64, 512, 16384]
    return study_frame(
        selection_study(sizes, [0.1], measures=KEYS, resamples=200, rng=1)
    )


def line_of(sentence, label):
    return next(line for line in sentence.splitlines() if f"**{label}**" in line)


# Curves


@given(st.floats(0.01, 0.99), st.floats(0.1, 5))
def test_a_straight_line_crosses_one_half_where_it_does(place, slope):
    x = np.linspace(0, 1, 7)
    assert crossing(x, 0.5 - slope * (x - place)) == pytest.approx(place, abs=1e-9)


@pytest.mark.parametrize("curve", [[0.9, 0.8, 0.7], [0.1, 0.2, 0.1], [0.5, 0.5, 0.5]])
def test_a_curve_that_stays_on_one_side_has_no_crossing(curve):
    assert np.isnan(crossing([0, 1, 2], curve))


def test_the_last_crossing_counts():
    assert crossing([0, 1, 2, 3], [0.6, 0.4, 0.6, 0.4]) == pytest.approx(2.5)


def test_error_bars_are_two_standard_errors_inside_the_unit_interval(figure_2):
    assert figure_2["low"].min() == 0
    assert figure_2["high"].max() == 1
    inner = figure_2[figure_2["fraction"].between(0.3, 0.7)]
    np.testing.assert_allclose(
        inner["high"] - inner["low"], 4 * inner["standard_error"]
    )


def test_words_in_a_row():
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"


# True tables


@pytest.mark.parametrize(("views", "most"), SCENARIOS)
@given(share=st.floats(0, 1))
@settings(max_examples=20)
def test_every_cell_is_linear_in_z_and_its_parts_add_up_to_the_information(
    views, most, share
):
    z = share * most
    frame = truth_frame(views, z)
    np.testing.assert_allclose(
        frame["start"] + z * frame["slope"], frame["probability"], atol=1e-9
    )
    for name, cells in frame.groupby("view"):
        p, q = cells["probability"], cells["independent"]
        assert p.sum() == pytest.approx(1)
        assert q.sum() == pytest.approx(1)
        nats = (p * np.log(np.where(p > 0, p / q, 1))).sum()
        assert nats == pytest.approx(views(z)[name].true_information, abs=1e-12)


@pytest.mark.parametrize(("views", "most"), SCENARIOS)
def test_the_cells_of_a_view_fill_a_square(views, most):
    for _, cells in truth_frame(views, most / 2).groupby("view"):
        area = ((cells["x2"] - cells["x"]) * (cells["y2"] - cells["y"])).sum()
        width = cells["x2"].max() - cells["x"].min()
        assert (area, width, cells["y2"].max()) == (16, 4, 4)


def test_at_z_0_a_cell_is_as_far_from_independence_before_and_after_merging():
    frame = truth_frame(discretization.discretization_views, 0)
    ratio = (frame["probability"] / frame["independent"]).round(9)
    by_view = {view: set(values) for view, values in ratio.groupby(frame["view"])}
    assert by_view["four states"] == by_view["two states"] == {1.6, 0.4}


@pytest.mark.parametrize("z", [0.0, 0.04, 0.1])
def test_the_drawn_table_and_the_handout_show_the_true_information(z):
    """Vega computes it from the cells, in the handout from z alone."""
    views, most = SCENARIOS[0]
    names = discretization.VARIABLES
    drawn = picture(truth_chart(truth_frame(views, z), variables=names), "svg").decode()
    computed = picture(truth_handout(views, z, most, names).chart, "svg").decode()
    for truth in views(z).values():
        assert f"{truth.true_information:.4f} nats" in drawn
        assert f"{truth.true_information:.4f} nats" in computed


def test_a_handouts_tables_do_not_depend_on_the_z_they_were_made_at():
    views, most = SCENARIOS[1]
    figure = truth_handout(views, 0.2, most, selection.VARIABLES)
    spec = figure.chart.to_dict()
    (knob,) = spec["params"]
    assert (knob["value"], knob["bind"]["max"]) == (0.2, 0.25)
    knob["value"] = 0.1
    moved = type(figure.chart).from_dict(spec)
    expected = f"{four_state_feature(0.1).true_information:.4f} nats"
    assert expected in picture(moved, "svg").decode()


@pytest.mark.parametrize(("views", "most"), SCENARIOS)
def test_true_informations_are_the_cores(views, most):
    frame = information_frame(views, most)
    row = frame[frame["z"] == frame["z"].max()]
    expected = {name: truth.true_information for name, truth in views(most).items()}
    assert dict(zip(row["view"], row["information"], strict=True)) == expected


# Charts


def test_only_data_change_when_z_moves(figure_2):
    views, most = SCENARIOS[0]
    for kind in (
        lambda z: discretization.discretization_figure(figure_2, "", z, tuple(KEYS)),
        lambda z: information_figure(views, z, most, ""),
        lambda z: truth_figure(views, z, ("A", "B"), ""),
    ):
        first, last = (kind(z).spec for z in (0, 0.1))
        changed = [
            name
            for name, frame in first.pop("datasets").items()
            if not frame.equals(last["datasets"][name])
        ]
        del last["datasets"]
        assert first == last
        assert len(changed) == 1


def test_each_sample_size_has_a_band_labelled_from_0_to_100(figure_2):
    figure = discretization.discretization_figure(figure_2, "", 0.04, tuple(KEYS))
    drawn = picture(figure.chart, "svg").decode()
    assert drawn.count(">0%<") == drawn.count(">100%<") == drawn.count(">50%<") == 3
    assert all(f">N = {size}<" in drawn for size in (25, 100, 500))


def test_figure_3_has_one_axis_for_all_ranges_of_n(figure_3):
    part = figure_3[figure_3["sample_size"] > 100]
    drawn = [selection.selection_figure(f, tuple(KEYS)) for f in (figure_3, part)]
    domains = [f.spec["layer"][0]["encoding"]["x"]["scale"] for f in drawn]
    assert domains[0] == domains[1]


# Sentences


def test_figure_2s_sentences_say_what_the_paper_says(figure_2):
    told = discretization.discretization_sentence(figure_2)
    assert "as it should be" in line_of(told, "SI")
    assert "as it should be" in line_of(told, "p-value (log)")
    assert "nothing more, it favours two in only" in line_of(told, "MI, bias-corrected")
    assert "asks for more dependence" in line_of(told, "normalized MI")
    late = line_of(told, "p-value of 2006")
    assert "100% (N = 500) of the resamples, for p rounds to 0" in late


def test_a_switch_is_where_the_curve_passes_one_half(figure_2):
    si = figure_2[figure_2["measure"] == "si"]
    points = discretization.switch_points(si)
    told = line_of(discretization.discretization_sentence(figure_2), "SI")
    for size, z in points.items():
        assert f"{z:.3f} (N = {size})" in told
        curve = si[si["sample_size"] == size]
        before, after = curve[curve["z"] < z].iloc[-1], curve[curve["z"] > z].iloc[0]
        assert before["fraction"] > 0.5 > after["fraction"]


def curves(fractions, ties=0.0, measure="bic"):
    """A study of one measure at three z for each sample size."""
    rows = [
        (size, z, measure, measure.upper(), fraction, ties)
        for size, values in fractions.items()
        for z, fraction in zip((0.0, 0.05, 0.1), values, strict=True)
    ]
    names = ["sample_size", "z", "measure", "label", "fraction", "ties"]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize(
    ("fractions", "expected"),
    [
        ({25: (1, 1, 1)}, "always favours two states: not even at z = 0.1"),
        ({25: (0, 0, 0)}, "always favours four states: at z = 0, where"),
        ({25: (1, 1, 0)}, "switches at z = 0.075 (N = 25): two states at z = 0, four"),
        ({25: (1, 0, 0), 99: (1, 1, 0)}, "asks for more dependence instead of less"),
        ({25: (1, 1, 0), 99: (1, 1, 0)}, "should ask for less dependence, and does"),
        ({25: (1, 1, 0), 99: (1, 0, 0)}, "less dependence suffices as data grow"),
    ],
)
def test_every_fault_in_figure_2_has_its_words(fractions, expected):
    assert expected in discretization.discretization_sentence(curves(fractions))


def test_only_p_values_are_said_to_round():
    half = {25: (0.5, 0.5, 0.5)}
    told = discretization.discretization_sentence(curves(half, ties=1.0))
    assert "never decides: both views tie in up to 100% (N = 25)" in told
    assert "rounds" not in told


def test_figure_3s_sentences_say_what_the_paper_says(figure_3):
    told = selection.selection_sentence(figure_3)
    assert "a feature with four states knows more" in told
    assert "every line should reach 0" in told
    assert "right in 100% at N = 16,384, and cautious" in line_of(told, "SI")
    assert "takes four states in" in line_of(told, "MI, bias-corrected")
    assert "more data make it worse" in line_of(told, "normalized MI")
    assert "the wrong answer is counted" in line_of(told, "p-value of 2006")


def test_below_the_z_of_equal_information_the_line_should_reach_1():
    study = selection_study([64, 8192], [0.08], measures=KEYS, resamples=50, rng=1)
    told = selection.selection_sentence(study_frame(study))
    assert "a feature with two states knows more" in told
    assert "every line should reach 1" in told
    assert "right in 100%" in line_of(told, "normalized MI")


def test_one_sample_size_is_enough_for_a_sentence():
    study = selection_study([64], [0.25], measures=KEYS, resamples=20, rng=1)
    told = line_of(selection.selection_sentence(study_frame(study)), "SI")
    assert told.endswith("picks four states: right in 100% at N = 64.")


def picks(fractions, *, two_is_right, ties=None, error=0.01):
    """The sentence on one measure, by its share of picks with two states at each N."""
    frame = pd.DataFrame(
        {
            "z": 0.1,
            "sample_size": list(fractions),
            "information_binary": 0.2 if two_is_right else 0.1,
            "information_four_state": 0.15,
            "measure": "bic",
            "fraction": list(fractions.values()),
            "standard_error": error,
            "ties": [0.0] * len(fractions) if ties is None else ties,
            "resamples": 100,
        }
    )
    return line_of(selection.selection_sentence(study_frame(frame)), "BIC")


def test_noise_wins_only_where_two_states_are_right():
    hasty = {16: 0.1, 64: 0.9, 256: 1.0}
    assert "noise of many states wins" in picks(hasty, two_is_right=True)
    right = picks({16: 0.1, 64: 0.0}, two_is_right=False)
    assert right.endswith("and takes four states in 90% already at N = 16.")
    assert "cautious at N = 16" in picks({16: 0.6, 64: 0.0}, two_is_right=False)


@pytest.mark.parametrize("share", [0.45, 0.5, 0.55])
def test_a_coin_toss_is_neither_cautious_nor_hasty(share):
    told = picks({16: share, 64: 0.0}, two_is_right=False, error=0.05)
    assert f"and not sure of either at N = 16 (two states in {share:.0%})" in told


def test_a_switch_is_told_as_closely_as_the_resamples_know_it():
    curve = {16: 0.9, 32: 0.52, 64: 0.47, 128: 0.1}
    few = picks(curve, two_is_right=False, error=0.05)
    assert "goes over to four states between N = 16 and 128" in few
    many = picks(curve, two_is_right=False, error=0.001)
    assert "goes over to four states near N = 42" in many
    # What is undecided elsewhere has nothing to do with it.
    early = {16: 0.52, 32: 0.48, 64: 0.3, 128: 1.0}
    told = picks(early, two_is_right=True, error=0.03)
    assert "goes over to two states near N = 78" in told


def test_ties_are_no_decision():
    lost = picks({16: 1.0, 32: 0.5, 64: 0.5}, two_is_right=True, ties=[0, 1.0, 1.0])
    assert "does not decide in the end: from N = 32 on" in lost
    once = picks({8: 0.5, 16: 0.1, 32: 0.0}, two_is_right=False, ties=[1.0, 0, 0])
    assert "at N = 8 the best of both kinds tie" in once


@pytest.mark.parametrize("z", [0.0, 0.05, 0.1])
def test_the_sentence_on_merging_has_the_true_informations(z):
    told = discretization.information_sentence(z)
    assert f"{discretization_scenario(z).true_information:.4f}" in told
    assert ("loses nothing" in told) == (z == 0)
