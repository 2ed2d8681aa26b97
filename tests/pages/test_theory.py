"""The pages Two conditions and When p-values break, driven control by control."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from siviz import log_p_value
from siviz.charts import conditions, conditions_walk, fisher, p_values
from siviz.charts.prose import markdown_html
from siviz.ui.counts import COPIES, LARGEST, cell_values
from siviz.ui.text import markdown_table
from tests.pages.shown import charts, words

PAGES = Path(__file__).parents[2] / "pages"
FILES = ("two_conditions.py", "p_values.py")
CELLS = list(cell_values(()))
OPENING = ((8, 2, 1), (2, 8, 1), (1, 1, 8))


def run(file, **address):
    page = AppTest.from_file(str(PAGES / file), default_timeout=60)
    for key, value in address.items():
        page.query_params[key] = value
    page.run()
    assert not page.exception
    return page


@pytest.mark.parametrize("states", [(2, 2, 2), (50, 50, 50), (2, 50, 3)])
@pytest.mark.parametrize("size", [20, 100_000])
def test_sliders_of_two_conditions_move_to_both_ends(states, size):
    page = run("two_conditions.py")
    for key, value in zip(("k1", "k2", "k3"), states, strict=True):
        page.slider(key=key).set_value(value)
    page.select_slider(key="n").set_value(size)
    page.run()
    assert not page.exception
    told = conditions.conditions_sentence("nmi", states, size, "far")
    assert markdown_html(told) in words(page)


@pytest.mark.parametrize("label", list(conditions.GROWING))
def test_two_conditions_tells_the_sentences_of_the_chosen_measure(label):
    page = run("two_conditions.py", measure=label)
    key = conditions.GROWING[label]
    for zoom in conditions.ZOOMS:
        told = conditions.conditions_sentence(key, (3, 5, 10), 10_000, zoom)
        assert markdown_html(told) in words(page)


@pytest.mark.parametrize("walk", [-1.0, -0.4, 0.0, 0.55, 1.0])
def test_the_walk_stands_where_the_address_says(walk):
    page = run("two_conditions.py", walk=str(walk), k1="4")
    assert page.slider(key="walk").value == walk
    told = [conditions_walk.walk_sentence(walk)]
    for zoom in conditions.ZOOMS:
        told.append(conditions_walk.zoom_sentence((4, 5, 10), 10_000, walk, zoom))
    for sentence in told:
        assert markdown_html(sentence) in words(page)


@pytest.mark.parametrize("file", FILES)
def test_every_preset_runs_and_reset_brings_the_opening_view_back(file):
    page = run(file)
    opened = words(page)
    presets = [button.label for button in page.button]
    for label in presets:
        next(button for button in page.button if button.label == label).click()
        page.run()
        assert not page.exception
    assert presets[-1] == "↺ Reset"
    assert words(page) == opened


def test_the_page_of_p_values_shows_the_numbers_of_the_core():
    page = run("p_values.py")
    table = p_values.copies_of(OPENING, 300)
    exact = p_values.power_of_ten(float(log_p_value(table)) / 2.302585092994046)
    assert f"<td>siviz log_p_value</td><td>{exact}</td>" in words(page)
    tie = p_values.tie_frame(table, p_values.weaker_rival(table))
    assert markdown_html(markdown_table(tie)) in words(page)
    sentence = fisher.fisher_sentence(fisher.distance_frame([3]))
    assert markdown_html(sentence) in words(page)


@pytest.mark.parametrize("count", [LARGEST, 1, 0])
@pytest.mark.parametrize("copies", [COPIES[0], COPIES[-1]])
@pytest.mark.parametrize("dof", [1, 1000])
def test_cells_copies_and_d_move_to_both_ends(count, copies, dof):
    page = run("p_values.py")
    for key in CELLS[1:]:
        page.number_input(key=key).set_value(count)
    page.select_slider(key="copies").set_value(copies)
    page.number_input(key="d").set_value(dof)
    page.run()
    assert not page.exception
    assert len(charts(page)) == 2


@pytest.mark.parametrize("view", fisher.VIEWS)
def test_both_views_of_fishers_approximation_run(view):
    assert len(charts(run("p_values.py", view=view))) == 2


def test_a_link_restores_a_typed_table():
    page = run("p_values.py", c11="500", copies="1")
    counts = ((500, 2, 1), (2, 8, 1), (1, 1, 8))
    printed = p_values.printed_frame(counts)
    assert markdown_html(markdown_table(printed)) in words(page)


def test_an_empty_table_gets_a_sentence_and_no_figure_but_fishers():
    page = run("p_values.py")
    for key in CELLS:
        page.number_input(key=key).set_value(0)
    page.run()
    assert not page.exception
    assert "at least one observation" in page.error[0].value
    (alt,) = charts(page)
    assert "exact and normal" in alt
