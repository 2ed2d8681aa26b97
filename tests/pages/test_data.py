"""The data pages: from a file to its ranking, without a click beyond the upload."""

from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import siviz
from siviz.locations import asset
from siviz.ui.ranking_table import shown_pairs

PAGES = Path(__file__).parents[2] / "pages"
PENGUINS = asset("data/penguins.csv").read_bytes()


def opened(name):
    page = AppTest.from_file(str(PAGES / name), default_timeout=60).run()
    assert not page.exception
    return page


def ranked(page):
    """The pairs in the table of the page, strongest first."""
    table = next(f.value for f in page.dataframe if "SI" in f.value.columns)
    return list(zip(table["A"], table["B"], strict=True))


def expected(*args, **options):
    frame = siviz.rank_pairs(*args, **options).frame
    return list(zip(frame["first"], frame["second"], strict=True))


def test_the_page_opens_with_an_example_already_ranked():
    page = opened("rank_your_data.py")
    assert ranked(page) == expected(str(asset("data/penguins.csv")))


def test_an_example_with_counts_is_ranked_with_its_weights():
    page = opened("rank_your_data.py")
    page.selectbox(key="example").select("titanic").run()
    assert not page.exception
    titanic = str(asset("data/titanic.csv"))
    assert ranked(page) == expected(titanic, weights="count")


def test_an_upload_is_ranked_at_once():
    page = opened("rank_your_data.py")
    data = pd.DataFrame(
        {"x": list("aabb") * 9, "y": list("uuvv") * 9, "z": list("pq") * 18}
    )
    content = data.to_csv(index=False).encode()
    page.file_uploader(key="file").set_value(("mine.csv", content, "text/csv")).run()
    assert not page.exception
    assert ranked(page) == expected(data)
    assert ranked(page)[0] == ("x", "y")


@pytest.mark.parametrize(
    "content", [b"", b"a,b\n", b"a,b\n1,2\n3,4,5\n", bytes(range(256)), b"a\n1\n2\n"]
)
def test_a_bad_file_is_one_sentence_and_the_page_stays_usable(content):
    page = opened("rank_your_data.py")
    page.file_uploader(key="file").set_value(("bad.csv", content, "text/csv")).run()
    assert not page.exception
    assert len(page.error) == 1
    page.selectbox(key="example").select("titanic").run()
    assert not page.exception
    assert not page.error
    assert ("sex", "survived") in ranked(page)


def test_target_and_given_reach_the_ranking():
    page = opened("rank_your_data.py")
    page.selectbox(key="target").select("species").run()
    page.selectbox(key="given").select("island").run()
    assert not page.exception
    options = {"target": "species", "given": "island"}
    assert ranked(page) == expected(str(asset("data/penguins.csv")), **options)


def test_search_and_filters_choose_rows_of_the_ranking():
    frame = siviz.rank_pairs(str(asset("data/penguins.csv"))).frame
    found = shown_pairs(frame, "SPECIES bill", 1.0, noted=True)
    assert {*found["first"], *found["second"]} == {
        "species",
        "bill_length_mm",
        "bill_depth_mm",
    }
    sure = shown_pairs(frame, "", 0.01, noted=True)
    assert len(sure) == (frame["log10_q"] <= -2).sum()


def test_what_a_hostile_file_holds_is_shown_as_text():
    page = opened("rank_your_data.py")
    names = ["<script>alert(1)</script>", "=CMD()", "عربى", "x" * 10_000]
    frame = pd.DataFrame({name: list("abcd") * 5 for name in names})
    content = frame.to_csv(index=False).encode()
    page.file_uploader(key="file").set_value(("evil.csv", content, "text/csv")).run()
    assert not page.exception
    assert {name for pair in ranked(page) for name in pair} == set(names)


@pytest.mark.parametrize(
    "name", ["one_pair.py", "disagreements.py", "dependence_map.py"]
)
def test_closer_looks_open_on_the_same_ranking(name):
    page = opened(name)
    assert page.get("vega_lite_chart")
