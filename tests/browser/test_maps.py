"""The maps of a ranking in a real browser: drawn, linked, and a click opens a pair."""

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.acts import go_to, ready, upload

CHARTS = {"disagreements": 2, "dependence_map": 2, "stability": 2}
STRONGEST = ("species", "flipper_length_mm")


def chart(page, number=0):
    return page.locator('[data-testid="stVegaLiteChart"]').nth(number)


def show(page, address, name):
    page.goto(f"{address}/{name}")
    ready(page)
    expect(page.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(
        CHARTS[name.split("?")[0]], timeout=30_000
    )
    page.wait_for_timeout(1500)


def expect_pair(page, first, second):
    page.wait_for_url(re.compile("/one_pair"))
    expect(page.locator("h1")).to_have_text("One pair", timeout=30_000)
    main = page.locator('[data-testid="stMain"]')
    for name in (first, second):
        expect(main).to_contain_text(name, timeout=30_000)
    assert page.wrong == []


def marks(page, number, kind):
    """Marks of a kind that a pointer can hit, in the order in which they are drawn."""
    return chart(page, number).locator(f"svg g.mark-{kind} > *")


def press(page, mark):
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("name", CHARTS)
def test_charts_are_drawn_and_fit_the_page(page, address, name):
    show(page, address, name)
    for number in range(CHARTS[name]):
        box = chart(page, number).bounding_box()
        picture = chart(page, number).locator("svg.marks").bounding_box()
        assert picture["height"] > 100
        assert picture["width"] <= box["width"] + 1
    assert page.wrong == []


def test_a_click_on_a_line_of_ranks_opens_its_pair(page, address):
    show(page, address, "disagreements")
    press(page, marks(page, 0, "symbol").first)
    expect_pair(page, *STRONGEST)


def test_a_click_on_a_point_of_the_scatter_opens_its_pair(page, address):
    show(page, address, "disagreements")
    named = chart(page).locator("svg g.mark-symbol").last.locator("> *").first
    press(page, named)
    expect_pair(page, *STRONGEST)


def test_a_row_of_the_movers_opens_its_pair(page, address):
    show(page, address, "disagreements")
    table = page.locator('[data-testid="stDataFrame"]').last
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    page.mouse.click(box["x"] + 16, box["y"] + 35 + 17)  # the box of the first row
    expect_pair(page, "bill_depth_mm", "sex")


def opacities(marks):
    return [float(mark.get_attribute("opacity") or 1) for mark in marks.all()]


def test_pointing_at_a_pair_lights_it_up_in_both_charts(page, address):
    show(page, address, "disagreements")
    lines = marks(page, 0, "line")
    named = chart(page).locator("svg g.mark-symbol").last.locator("> *")
    assert set(opacities(named)) == {1}
    marks(page, 0, "symbol").first.hover()
    page.wait_for_timeout(500)
    assert opacities(named)[0] == 1
    assert set(opacities(named)[1:]) == {0.12}
    named.nth(3).hover()
    page.wait_for_timeout(500)
    lit = [
        float(
            line.get_attribute("stroke-opacity") or line.get_attribute("opacity") or 1
        )
        for line in lines.all()
    ]
    assert lit.count(1) == 1


def test_a_box_over_the_scatter_picks_several_pairs(page, address):
    show(page, address, "disagreements")
    named = chart(page).locator("svg g.mark-symbol").last.locator("> *")
    named.first.scroll_into_view_if_needed()
    boxes = [mark.bounding_box() for mark in named.all()]
    left = min(box["x"] for box in boxes[:6]) - 8
    right, top = max(b["x"] for b in boxes) + 20, min(b["y"] for b in boxes) - 8
    bottom = max(box["y"] for box in boxes[:6]) + 20
    inside = [left < b["x"] < right and top < b["y"] < bottom for b in boxes]
    page.mouse.move(right, bottom)
    page.mouse.down()
    page.mouse.move(left, top, steps=5)
    page.mouse.up()
    page.mouse.move(left - 60, bottom + 60)
    page.wait_for_timeout(500)
    assert 0 < sum(inside) < len(inside)
    assert [value == 1 for value in opacities(named)] == inside
    assert page.url.endswith("/disagreements")


def test_a_click_on_an_edge_opens_its_pair(page, address):
    show(page, address, "dependence_map?edges=SI+tree")
    hit = chart(page).locator("svg g.mark-rule").nth(1).locator("> *").first
    label = hit.get_attribute("aria-label") or ""
    press(page, hit)
    page.wait_for_url(re.compile("/one_pair"))
    expect(page.locator("h1")).to_have_text("One pair", timeout=30_000)
    assert page.wrong == [], label


def test_pointing_at_a_column_leaves_only_its_edges(page, address):
    show(page, address, "dependence_map")
    edges = chart(page).locator("svg g.mark-rule").first.locator("> *")
    assert set(opacities(edges)) == {0.85, 0.45}
    chart(page).locator("svg g.mark-symbol.role-mark > *").first.hover()
    page.wait_for_timeout(500)
    assert 0.08 in opacities(edges)
    assert max(opacities(edges)) == 0.85
    assert page.wrong == []


def test_a_click_on_a_cell_of_the_map_opens_its_pair(page, address):
    show(page, address, "dependence_map")
    press(page, marks(page, 1, "rect").nth(1))
    page.wait_for_url(re.compile("/one_pair"))
    assert page.wrong == []


def test_many_columns_are_drawn_in_the_colour_of_a_dark_page(page, address, tmp_path):
    rng = np.random.default_rng(0)
    codes = pd.DataFrame(rng.integers(0, 3, (200, 60))).add_prefix("question ")
    codes.map(lambda code: f"s{code}").to_csv(tmp_path / "survey.csv", index=False)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/rank_your_data")
    ready(page)
    upload(page, tmp_path / "survey.csv")
    go_to(page, "Dependence map")
    label = chart(page, 1).locator("svg .role-axis-label text").first
    expect(label).to_be_visible(timeout=30_000)
    colour = label.evaluate("e => getComputedStyle(e).fill")
    assert min(map(int, re.findall(r"\d+", colour)[:3])) > 180
    cells = chart(page, 1).locator("svg g.mark-rect.role-mark > *")
    assert cells.count() == 60 * 59


def test_a_click_on_an_interval_opens_its_pair(page, address):
    show(page, address, "stability")
    press(page, marks(page, 0, "symbol").first)
    expect_pair(page, *STRONGEST)


def test_a_link_restores_the_measures_and_the_level(page, address):
    page.goto(f"{address}/disagreements?measures=nmi&measures=mi&x=nmi&top=4")
    ready(page)
    expect(page.get_by_text("strongest 4 pairs by SI")).to_be_visible()
    axis = chart(page).locator("svg .role-axis-label").first
    expect(axis).to_contain_text("normalized MI")
    page.goto(f"{address}/dependence_map?alpha=0.01")
    ready(page)
    expect(page.get_by_text("At a level of 1 % an edge needs")).to_be_visible()
