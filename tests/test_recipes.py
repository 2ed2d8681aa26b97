"""The recipe of a ranking gives that ranking again."""

import io
import json
import shlex
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import siviz
from siviz import cli
from siviz.columns.cut_points import DEFAULT_BINS
from siviz.datasets import load_dataset
from siviz.locations import asset
from siviz.readers import read_table
from siviz.recipes import Recipe, Settings

PENGUINS = str(asset("data/penguins.csv"))
SETTINGS = [
    Settings(),
    Settings(target="species", bins="fair", null="nominal"),
    Settings(target="body_mass_g", bins="fair"),
    Settings(given="sex", bins="width", bin_count=3, missing="state"),
    Settings(target="sex", given="species", bin_count=8, null="effective"),
    Settings(
        weights="year",
        rare=20,
        overrides={
            "island": {"kind": "leave out"},
            "body_mass_g": {"kind": "bins", "cut_points": [3500.5, 4200.0]},
            "bill_depth_mm": {"kind": "bins", "bins": 7, "method": "width"},
            "flipper_length_mm": {"kind": "states", "rare": 4},
        },
    ),
    Settings(
        target="species",
        bins="fair",
        overrides={"bill_length_mm": {"kind": "bins", "bins": 7}},
    ),
]


def by_python(recipe, folder):
    """The frame that the lines of Python give in a fresh interpreter."""
    save = "ranking.frame.to_pickle('found.pickle')"
    lines = f"{recipe.python()}\n{save}"
    done = subprocess.run(
        [sys.executable, "-c", lines], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return pd.read_pickle(folder / "found.pickle")


def by_command(recipe, capsys):
    """The pairs that the command line writes as JSON."""
    words = shlex.split(recipe.command())
    assert words[0] == "siviz"
    capsys.readouterr()
    assert cli.main([*words[1:], "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)["pairs"]


def same_numbers(pairs, frame):
    wanted = frame.astype(object).where(frame.notna(), None)
    return pairs == wanted.to_dict("records")


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: settings.key())
def test_python_and_command_line_give_the_ranking_of_the_settings(
    settings, capsys, tmp_path
):
    recipe = Recipe(settings, PENGUINS)
    expected = siviz.rank_pairs(PENGUINS, **settings.options()).frame
    pd.testing.assert_frame_equal(by_python(recipe, tmp_path), expected)
    assert same_numbers(by_command(recipe, capsys), expected)


def test_a_number_of_bins_that_the_reader_chose_stays_beside_fair_bins():
    ranking = siviz.rank_pairs(PENGUINS, **SETTINGS[-1].options())
    states = {column.name: len(column.states) for column in ranking.columns}
    assert states["bill_length_mm"] == 7
    free = siviz.rank_pairs(PENGUINS, target="species", bins="fair")
    found = {column.name: len(column.states) for column in free.columns}
    assert found["bill_length_mm"] != 7
    assert {**states, "bill_length_mm": 0} == {**found, "bill_length_mm": 0}


@pytest.mark.parametrize("name", ["penguins", "titanic"])
def test_an_example_is_named_as_such(name, capsys, tmp_path):
    data = load_dataset(name)
    recipe = Recipe(Settings(weights=data.weights), f"example:{name}")
    expected = siviz.rank_pairs(data.frame, weights=data.weights).frame
    pd.testing.assert_frame_equal(by_python(recipe, tmp_path), expected)
    assert same_numbers(by_command(recipe, capsys), expected)


def test_an_example_that_does_not_exist_is_one_sentence(capsys):
    assert cli.main(["rank", "example:unicorns"]) == 1
    out, told = capsys.readouterr()
    assert out == ""
    assert told.count("\n") == 1
    assert "'penguins'" in told


def test_a_sheet_of_a_workbook_is_named(capsys, tmp_path):
    path = tmp_path / "book.xlsx"
    frame = pd.read_csv(PENGUINS)
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"cover": ["page"]}).to_excel(book, sheet_name="a", index=False)
        frame.to_excel(book, sheet_name="the data", index=False)
    recipe = Recipe(Settings(target="sex"), str(path), "the data")
    reading = read_table(path, sheet="the data")
    expected = siviz.rank_pairs(reading, target="sex").frame
    pd.testing.assert_frame_equal(by_python(recipe, tmp_path), expected)
    assert same_numbers(by_command(recipe, capsys), expected)


HOSTILE = [
    "a b; rm -rf '$HOME' \"x\"",
    "-minus",
    "--null",
    "=CMD|'/C calc'!A0",
    "`whoami` $(id) \\",
    "{braces}",
    "עברית",
    "😀",
    "x" * 10_000,
]


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: name[:12])
def test_hostile_names_of_columns_and_files_come_through(
    name, capsys, tmp_path, monkeypatch
):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({key: rng.choice(list("abc"), 60) for key in (name, "y", "z")})
    monkeypatch.chdir(tmp_path)
    file = "-o my 'file'.csv"
    frame.to_csv(file, index=False)
    settings = Settings(target=name, overrides={name: {"kind": "states", "rare": 2}})
    recipe = Recipe(settings, file)
    expected = siviz.rank_pairs(file, **settings.options()).frame
    pd.testing.assert_frame_equal(by_python(recipe, tmp_path), expected)
    assert same_numbers(by_command(recipe, capsys), expected)


def test_fair_bins_have_no_number_that_a_recipe_could_lose():
    with pytest.raises(ValueError, match="leave bin_count out"):
        Settings(target="y", bins="fair", bin_count=DEFAULT_BINS + 1)


def test_the_help_tells_how_single_columns_are_chosen(capsys):
    with pytest.raises(SystemExit):
        cli.main(["rank", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    written = told[told.index("'{") + 1 : told.index("}}'") + 2]
    choices = json.loads(written)
    assert {choice["kind"] for choice in choices.values()} == {
        *("bins", "states", "leave out"),
    }
    frame = pd.DataFrame(
        {
            "age": [*range(60)],
            "city": [*"aab"] * 20,
            "id": [*"ab"] * 30,
            "y": [*"uuvv"] * 15,
        }
    )
    kinds = {c.name: c.kind for c in siviz.rank_pairs(frame, overrides=choices).columns}
    assert kinds == {"age": "bins", "city": "states", "id": "left out", "y": "states"}


def test_csv_of_the_command_line_has_the_same_scores(capsys):
    words = shlex.split(Recipe(SETTINGS[3], PENGUINS).command())
    assert cli.main([*words[1:], "--format", "csv"]) == 0
    written = pd.read_csv(io.StringIO(capsys.readouterr().out))
    expected = siviz.rank_pairs(PENGUINS, **SETTINGS[3].options()).frame
    pd.testing.assert_series_equal(written["score"], expected["score"], rtol=1e-12)
