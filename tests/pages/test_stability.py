"""Stability: the core's intervals, ties, and every kind of data."""

import pytest

import siviz
from siviz.datasets import load_dataset
from siviz.ui import long_work
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

FILE = "stability.py"


def told(page):
    return next(text for text in texts(page) if "resampled tables" in text)


def table(page):
    return page.dataframe[-1].value


def test_every_control_goes_to_its_ends():
    page = opened(FILE)
    to_all(
        page, top=[2, 60], level=[0.5, 0.99], resamples=[50, 2000], seed=[0, 999_999]
    )


def test_the_table_holds_the_intervals_of_the_core():
    page = go(opened(FILE), top=9, resamples=100, seed=5, level=0.8)
    ranking = siviz.rank_pairs(load_dataset("penguins").frame)
    expected = ranking.stability(top=9, draws=100, level=0.8, rng=5)
    shown = table(page)
    for name, column in (
        ("SI from", "low"),
        ("SI to", "high"),
        ("Place from", "rank_low"),
        ("Place to", "rank_high"),
    ):
        assert shown[name].tolist() == expected[column].tolist()
    assert "level 80 %, 100 resampled tables" in told(page)
    assert f"{expected['tier'].max()} groups" in told(page)


def test_tied_pairs_share_their_places():
    frame = columns(4)
    frame["twin"] = frame["column 0"]
    page = opened(FILE, frame)
    shown = table(page).set_index(["A", "B"])["Shares places"]
    assert shown["column 0", "twin"] == "1"
    tied = [shown["column 0", "column 2"], shown["column 2", "twin"]]
    assert tied == ["2–3", "2–3"]


def test_a_level_is_answered_without_new_draws():
    page = go(opened(FILE), resamples=50)
    kept = list(page.session_state["results-resampled"])
    go(page, level=0.5)
    assert list(page.session_state["results-resampled"]) == kept


def test_long_work_can_be_stopped_and_begun_again(monkeypatch):
    monkeypatch.setattr(long_work, "PATIENCE", 0.0)
    page = opened(FILE)
    stopped = next(iter(page.session_state["results-resampled"]))
    page.session_state["results-resampled"] = {}
    page.session_state["stopped work"] = (stopped, 0.5)
    page.run()
    assert page.warning[0].value.startswith("Stopped at 50%")
    assert "What was there before is still shown." in page.warning[0].value
    assert len(charts(page)) == 2
    page.session_state["results-shown"] = {}
    page.run()
    assert page.warning[0].value.startswith("Stopped at 50%")
    assert not charts(page)
    next(b for b in page.button if b.label == "Start again").click().run()
    assert not page.exception
    assert len(charts(page)) == 2


@pytest.mark.parametrize("roles", [{"target": "species"}, {"given": "species"}])
def test_it_works_with_a_target_and_given_a_column(roles):
    page = go(opened(FILE), resamples=50, **roles)
    ranking = siviz.rank_pairs(load_dataset("penguins").frame, **roles)
    assert table(page)["A"].tolist() == ranking.frame["first"].head(20).tolist()


def test_one_pair_has_nothing_to_be_told_apart_from():
    page = opened(FILE, columns(2))
    assert told(page).startswith("There is only one pair")
    assert table(page)["Shares places"].tolist() == ["1"]


def test_many_columns():
    page = go(opened(FILE, columns(40)), resamples=50)
    go(page, top=60)
    assert len(table(page)) == 60


def test_names_are_shown_as_text():
    page = opened(FILE, columns(len(HOSTILE), names=HOSTILE))
    assert_names_are_plain(page)
    assert_grids_hold_no_formula(page)
    shown = {*table(page)["A"], *table(page)["B"]}
    assert len(shown) == len(HOSTILE)
    assert all(len(name) <= 41 for name in shown)
