"""The dashboard in a real browser.  Run with ``pytest tests/browser``."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from siviz.ui.pages import PAGES
from tests.browser.acts import CHARTS, ready
from tests.browser.server import served

TITLES = [title for pages in PAGES.values() for _, title in pages]
FILES = [file.removesuffix(".py") for pages in PAGES.values() for file, _ in pages]
ADDRESSES = ["" if number == 0 else file for number, file in enumerate(FILES)]
LEARN = [
    file.removesuffix(".py")
    for group in ("Learn", "Experiment")
    for file, _ in PAGES[group]
]
WITH_HANDOUT = ["" if file == FILES[0] else file for file in LEARN]
# Where the maths fits into the browser.
WITH_SLIDERS = (
    *("fair_scale", "two_conditions", "p_values"),
    *("discretization", "variable_selection", "equivalent_sample_size"),
)
DOWNLOADS = {
    "Data (CSV)": b"",
    "Picture (SVG)": b"<svg",
    "Picture (PNG)": b"\x89PNG",
}
# Faults of Streamlit's own markup, which no page can mend: groups inside the list of
# pages, and displayed formulas that scroll by a pixel.
# Vega-Lite offers no description for the box that a reader drags over a scatter.
VEGAS_OWN = "mark-rect role-mark boxed_brush"
# Streamlit writes white on the primary colour in the chips of a multiselect, and the
# primary colour, which is text too, cannot suit both in the dark.
STREAMLITS_CHIP = '<span title="'
STREAMLITS_OWN = (
    ("list", "ul"),
    ("listitem", "li"),
    ("scrollable-region-focusable", "span"),
)


@pytest.mark.parametrize("name", ADDRESSES)
def test_every_page_opened_first_on_a_cold_server_shows_itself(page, name):
    with served() as cold:
        page.goto(f"{cold}/{name}")
        ready(page)
        links = page.locator('[data-testid="stSidebarNavLink"]')
        assert [link.strip() for link in links.all_inner_texts()] == TITLES
        current = page.locator('[data-testid="stSidebarNavLink"][aria-current="page"]')
        assert current.inner_text().strip() == TITLES[ADDRESSES.index(name)]


@pytest.mark.parametrize("name", ADDRESSES)
def test_nothing_leaves_this_machine_and_nothing_goes_wrong(page, address, name):
    page.goto(f"{address}/{name}")
    ready(page)
    local = (address, address.replace("http", "ws"), "data:", "blob:")
    assert [url for url in page.asked if not url.startswith(local)] == []
    assert page.wrong == []


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_barrier_for_anybody(page, address, name, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/{name}")
    ready(page)
    assert [
        (violation["id"], node["html"][:200])
        for violation in Axe().run(page).response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
        if (violation["id"], node["html"].split()[0].lstrip("<")) not in STREAMLITS_OWN
        and not (violation["id"] == "svg-img-alt" and VEGAS_OWN in node["html"])
        and not (
            (scheme, violation["id"]) == ("dark", "color-contrast")
            and node["html"].startswith(STREAMLITS_CHIP)
        )
    ] == []


def test_a_link_restores_the_view_and_reset_clears_it(page, address):
    page.goto(f"{address}/?n=1000&k1=5&k2=20&i1=0.1&draws=30&seed=7")
    ready(page)
    values = [
        s.get_attribute("aria-valuetext") for s in page.get_by_role("slider").all()
    ]
    assert values[1:4] == ["5", "20", "0.10"]
    assert "30 samples of 1,000 observations" in page.locator("body").inner_text()
    page.get_by_role("button", name="Reset").click()
    page.wait_for_url(f"{address}/")
    expect(page.get_by_text("100 samples of 200 observations")).to_be_visible()


def test_a_preset_is_written_into_the_address(page, address):
    page.goto(f"{address}/fair_scale")
    ready(page)
    page.get_by_role("button", name="Sparse", exact=True).click()
    page.wait_for_url("**/fair_scale?*permutations=true*")
    link = page.url
    expect(page.get_by_text("0.27 against 0.03 nats")).to_be_visible()
    told = page.get_by_text("On this scale").inner_text()
    page.goto("about:blank")
    page.goto(link)
    ready(page)
    assert page.get_by_text("On this scale").inner_text() == told


def test_a_slider_changes_the_drawing_and_the_sentence_but_not_the_axis(page, address):
    page.goto(f"{address}/fair_scale")
    ready(page)
    chart = page.locator(CHARTS).first.locator("svg")
    axis = chart.locator(".role-axis-label").first
    before = chart.inner_html(), axis.text_content()
    told = page.get_by_text("On this scale").inner_text()
    page.get_by_role("slider").nth(4).press("ArrowRight")
    expect(page.get_by_text("On this scale")).not_to_have_text(told)
    page.wait_for_timeout(1000)
    assert chart.inner_html() != before[0]
    assert axis.text_content() == before[1]


@pytest.mark.parametrize("name", WITH_HANDOUT)
def test_formulas_data_and_pictures_of_every_figure(page, address, name):
    page.goto(f"{address}/{name}")
    ready(page)
    end = page.get_by_role("button", name="Teaching handout")
    expect(end).to_be_visible(timeout=60_000)
    doors = page.get_by_role("button", name="ata, picture")
    assert doors.count() == page.locator(CHARTS).count() > 0
    for door in doors.all():
        door.click()
        inside = page.locator('[data-testid="stPopoverBody"]')
        if door.inner_text().startswith("Formula"):
            formula = inside.locator(".katex").first
            expect(formula).to_be_visible(timeout=20_000)
        for label, start in DOWNLOADS.items():
            with page.expect_download() as waiting:
                inside.get_by_role("button", name=label).click()
            content = waiting.value.path().read_bytes()
            assert content.startswith(start)
            assert len(content) > 100
        page.keyboard.press("Escape")
        expect(inside).to_have_count(0, timeout=20_000)


def handout(page, address, name, folder):
    """The file that a page gives as its handout."""
    page.goto(f"{address}/{name}")
    ready(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Teaching handout").click()
    file = folder / "handout.html"
    waiting.value.save_as(file)
    return file


@pytest.mark.parametrize("name", WITH_HANDOUT)
def test_the_handout_works_from_disk_without_internet(page, address, tmp_path, name):
    file = handout(page, address, name, tmp_path)
    page.asked.clear()
    page.goto(file.as_uri())
    expect(page.locator("figure svg.marks").first).to_be_visible(timeout=20_000)
    assert [url for url in page.asked if not url.startswith(("file:", "data:"))] == []
    assert page.wrong == []
    sliders = page.locator('input[type="range"]').all()
    assert bool(sliders) == (name in WITH_SLIDERS)
    for slider in sliders:
        drawn = page.locator("main")
        before = drawn.inner_html()
        slider.press("ArrowRight" if slider.input_value() < "5" else "ArrowLeft")
        page.wait_for_timeout(300)
        assert drawn.inner_html() != before
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    expect(page.locator("figure svg.marks").first).to_be_visible(timeout=20_000)
    page.wait_for_timeout(500)
    hidden = "all => all.map(e => e.scrollWidth - e.clientWidth)"
    assert max(page.locator("figure > div").evaluate_all(hidden)) <= 1
    root = page.locator("html")
    assert root.evaluate("e => e.scrollWidth - e.clientWidth") <= 1


@pytest.mark.parametrize(
    "name", ["discretization", "variable_selection", "equivalent_sample_size"]
)
def test_a_slider_of_a_handout_moves_all_its_figures(page, address, tmp_path, name):
    file = handout(page, address, name, tmp_path)
    page.goto(file.as_uri())
    figures = page.locator("figure svg.marks")
    expect(figures).to_have_count(3)
    before = [figure.inner_html() for figure in figures.all()]
    page.locator('input[type="range"]').press("ArrowRight")
    page.wait_for_timeout(500)
    moved = [figure.inner_html() for figure in figures.all()]
    still = name == "variable_selection"  # the curves are for one z
    assert [a != b for a, b in zip(before, moved, strict=True)] == [
        not still,
        True,
        True,
    ]


@pytest.mark.parametrize("link", ["?n=abc&k1=99", "discretization?z=99&seed=1e999"])
def test_an_absurd_link_opens_the_page_all_the_same(page, address, link):
    page.goto(f"{address}/{link}")
    ready(page)
    expect(page.locator(CHARTS).first.locator("svg")).to_be_visible()


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_phone_need_not_scroll_sideways(page, address, name):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/{name}")
    ready(page)
    main = page.locator('[data-testid="stMain"]')
    assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 1
