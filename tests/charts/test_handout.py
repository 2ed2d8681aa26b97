"""Handouts are one file that needs nothing else."""

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
import vl_convert
from scipy.stats import chi2

from siviz.charts.duel import duel_chart
from siviz.charts.fair_scale import TALLEST, axis_domain, observed_pairs
from siviz.charts.fair_scale_handout import fair_scale_handout, interactive_chart
from siviz.charts.figure import Figure
from siviz.charts.frame import PAIRS, sized_spec
from siviz.charts.handout import handout_html
from siviz.charts.labels import markdown_text
from siviz.charts.prose import markdown_html
from siviz.ui.text import markdown_table, plain

PAIRS_OF_FIGURE_1 = observed_pairs(PAIRS, 160, (2, 4), (0.011, 0.039))


def simple_figure(sentence="A *sentence*."):
    frame = pd.DataFrame(
        {"measure": ["MI"], "share": [0.5], "samples": [10], "odd": ["</script>"]}
    )
    options = {"measures": ("mi",), "equal": False, "noise": False}
    return Figure(duel_chart, {"score": frame}, 'Bars "of" shares', sentence, options)


@pytest.fixture(scope="module")
def handout():
    return handout_html(
        "Fair & square",
        "Some *prose*.",
        [simple_figure(), simple_figure("Second.")],
        closing_markdown="##### What happened",
    )


def test_a_link_begins_at_the_last_bracket_before_it():
    """So that no text of many brackets is searched again from each of them."""
    told = markdown_html("[a [b](https://c)")
    assert told == '<p>[a <a href="https://c">b</a></p>'


def test_nothing_is_loaded_from_elsewhere(handout):
    body = re.sub(r"<script>.*?</script>", "", handout, flags=re.S)
    assert not re.search(r"""(src|href)\s*=\s*["']?\s*(https?:)?//""", body)
    assert "@import" not in body
    assert "default-src 'none'" in body


def test_title_prose_and_sentences_are_in_it(handout):
    assert "<h1>Fair &amp; square</h1>" in handout
    assert "<p>Some <em>prose</em>.</p>" in handout
    assert "<p>A <em>sentence</em>.</p>" in handout
    assert handout.index("<p>Second.</p>") < handout.index("<h5>What happened</h5>")
    assert 'aria-label="Bars &quot;of&quot; shares"' in handout


def test_data_cannot_end_the_script_they_stand_in(handout):
    assert handout.count("<script>") == handout.count("</script>") == 2
    found = re.search(r"const SPECS = (.*?);\nconst actions", handout, flags=re.S)
    specs = json.loads(found[1])
    rows = [row for data in specs[0]["datasets"].values() for row in data]
    assert "</script>" in [row.get("odd") for row in rows]


def test_sliders_of_the_fair_scale_are_in_the_browser():
    figure = fair_scale_handout(PAIRS_OF_FIGURE_1)
    spec = sized_spec(figure.chart, "container")
    bound = {p["name"]: p["value"] for p in spec["params"] if "bind" in p}
    assert bound == {"n": 160, "k1": 2, "i1": 0.011, "k2": 4, "i2": 0.039}
    vl_convert.vegalite_to_vega(spec)


@pytest.mark.parametrize("states", [(2, 4), (7, 12)])
def test_the_browser_draws_the_chi_squared_density(states):
    # Vega evaluates the expressions while it makes the picture: the densities are in
    # the path of each line, in pixels of a panel 640 wide and 150 high.
    pairs = observed_pairs(PAIRS, 160, states, (0.011, 0.039))
    svg = vl_convert.vegalite_to_svg(sized_spec(interactive_chart(pairs)))
    paths = re.findall(r'class="mark-line[^>]*><path[^>]* d="(M[^"]+)"', svg)
    assert len(paths) == 6
    for pair, path in zip(pairs, paths[-2:], strict=True):  # the panel of SI, last
        points = [point.split(",") for point in re.split("[ML]", path)[1:]]
        across, down = np.array(points, dtype=float).T
        low, high = axis_domain(pairs, "SI")
        g, slope = pair.statistic(low + (high - low) * across / 640, "SI")
        inside = g > 0
        assert inside.sum() > 100
        wanted = chi2.pdf(g[inside], (pair.states - 1) ** 2) * slope[inside]
        drawn = (1 - down[inside] / 150) * TALLEST / (high - low)
        np.testing.assert_allclose(drawn, wanted, atol=0.002)


def test_markdown_is_escaped_and_understood():
    assert markdown_html("a < b & `c*d*`") == "<p>a &lt; b &amp; <code>c*d*</code></p>"
    assert markdown_html("- one\n- two") == "<ul><li>one</li><li>two</li></ul>"
    assert markdown_html("##### Why\nText") == "<h5>Why</h5>\n<p>Text</p>"
    linked = '<p><a href="https://example.org">x</a></p>'
    assert markdown_html("[x](https://example.org)") == linked


def test_a_markdown_table_is_a_table():
    frame = pd.DataFrame({"a|b": ["*1*", "<2>"], "c": ["", "4"]})
    assert markdown_html(f"Before\n\n{markdown_table(frame)}\n\nafter") == (
        "<p>Before</p>\n<table><thead><tr><th>a|b</th><th>c</th></tr></thead><tbody>"
        "<tr><td><em>1</em></td><td></td></tr><tr><td>&lt;2&gt;</td><td>4</td></tr>"
        "</tbody></table>\n<p>after</p>"
    )


@pytest.mark.parametrize(
    "text",
    [
        "*a* **b** `c` [d](https://e.org)",
        "# a",
        "- a",
        "<b>\\ & \"'</b>",
        "| a | b |",
        "[x](javascript:alert)",
    ],
)
def test_text_of_the_data_stays_as_it_is(text):
    for shown in (markdown_html(plain(text)), markdown_html(markdown_text(text))):
        assert unescape(shown).replace("\u2060", "") == f"<p>{text}</p>"


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "vbscript:x"],
)
def test_a_link_leads_to_a_page_or_is_none(address):
    assert "href" not in markdown_html(f"[x]({address})")


def test_a_link_cannot_leave_its_quotation_marks():
    shown = markdown_html('[x](https://a.org/"onclick="alert)')
    assert 'href="https://a.org/&quot;onclick=&quot;alert"' in shown
