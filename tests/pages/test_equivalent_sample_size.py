"""The page on the equivalent sample size, with every kind of data."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from siviz.datasets import load_dataset
from siviz.smoothing import equivalent_sample_size
from siviz.ui.grid import counts_text, text_counts
from tests.pages.shown import charts, words

PAGE = Path(__file__).parents[2] / "pages" / "equivalent_sample_size.py"
DATA = ["Sewell and Shah", "ALARM", "Typed table"]
CSV = b"size,colour,n\n" + b"S,red,30\nS,blue,10\nL,red,10\nL,blue,30\n"


def opened(**address: str) -> AppTest:
    page = AppTest.from_file(str(PAGE), default_timeout=60)
    for key, value in address.items():
        page.query_params[key] = value
    page.run()
    assert not page.exception
    return page


def with_file(content: bytes, name: str = "table.csv") -> AppTest:
    page = opened(source="Your file")
    page.get("file_uploader")[0].upload(name, content, "text/csv").run()
    assert not page.exception
    return page


def methods(page: AppTest) -> dict[str, str]:
    """N' by every method, with d by all cells."""
    table = next(e.value for e in page.markdown if e.value.startswith("| method"))
    rows = [row.split("|")[1:3] for row in table.splitlines()[2:]]
    return {method.strip(): size.strip() for method, size in rows}


def press(page: AppTest, name: str) -> None:
    next(each for each in page.button if each.label == name).click()
    page.run()
    assert not page.exception


def test_it_opens_on_figure_4() -> None:
    page = opened()
    assert list(methods(page).values())[:3] == ["66.54", "66.12", "69.22"]
    assert "<strong>N′ = 66.54</strong> (Eq. 9)" in words(page)
    assert page.select_slider(key="size").value == 1.0
    assert len(charts(page)) == 4


@pytest.mark.parametrize("data", DATA)
def test_every_control_can_go_to_both_ends(data: str) -> None:
    page = opened(source=data)
    for multiple in (0.0, 4.0):
        page.select_slider(key="size").set_value(multiple).run()
        assert not page.exception
    assert page.select_slider(key="size").value == 4.0
    for dof in ("effective", "nominal"):
        page.segmented_control(key="dof").set_value(dof).run()
        assert not page.exception
    for box in page.selectbox:
        for end in (0, -1):
            box.set_value(box.options[end]).run()
            assert not page.exception


def test_without_a_graph_the_full_table_asks_for_130() -> None:
    page = opened(model="no graph")
    assert methods(page)["Eq. 9"] == "130.87"


def test_alarm_says_what_cannot_be_in_the_paper() -> None:
    page = opened(source="ALARM")
    assert float(methods(page)["Eq. 9"]) == pytest.approx(16.7, abs=0.1)
    assert "cannot come from one L and one d" in words(page)


def test_a_typed_table_comes_from_the_address_and_stays_in_it() -> None:
    page = opened(source="Typed table", counts="30-10_10-30")
    expected = equivalent_sample_size([[30, 10], [10, 30]]).exact
    assert methods(page)["Eq. 9"] == f"{expected:,.2f}"
    assert page.query_params["counts"] == "30-10_10-30"


@pytest.mark.parametrize("states", [2, 8])
def test_the_grid_can_have_2_to_8_states(states: int) -> None:
    page = opened(source="Typed table")
    for field in ("counts-axis-0", "counts-axis-1"):
        page.number_input(key=field).set_value(states).run()
        assert not page.exception
    counts = text_counts(page.query_params["counts"])
    assert counts.shape == (states, states)
    expected = equivalent_sample_size(counts).exact
    assert methods(page)["Eq. 9"] == f"{expected:,.2f}"


def test_a_table_that_was_changed_can_be_reset() -> None:
    page = opened(source="Typed table")
    before = page.query_params["counts"]
    page.number_input(key="counts-axis-0").set_value(5).run()
    assert page.query_params["counts"] != before
    press(page, "↺ Reset")
    page.segmented_control(key="source").set_value("Typed table").run()
    assert page.query_params["counts"] == before


def test_a_table_that_was_reset_leaves_the_address() -> None:
    page = opened()
    press(page, "No solution")
    assert page.query_params["counts"] == "12-8_9-11"
    press(page, "↺ Reset")
    assert "counts" not in page.query_params


def test_the_table_of_a_link_to_other_data_is_kept() -> None:
    page = opened(source="Sewell and Shah", counts="12-8_9-11")
    page.segmented_control(key="source").set_value("Typed table").run()
    assert page.query_params["counts"] == "12-8_9-11"


@pytest.mark.parametrize(
    "name", ["Without a network", "Few data", "No solution", "↺ Reset"]
)
def test_presets_and_reset_lead_to_a_whole_page(name: str) -> None:
    page = opened()
    press(page, name)
    assert ("The two sides do not meet" in words(page)) == (name == "No solution")
    assert len(charts(page)) == 4


def test_the_slider_starts_at_eq_9_again_for_other_data() -> None:
    page = opened()
    page.select_slider(key="size").set_value(2.0).run()
    press(page, "Few data")
    assert page.select_slider(key="size").value == 1.0


@pytest.mark.parametrize("text", ["1-2", "1-2_3", "a-b_c-d", "1--2_3-4-5-6_7"])
def test_a_damaged_address_is_told_and_the_opening_table_shown(text: str) -> None:
    page = opened(source="Typed table", counts=text)
    assert page.warning[0].value.startswith("The opening table is shown: a table in")


def test_an_emptied_cell_is_told() -> None:
    page = opened(source="Typed table", counts="-10_10-30")
    assert "nan" in page.error[0].value


def test_an_empty_table_is_told() -> None:
    page = opened(source="Typed table", counts="0-0_0-0")
    assert page.error


def test_counts_survive_the_address() -> None:
    counts = np.array([[0, 12], [345, 6]])
    np.testing.assert_array_equal(text_counts(counts_text(counts)), counts)


def test_a_file_is_asked_for_kindly() -> None:
    page = opened(source="Your file")
    assert "not stored" in page.info[0].value


def test_columns_of_a_file_give_what_their_table_gives() -> None:
    page = with_file(CSV)
    next(box for box in page.selectbox if "per row" in box.label).set_value("n").run()
    assert not page.exception
    expected = equivalent_sample_size([[30, 10], [10, 30]]).exact
    assert methods(page)["Eq. 9"] == f"{expected:,.2f}"
    report = page.dataframe[0].value
    assert list(report["name"]) == ["size", "colour"]
    assert list(report["becomes"]) == ["states", "states"]


def test_a_column_that_looks_like_counts_is_pointed_to() -> None:
    page = with_file(CSV)
    assert "Does **n** say how often" in page.info[0].value
    next(box for box in page.selectbox if "per row" in box.label).set_value("n").run()
    assert not page.info


def test_missing_values_and_left_out_columns_of_a_file_are_told() -> None:
    frame = load_dataset("penguins").frame
    page = with_file(frame.to_csv(index=False).encode())
    columns = page.multiselect[0]
    columns.set_value(["species", "sex", "bill_length_mm"]).run()
    assert not page.exception
    missing = frame[["species", "sex", "bill_length_mm"]].isna().any(axis=1).sum()
    assert f"{missing} observations" in "\n".join(each.value for each in page.caption)
    columns.set_value(["species"]).run()
    assert page.info[0].value == "Choose at least two columns."


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 ...", b"a,b\n"])
def test_a_file_that_cannot_be_read_is_told(content: bytes) -> None:
    page = with_file(content)
    assert len(page.error) == 1
    assert page.error[0].value.endswith(".")


def test_weights_that_are_no_counts_are_told() -> None:
    page = with_file(CSV.replace(b"30", b"-3"))
    next(box for box in page.selectbox if "per row" in box.label).set_value("n").run()
    assert "whole numbers" in page.error[0].value
