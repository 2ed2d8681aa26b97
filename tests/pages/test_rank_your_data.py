"""Rank your data: from a file to its ranking, without a click beyond the upload."""

import gzip
import io
import os
import pickle
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import siviz
from siviz.datasets import DATASETS
from siviz.exports import ranking_csv, ranking_excel, ranking_json
from siviz.locations import asset
from siviz.report import report_html
from siviz.ui import upload_limits, workspace
from siviz.ui.column_grid import changed
from siviz.ui.ranking_table import readable, shown_pairs

PAGES = Path(__file__).parents[2] / "pages"
PENGUINS = asset("data/penguins.csv").read_bytes()
MINE = pd.DataFrame(
    {
        "x": list("aabb") * 9,
        "y": list("uuvv") * 9,
        "z": list("pq") * 18,
        "number": range(0, 108, 3),
    }
)


def opened(name="rank_your_data.py", **query):
    page = AppTest.from_file(str(PAGES / name), default_timeout=60)
    page.query_params.update(query)
    page.run()
    assert not page.exception
    return page


def upload(page, content, name="mine.csv"):
    control = next(iter(page.get("file_uploader")))
    control.set_value((name, content, "application/octet-stream")).run()
    assert not page.exception
    return page


def csv(frame):
    return frame.to_csv(index=False).encode()


def table(page, column):
    """The table of the page that has this column."""
    return next(f.value for f in page.dataframe if column in f.value.columns)


def ranked(page):
    """The pairs in the table of the page, strongest first."""
    pairs = table(page, "SI")
    return list(zip(pairs["A"], pairs["B"], strict=True))


def became(page, name):
    """The row of a column in the table of columns."""
    columns = table(page, "becomes").set_index("column")
    return columns.loc[name]


def expected(*args, **options):
    frame = siviz.rank_pairs(*args, **options).frame
    return list(zip(frame["first"], frame["second"], strict=True))


def click(page, label):
    next(b for b in page.button if b.label.startswith(label)).click().run()
    assert not page.exception


def choose(page, choices):
    """Choices for single columns, as the table of columns keeps them."""
    *_, data = page.session_state["results-source"].values()
    page.session_state["column choices"] = {data.digest: choices}
    page.run()
    assert not page.exception


def remembered(page):
    """All that the session of a page holds."""
    state = page.session_state._state.filtered_state
    return pickle.dumps({key: state[key] for key in state if "TESTING" not in key})


def test_the_page_opens_with_an_example_already_ranked():
    assert ranked(opened()) == expected(str(asset("data/penguins.csv")))


@pytest.mark.parametrize("name", DATASETS)
def test_every_example_is_one_click_and_ranked_with_its_weights(name):
    page = opened()
    page.button(key=f"example-{name}").click().run()
    assert not page.exception
    data = siviz.datasets.load_dataset(name)
    assert ranked(page) == expected(data.frame, weights=data.weights)
    assert data.origin in " ".join(m.value for m in page.markdown)


def files():
    """The same table in every format that can be uploaded."""
    frame = pd.read_csv(io.BytesIO(PENGUINS))
    workbook, parquet = io.BytesIO(), io.BytesIO()
    frame.to_excel(workbook, index=False)
    frame.to_parquet(parquet)
    german = frame.to_csv(index=False, sep=";", decimal=",").encode("utf-16")
    return {
        "penguins.csv": PENGUINS,
        "penguins.tsv": frame.to_csv(index=False, sep="\t").encode(),
        "penguins.csv.gz": gzip.compress(PENGUINS),
        "penguins.xlsx": workbook.getvalue(),
        "penguins.parquet": parquet.getvalue(),
        "deutsch.csv": german,
    }


FILES = files()


@pytest.mark.parametrize("name", FILES)
def test_an_upload_of_any_format_is_ranked_without_another_click(name):
    page = opened()
    page.button(key="example-titanic").click().run()
    upload(page, FILES[name], name)
    assert ranked(page) == expected(str(asset("data/penguins.csv")))


def test_pasted_cells_are_ranked():
    page = opened()
    page.text_area(key="pasted").set_value(MINE.to_csv(index=False, sep="\t"))
    click(page, "Rank it")
    assert ranked(page) == expected(MINE)
    assert any("pasted.txt" in code.value for code in page.code)


def test_a_workbook_opens_at_its_first_table_and_any_sheet_can_be_chosen():
    book = io.BytesIO()
    with pd.ExcelWriter(book) as writer:
        pd.DataFrame().to_excel(writer, sheet_name="cover", index=False)
        MINE.to_excel(writer, sheet_name="mine", index=False)
        pd.read_csv(io.BytesIO(PENGUINS)).to_excel(
            writer, sheet_name="birds", index=False
        )
    page = upload(opened(), book.getvalue(), "book.xlsx")
    assert ranked(page) == expected(MINE)
    sheets = page.selectbox(key="sheet")
    assert (sheets.options, sheets.value) == (["cover", "mine", "birds"], "mine")
    page.selectbox(key="sheet").select("birds").run()
    assert ranked(page) == expected(str(asset("data/penguins.csv")))
    assert any("--sheet birds" in code.value for code in page.code)
    page.selectbox(key="sheet").select("cover").run()
    assert "empty" in page.error[0].value
    assert page.selectbox(key="sheet").value == "birds"
    assert ranked(page) == expected(str(asset("data/penguins.csv")))


ENCRYPTED = (
    bytes.fromhex("d0cf11e0a1b11ae1")
    + bytes(600)
    + "EncryptedPackage".encode("utf-16-le")
    + bytes(600)
)
BAD_FILES = {
    "empty": (b"", "empty"),
    "header only": (b"a,b\n", "no rows"),
    "one column": (b"a\n1\n2\n1\n", "a single column"),
    "one row": (b"a,b\n1,2\n", "a single row"),
    "ragged": (b"a,b\n1,2\n3,4,5\n", "line 3"),
    "junk": (bytes(range(256)) * 50, "NUL byte"),
    "password": (ENCRYPTED, "password"),
    "10,001 columns": (
        ",".join(f"c{i}" for i in range(10_001)).encode() + b"\n1\n",
        "10,000",
    ),
    "one line": (b"x" * 50_000_000, "line"),
    "all missing": (b"a,b\n,\nNA,?\n", "no values"),
    "cut off": (gzip.compress(b"a,b\n1,2\n" * 2000)[:-12], "damaged or cut off"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "PNG"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_is_one_sentence_and_the_page_stays_usable(case):
    content, told = BAD_FILES[case]
    page = upload(opened(), content, "bad.csv")
    (error,) = page.error
    assert told in error.value.replace("\\", "")
    assert error.value.endswith(".")
    assert page.selectbox(key="target").options
    upload(page, csv(MINE))
    assert not page.error
    assert ranked(page) == expected(MINE)


def test_a_file_that_cannot_be_read_leaves_the_data_before_it():
    page = upload(upload(opened(), csv(MINE)), b"a,b\n1,2\n3,4,5\n", "bad.csv")
    assert "still that of mine" in " ".join(m.value for m in page.markdown)
    assert ranked(page) == expected(MINE)


def test_a_wrong_extension_is_read_by_its_content():
    page = upload(opened(), csv(MINE), "mine.xlsx")
    assert ranked(page) == expected(MINE)
    assert any("content is delimited text" in m.value for m in page.markdown)


def test_own_data_can_be_removed_and_nothing_of_them_stays():
    page = upload(opened(), csv(MINE))
    page.selectbox(key="target").select("x").run()
    choose(page, {"z": {"kind": "leave out"}})
    assert ranked(page) == [("y", "x"), ("number", "x")]
    click(page, "✕ Remove my data")
    assert ranked(page) == expected(str(asset("data/penguins.csv")))
    assert b"mine.csv" not in remembered(page)
    assert b"leave out" not in remembered(page)


def test_a_file_taken_out_of_the_control_is_gone_and_the_control_stays():
    page = upload(opened(), csv(MINE))
    (control,) = page.get("file_uploader")
    control.set_value([]).run()  # what a browser also sends before another file
    assert not page.exception
    assert ranked(page) == expected(str(asset("data/penguins.csv")))
    assert b"mine.csv" not in remembered(page)
    (after,) = page.get("file_uploader")
    assert after.key == control.key
    assert ranked(upload(page, csv(MINE))) == expected(MINE)


def test_target_given_and_weights_reach_the_ranking():
    page = opened()
    page.selectbox(key="target").select("species").run()
    page.selectbox(key="given").select("island").run()
    page.selectbox(key="weights").select("year").run()
    options = {"target": "species", "given": "island", "weights": "year"}
    assert ranked(page) == expected(str(asset("data/penguins.csv")), **options)


def test_more_settings_reach_the_ranking():
    page = opened()
    page.selectbox(key="target").select("species").run()
    page.selectbox(key="null").select("nominal").run()
    page.selectbox(key="missing").select("state").run()
    page.selectbox(key="bins").select("width").run()
    page.number_input(key="bin_count").set_value(3).run()
    page.number_input(key="rare").set_value(60).run()
    options = {"target": "species", "null": "nominal", "missing": "state"}
    bins = {"bins": "width", "bin_count": 3, "rare": 60}
    penguins = str(asset("data/penguins.csv"))
    frame = siviz.rank_pairs(penguins, **options, **bins).frame
    np.testing.assert_array_equal(table(page, "SI")["SI"], frame["score"])
    page.selectbox(key="bins").select("fair").run()
    fair = siviz.rank_pairs(penguins, **options, bins="fair", rare=60)
    np.testing.assert_array_equal(table(page, "SI")["SI"], fair.frame["score"])
    states = {column.name: len(column.states) for column in fair.columns}
    assert table(page, "becomes")["states"].tolist() == list(states.values())
    page.selectbox(key="target").select(workspace.NONE).run()
    assert not page.exception
    assert page.selectbox(key="bins").value == "frequency"
    click(page, "↺ Reset")
    assert ranked(page) == expected(penguins)


def test_a_link_restores_the_settings():
    page = opened(example="titanic", target="survived", given="sex")
    options = {"weights": "count", "target": "survived", "given": "sex"}
    assert ranked(page) == expected(str(asset("data/titanic.csv")), **options)


@pytest.mark.parametrize("key", ["target", "given", "weights"])
def test_a_link_with_a_column_that_is_not_there_is_told(key):
    page = opened(**{key: "no_such_column", "bins": "nonsense", "example": "?"})
    assert ranked(page) == expected(str(asset("data/penguins.csv")))
    assert "no\\_such\\_column" in page.toast[0].value


def test_what_makes_a_ranking_impossible_is_told_and_can_be_mended():
    page = opened()
    page.selectbox(key="weights").select("species").run()
    (error,) = page.error
    assert "Weights must be whole numbers" in error.value
    assert len(table(page, "becomes")) == 8
    choose(page, {"sex": {"kind": "leave out"}})
    page.selectbox(key="weights").select(workspace.NONE).run()
    page.selectbox(key="target").select("sex").run()
    assert "cannot be used" in page.error[0].value
    click(page, "↺ Undo 1 chosen column")
    penguins = str(asset("data/penguins.csv"))
    assert ranked(page) == expected(penguins, target="sex")


def test_a_column_that_looks_like_counts_is_one_click_from_being_weights():
    page = upload(opened(), asset("data/titanic.csv").read_bytes(), "titanic.csv")
    assert "**count** say how often" in page.info[0].value
    click(page, "Yes, count the rows so")
    assert ranked(page) == expected(str(asset("data/titanic.csv")), weights="count")
    assert not page.info


def test_the_table_of_columns_shows_what_choices_made_of_them():
    page = opened()
    row = became(page, "bill_length_mm")
    assert (row["use as"], row["becomes"], row["states"]) == ("automatic", "bins", 5)
    assert row["missing"] == pytest.approx(100 * 2 / 344)
    assert "equal frequency" in row["why"]
    choices = {
        "bill_length_mm": {"kind": "bins", "bins": 3, "method": "width"},
        "island": {"kind": "states", "rare": 60},
        "sex": {"kind": "leave out"},
    }
    choose(page, choices)
    row = became(page, "bill_length_mm")
    assert (row["use as"], row["bins"], row["cut by"]) == ("bins", 3, "width")
    assert (row["becomes"], row["states"]) == ("bins", 3)
    assert "equal width" in row["why"]
    assert became(page, "sex")["becomes"] == "left out"
    penguins = str(asset("data/penguins.csv"))
    assert ranked(page) == expected(penguins, overrides=choices)
    page.selectbox(key="target").select("species").run()
    page.number_input(key="bin_count").set_value(4).run()
    options = {"target": "species", "bin_count": 4, "overrides": choices}
    assert ranked(page) == expected(penguins, **options)
    assert became(page, "bill_length_mm")["states"] == 3
    click(page, "↺ Reset")
    assert ranked(page) == expected(penguins)
    assert became(page, "sex")["use as"] == "automatic"


def test_a_choice_that_cannot_be_carried_out_is_told_and_the_others_hold():
    page = opened()
    choose(page, {"body_mass_g": {"rare": 5}, "sex": {"kind": "leave out"}})
    assert "only states can be merged" in page.warning[0].value.replace("\\", "")
    assert "cannot be carried out" in became(page, "body_mass_g")["why"]
    assert became(page, "body_mass_g")["becomes"] == "bins"
    only = {"sex": {"kind": "leave out"}}
    assert ranked(page) == expected(str(asset("data/penguins.csv")), overrides=only)
    choose(page, {"species": {"kind": "bins", "bins": 3}})
    (warning,) = page.warning
    assert "species" in warning.value
    assert ranked(page) == expected(str(asset("data/penguins.csv")))


@pytest.mark.parametrize(
    ("choice", "cells", "after"),
    [
        ({}, {"use as": "leave out"}, {"kind": "leave out"}),
        ({}, {"cut by": "width"}, {"kind": "bins", "method": "width"}),
        ({}, {"merge below": 5}, {"rare": 5}),
        ({"rare": 5}, {"merge below": None}, {}),
        ({"kind": "bins", "bins": 4}, {"bins": None}, {"kind": "bins"}),
        (
            {"kind": "bins", "bins": 4},
            {"bins": 4, "use as": "states"},
            {"kind": "states"},
        ),
        (
            {"kind": "states", "rare": 5},
            {"bins": 3},
            {"kind": "bins", "bins": 3},
        ),
    ],
)
def test_an_edit_changes_a_choice_and_drops_what_no_longer_fits(choice, cells, after):
    assert changed(choice, cells) == after
    siviz.columns.ColumnChoice.from_dict(after)


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
    noted = frame.assign(note=["sparse", *[""] * (len(frame) - 1)])
    assert len(shown_pairs(noted, "", 1.0, noted=False)) == len(frame) - 1


def test_search_filters_and_order_reach_the_table():
    page = opened()
    frame = siviz.rank_pairs(str(asset("data/penguins.csv"))).frame
    page.text_input(key="search").set_value("sex").run()
    assert len(ranked(page)) == 7
    page.select_slider(key="q").set_value(0.001).run()
    sure = frame[(frame["log10_q"] <= -3) & frame.eval("second == 'sex'")]
    assert {pair[0] for pair in ranked(page)} >= set(sure["first"])
    page.text_input(key="search").set_value("nothing at all").run()
    assert "No pair fits" in page.info[0].value
    page.text_input(key="search").set_value("").run()
    page.select_slider(key="q").set_value(1.0).run()
    page.selectbox(key="order").select("nmi").run()
    places = table(page, "SI")["by normalized MI"].tolist()
    assert places == sorted(places)
    page.toggle(key="values").set_value(True).run()
    wanted = frame.sort_values("rank_nmi", kind="stable")["nmi"]
    assert table(page, "SI")["normalized MI"].tolist() == wanted.tolist()


def test_q_is_a_plain_number_unless_it_underflows():
    frame = siviz.rank_pairs(str(asset("data/penguins.csv"))).frame
    tiny = frame.assign(log10_q=[-4000.0, *frame["log10_q"][1:]])
    shown = readable(tiny, ("mi",), values=False)
    assert np.isnan(shown["q"].iloc[0])
    assert shown["log10 q"].iloc[0] == -4000
    np.testing.assert_allclose(np.log10(shown["q"][1:]), frame["log10_q"][1:])


def test_sparse_pairs_carry_a_warning():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {name: rng.permutation([f"s{i}" for i in range(25)] * 2) for name in "ab"}
    )
    frame["c"] = list("xy") * 25
    page = upload(opened(), csv(frame))
    notes = siviz.rank_pairs(frame).frame["note"]
    assert (notes != "").any()
    assert [note.removeprefix("⚠️ ") for note in table(page, "SI")["Note"]] == [*notes]


def test_what_a_hostile_file_holds_is_shown_as_text():
    names = [
        "<script>alert(1)</script>",
        "=CMD|'/C calc'!A0",
        "@at",
        "عربى",
        "😀",
        "![x](http://example.org/x.png)",
        "x" * 10_000,
    ]
    cells = ["<b>", "=1+1", "+1", "y" * 10_000]
    frame = pd.DataFrame(dict.fromkeys(names, cells * 5))
    page = upload(opened(), csv(frame), "<i>evil</i>.csv")
    shown = {name.lstrip("\u200b") for pair in ranked(page) for name in pair}
    assert shown == {*names[:-1], "x" * 20 + "…" + "x" * 19}
    assert not [
        name
        for pair in ranked(page)
        for name in pair
        if name.startswith(("=", "+", "-", "@"))
    ]
    told = " ".join(m.value for m in page.markdown)
    assert "](http" not in told
    assert "<i>" not in told
    for choice in names[1:3]:
        page.selectbox(key="target").select(choice).run()
        assert not page.exception
    page.selectbox(key="weights").select(names[5]).run()
    assert "](http" not in page.error[0].value


def test_too_many_pairs_get_the_command_line_and_a_target_helps():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 3, (30, 700))).rename(columns="c{}".format)
    page = upload(opened(), csv(frame))
    (error,) = page.error
    assert "244\\,650 pairs" in error.value
    command = "siviz rank mine.csv --format csv --output ranking.csv"
    assert command in [code.value for code in page.code]
    page.selectbox(key="target").select("c3").run()
    assert not page.error
    assert len(ranked(page)) == 699


@pytest.mark.parametrize("kind", ["gzip", "parquet", "plain"])
def test_what_is_too_large_gets_the_command_line_before_it_is_read(kind, monkeypatch):
    monkeypatch.setattr(upload_limits, "LARGEST_CONTENT", 1)
    monkeypatch.setattr(upload_limits, "LARGEST_UPLOAD", 2)
    monkeypatch.setattr(upload_limits, "MOST_CELLS", 100_000)
    monkeypatch.setattr(workspace, "read_table", None)
    if kind == "parquet":
        file = io.BytesIO()
        pd.DataFrame({name: ["a"] * 60_000 for name in "xy"}).to_parquet(file)
        content = file.getvalue()
    else:
        text = b"a,b\n" + b"x,y\n" * 700_000
        content = gzip.compress(text) if kind == "gzip" else text
    with pytest.raises(upload_limits.TooLarge) as caught:
        workspace._read("file", "my data.csv", content, sheet=None)
    assert "up to" in str(caught.value)
    command = "siviz rank 'my data.csv' --format html --output report.html"
    assert caught.value.command == command


def test_no_visitor_sees_what_another_uploaded():
    secret = MINE.rename(columns={"x": "salary of Ms Smith"})
    first, second = opened(), opened()
    upload(first, csv(secret), "secret.csv")
    first.selectbox(key="target").select("salary of Ms Smith").run()
    second.run()
    fresh = opened()
    for page in (second, fresh):
        assert ranked(page) == expected(str(asset("data/penguins.csv")))
        assert b"Smith" not in remembered(page)
        assert b"secret" not in remembered(page)
    assert b"Smith" in remembered(first)
    assert ranked(first) == expected(secret, target="salary of Ms Smith")


WRITTEN: list[object] = []
"""Files that were opened for writing, as long as somebody wants to know."""


@pytest.fixture
def written():
    """The files that are opened for writing during a test, but for compiled code."""

    def heard(event, arguments):
        if event == "open" and watching:
            path, _, flags = arguments
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                WRITTEN.append(path)

    watching = [True]
    sys.addaudithook(heard)  # there is no way to remove it
    WRITTEN.clear()
    yield lambda: [path for path in WRITTEN if "__pycache__" not in str(path)]
    watching.clear()


def test_nothing_is_written_to_disk(tmp_path, written):
    page, book = opened(), FILES["penguins.xlsx"]
    WRITTEN.clear()
    upload(page, csv(MINE), "secret.csv")
    page.selectbox(key="target").select("x").run()
    upload(page, book, "secret.xlsx")
    _, ranking = next(iter(page.session_state["results-ranking"].values()))
    for export in (ranking_csv, ranking_json, ranking_excel, report_html):
        assert export(ranking)
    assert written() == []
    (tmp_path / "seen").write_text("what is written is noticed")
    assert [Path(path).name for path in written()] == ["seen"]


def test_equal_bytes_are_read_and_ranked_once(monkeypatch):
    calls = []

    def counted(*args, **options):
        calls.append(options)
        return siviz.rank_pairs(*args, **options)

    monkeypatch.setattr(workspace, "rank_pairs", counted)
    page = upload(opened(), csv(MINE))
    page.selectbox(key="target").select("x").run()
    page.selectbox(key="target").select(workspace.NONE).run()
    page.text_input(key="search").set_value("y").run()
    assert [set(call) - {"progress"} for call in calls] == [set(), set(), {"target"}]


@pytest.mark.parametrize(
    "name", ["one_pair.py", "disagreements.py", "dependence_map.py"]
)
def test_closer_looks_open_on_the_same_ranking(name):
    page = opened(name)
    assert page.get("vega_lite_chart")
