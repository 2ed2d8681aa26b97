"""Ranks and scatter in one chart: the ranking's numbers, and labels with room."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siviz import MEASURES, rank_pairs
from siviz.charts import linked_ranks as charts
from siviz.charts.embedding import chart_spec
from siviz.charts.frame import picture
from siviz.charts.ranks import rank_ticks
from siviz.datasets import load_dataset

KEYS = ("score", "mi", "bic")


@pytest.fixture(scope="module")
def penguins():
    return rank_pairs(load_dataset("penguins").frame)


def frames(ranking, top=6, axes=("score", "log10_p"), scatter="values"):
    pairs = ranking.frame.head(top)
    ranks = charts.linked_frame(ranking, pairs, KEYS, axes=axes, scatter=scatter)
    return ranks, charts.points_frame(ranking, axes=axes, scatter=scatter)


def test_lines_and_points_hold_the_numbers_of_the_ranking(penguins):
    ranks, points = frames(penguins)
    frame = penguins.frame
    assert points["x"].tolist() == frame["score"].tolist()
    assert points["y"].tolist() == frame["log10_p"].tolist()
    wide = ranks.pivot(index="place", columns="measure", values="rank")
    assert wide["BIC"].tolist() == frame["rank_bic"].head(6).tolist()
    at = points.set_index("place").loc[ranks["place"]]
    assert ranks["x"].tolist() == at["x"].tolist()


def test_places_are_ranks_by_the_two_measures(penguins):
    _, points = frames(penguins, axes=("mi", "score"), scatter="places")
    assert points["x"].tolist() == penguins.frame["rank_mi"].tolist()
    assert points["y"].tolist() == penguins.frame["rank"].tolist()


@given(
    st.lists(st.integers(1, 900), min_size=1, max_size=20),
    st.integers(0, 900),
)
def test_labels_keep_their_order_and_their_distance(ranks, more):
    worst = max(ranks) + more
    far = charts.is_far(worst, len(ranks))
    spaced = charts._spaced(np.array(ranks, dtype=float), worst, far)
    top, bottom = charts._ends(worst, far)
    unit = np.log if far else np.asarray
    height = charts._ROW * max(len(ranks), 6)
    pixels = np.sort((unit(spaced) - unit(top)) / (unit(bottom) - unit(top)) * height)
    assert np.all(np.diff(pixels) >= charts._LABEL - 1e-6)
    assert pixels[-1] <= height
    assert pixels[0] >= 0
    order = np.argsort(ranks, kind="stable")
    assert np.all(np.diff(spaced[order]) > 0)


def test_of_many_pairs_the_strongest_half_is_drawn_and_others_up_to_the_last():
    rng = np.random.default_rng(0)
    data = {f"c{n}": rng.integers(0, 2, 40) for n in range(60)}
    ranking = rank_pairs(pd.DataFrame(data).map("s{}".format), measures=["mi"])
    points = charts.points_frame(ranking, axes=("score", "mi"), scatter="values")
    assert len(points) == charts.MOST_POINTS < len(ranking.frame) == 1770
    half = charts.MOST_POINTS // 2
    assert points["place"].head(half).tolist() == list(range(1, half + 1))
    assert points["place"].iloc[-1] == 1770
    assert points["place"].is_unique


@pytest.mark.parametrize("scatter", ["values", "places"])
@pytest.mark.parametrize("axes", [("score", "mi"), ("p_value", "conditional_entropy")])
def test_the_chart_is_valid_and_can_be_a_picture(penguins, axes, scatter):
    ranks, points = frames(penguins, axes=axes, scatter=scatter)
    chart = charts.linked_chart(ranks, points, axes=axes, scatter=scatter)
    spec = chart_spec(chart)
    names = {param["name"] for param in spec["params"]}
    assert names >= {"pointed_line", "pointed_point", "boxed", *charts.OPENED_BY}
    assert picture(chart, "svg").startswith(b"<svg")


def test_stronger_is_always_right_and_above(penguins):
    for key in MEASURES:
        ranks, points = frames(penguins, axes=(key, "score"))
        chart = charts.linked_chart(
            ranks, points, axes=(key, "score"), scatter="values"
        )
        scale = chart_spec(chart)["vconcat"][1]["layer"][0]["encoding"]["x"]["scale"]
        assert scale["reverse"] == (MEASURES[key].stronger == "lower")


def test_ticks_are_round_few_and_begin_with_the_first_place():
    assert rank_ticks(7, False) == [1, 2, 3, 4, 5, 6, 7]
    assert rank_ticks(40, False) == [1, 5, 10, 15, 20, 25, 30, 35, 40]
    assert rank_ticks(300, True) == [1, 2, 5, 10, 20, 50, 100, 200]
    for worst in (1, 16, 99, 1234):
        ticks = rank_ticks(worst, False)
        assert ticks[0] == 1
        assert len(ticks) <= 16
