"""The report: one well-formed file with the core's numbers, and nothing interpreted."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siviz import MEASURES, rank_pairs
from siviz.datasets import load_dataset
from siviz.markup import Markup, joined, number, printable, tag, visible
from siviz.report import report_html
from siviz.report.mathml import mathml

VOID = {"meta", "br"}
HOSTILE = (
    "<script>window.hacked = 1</script>",
    "</script><!-- <b>",
    "' onmouseover='alert(1)",
    '" onload="alert(1)',
    "<img src=https://example.com/x.png onerror=alert(1)>",
    "&lt;b&gt;",
    "x" * 10_000,
    "bell \a and escape \x1b",
)


class Page(HTMLParser):
    """A parsed page that refuses what is not properly nested."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.tables, self.texts = [], [], [], []
        self.scripts = []
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, name, attributes):
        given = dict(attributes)
        assert len(given) == len(attributes), (name, attributes)
        self.tags.append((name, given))
        if name == "script":
            self.scripts.append([given, ""])
        if name == "table":
            self.tables.append([])
        if name == "tr":
            self.tables[-1].append([])
        if name in ("td", "th"):
            self.tables[-1][-1].append([given, "", []])
        if name == "data" and "td" in self.open:
            self.tables[-1][-1][-1][2].append(float(given["value"]))
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, text):
        if "script" in self.open:
            self.scripts[-1][1] += text
            return
        self.texts.append(text)
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1][1] += text

    @property
    def text(self):
        return "".join(self.texts)


@pytest.fixture(scope="module")
def penguins():
    return rank_pairs(load_dataset("penguins").frame)


@pytest.fixture(scope="module")
def small():
    data = load_dataset("titanic")
    return rank_pairs(data.frame, weights="count", measures=["mi", "si"])


@pytest.fixture(scope="module")
def page(penguins):
    return Page(report_html(penguins, title="Birds", python="rank()", command="siviz"))


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(5)
    base = rng.integers(0, 3, 90)
    values = np.array(["</td><td>", "<!--", "https://example.com"], dtype=object)
    columns = {}
    for name in HOSTILE:
        mixed = np.where(rng.random(90) < 0.6, base, rng.integers(0, 3, 90))
        columns[name] = values[mixed]
    return rank_pairs(pd.DataFrame(columns), measures=["mi", "si"])


@pytest.fixture(scope="module")
def hostile_page(hostile):
    return Page(report_html(hostile, title=HOSTILE[0], python=HOSTILE[1]))


def test_a_report_is_well_formed_and_has_its_sections(page):
    names = [name for name, _ in page.tags]
    assert names[0] == "html"
    assert page.tags[0][1] == {"lang": "en"}
    assert names.count("h1") == 1
    links = {facts["href"] for name, facts in page.tags if name == "a"}
    sections = {"#" + facts["id"] for name, facts in page.tags if name == "section"}
    assert links == sections
    assert len(sections) == 10


def test_ids_are_unique(page):
    ids = [facts["id"] for _, facts in page.tags if "id" in facts]
    assert len(ids) == len(set(ids))


def test_every_table_has_a_caption_and_headers(page):
    names = [name for name, _ in page.tags]
    assert names.count("table") == names.count("caption") == names.count("thead")
    headers = [facts for name, facts in page.tags if name == "th"]
    assert all(facts["scope"] in ("row", "col") for facts in headers)


def test_every_number_in_the_table_is_that_of_the_frame(page, penguins):
    _, *rows = page.tables[0]
    assert len(rows) == len(penguins.frame)
    measures = [key for key in penguins.measures if key != "si_calibrated"]
    facts = ["rank", "score", "log10_q", "rows", "states_first", "states_second"]
    for row, (_, expected) in zip(rows, penguins.frame.iterrows(), strict=True):
        found = [value for _, _, values in row for value in values]
        assert found == [float(expected[name]) for name in (*facts, *measures)]
        assert [cell[1] for cell in row[1:3]] == [expected["first"], expected["second"]]
        assert row[3][1] == f"{expected['score']:z.2f}"
        shown = [cell[1] for cell in row[8:]]
        assert shown == [f"{expected[key]:.4g}" for key in measures]


def test_the_tables_of_the_strongest_pairs_hold_their_counts(page, penguins):
    for place in range(6):
        first, second = penguins.frame.loc[place, ["first", "second"]]
        counts = penguins.table(first, second)
        head, *rows = page.tables[1 + place]
        assert [cell[1] for cell in head[1:]] == list(counts.columns)
        assert [row[0][1] for row in rows] == list(counts.index)
        found = [[cell[2][0] for cell in row[1:]] for row in rows]
        assert found == counts.to_numpy().tolist()


def test_of_a_table_with_many_states_the_largest_are_shown_and_it_says_so():
    code = np.repeat(np.arange(20), np.arange(10, 30))
    frame = pd.DataFrame({"many": [f"s{c:02}" for c in code], "few": code % 2})
    page = Page(report_html(rank_pairs(frame)))
    rows = page.tables[1][1:]
    assert [row[0][1] for row in rows] == [f"s{c:02}" for c in range(8, 20)]
    assert "12 of 20 and 2 of 2 states" in page.text


def test_every_note_and_every_column_is_told(page, penguins):
    for note in penguins.notes:
        assert note in page.text
    for column in penguins.columns:
        assert column.name in page.text
        assert column.reason in page.text


def test_the_glossary_has_every_measure_with_its_formula(page):
    for measure in MEASURES.values():
        assert measure.label in page.text
        assert measure.fails in page.text
    assert [name for name, _ in page.tags].count("math") == len(MEASURES)


def test_disagreements_are_told_in_words(page, penguins):
    inversion = penguins.disagreements().inversions.iloc[0]
    assert inversion["reason"] in page.text


def test_how_to_reproduce_it_is_what_the_caller_says(page, small):
    assert "rank()" in page.text
    assert "How to reproduce it" not in report_html(small)


def test_nothing_is_loaded_from_anywhere(page):
    for name, facts in page.tags:
        assert name not in ("link", "img", "iframe", "object", "base", "form")
        assert not {"src", "srcset", "action", "background"} & set(facts)
        assert facts.get("href", "#").startswith("#")
        assert not re.search(r"url\(|@import", facts.get("style", ""))


def test_only_the_two_known_scripts_may_run(page):
    policy = next(
        facts["content"]
        for name, facts in page.tags
        if facts.get("http-equiv") == "Content-Security-Policy"
    )
    runnable = [text for facts, text in page.scripts if "type" not in facts]
    assert len(runnable) == 2
    for script in runnable:
        digest = b64encode(sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy


def test_charts_are_inside_as_data_and_drawn_by_one_bundle(page):
    specs = [json.loads(text) for facts, text in page.scripts if "type" in facts]
    assert len(specs) == 4
    assert all(spec["datasets"] for spec in specs)
    figures = [facts["data-chart"] for name, facts in page.tags if name == "figure"]
    held = [facts["id"] for facts, _ in page.scripts if "id" in facts]
    assert figures == held


def test_the_same_ranking_gives_the_same_page(small):
    assert report_html(small) == report_html(small)


def test_hostile_names_are_text_and_nothing_else(hostile_page, page):
    known, page = {name for name, _ in page.tags}, hostile_page
    assert {name for name, _ in page.tags} <= known
    assert not any(key.startswith("on") for _, facts in page.tags for key in facts)
    for name in HOSTILE:
        assert visible(name) in page.text
    assert len(page.scripts) == 6
    assert "<b>" in "".join(cell[1] for row in page.tables[0] for cell in row)


def test_a_long_name_is_short_in_the_table_with_the_whole_as_its_title(hostile_page):
    page = hostile_page
    names = [(facts, name) for name, facts in page.tags if name == "bdi"]
    assert any(facts.get("title") == "x" * 10_000 for facts, _ in names)
    assert max(len(cell[1]) for row in page.tables[0][1:] for cell in row) <= 40


@pytest.mark.parametrize(
    "options",
    [
        {"target": "species"},
        {"given": "species"},
        {"null": "nominal", "measures": ["si", "mi"]},
        {"measures": ["mi"]},
        {"null": "permutation", "measures": ["mi"]},
    ],
    ids=str,
)
def test_reports_of_other_rankings_are_well_formed(options):
    data = load_dataset("penguins").frame[["species", "island", "sex", "year"]]
    page = Page(report_html(rank_pairs(data, **options), top=2))
    assert len(page.tables[0]) == 3
    for name in ("target", "given"):
        if name in options:
            assert f"{name.title()}species" in page.text


def test_a_report_of_a_single_pair_has_no_chart_that_compares_pairs():
    frame = pd.DataFrame({"a": list("xxyy") * 5, "b": list("uvvv") * 5})
    page = Page(report_html(rank_pairs(frame)))
    assert [g["data-chart"] for n, g in page.tags if n == "figure"] == [
        "chart-intervals"
    ]
    assert "1 pair of columns" in page.text


def test_pairs_without_a_score_are_listed_with_a_dash_and_why():
    half = [None] * 10
    frame = pd.DataFrame(
        {"a": [*"xy" * 5, *half], "b": [*half, *"uv" * 5], "c": list("ppqq") * 5}
    )
    page = Page(report_html(rank_pairs(frame)))
    last = page.tables[0][-1]
    assert [last[0][1], last[3][1], last[7][1]] == ["–", "–", "no row has both values"]


def test_a_ranking_in_which_nothing_has_a_score_still_has_a_report():
    half = [None] * 10
    frame = pd.DataFrame({"a": [*"xy" * 5, *half], "b": [*half, *"uv" * 5]})
    page = Page(report_html(rank_pairs(frame)))
    assert "None has a score" in page.text
    assert not [name for name, _ in page.tags if name == "figure"]


def test_at_least_one_row_must_be_asked_for(penguins):
    with pytest.raises(ValueError, match="top must be at least 1; got 0"):
        report_html(penguins, top=0)


class Text(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found, self.attributes = "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, name, attributes):
        self.attributes += attributes

    def handle_data(self, text):
        self.found += text


@given(st.text(), st.text())
def test_any_text_comes_back_from_an_element_and_its_attribute(content, title):
    parsed = Text(tag("p", content, title=title))
    assert parsed.found == printable(content)
    assert parsed.attributes == [("title", printable(title))]


def test_halves_of_surrogate_pairs_and_control_characters_are_replaced():
    assert printable("a\ud800b\0c\x9fd\uffffe") == "a\ufffdb\ufffdc\ufffdd\ufffde"
    assert printable("tab\tand\nline 👩‍👧 عربي") == "tab\tand\nline 👩‍👧 عربي"
    assert visible("\u202eturned\u2069") == "\ufffdturned\ufffd"


def test_markup_is_not_escaped_twice_and_text_is_never_markup():
    inner = tag("b", "1 < 2")
    assert tag("p", [inner, " & ", Markup("<br>")]) == (
        "<p><b>1 &lt; 2</b> &amp; <br></p>"
    )
    assert joined("<b>") == "&lt;b&gt;"


def test_a_number_keeps_its_precision_beside_what_is_shown():
    value = 1 / 3
    assert Text(number(value, ".2f")).found == "0.33"
    assert float(dict(Text(number(value)).attributes)["value"]) == value
    assert "undefined" in number(np.nan)


@pytest.mark.parametrize("key", MEASURES)
def test_every_formula_of_the_catalogue_becomes_mathml(key):
    formula = mathml(MEASURES[key].formula)
    assert "\\" not in formula
    assert "{" not in formula
    letters = re.sub(r"\\[a-zA-Z]+|[^A-Za-z]", "", MEASURES[key].formula)
    words = re.sub(r"<[^>]*>|[^A-Za-z]", "", formula)
    assert set(letters) <= set(words)


def test_latex_that_is_not_known_is_an_error():
    with pytest.raises(ValueError, match=r"got \\prod"):
        mathml(r"\prod x")
