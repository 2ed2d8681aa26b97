"""The report in a real Chromium, opened from disk without a network.

Not part of the ordinary tests; run it with
``pytest -o addopts= tests/browser/test_report_browser.py``.  ``SIVIZ_CHROMIUM`` names
another browser than /usr/bin/chromium, ``SIVIZ_SCREENSHOTS`` a folder for pictures.
"""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from siviz import rank_pairs
from siviz.datasets import load_dataset
from siviz.report import report_html

HOSTILE = (
    "<script>window.hacked = 1</script>",
    "</script><!-- <b>",
    "<img src=https://example.com/x.png onerror=window.hacked=1>",
    "image",
    "title",
    "a.b[0]['c']\"d\\",
    '=HYPERLINK("https://example.com")',
    "نص عربي طويل إلى حد ما",
    "\u202eoverride",
    "👩‍👩‍👧‍👦" * 20,
    "x" * 10_000,
    "x" * 9_999 + "y",
    "two\nlines",
    "${datum.score}",
    "' onmouseover='window.hacked=1",
)
STATES = ("<img src=x onerror=window.hacked=1>", "https://example.com/x.png", "שלום")


def hostile_data():
    rng = np.random.default_rng(3)
    base = rng.integers(0, 3, 300)
    columns = {}
    for place, name in enumerate(HOSTILE):
        kept = rng.random(300) < (place + 1) / (len(HOSTILE) + 4)
        code = np.where(kept, base, rng.integers(0, 3, 300))
        columns[name] = np.array(STATES, dtype=object)[code]
    return pd.DataFrame(columns)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with the reports."""
    path = tmp_path_factory.mktemp("reports")
    titanic = load_dataset("titanic")
    rankings = {
        "penguins": rank_pairs(load_dataset("penguins").frame),
        "titanic": rank_pairs(titanic.frame, weights=titanic.weights),
        "hostile": rank_pairs(hostile_data()),
    }
    for name, ranking in rankings.items():
        text = report_html(ranking, title=f"{name} <b>&", python="siviz.rank_pairs(…)")
        (path / f"{name}.html").write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def open_report(browser, folder):
    """Open a report; afterwards nothing must have complained or left the machine."""
    contexts, complaints, requests = [], [], []

    def open_it(name, *, width=1400, scheme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto((folder / f"{name}.html").as_uri())
        drawn = "document.querySelectorAll('.chart.drawn').length"
        figures = "document.querySelectorAll('figure').length"
        page.wait_for_function(f"{drawn} === {figures}", timeout=30_000)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []
    assert all(url.startswith(("file:", "data:", "blob:")) for url in requests)
    assert sum(url.startswith("file:") for url in requests) == len(contexts)


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["penguins", "titanic", "hostile"])
def test_all_charts_are_drawn_and_the_page_fits(open_report, name, scheme, width):
    page = open_report(name, width=width, scheme=scheme)
    assert page.locator(".chart.drawn svg.marks").count() == 4
    for chart in page.locator(".chart svg.marks").all():
        box = chart.bounding_box()
        assert box["width"] > 200
        assert box["height"] > 100
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("window.hacked") is None
    if target := os.environ.get("SIVIZ_SCREENSHOTS"):
        path = Path(target) / f"report_{name}_{scheme}_{width}.png"
        page.screenshot(path=path, full_page=True)


def test_charts_take_the_colour_of_the_page_also_when_it_changes(open_report):
    page = open_report("titanic")
    colour = "getComputedStyle(document.querySelector('.role-axis-label text')).fill"
    assert page.evaluate(colour) == "rgb(28, 30, 33)"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) == "rgb(230, 232, 235)"


def test_a_tooltip_shows_hostile_names_whole_and_as_text(open_report):
    page = open_report("hostile")
    page.locator("#map .mark-rect path").first.scroll_into_view_if_needed()
    tooltip, seen = page.locator("#vg-tooltip-element"), ""
    for cell in page.locator("#map .mark-rect path").all():
        cell.hover(force=True)
        assert tooltip.locator("script, img, b, a, h2").count() == 0
        seen += tooltip.inner_text()
    assert "<script>window.hacked = 1</script>" in seen
    assert "x" * 10_000 in seen
    assert page.evaluate("window.hacked") is None


def test_the_pointer_on_a_line_of_ranks_picks_out_its_pair(open_report):
    page = open_report("penguins")
    points = page.locator("#ranks .mark-symbol path")
    points.first.scroll_into_view_if_needed()
    assert page.locator("#ranks .mark-symbol path[opacity='0.15']").count() == 0
    points.first.hover(force=True)
    page.wait_for_function(
        "document.querySelector(\"#ranks .mark-symbol path[opacity='0.15']\")"
    )


def test_the_report_can_be_printed(open_report):
    page = open_report("penguins")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 794, "height": 1123})
    assert page.locator("nav").is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 794
    assert len(page.pdf(format="A4")) > 50_000


def test_axe_finds_no_serious_barrier(open_report, folder):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    # The page's own policy forbids foreign scripts, the checker's too.
    text = (folder / "titanic.html").read_text(encoding="utf-8")
    begin = text.index("<meta http-equiv")
    relaxed = text[:begin] + text[text.index(">", begin) + 1 :]
    (folder / "relaxed.html").write_text(relaxed, encoding="utf-8")
    for scheme in ("light", "dark"):
        page = open_report("relaxed", scheme=scheme)
        found = axe.run(page).response["violations"]
        grave = [v for v in found if v["impact"] in ("serious", "critical")]
        assert [(v["id"], v["nodes"][0]["html"][:200]) for v in grave] == []
