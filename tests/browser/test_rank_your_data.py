"""Rank your data in a real browser: from a file to every export of its ranking."""

import csv
import io
import json

import numpy as np
import openpyxl
import pandas as pd
import pytest
from playwright.sync_api import expect

import siviz
from siviz.locations import asset
from siviz.ui.upload_limits import LARGEST_UPLOAD
from siviz.workbooks import FORMULA_STARTS
from tests.browser.acts import downloaded, go_to, settled, upload

PENGUINS = asset("data/penguins.csv")


@pytest.fixture
def visit(browser, address):
    """Opens the page as a visitor of its own."""
    contexts = []

    def opened(query=""):
        context = browser.new_context(viewport={"width": 1400, "height": 2200})
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{address}/rank_your_data{query}")
        settled(page)
        return page

    yield opened
    for context in contexts:
        context.close()


def choose(page, label, option):
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()
    settled(page)


def grid(page, number):
    """The rows of a table of the page: 0 is the ranking, 1 the columns."""
    table = page.locator('[data-testid="stDataFrame"]').nth(number)
    texts = "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
    return table.locator('tr[role="row"]').evaluate_all(texts) or [[]]


def ranked(page):
    """Names of the pairs that the table shows, in their order."""
    head, *rows = grid(page, 0)
    places = [head.index(name) for name in ("A", "B") if name in head]
    return [tuple(row[place] for place in places) for row in rows]


def shows(page, wanted):
    """Whether the table comes to show these pairs; a table draws itself with delay."""
    return within_time(page, lambda: (found := ranked(page)) and found == wanted(found))


def begins(pairs):
    """The beginning of a ranking, as far as a table shows it."""
    return lambda found: pairs[: len(found)]


def column_row(page, name):
    """The row of a column in the table of columns."""

    def found():
        head, *rows = grid(page, 1)
        named = [dict(zip(head, row, strict=False)) for row in rows]
        return next((row for row in named if row.get("column") == name), None)

    return within_time(page, found)


def becomes(page, name, wanted):
    """Whether the row of a column comes to have these cells."""
    return within_time(page, lambda: column_row(page, name).items() >= wanted.items())


def within_time(page, found):
    for _ in range(120):
        if value := found():
            return value
        page.wait_for_timeout(250)
    return found()


def expected(data, **options):
    frame = siviz.rank_pairs(data, **options).frame
    return begins(list(zip(frame["first"], frame["second"], strict=True)))


@pytest.fixture
def mine(tmp_path):
    """A file whose ranking no example has."""
    path = tmp_path / "mine.csv"
    pd.DataFrame(
        {"x": list("aabb") * 9, "y": list("uuvv") * 9, "z": list("pq") * 18}
    ).to_csv(path, index=False)
    return path


def click_cell(page, number, across, row):
    """Click into a row of a table; the header is row 0."""
    table = page.locator('[data-testid="stDataFrame"]').nth(number)
    table.scroll_into_view_if_needed()
    box = table.locator("canvas").first.bounding_box()
    page.mouse.click(box["x"] + across, box["y"] + 35 * row + 17)
    page.wait_for_timeout(200)


def edit(page, name, steps, *keys):
    """Change a cell in the row of a column, some steps to the right of its name."""
    assert column_row(page, name)
    names = [row[0] for row in grid(page, 1)[1:]]
    click_cell(page, 1, 40, names.index(name) + 1)
    for key in [*["ArrowRight"] * steps, *keys]:
        page.keyboard.press(key)
        page.wait_for_timeout(150)
    settled(page)


def test_the_penguins_are_ranked_by_their_upload_alone(visit):
    page = visit("?example=titanic")
    assert shows(page, expected(asset("data/titanic.csv"), weights="count"))
    upload(page, PENGUINS)
    assert shows(page, expected(PENGUINS))
    assert len(ranked(page)) > 5
    page.get_by_role("button", name="Remove my data").click()
    settled(page)
    assert page.get_by_text("Source: K. B. Gorman").count() == 1


def test_a_column_changed_in_the_table_changes_the_ranking(visit, mine):
    page = visit()
    assert column_row(page, "island")["becomes"] == "states"
    edit(page, "island", 1, "Enter", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    wanted = {"use as": "leave out", "becomes": "left out"}
    assert becomes(page, "island", wanted)
    choices = {"island": {"kind": "leave out"}}
    assert shows(page, expected(PENGUINS, overrides=choices))
    edit(page, "body_mass_g", 2, "3", "Enter")
    wanted = {"use as": "bins", "bins": "3", "becomes": "bins", "states": "3"}
    assert becomes(page, "body_mass_g", wanted)
    choose(page, "Target", "species")
    assert column_row(page, "island")["becomes"] == "left out"
    choices["body_mass_g"] = {"kind": "bins", "bins": 3}
    wanted = expected(PENGUINS, target="species", overrides=choices)
    assert shows(page, wanted)
    page.get_by_role("button", name="Undo 2 chosen columns").click()
    settled(page)
    assert becomes(page, "island", {"use as": "automatic", "becomes": "states"})
    assert becomes(page, "body_mass_g", {"use as": "automatic", "states": "5"})
    assert shows(page, expected(PENGUINS, target="species"))


def test_a_target_is_in_the_address_and_a_link_restores_it(visit, address):
    page = visit()
    choose(page, "Target", "sex")
    assert shows(page, expected(PENGUINS, target="sex"))
    page.wait_for_url("**/rank_your_data?target=sex")
    again = visit("?target=sex&order=normalized+MI&search=bill")
    frame = siviz.rank_pairs(PENGUINS, target="sex").frame.sort_values("rank_nmi")
    wanted = [(name, "sex") for name in frame["first"] if "bill" in name]
    assert shows(again, begins(wanted))
    visit("?target=no_such_column&given=x&weights=%3Cb%3E&order=?&q=7&bins=fair")


def open_pair(page, place):
    click_cell(page, 0, 16, place)
    page.wait_for_url("**/one_pair*")
    settled(page)
    chart = page.locator('[data-testid="stVegaLiteChart"]').first
    expect(chart.locator("svg").first).to_be_visible(timeout=30_000)
    return chart.inner_html()


def test_selecting_a_pair_opens_it_and_another_shows_other_charts(visit):
    page = visit()
    assert shows(page, expected(PENGUINS))
    (pair,) = ranked(page)[:1]
    first = open_pair(page, 1)
    assert all(name in page.locator("body").inner_text() for name in pair)
    go_to(page, "Rank your data")
    assert shows(page, expected(PENGUINS))
    second = open_pair(page, 3)
    assert first != second


def test_every_export_holds_the_ranking_with_its_choices(visit):
    page = visit()
    edit(page, "island", 1, "Enter", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    ranking = siviz.rank_pairs(PENGUINS, overrides={"island": {"kind": "leave out"}})
    frame = ranking.frame
    written = pd.read_csv(io.BytesIO(downloaded(page, "CSV")))
    assert written["score"].tolist() == pytest.approx(frame["score"].tolist(), 1e-12)
    content = json.loads(downloaded(page, "JSON"))
    assert [pair["score"] for pair in content["pairs"]] == frame["score"].tolist()
    book = openpyxl.load_workbook(io.BytesIO(downloaded(page, "Excel")))
    head, *rows = book["ranking"].iter_rows(values_only=True)
    assert [row[head.index("first")] for row in rows] == frame["first"].tolist()
    report = downloaded(page, "Report (HTML)").decode()
    assert "Dependences in Palmer penguins" in report
    assert "siviz rank example:penguins --columns" in report
    page.get_by_text("Make exactly this ranking again").click()
    settled(page)
    lines = page.locator('[data-testid="stCode"]').all_inner_texts()
    assert any("overrides={'island'" in told for told in lines)


GRIDS = {
    "Where measures disagree": "The biggest movers",
    "One pair": "",
    "Dependence map": "",
    "Stability": "Intervals of each pair",
}
"""Tables of the other pages, by their titles."""
HOSTILE = {
    "<img src=x onerror=window.broken=1>": "<b>bold</b>",
    "=CMD|'/C calc'!A0": "=1+1",
    "+plus": "+1",
    "-minus": "-1x",
    "@at": "@SUM(A1)",
    "![pixel](http://example.org/pixel.png)": "\u202eturned",
    "עברית": "ימין",
    "😀": "👩‍👩‍👧",
    "x" * 10_000: "y" * 10_000,
}


def test_hostile_content_is_text_on_the_page_and_in_every_export(visit, tmp_path):
    path = tmp_path / "<i>evil.csv"
    rng = np.random.default_rng(1)
    base = rng.integers(0, 4, 200)
    data = {}
    for place, (name, state) in enumerate(HOSTILE.items()):
        kept = rng.random(200) < (place + 1) / 12
        codes = np.where(kept, base, rng.integers(0, 2 + place % 3, 200))
        data[name] = np.array([state, "a", "b", "c"], dtype=object)[codes]
    pd.DataFrame(data).to_csv(path, index=False)
    page = visit()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    upload(page, path)
    assert page.evaluate("window.broken") is None
    assert page.locator('img[src="x"], img[src*="example.org"]').count() == 0
    assert [url for url in asked if "example.org" in url] == []
    starts = ("=", "+", "-", "@", "\t", "\r")
    lines = [*csv.reader(io.StringIO(downloaded(page, "CSV").decode(), newline=""))]
    names = {name for row in lines[1:] for name in row[1:3]}
    assert len(names) == len(HOSTILE)
    assert not [name for name in names if name.startswith(starts)]
    pairs = json.loads(downloaded(page, "JSON"))["pairs"]
    assert {p["first"] for p in pairs} | {p["second"] for p in pairs} == set(HOSTILE)
    book = openpyxl.load_workbook(io.BytesIO(downloaded(page, "Excel")))
    cells = [cell for sheet in book for row in sheet.rows for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "inlineStr", "n"}
    report = downloaded(page, "Report (HTML)").decode()
    assert "<img src=x" not in report
    assert "<i>evil" not in report
    assert "&lt;img src=x" in report
    # The toolbar of a grid has a download of its own.
    assert_no_formulas(grid_csv(page, "The ranking, one pair a row"))
    assert_no_formulas(grid_csv(page, "What each column became"))
    for title, table in GRIDS.items():
        go_to(page, title)
        if table:
            assert_no_formulas(grid_csv(page, table))
        for door in page.get_by_role("button", name="ata, picture").all():
            door.click()
            assert_no_formulas(downloaded(page, "Data (CSV)"))
            page.keyboard.press("Escape")
            inside = page.locator('[data-testid="stPopoverBody"]')
            expect(inside).to_have_count(0, timeout=20_000)
        assert page.evaluate("window.broken") is None
    assert [url for url in asked if "example.org" in url] == []


def grid_csv(page, title):
    """What the toolbar of a grid gives."""
    page.evaluate("window.showSaveFilePicker = undefined")
    page.get_by_role("region", name=title).hover()
    return downloaded(page, f"Download as CSV: {title}")


def assert_no_formulas(content):
    text = content.decode("utf-8-sig")
    fields = [field for row in csv.reader(io.StringIO(text)) for field in row]
    assert len(fields) > 5
    texts = [field for field in fields if not is_number(field)]
    assert not [field for field in texts if field.startswith(FORMULA_STARTS)]


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_a_bad_file_is_told_and_another_one_works(visit, tmp_path, mine):
    page = visit()
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"a,b\n1,2\n3,4,5\n")
    upload(page, bad)
    expect(page.locator('[data-testid="stAlert"]')).to_contain_text("line 3")
    assert shows(page, expected(PENGUINS))
    upload(page, mine)
    expect(page.locator('[data-testid="stAlert"]')).to_have_count(0)
    assert shows(page, expected(mine))


def test_a_file_above_the_limit_is_refused_beside_the_command_line(visit, tmp_path):
    page = visit()
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(LARGEST_UPLOAD * 2**20 + 1)
    upload(page, large)
    assert shows(page, expected(PENGUINS))
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 900})
        chip = page.get_by_text("large.csv").first.bounding_box()
        words = page.get_by_text("On the command line “siviz rank FILE”")
        expect(words).to_be_in_viewport()
        assert 0 < words.bounding_box()["y"] - chip["y"] < 150


def test_files_may_replace_each_other_as_fast_as_one_likes(visit, mine):
    page = visit()
    titanic = asset("data/titanic.csv")
    for path, pairs in [(mine, "3 of 3 pairs"), (titanic, "10 of 10 pairs")] * 3:
        page.locator('input[type="file"]').set_input_files(path)
        expect(page.get_by_text(pairs)).to_be_visible(timeout=30_000)


def test_visitors_do_not_see_each_others_data(visit, mine):
    first, second = visit(), visit()
    upload(first, mine)
    second.reload()
    settled(second)
    assert "mine.csv" in first.locator("body").inner_text()
    assert "mine.csv" not in second.locator("body").inner_text()
    assert shows(second, expected(PENGUINS))
