"""The page of one pair: every control, hard pairs, links, and Simpson's reversal."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import siviz
from siviz.datasets import load_dataset
from siviz.locations import DASHBOARD, DASHBOARD_SCRIPT, asset

PAGE = Path(__file__).parents[2] / "pages" / "one_pair.py"
PENGUINS = str(asset("data/penguins.csv"))


def opened(frame=None, **address):
    page = AppTest.from_file(str(PAGE), default_timeout=100)
    for name, value in address.items():
        page.query_params[name] = value
    if frame is not None:
        content = frame.to_csv(index=False).encode()
        page.session_state["data"] = ("file", "mine.csv", content)
    page.run()
    assert not page.exception
    return page


def chosen(page):
    return page.selectbox(key="a").value, page.selectbox(key="b").value


def text(page):
    plain = str.maketrans("", "", "\u2068\u2069\\")
    told = [element.value for element in page.markdown]
    told += [element.value for element in page.info]
    return "\n".join(told).translate(plain)


def metric(page, label):
    return next(m.value for m in page.metric if m.label == label)


def charts(page):
    return len(page.get("vega_lite_chart"))


def test_it_opens_on_the_strongest_pair_with_its_score_and_interval():
    page = opened()
    ranking = siviz.rank_pairs(PENGUINS)
    best = ranking.frame.iloc[0]
    assert chosen(page) == (best["first"], best["second"])
    assert metric(page, "SI") == f"{best['score']:.2f}"
    stable = ranking.stability(rng=0, top=1).iloc[0]
    interval = f"{stable['low']:.2f} to {stable['high']:.2f}"
    assert metric(page, "its 95 % interval") == interval
    assert metric(page, "place in the ranking") == "1 of 28"
    assert charts(page) == 5  # table, null, bins, raw and smoothed probabilities


@pytest.mark.parametrize("view", ["counts", "residuals", "shares by row"])
def test_every_view_of_the_table_has_its_sentence(view):
    page = opened()
    page.segmented_control(key="view").set_value(view).run()
    assert not page.exception
    share = "of the rows with" in text(page)
    assert share == view.startswith("shares")


def test_every_column_can_be_a_and_b():
    page = opened()
    names = page.selectbox(key="a").options
    for name in (names[0], names[-1]):
        page.selectbox(key="a").select(name).run()
        assert not page.exception
        for other in (page.selectbox(key="b").options[i] for i in (0, -1)):
            page.selectbox(key="b").select(other).run()
            assert not page.exception
            assert chosen(page) == (name, other)


def test_choosing_b_for_a_swaps_them():
    page = opened()
    first, second = chosen(page)
    page.selectbox(key="a").select(second).run()
    assert chosen(page) == (second, first)
    assert not page.exception


def test_a_link_restores_the_pair_the_view_and_the_third_column():
    page = opened(a="sex", b="body_mass_g", third="species", view="shares by row")
    assert chosen(page) == ("sex", "body_mass_g")
    assert page.segmented_control(key="view").value == "shares by row"
    assert page.selectbox(key="third").value == "species"


def test_a_link_to_columns_that_are_not_there_opens_the_strongest_pair():
    page = opened(a="no such", b="column", third="either")
    assert chosen(page) == ("species", "flipper_length_mm")


def test_a_pair_selected_elsewhere_is_opened_and_can_be_changed():
    page = AppTest.from_file(str(PAGE), default_timeout=100)
    page.session_state["pair"] = ("island", "year")
    page.run()
    assert chosen(page) == ("island", "year")
    page.selectbox(key="b").select("sex").run()
    assert chosen(page) == ("island", "sex")
    page.session_state["pair"] = ("species", "year")
    page.run()
    assert chosen(page) == ("species", "year")


def test_the_pair_is_still_there_after_a_visit_to_another_page():
    app = AppTest.from_file(str(DASHBOARD_SCRIPT), default_timeout=100).run()
    here = str(DASHBOARD / "pages" / "one_pair.py")
    app.switch_page(here).run()
    app.selectbox(key="a").select("island").run()
    app.selectbox(key="b").select("year").run()
    app.switch_page(str(DASHBOARD / "pages" / "reference.py")).run()
    app.switch_page(here).run()
    assert not app.exception
    assert chosen(app) == ("island", "year")


def test_other_data_open_on_their_own_strongest_pair():
    page = opened(a="sex", b="body_mass_g", third="species")
    page.button(key="example-hair_eye_color").click().run()
    assert not page.exception
    names = set(page.selectbox(key="a").options)
    assert names == {"hair", "eye", "sex"}
    assert set(chosen(page)) <= names


@pytest.mark.parametrize("pair", [("island", "sex"), ("species", "island")])
def test_with_a_target_every_pair_can_still_be_seen(pair):
    page = opened(target="species", a=pair[0], b=pair[1])
    assert chosen(page) == pair
    frame = siviz.rank_pairs(PENGUINS).frame
    row = frame[frame["first"].isin(pair) & frame["second"].isin(pair)].iloc[0]
    assert metric(page, "SI") == f"{row['score']:.2f}"
    ranked = "place in the ranking" in [m.label for m in page.metric]
    assert ranked == ("species" in pair)


def test_a_conditional_ranking_shows_the_conditional_score():
    page = opened(given="island", a="species", b="body_mass_g")
    frame = siviz.rank_pairs(PENGUINS, given="island").frame
    row = frame[(frame["first"] == "species") & (frame["second"] == "body_mass_g")]
    assert metric(page, "SI") == f"{row['score'].iloc[0]:.2f}"
    assert page.selectbox(key="third").value == "island"
    assert f"{row['score'].iloc[0]:.2f} within" in text(page)


class TestBerkeley:
    def page(self):
        page = opened()
        label = "Example: admissions at Berkeley"
        next(b for b in page.button if b.label == label).click().run()
        assert not page.exception
        return page

    def test_one_click_shows_the_reversal(self):
        page = self.page()
        assert chosen(page) == ("gender", "admit")
        assert page.selectbox(key="third").value == "dept"
        data = load_dataset("ucb_admissions")
        options = {"weights": "count", "target": "admit"}
        frame = siviz.rank_pairs(data.frame, **options).frame.set_index("first")
        within = siviz.rank_pairs(data.frame, given="dept", **options).frame
        told = text(page)
        assert metric(page, "SI") == f"{frame.loc['gender', 'score']:.2f}"
        assert f"{within['score'].iloc[0]:.2f} within the states of dept" in told
        assert "the direction reverses" in told
        assert "in 4 of 6 states" in told
        assert "45 % of Male and 30 % of Female have admit = Admitted" in told

    def test_every_control_of_the_strata_works(self):
        page = self.page()
        for state in ("Admitted", "Rejected"):
            page.selectbox(key="state").select(state).run()
            assert not page.exception
        for stratum in ("A", "F"):
            page.selectbox(key="stratum").select(stratum).run()
            assert not page.exception
        for view in page.segmented_control(key="stratum_view").options:
            page.segmented_control(key="stratum_view").set_value(view).run()
            assert not page.exception
        page.selectbox(key="third").select("—").run()
        assert not page.exception
        assert "direction" not in text(page)

    def test_its_words_come_from_the_data(self):
        data = load_dataset("ucb_admissions")
        # Each department admits both alike: what is left over all rows is explained.
        frame = data.frame.assign(
            count=[
                100
                * (1 + (a == "Admitted") * "FEDCBA".index(d))
                * (1 + (g == "Male") * "FEDCBA".index(d))
                for a, g, d in data.frame[["admit", "gender", "dept"]].to_numpy()
            ]
        )
        page = opened(frame, weights="count", a="gender", b="admit", third="dept")
        assert "the dependence disappears" in text(page)
        assert "reverses" not in text(page)


class TestHardPairs:
    def test_a_constant_column_is_not_offered(self):
        frame = pd.DataFrame({"a": list("xy") * 9, "b": list("uuv") * 6, "c": "k"})
        page = opened(frame)
        assert page.selectbox(key="a").options == ["a", "b"]
        assert page.selectbox(key="third").options == ["—"]

    def test_one_row_is_told_in_a_sentence(self):
        page = opened(pd.DataFrame({"a": ["x"], "b": ["y"]}))
        assert len(page.error) == 1

    def test_a_pair_that_is_never_complete_is_told_and_can_be_left(self):
        frame = pd.DataFrame(
            {
                "a": ["x", "y"] * 5 + [None] * 10,
                "b": [None] * 10 + ["u", "v"] * 5,
                "c": list("pq") * 10,
            }
        )
        page = opened(frame, a="a", b="b")
        assert "No row has both values" in text(page)
        page.selectbox(key="b").select("c").run()
        assert not page.exception
        assert metric(page, "rows with both") == "10"

    def test_no_row_with_all_three_values_is_told(self):
        frame = pd.DataFrame(
            {
                "a": ["x", "y"] * 5 + [None] * 10,
                "b": [None] * 10 + ["u", "v"] * 5,
                "c": list("pq") * 10,
            }
        )
        page = opened(frame, a="a", b="c", third="b")
        assert "No row has all three values" in text(page)

    def test_one_state_left_in_the_common_rows_is_told(self):
        frame = pd.DataFrame(
            {"a": ["x"] * 8 + ["y"] * 8, "b": list("uv") * 4 + [None] * 8}
        )
        page = opened(frame)
        assert "only one state" in text(page)
        assert charts(page) == 1

    def test_an_identifier_says_that_nothing_can_be_learned(self):
        frame = pd.DataFrame(
            {"id": [f"n{i}" for i in range(12)] * 1, "b": list("uvw") * 4}
        )
        frame.loc[11, "id"] = "n0"
        page = opened(frame)
        assert "With care" in text(page) or "no freedom" in text(page)

    def test_missing_values_as_a_state_are_no_bin(self):
        page = opened(missing="state", a="species", b="body_mass_g")
        assert "into 5 bins" in text(page)

    @pytest.mark.parametrize("bins", ["width", "frequency"])
    def test_every_way_to_cut_shows_how_many_bins(self, bins):
        page = opened(bins=bins, a="body_mass_g", b="bill_length_mm")
        assert "fair choice is" in text(page)

    def test_two_columns_of_words_have_no_bins(self):
        page = opened(a="species", b="island")
        assert "no number of bins to choose" in text(page)

    def test_thirty_states_long_names_and_both_directions_of_writing(self):
        rng = np.random.default_rng(1)
        words = [
            f"{'حالة' if i % 2 else 'a very long label '} {i} {'x' * 60}"
            for i in range(30)
        ]
        name = "<script>alert(1)</script> *bold* " + "y" * 10_000
        frame = pd.DataFrame(
            {
                name: rng.choice(words, 3000),
                "عمود": rng.choice(words, 3000),
                "=CMD()": rng.choice(list("ab"), 3000),
            }
        )
        page = opened(frame, a=name, b="عمود", third="=CMD()")
        assert charts(page) == 6
        assert "y" * 100 not in text(page)

    def test_a_table_of_thousands_of_states_is_drawn_in_part(self):
        rng = np.random.default_rng(1)
        frame = pd.DataFrame(
            {k: rng.integers(0, 700, 9000).astype(str) + "x" for k in "ab"}
        )
        frame["c"] = rng.choice(list("pq"), 9000)
        page = opened(frame, a="a", b="b", third="c")
        assert "the others together" in text(page)
        assert "too large to be permuted" in text(page)
        assert "its 95 % interval" not in [m.label for m in page.metric]
