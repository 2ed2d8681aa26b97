"""Frames hold the core's numbers, and every chart compiles."""

import re

import numpy as np
import pytest
import vl_convert
from scipy import stats

from siviz import information_z_score, likelihood_ratio, standardized_information
from siviz.charts import duel, fair_scale, one_table, sparse
from siviz.charts.figure import Figure
from siviz.charts.frame import PAIRS, look, picture, short_label, sized_spec
from siviz.charts.smoothed_table import smoothed_table_figures
from siviz.charts.study import study_frame
from siviz.charts.theme import LOOKS
from siviz.contests import STUDY_MEASURES
from siviz.duels import play_duel
from siviz.experiments import fairness_study
from siviz.labelled_tables import typed_table
from siviz.scenarios import flipping_pairs, mixed_distribution

OPENING = fair_scale.observed_pairs(PAIRS, 160, (2, 4), (0.011, 0.039))


def trapezoid(frame):
    return np.trapezoid(frame["density"], frame["x"])


def noise(states=30, size=200, margin="uniform"):
    truth = mixed_distribution(
        states, states, z=0.0, row_margin=margin, column_margin=margin
    )
    return truth.sample_tables(size, 1, 1)[0]


def figures():
    played = play_duel(100, states=(3, 8), information=(0.1, 0.0), draws=5)
    score = duel.duel_frame(played)
    keys = tuple(played.values)
    for equal in (False, True):
        options = {"measures": keys, "equal": equal, "noise": equal}
        yield Figure(duel.duel_chart, {"score": score}, "", "", options)
    chance = duel.chance_frame(played)
    yield Figure(duel.chance_chart, {"information": chance}, "", "")
    for scale in fair_scale.SCALES:
        frames = {
            "curves": fair_scale.fair_scale_frame(OPENING, scale),
            "observed": fair_scale.drawn_frame(
                fair_scale.observed_frame(OPENING),
                scale,
                fair_scale.axis_domain(OPENING, scale),
            ),
            "permutations": fair_scale.permutation_frame(OPENING, scale, draws=50),
        }
        yield Figure(fair_scale.fair_scale_chart, frames, "", "", {"scale": scale})
    nulls = sparse.sparse_nulls(noise(), draws=50)
    frames = {
        "curves": sparse.sparse_frame(nulls),
        "observed": sparse.observed_frame(noise()),
    }
    yield Figure(sparse.sparse_chart, frames, "", "")
    study = fairness_study([4], [50], ["uniform"], resamples=5, measures=keys, rng=1)
    winners = {"winners": study_frame(study)}
    yield Figure(sparse.winners_chart, winners, "", "", {"measures": keys})


FIGURES = list(figures())


@pytest.mark.parametrize("figure", FIGURES)
def test_every_chart_compiles_to_vega_and_fixes_its_axes(figure):
    vega = vl_convert.vegalite_to_vega(sized_spec(figure.chart))
    for scale in vega["scales"]:
        # The axis of the fair scale ends with its curves, see below.
        if scale["name"] == "x" and figure.draw is not fair_scale.fair_scale_chart:
            assert isinstance(scale["domain"], list)


@pytest.mark.parametrize("figure", FIGURES)
def test_the_kept_specification_differs_from_the_chart_only_in_its_data(figure):
    def structure(part):
        if isinstance(part, dict):
            kept = {k: v for k, v in part.items() if k not in ("data", "datasets")}
            return {key: structure(value) for key, value in kept.items()}
        return [structure(p) for p in part] if isinstance(part, list) else part

    kept, whole = figure.spec, sized_spec(figure.chart)
    kept["config"]["view"] = whole["config"]["view"]  # where the width is written
    assert structure(kept) == structure(whole)
    assert {"name": next(iter(figure.frames))} in data_of(kept)
    for name, frame in figure.frames.items():
        assert kept["datasets"][name] is frame


def data_of(part):
    """Every data source within a specification."""
    if isinstance(part, list):
        return [data for each in part for data in data_of(each)]
    if not isinstance(part, dict):
        return []
    own = [part["data"]] if isinstance(part.get("data"), dict) else []
    return own + data_of([v for key, v in part.items() if key != "datasets"])


@pytest.mark.parametrize("figure", FIGURES)
def test_a_solid_line_is_not_drawn_as_dashes_without_gaps(figure):
    drawn = picture(figure.chart, "svg").decode()
    patterns = re.findall(r'stroke-dasharray="([^"]*)"', drawn)
    assert not [each for each in patterns if "0" in each.split(",")]


def test_pictures_are_svg_and_png():
    assert picture(FIGURES[0].chart, "svg").startswith(b"<svg")
    assert picture(FIGURES[0].chart, "png").startswith(b"\x89PNG")


def test_every_measure_has_a_short_name_and_looks_differ():
    assert all(short_label(key) for key in STUDY_MEASURES)
    assert len({short_label(key) for key in STUDY_MEASURES}) == len(STUDY_MEASURES)
    assert len({look(key) for key in LOOKS}) == len(LOOKS)


def test_the_fair_scale_opens_on_figure_1():
    frame = fair_scale.observed_frame(OPENING).set_index("pair")
    for name, counts in flipping_pairs().items():
        seen = frame.loc[name]
        # The slider's step is .001 nats, which is .32 in G.
        assert seen["G"] == pytest.approx(likelihood_ratio(counts), abs=0.17)
        assert seen["deviations"] == pytest.approx(information_z_score(counts), abs=0.1)
        assert seen["SI"] == pytest.approx(standardized_information(counts), abs=0.05)
    assert frame["information"].idxmax() == "(X, Y)"
    assert frame["deviations"].idxmax() == frame["SI"].idxmax() == "(A, B)"


@pytest.mark.parametrize("scale", fair_scale.SCALES)
def test_null_densities_have_the_area_of_the_axis(scale):
    pairs = fair_scale.observed_pairs(PAIRS, 160, (4, 5), (0.05, 0.05))
    low, high = fair_scale.axis_domain(pairs, scale)
    frame = fair_scale.fair_scale_frame(pairs, scale)
    for pair in pairs:
        d = (pair.states - 1) ** 2
        g, _ = pair.statistic(np.array([low, high]), scale)
        inside = np.diff(stats.chi2.cdf(g, d))[0]
        area = trapezoid(frame[frame["pair"] == pair.name]) / (high - low)
        assert area == pytest.approx(inside, abs=2e-3)


@pytest.mark.parametrize("scale", fair_scale.SCALES)
def test_places_and_statistics_are_inverse(scale):
    for pair in OPENING:
        g = np.array([0.5, 3.0, 40.0])
        back, _ = pair.statistic(pair.place(g, scale), scale)
        np.testing.assert_allclose(back, g, rtol=1e-12)


def test_random_tables_follow_the_curve_where_cells_are_filled():
    pairs = fair_scale.observed_pairs(PAIRS, 2000, (3, 4), (0.01, 0.01))
    for pair in pairs:
        g = pair.random_statistics(2000, 1)
        d = (pair.states - 1) ** 2
        assert g.mean() == pytest.approx(d, abs=4 * np.sqrt(2 * d / 2000))


def test_the_axis_does_not_move_with_the_observed_values():
    first = fair_scale.observed_pairs(PAIRS, 160, (2, 4), (0.001, 0.001))
    for scale in fair_scale.SCALES:
        assert fair_scale.axis_domain(first, scale) == fair_scale.axis_domain(
            OPENING, scale
        )


def test_the_sentence_says_that_the_order_flips():
    observed = fair_scale.observed_frame(OPENING)
    told = {s: fair_scale.fair_scale_sentence(observed, s) for s in fair_scale.SCALES}
    assert "**(X, Y)** is first" in told["information"]
    assert "opposite order holds for standard deviations and SI" in told["information"]
    assert "**(A, B)** is first" in told["SI"]


def test_equal_values_on_a_scale_are_level_and_nobody_is_first():
    pairs = fair_scale.observed_pairs(PAIRS, 160, (2, 4), (0.02, 0.02))
    observed = fair_scale.observed_frame(pairs)
    told = fair_scale.fair_scale_sentence(observed, "information")
    assert told.startswith("On this scale both are level, at 0.02 nats.")
    assert "By SI **(A, B)** is first." in told
    assert "Both are level by information" in fair_scale.fair_scale_sentence(
        observed, "SI"
    )
    same = fair_scale.observed_pairs(PAIRS, 160, (3, 3), (0.02, 0.02))
    told = fair_scale.fair_scale_sentence(fair_scale.observed_frame(same), "SI")
    assert "level" in told
    assert "first" not in told


def test_values_that_are_ranked_are_not_told_alike():
    pairs = fair_scale.observed_pairs(PAIRS, 100, (2, 3), (0.14, 0.198))
    observed = fair_scale.observed_frame(pairs)
    told = fair_scale.fair_scale_sentence(observed, "SI")
    assert "**(X, Y)** is first, 4.293 against 4.292." in told


def test_cells_of_states_that_do_not_occur_are_not_counted():
    counts = np.array([[12, 8, 0], [10, 10, 0], [0, 0, 0]])
    told = sparse.sparse_sentence(counts, sparse.sparse_nulls(counts, draws=20))
    assert told.startswith(
        "10 observations per cell of the 2 × 2 states that occur. Independence"
    )


@pytest.mark.parametrize(
    "counts", [[[500, 500], [1, 3]], [[97, 3], [99, 1]], [[30, 0], [28, 2]]]
)
def test_the_share_above_the_threshold_is_that_of_the_tables_with_these_margins(counts):
    """A 2 x 2 table with given margins is hypergeometric in one cell."""
    counts = np.array(counts)
    (first, _), total = counts.sum(axis=1), counts.sum()
    column = counts[:, 0].sum()
    a = np.arange(max(0, first + column - total), min(first, column) + 1)
    tables = np.stack([[a, first - a], [column - a, total - first - column + a]])
    nulls = sparse.sparse_nulls(counts, draws=4000)
    si = nulls["calibrated"].standardize(
        likelihood_ratio(np.moveaxis(tables, -1, 0)), centre="fisher"
    )
    chance = stats.hypergeom(total, column, first).pmf(a)
    exact = float(chance[si > 1.1631].sum())
    told = one_table.one_table_sentence(counts, nulls)
    share = float(re.search(r"margins ([\d.]+)% lie above it", told)[1]) / 100
    assert abs(share - exact) < 4 * np.sqrt(exact * (1 - exact) / 4000) + 0.0005


def test_a_picture_is_as_wide_as_its_columns_need():
    figures = smoothed_table_figures(typed_table([[3, 1, 0], [0, 2, 9]]), 1.0)
    svg = picture(figures["smoothed"].chart, "svg").decode()
    assert float(re.search(r'width="(\d+)', svg)[1]) > 600


def test_distances_of_nulls_are_those_from_the_exact_mean():
    counts = noise()
    nulls = sparse.sparse_nulls(counts, draws=20)
    right = nulls["calibrated"]
    told = sparse.sparse_sentence(counts, nulls)
    off = (float(nulls["nominal"].mean) - right.mean) / right.deviation
    assert f"The nominal mean is {off:+.1f} and" in told
    assert f"G = {right.mean:,.1f} ± {right.deviation:,.1f} by the calibrated" in told
    assert "20 random tables" in told
    dense = np.full((2, 2), 400)
    assert sparse.sparse_sentence(dense, sparse.sparse_nulls(dense)).startswith(
        "400 observations per cell."
    )


def test_the_calibrated_null_stands_where_permutations_do_and_others_do_not():
    counts = noise()
    frame = sparse.sparse_table_frame(counts, sparse.sparse_nulls(counts))
    rows = frame.set_index("null")
    exact = rows.loc["permutation"]
    assert abs(rows.loc["calibrated", "mean"] - exact["mean"]) < exact["deviation"] / 5
    assert rows.loc["nominal", "mean"] - exact["mean"] > 10 * exact["deviation"]
    assert exact["mean"] - rows.loc["effective", "mean"] > 10 * exact["deviation"]


@pytest.mark.parametrize("states", [2, 50])
@pytest.mark.parametrize("size", [20, 10_000])
def test_curves_of_all_shapes_are_finite_and_reach_one(states, size):
    nulls = sparse.sparse_nulls(noise(states, size, "zipf"), draws=20)
    frame = sparse.sparse_frame(nulls)
    assert np.isfinite(frame["height"]).all()
    assert frame["height"].between(0, 1).all()


def test_winners_are_sorted_into_fair_and_unfair():
    study = fairness_study(
        [30], [200], ["uniform"], measures=["si_calibrated", "mi", "si"], rng=1
    )
    told = sparse.winners_sentence(study_frame(study))
    assert "Not told from fair by 400 draws: SI, calibrated." in told
    assert "Favour noise with many states: MI." in told
    assert "Favour noise with two states: SI." in told


@pytest.mark.parametrize("size", [20, 2000])
@pytest.mark.parametrize("states", [(2, 12), (12, 2)])
@pytest.mark.parametrize("nats", [(0.0, 0.4), (0.4, 0.4), (0.0, 0.0)])
def test_the_fair_scale_shows_every_observed_value(size, states, nats):
    pairs = fair_scale.observed_pairs(PAIRS, size, states, nats)
    observed = fair_scale.observed_frame(pairs)
    for scale in fair_scale.SCALES:
        low, high = fair_scale.axis_domain(pairs, scale)
        assert observed[scale].max() <= high
        assert observed[scale].max() >= low
        ends = fair_scale.fair_scale_frame(pairs, scale)["x"].agg(["min", "max"])
        assert tuple(ends) == (low, high)
        drawn = fair_scale.drawn_frame(observed, scale, (low, high))
        assert drawn["at"].between(low, high).any()


def test_ticks_say_the_values_they_stand_at():
    # Vega rounds labels to one decimal unless told otherwise: 0.05 once said 0.1.
    duel_of_noise = play_duel(50, states=(2, 5), information=(0.0, 0.0), draws=3)
    chart = duel.chance_chart(duel.chance_frame(duel_of_noise))
    drawn = picture(chart, "svg").decode()
    labels = re.findall(r">([0-9.]+)</text>", drawn)
    assert labels == ["0", "0.05", "0.2", "0.5", "1", "2", "3", "4"]


def test_pictures_have_the_theme_of_the_pages():
    page, paper = FIGURES[0].spec["config"], sized_spec(FIGURES[0].chart)["config"]
    assert page["axis"] == paper["axis"]
    assert page["axis"]["labelColor"] == "currentColor"
