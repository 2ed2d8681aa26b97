"""The page of one pair in a real browser.  Run with ``pytest tests/browser``."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import CHARTS, ready


@pytest.fixture
def opened(page, address):
    page.goto(f"{address}/one_pair")
    ready(page)
    expect(page.locator(CHARTS)).to_have_count(5, timeout=60_000)
    return page


def drawn(chart):
    """Whether a chart has a picture with a width and a height."""
    box = chart.locator("canvas, svg.marks").first.bounding_box()
    return box is not None and box["width"] > 100 and box["height"] > 50


def picture(chart):
    """What a chart shows, to be compared."""
    chart.scroll_into_view_if_needed()
    return chart.screenshot()


def test_all_charts_are_drawn_and_nothing_goes_wrong(opened):
    for chart in opened.locator(CHARTS).all():
        chart.scroll_into_view_if_needed()
        assert drawn(chart)
    assert opened.wrong == []


def test_another_view_changes_the_table_and_the_address(opened):
    table = opened.locator(CHARTS).first
    seen = {picture(table)}
    for view in ("residuals", "shares by row", "shares by column"):
        opened.get_by_text(view, exact=True).first.click()
        wanted = re.compile(f"view={view}".replace(" ", r"(\+|%20)"))
        expect(opened).to_have_url(wanted, timeout=60_000)
        opened.wait_for_timeout(1500)
        seen.add(picture(table))
    assert len(seen) == 4
    assert opened.wrong == []


def test_the_address_follows_the_pair_however_often_it_changes(opened):
    chosen = {}
    for label, column in (
        ("A", "island"),
        ("B", "year"),
        ("A", "sex"),
        ("B", "body_mass_g"),
        ("A", "bill_depth_mm"),
        ("B", "sex"),
    ):
        opened.get_by_role("combobox", name=label, exact=True).first.click()
        opened.get_by_role("option", name=column, exact=True).first.click()
        chosen[label] = column
        field = opened.get_by_role("combobox", name=label, exact=True).first
        expect(field).to_have_value(column, timeout=30_000)
        opened.wait_for_timeout(2500)
    opened.goto(opened.url)
    ready(opened)
    for label, column in chosen.items():
        field = opened.get_by_role("combobox", name=label, exact=True).first
        expect(field).to_have_value(column, timeout=30_000)


def test_one_click_shows_the_reversal_and_its_link_restores_it(opened, address):
    opened.get_by_role("button", name="Example: admissions").click()
    told = opened.get_by_text("the direction reverses")
    expect(told).to_be_visible(timeout=30_000)
    expect(opened.locator(CHARTS)).to_have_count(6, timeout=30_000)
    sentence = told.locator("xpath=ancestor::p").inner_text()
    opened.goto(opened.url)
    ready(opened)
    expect(opened.get_by_text("the direction reverses")).to_be_visible(timeout=30_000)
    again = opened.get_by_text("the direction reverses").locator("xpath=ancestor::p")
    assert again.inner_text() == sentence
    assert opened.wrong == []
