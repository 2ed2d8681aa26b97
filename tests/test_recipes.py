"""The recipe of a ranking gives that ranking again."""

import io
import shlex

import pandas as pd
import pytest

import siviz
from siviz import cli
from siviz.locations import asset
from siviz.recipes import Settings

PENGUINS = str(asset("data/penguins.csv"))
SETTINGS = [
    Settings(),
    Settings(target="species", bins="fair", null="nominal"),
    Settings(given="sex", bins="width", bin_count=3, missing="state"),
    Settings(
        weights="year",
        rare=20,
        overrides={
            "island": {"kind": "leave out"},
            "body_mass_g": {"kind": "bins", "cut_points": [3500.5, 4200.0]},
        },
    ),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: settings.key())
def test_python_and_command_line_give_the_ranking_of_the_settings(settings, capsys):
    expected = siviz.rank_pairs(PENGUINS, **settings.options()).frame
    space = {}
    exec(settings.python(PENGUINS), space)
    pd.testing.assert_frame_equal(space["ranking"].frame, expected)
    capsys.readouterr()
    words = shlex.split(settings.command(PENGUINS))
    assert words[0] == "siviz"
    assert cli.main([*words[1:], "--format", "csv"]) == 0
    written = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert list(written["first"]) == list(expected["first"])
    assert list(written["second"]) == list(expected["second"])
    pd.testing.assert_series_equal(written["score"], expected["score"], rtol=1e-12)


def test_hostile_names_are_quoted():
    settings = Settings(target="a b; rm -rf '$HOME' \"x\"")
    words = shlex.split(settings.command("my file.csv"))
    assert words == ["siviz", "rank", "my file.csv", "--target", settings.target]
    assert repr(settings.target) in settings.python("x.csv")
