"""Long work in a real browser: Stop ends it, and what was there before stays."""

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.acts import CHARTS, go_to, ready, settled, upload


def table(path, *, rows, columns, states):
    """A file of columns that depend on each other a little."""
    rng = np.random.default_rng(0)
    base = rng.integers(0, states, rows)
    frame = pd.DataFrame(
        {
            f"column {number}": np.where(
                rng.random(rows) < 0.3, base, rng.integers(0, states, rows)
            )
            for number in range(columns)
        }
    ).add_prefix("the ")
    frame.map(lambda code: f"s{code}").to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def large_tables(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "large_tables.csv"
    return table(path, rows=9_000, columns=12, states=60)


@pytest.fixture(scope="module")
def many_columns(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "many_columns.csv"
    return table(path, rows=4_000, columns=600, states=12)


def stop(page):
    button = page.get_by_role("button", name="Stop", exact=True)
    expect(button).to_be_visible(timeout=30_000)
    button.click()
    expect(page.get_by_text("Stopped at")).to_be_visible(timeout=30_000)
    settled(page)
    expect(button).to_have_count(0)


def test_resampling_that_is_stopped_leaves_the_intervals_that_were_there(
    page, address, large_tables
):
    page.goto(f"{address}/rank_your_data")
    ready(page)
    upload(page, large_tables)
    go_to(page, "Stability")
    before = page.get_by_text("400 resampled tables of each pair")
    expect(before).to_be_visible(timeout=60_000)
    told = before.inner_text()
    page.get_by_role("button", name="Surer").click()
    stop(page)
    expect(page.locator(CHARTS)).to_have_count(2, timeout=30_000)
    # The level is that of the controls, the draws are still those of before.
    expect(page.get_by_text("level 99 %, 400 resampled tables")).to_be_visible()
    page.get_by_role("button", name="Reset").last.click()
    settled(page)
    expect(page.get_by_text("Stopped at")).to_have_count(0)
    again = page.get_by_text("resampled tables of each pair")
    expect(again).to_have_count(1, timeout=30_000)
    assert again.inner_text() == told
    assert page.wrong == []


def test_a_ranking_that_is_stopped_leaves_the_one_that_was_there(
    page, address, many_columns
):
    page.goto(f"{address}/rank_your_data")
    ready(page)
    upload(page, many_columns)
    told = page.get_by_text("of 179,700 pairs are dependent")
    expect(told).to_be_visible(timeout=90_000)
    before = told.inner_text()
    page.get_by_role("button", name="More settings").click()
    page.get_by_role("combobox", name="What independence predicts").click()
    page.get_by_role("option", name="nominal").click()
    page.keyboard.press("Escape")
    stop(page)
    assert told.inner_text() == before
    expect(page.get_by_role("button", name="CSV", exact=True)).to_be_visible()
    page.get_by_text("Make exactly this ranking again").click()
    settled(page)
    lines = page.locator('[data-testid="stCode"]').all_inner_texts()
    assert not any("nominal" in line for line in lines)
    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_text("Stopped at")).to_have_count(0, timeout=30_000)
    again = page.locator('[data-testid="stCode"]').filter(has_text="nominal")
    expect(again).to_have_count(2, timeout=90_000)
    assert page.wrong == []
