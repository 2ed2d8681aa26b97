"""Rankings as files: every number comes back, and no name becomes a formula."""

import csv
import json
from dataclasses import replace
from io import BytesIO, StringIO

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siviz import rank_pairs
from siviz.columns import column_choices
from siviz.datasets import load_dataset
from siviz.exports import ranking_csv, ranking_excel, ranking_json
from siviz.workbooks import workbook_bytes
from siviz.written_columns import written

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\ttab", "\rreturn", "\nline", "＝1")
STARTS = tuple(name[0] for name in FORMULAS)
OTHERS = (
    "'quoted",
    "plain",
    'a "b", c',
    "#N/A",
    "two\r\nlines",
    "عربي",
    "</script>",
    "007",
    "x" * 10_000,
)


@pytest.fixture(scope="module")
def penguins():
    return rank_pairs(load_dataset("penguins").frame)


def renamed(ranking, names):
    """A ranking with names that a reader of files would have mended."""
    pairs = {name: ranking.frame[name].map(names) for name in ("first", "second")}
    columns = [replace(column, name=names[column.name]) for column in ranking.columns]
    prepared = replace(ranking.prepared, columns=tuple(columns))
    return replace(ranking, frame=ranking.frame.assign(**pairs), prepared=prepared)


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(4)
    names = (*FORMULAS, *OTHERS)
    plain = [f"column {place}" for place in range(len(names))]
    frame = pd.DataFrame({name: rng.choice(list("abc"), 60) for name in plain})
    ranking = rank_pairs(frame, measures=["mi", "si_calibrated"])
    return renamed(ranking, dict(zip(plain, names, strict=True)))


@pytest.fixture(scope="module")
def partly_empty():
    half = [None] * 10
    frame = pd.DataFrame(
        {"a": [*"xy" * 5, *half], "b": [*half, *"uv" * 5], "c": list("ppqq") * 5}
    )
    return rank_pairs(frame)


def restored(text):
    """A name of a CSV file without the apostrophe that defuses it."""
    return text.removeprefix("'")


def read_csv(text):
    rows = csv.DictReader(StringIO(text, newline=""))
    texts = ("first", "second", "note")
    return pd.DataFrame(
        {name: restored(v) if name in texts else float(v) for name, v in row.items()}
        for row in rows
    )


@pytest.mark.parametrize("data", ["penguins", "hostile"])
def test_a_csv_file_gives_back_every_name_and_every_number(data, request):
    ranking = request.getfixturevalue(data)
    found = read_csv(ranking_csv(ranking))
    assert list(found.columns) == list(ranking.frame.columns)
    for name in ranking.frame.columns:
        assert found[name].tolist() == ranking.frame[name].tolist(), name


def test_no_text_of_a_csv_file_begins_like_a_formula(hostile):
    rows = list(csv.reader(StringIO(ranking_csv(hostile), newline="")))
    names = [name for row in rows[1:] for name in row[1:3]]
    assert not [name for name in names if name.startswith(STARTS)]
    assert {restored(name) for name in names} == {*FORMULAS, *OTHERS}


def test_numbers_of_a_csv_file_are_not_quoted_and_may_be_negative(penguins):
    line = ranking_csv(penguins).splitlines()[1]
    assert line.startswith('1,"species","flipper_length_mm",17.27')
    assert ",-78.2" in line


def test_what_is_undefined_is_empty_in_csv(partly_empty):
    rows = list(csv.DictReader(StringIO(ranking_csv(partly_empty))))
    assert rows[-1]["score"] == rows[-1]["rank"] == rows[-1]["rank_mi"] == ""
    assert rows[-1]["rows"] == "0"


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


@pytest.mark.parametrize("data", ["penguins", "hostile", "partly_empty"])
def test_json_is_strict_and_gives_back_every_row(data, request):
    ranking = request.getfixturevalue(data)
    content = json.loads(ranking_json(ranking), parse_constant=refuse)
    frame = ranking.frame
    assert [list(row) for row in content["pairs"]] == [list(frame.columns)] * len(frame)
    for name in frame.columns:
        expected = [None if pd.isna(value) else value for value in frame[name]]
        assert [row[name] for row in content["pairs"]] == expected, name


def test_json_says_how_the_ranking_was_made():
    data = load_dataset("titanic")
    options = {"target": "survived", "given": "sex", "null": "nominal"}
    ranking = rank_pairs(data.frame, weights=data.weights, **options)
    content = json.loads(ranking_json(ranking))
    assert content["settings"] == {
        **options,
        "rows": 2201,
        "centre": "mean",
        "measures": list(ranking.measures),
    }
    assert content["notes"] == list(ranking.notes)
    assert [column["name"] for column in content["columns"]] == [
        *("class", "sex", "age", "survived"),
    ]
    assert content["columns"][0]["states"] == list(ranking.columns[0].states)


def test_the_choices_in_json_make_the_same_columns_again(penguins):
    columns = json.loads(ranking_json(penguins))["columns"]
    choices = {column["name"]: column["choice"] for column in columns}
    assert choices == column_choices(penguins.columns)
    again = rank_pairs(load_dataset("penguins").frame, overrides=choices)
    pd.testing.assert_frame_equal(again.frame, penguins.frame)


def line_feeds(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


def workbook(ranking):
    return openpyxl.load_workbook(BytesIO(ranking_excel(ranking)))


@pytest.mark.parametrize("data", ["penguins", "hostile", "partly_empty"])
def test_a_workbook_gives_back_every_name_and_every_number(data, request):
    ranking = request.getfixturevalue(data)
    head, *rows = workbook(ranking)["ranking"].iter_rows(values_only=True)
    frame = ranking.frame
    assert list(head) == list(frame.columns)
    for row, (_, expected) in zip(rows, frame.iterrows(), strict=True):
        wanted = [None if pd.isna(v) or v == "" else v for v in expected]
        texts = [line_feeds(v) for v in wanted if isinstance(v, str)]
        assert [v for v in row if isinstance(v, str)] == texts
        assert [v is None for v in row] == [v is None for v in wanted]
        pairs = zip(row, wanted, strict=True)
        numbers = [(v, w) for v, w in pairs if isinstance(w, int | float)]
        assert [v for v, _ in numbers] == [w for _, w in numbers]


def test_no_cell_of_a_workbook_is_a_formula_or_an_error(hostile):
    cells = [c for sheet in workbook(hostile) for row in sheet.rows for c in row]
    assert {cell.data_type for cell in cells} <= {"s", "inlineStr", "n"}
    formulas = [cell for cell in cells if cell.value == "=1+1"]
    assert formulas
    assert all(cell.quotePrefix for cell in formulas)


def test_a_workbook_has_three_sheets_with_frozen_headers(penguins):
    book = workbook(penguins)
    assert book.sheetnames == ["ranking", "columns", "notes"]
    assert {sheet.freeze_panes for sheet in book} == {"A2"}
    assert all(cell.font.bold for cell in book["ranking"][1])
    report = penguins.column_report()
    rows = list(book["columns"].iter_rows(min_row=2, values_only=True))
    assert rows == [tuple(row) for row in report.itertuples(index=False)]
    notes = [row[0] for row in book["notes"].iter_rows(min_row=2, values_only=True)]
    assert notes == list(penguins.notes)


def test_columns_of_a_workbook_are_wide_enough_for_names_but_not_endless(hostile):
    widths = workbook(hostile)["ranking"].column_dimensions
    assert widths["A"].width == 8
    assert widths["C"].width == 60


def test_what_excel_cannot_hold_is_replaced_and_noted():
    names = ["bell\a", "y" * 40_000]
    frame = pd.DataFrame({name: list("aabb") * 5 for name in names})
    book = workbook(rank_pairs(frame))
    row = next(book["ranking"].iter_rows(min_row=2, values_only=True))
    assert row[1] == "bell\ufffd"
    assert len(row[2]) == 32_767
    notes = [row[0] for row in book["notes"].iter_rows(values_only=True)]
    assert notes[-1].startswith("Names of columns that were changed for Excel: 2.")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_numbers_are_written_with_full_precision_and_as_json(numbers):
    texts = written(pd.Series(numbers, dtype=float), str).to_pylist()
    assert [float(text) for text in texts] == numbers
    assert [json.loads(text) for text in texts] == numbers


def test_infinite_numbers_are_text_in_a_workbook_and_refused_in_json(penguins):
    frame = penguins.frame.assign(mi=np.inf)
    book = openpyxl.load_workbook(BytesIO(workbook_bytes({"ranking": frame})))
    column = list(frame.columns).index("mi")
    cells = [row[column] for row in book["ranking"].iter_rows(values_only=True)]
    assert cells == ["mi", *["inf"] * len(frame)]
    with pytest.raises(ValueError, match="JSON has no infinite numbers"):
        ranking_json(replace(penguins, frame=frame))


@settings(max_examples=25)
@given(st.lists(st.text(max_size=12), min_size=3, max_size=3, unique=True))
def test_any_names_survive_csv_and_json(names):
    frame = pd.DataFrame({name: list("aabb") * 5 for name in "xyz"})
    ranking = rank_pairs(frame, measures=["mi"])
    ranking = renamed(ranking, dict(zip("xyz", names, strict=True)))
    expected = ranking.frame[["first", "second"]].to_numpy().tolist()
    found = read_csv(ranking_csv(ranking))[["first", "second"]].to_numpy().tolist()
    assert found == expected
    pairs = json.loads(ranking_json(ranking))["pairs"]
    assert [[row["first"], row["second"]] for row in pairs] == expected
