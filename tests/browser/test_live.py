"""Charts and words that follow a slider without waiting for Streamlit."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import CHARTS, ready, settled
from tests.browser.server import served

LIVE = [
    *("", "fair_scale", "two_conditions", "p_values", "sparse_tables"),
    *("discretization", "variable_selection", "equivalent_sample_size"),
]
# From now on the server is told nothing of what happens on the page.
SILENCE = "() => { unsent = 0; WebSocket.prototype.send = () => { unsent += 1; }; }"


def shown(page):
    """All that live parts show."""
    return page.locator(".siviz-live").evaluate_all("e => e.map(e => e.innerHTML)")


def changes(page, before):
    """Wait until a live part shows something else."""
    page.wait_for_function(
        """before => [...document.querySelectorAll('.siviz-live')]
            .some((e, n) => e.innerHTML !== before[n])""",
        arg=before,
    )


@pytest.mark.parametrize("name", LIVE)
def test_the_page_answers_every_slider_though_streamlit_does_not(page, address, name):
    page.goto(f"{address}/{name}")
    ready(page)
    page.evaluate(SILENCE)
    for slider in page.get_by_role("slider").all():
        before = shown(page)
        at_the_end = slider.evaluate("e => e.value === e.max")
        slider.press("ArrowLeft" if at_the_end else "ArrowRight")
        changes(page, before)
        page.wait_for_timeout(300)  # what the last move still changes is not the next
    assert page.evaluate("unsent") > 0
    assert page.wrong == []


@pytest.mark.parametrize("name", LIVE)
def test_what_streamlit_brings_later_is_the_same(page, address, name):
    page.goto(f"{address}/{name}")
    ready(page)
    before = shown(page)
    page.get_by_role("slider").first.press("ArrowRight")
    changes(page, before)
    page.wait_for_timeout(300)
    first = shown(page)
    page.wait_for_url("**?*")
    settled(page)
    assert shown(page) == first
    page.goto(page.url)
    ready(page)
    assert [words(html) for html in shown(page)] == [words(html) for html in first]


def test_screen_readers_are_told_of_the_new_sentence(page, address):
    page.goto(f"{address}/discretization")
    ready(page)
    told = page.locator(".siviz-live [aria-live=polite]").last
    before = told.text_content()
    page.get_by_role("slider").first.press("ArrowRight")
    expect(told).not_to_have_text(before)


def words(html):
    """A live part without the numbers that Vega gives to its clipping paths."""
    return html.split("</svg>")[-1]


def test_a_slider_that_is_dragged_is_answered_before_it_is_let_go(page, address):
    page.goto(f"{address}/fair_scale")
    ready(page)
    slider = page.get_by_role("slider").nth(2)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 4):
        before = shown(page)
        page.mouse.move(x + 40 * step, y, steps=3)
        changes(page, before)
    page.mouse.up()
    settled(page)
    told, link = page.get_by_text("On this scale").inner_text(), page.url
    page.goto("about:blank")
    page.goto(link)
    ready(page)
    assert page.get_by_text("On this scale").inner_text() == told


def test_many_moves_end_where_the_slider_ends(page, address):
    page.goto(f"{address}/sparse_tables")
    ready(page)
    slider = page.get_by_role("slider").nth(1)
    for _ in range(8):
        slider.press("ArrowRight", delay=20)
    settled(page)
    page.wait_for_url("**k=38*")
    told = page.locator(".siviz-live", has_text="per cell").inner_text()
    page.goto("about:blank")
    page.goto(f"{address}/sparse_tables?k=38")
    ready(page)
    assert page.locator(".siviz-live", has_text="per cell").inner_text() == told


def test_presets_and_reset_change_live_parts(page, address):
    page.goto(f"{address}/")
    ready(page)
    opening = [words(html) for html in shown(page)]
    page.get_by_role("button", name="Both noise").click()
    expect(
        page.get_by_text("half is fair").or_(page.get_by_text("Both pairs"))
    ).not_to_have_count(0)
    settled(page)
    assert [words(html) for html in shown(page)] != opening
    page.get_by_role("button", name="Reset").click()
    settled(page)
    assert [words(html) for html in shown(page)] == opening


def test_a_late_answer_does_not_undo_a_newer_one(page, address):
    page.goto(f"{address}/fair_scale")
    ready(page)

    def later(route):
        page.wait_for_timeout(1500)
        route.continue_()

    page.route("**/answers/**", later)
    page.get_by_role("slider").first.press("ArrowRight")
    page.get_by_role("radio", name="standard deviations").click()
    page.wait_for_timeout(4000)
    settled(page)
    told = page.get_by_text("On this scale")
    expect(told).to_contain_text("standard deviations.")


def test_a_chart_that_cannot_be_drawn_says_so(page, address):
    page.route("**/vega.js*", lambda route: route.abort())
    page.goto(f"{address}/fair_scale")
    page.locator("h1").first.wait_for(timeout=60_000)
    expect(page.get_by_text("This chart could not be drawn")).to_be_visible()
    expect(page.get_by_text("On this scale")).to_be_visible()
    page.unroute("**/vega.js*")
    page.get_by_role("slider").first.press("ArrowRight")
    expect(page.locator(CHARTS).first.locator("svg")).to_be_visible(timeout=20_000)


@pytest.mark.parametrize(
    "here, there, opening",
    [
        ("discretization", "Variable selection", "z = 0.1 "),
        ("variable_selection", "Discretization", "z = 0.04 "),
        ("", "Fair scale", "0.039 against 0.011 nats"),
        ("sparse_tables", "Home", "100 samples of 200 observations"),
    ],
)
def test_another_page_opens_as_ever_after_a_slider_has_moved(
    page, address, here, there, opening
):
    page.goto(f"{address}/{here}")
    ready(page)
    for slider in page.get_by_role("slider").all():
        slider.press("End")
        page.wait_for_timeout(300)
    settled(page)
    links = page.locator('[data-testid="stSidebarNavLink"]')
    links.get_by_text(there, exact=True).click()
    page.wait_for_timeout(500)
    settled(page)
    expect(page.get_by_text(opening).first).to_be_visible(timeout=20_000)
    assert page.wrong == []


def test_charts_follow_the_width_of_the_page(page, address):
    page.goto(f"{address}/fair_scale")
    ready(page)
    chart = page.locator(CHARTS).first

    def fits():
        drawn = chart.locator("svg").bounding_box()["width"]
        return abs(drawn - chart.bounding_box()["width"]) < 2

    wide = chart.bounding_box()["width"]
    assert fits()
    for width in (900, 390, 1400):
        page.set_viewport_size({"width": width, "height": 1000})
        page.wait_for_timeout(700)
        assert fits(), width
    assert chart.bounding_box()["width"] == wide


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_tooltip_has_the_colours_of_the_page(page, address, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/")
    ready(page)
    page.locator(f"{CHARTS} >> .mark-rect path").nth(2).hover()
    tip = page.locator("#vg-tooltip-element.visible")
    expect(tip).to_contain_text("MI")
    colours = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
    app = page.locator('[data-testid="stApp"]')
    assert tip.evaluate(colours) == app.evaluate(colours)


def test_a_server_below_another_address_answers_too(page):
    options = ("--server.headless=true", "--server.baseUrlPath=stats")
    command = ("streamlit", "run", "app.py", "--server.port={port}", *options)
    with served(*command, base="/stats") as below:
        for name in ("/", "/fair_scale"):
            page.goto(f"{below}{name}")
            ready(page)
            before = shown(page)
            page.evaluate(SILENCE)
            page.get_by_role("slider").first.press("ArrowRight")
            changes(page, before)
