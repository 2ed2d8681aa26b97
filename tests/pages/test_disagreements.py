"""Where measures disagree: any measures, the movers with reasons, tau, every data."""

import pytest
from scipy.stats import kendalltau

import siviz
from siviz import MEASURES
from siviz.datasets import load_dataset
from siviz.movers import find_movers
from tests.pages.data_pages import (
    HOSTILE,
    assert_grids_hold_no_formula,
    assert_names_are_plain,
    charts,
    columns,
    go,
    opened,
    texts,
    to_all,
)

FILE = "disagreements.py"
KEYS = ["score", *MEASURES]


def movers(page):
    return page.dataframe[-1].value


def test_every_control_goes_to_its_ends():
    page = opened(FILE)
    to_all(
        page,
        measures=[[], ["mi"], KEYS],
        lines=["biggest movers"],
        top=[3, 20],
        x=["mi", "p_value"],
        y=["score", "conditional_entropy"],
        show=["places"],
    )


def test_the_movers_are_those_of_the_core_with_their_reasons():
    page = go(opened(FILE), measures=["score", "mi", "bic"], top=7)
    frame = siviz.rank_pairs(load_dataset("penguins").frame).frame
    expected = find_movers(frame, ["mi", "bic"], depth=7, most=7)
    shown = movers(page)
    assert shown["A"].tolist() == expected["first"].tolist()
    assert shown["Place by it"].tolist() == expected["measure_rank"].tolist()
    assert shown["Why"].tolist() == expected["reason"].tolist()
    told = next(text for text in texts(page) if "Causes among" in text)
    assert told.count("\n- ") == 2
    assert f"from place {expected['rank'][0]} by SI" in told


def test_the_two_measures_that_agree_least_are_named():
    page = opened(FILE)
    frame = siviz.rank_pairs(load_dataset("penguins").frame).frame
    strength = {key: m.strength(frame[key]) for key, m in MEASURES.items()}
    taus = {
        (MEASURES[a].label, MEASURES[b].label): kendalltau(strength[a], strength[b])[0]
        for a in MEASURES
        for b in MEASURES
        if MEASURES[a].label < MEASURES[b].label
    }
    one, other = min(taus, key=taus.get)
    value = f"{taus[one, other]:.2f}".replace("-", "−")
    told = next(text for text in texts(page) if "agree least" in text)
    assert f"**{one}** and **{other}** agree least (τ = {value})" in told
    assert "all 28 pairs" in told


def test_the_slope_chart_has_the_chosen_measures_in_the_chosen_order():
    page = go(opened(FILE), measures=["nmi", "score", "mi"])
    lines = charts(page)[0]["vconcat"][0]["layer"][0]
    domain = lines["encoding"]["x"]["scale"]["domain"]
    assert domain == ["normalized MI", "Score (SI)", "MI"]


def test_no_measure_is_said_kindly():
    page = go(opened(FILE), measures=[])
    assert "Choose at least one measure." in [info.value for info in page.info]


def test_one_measure_alone_moves_nothing():
    page = go(opened(FILE), measures=["score"])
    assert any("same places as SI" in text for text in texts(page))


@pytest.mark.parametrize("roles", [{"target": "species"}, {"given": "species"}])
def test_it_works_with_a_target_and_given_a_column(roles):
    page = go(opened(FILE), **roles)
    to_all(page, lines=["biggest movers"], show=["places"])
    assert len(charts(page)) == 2


@pytest.mark.parametrize("count, pairs", [(2, 1), (40, 780)])
def test_one_pair_and_many_pairs(count, pairs):
    page = opened(FILE, columns(count))
    told = next(text for text in texts(page) if text.startswith("Above"))
    assert f"all {pairs} pair" in told
    to_all(page, lines=["biggest movers"], top=[3, 20], show=["places"])
    if pairs == 1:
        assert any("tau needs two or more" in text for text in texts(page))


def test_thousands_of_pairs_are_drawn_in_part_and_that_is_said():
    page = opened(FILE, columns(70, rows=60))
    told = next(text for text in texts(page) if text.startswith("Above"))
    assert "1,500 of 2,415 pairs" in told


def test_names_are_shown_as_text():
    page = opened(FILE, columns(len(HOSTILE), names=HOSTILE))
    to_all(page, lines=["biggest movers"])
    assert_names_are_plain(page)
    assert_grids_hold_no_formula(page)
