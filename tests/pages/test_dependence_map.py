"""The dependence map: levels, trees, and every kind of data."""

import numpy as np
import pytest
from scipy.stats import norm

import siviz
from siviz.datasets import load_dataset
from tests.pages.data_pages import (
    HOSTILE,
    assert_names_are_plain,
    charts,
    columns,
    go,
    opened,
    texts,
    to_all,
)

FILE = "dependence_map.py"


def told(page):
    return next(text for text in texts(page) if text.startswith("At a "))


def test_every_control_goes_to_its_ends():
    page = opened(FILE)
    to_all(
        page,
        edges=["SI tree", "Chow–Liu"],
        alpha=[1e-4, 0.2],
        rule=["false discoveries"],
        most=[10, 200],
    )


@pytest.mark.parametrize("level", [1e-4, 0.05, 0.2])
def test_the_level_gives_the_threshold_and_the_number_of_edges(level):
    page = go(opened(FILE), alpha=level)
    scores = siviz.rank_pairs(load_dataset("penguins").frame).frame["score"]
    threshold = norm.ppf(1 - level) / np.sqrt(2)
    sentence = told(page)
    assert f"SI above **{threshold:.2f}**" in sentence
    assert f"**{(scores > threshold).sum()} of 28** pairs" in sentence
    assert f"about {28 * level:.2g} would" in sentence


def test_false_discoveries_count_the_q_values():
    page = go(opened(FILE), rule="false discoveries", alpha=0.01)
    q = siviz.rank_pairs(load_dataset("penguins").frame).frame["log10_q"]
    assert f"**{(q <= -2).sum()} of 28** pairs" in told(page)


def test_the_trees_say_their_sums_and_what_they_share():
    page = go(opened(FILE), edges="Chow–Liu")
    assert "nats in 7 edges" in told(page)
    go(page, edges="SI tree")
    assert "The maximum-SI tree has 7 edges" in told(page)


def test_the_graph_and_the_map_are_drawn_and_can_be_clicked():
    page = opened(FILE)
    assert len(charts(page)) == 2
    for chart in page.get("vega_lite_chart"):
        assert '"name": "opened"' in chart.proto.spec
        assert list(chart.proto.selection_mode) == ["opened"]


def test_with_a_target_it_is_a_star_without_a_map():
    page = go(opened(FILE), target="species")
    assert len(charts(page)) == 1
    assert "of 7** pairs" in told(page)
    assert any("target" in info.value for info in page.info)
    to_all(page, edges=["SI tree", "Chow–Liu"])


def test_given_a_column_it_has_one_node_less():
    page = go(opened(FILE), given="species")
    assert "of 21** pairs" in told(page)
    to_all(page, edges=["SI tree", "Chow–Liu"])


@pytest.mark.parametrize("count, pairs", [(2, 1), (3, 3), (40, 780)])
def test_few_and_many_columns(count, pairs):
    page = opened(FILE, columns(count))
    assert f"of {pairs}** pair" in told(page)
    to_all(page, edges=["SI tree", "Chow–Liu"], most=[10, 200], alpha=[1e-4, 0.2])


def test_of_many_columns_some_are_shown_and_that_is_said():
    page = opened(FILE, columns(70, rows=60))
    assert "Shown are the 60 of 70 columns" in told(page)


def test_columns_without_an_edge_are_named():
    page = go(opened(FILE, columns(6)), alpha=1e-4)
    assert "Orange, without an edge: \u2068column 1\u2069" in told(page)


def test_names_are_shown_as_text():
    page = opened(FILE, columns(len(HOSTILE), names=HOSTILE))
    go(page, alpha=1e-4)
    assert_names_are_plain(page)
