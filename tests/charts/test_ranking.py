"""Charts of a ranking: frames that hold the core's numbers, specs that Vega accepts."""

import json
import re

import altair as alt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siviz import MEASURES, conditional_table, pearson_chi_squared, rank_pairs
from siviz.charts.agreement import agreement_chart, agreement_frame
from siviz.charts.embedding import chart_spec, script_json
from siviz.charts.figure import Figure
from siviz.charts.labels import LONGEST, short_labels
from siviz.charts.pairs import pairs_chart, pairs_frame
from siviz.charts.ranking import ranking_chart, ranking_frame
from siviz.charts.ranks import ranks_chart, ranks_frame
from siviz.charts.table import table_chart, table_frame
from siviz.charts.theme import LOOKS
from siviz.contests import STUDY_MEASURES
from siviz.datasets import load_dataset

HOSTILE = (
    "</script><script>alert(1)</script>",
    "image",
    "title",
    "a.b[0]['c']\"d\\",
    "=1+1",
    "عربي",
    "\u202eoverride\u2069",
    "x" * 10_000,
    "x" * 9_999 + "y",
    "two\nlines\0",
    "${datum.score}",
)


@pytest.fixture(scope="module")
def penguins():
    return rank_pairs(load_dataset("penguins").frame)


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(1)
    base = rng.integers(0, 3, 120)
    values = np.array(["<b>", "https://example.com/x.png", "\u202e"], dtype=object)
    noisy = [np.where(rng.random(120) < 0.6, base, rng.integers(0, 3, 120))]
    noisy += [rng.permutation(noisy[0]) for _ in HOSTILE[1:]]
    columns = zip(HOSTILE, noisy, strict=True)
    return rank_pairs(pd.DataFrame({name: values[code] for name, code in columns}))


def charts(ranking):
    first = next(ranking.tables([0]))
    names = tuple(ranking.frame.loc[0, ["first", "second"]])
    labels = [ranking.table(*names).index, ranking.table(*names).columns]
    cells = table_frame(first, rows=list(labels[0]), columns=list(labels[1]))
    return {
        "ranking": ranking_chart(ranking_frame(ranking, draws=20)),
        "ranks": ranks_chart(ranks_frame(ranking)),
        "pairs": pairs_chart(pairs_frame(ranking)),
        "agreement": agreement_chart(agreement_frame(ranking.disagreements())),
        "table": table_chart(cells, names=names),
    }


def values_of(spec, key):
    """All values under a key anywhere outside the data of a specification."""
    if isinstance(spec, dict):
        for name, part in spec.items():
            if name == key:
                yield part
            elif name != "datasets":
                yield from values_of(part, key)
    elif isinstance(spec, list):
        for part in spec:
            yield from values_of(part, key)


def test_every_measure_that_a_study_compares_has_its_own_look():
    assert set(LOOKS) == set(STUDY_MEASURES)
    assert len(set(LOOKS.values())) == len(LOOKS)


def test_the_theme_leaves_background_and_text_to_the_page():
    with alt.theme.enable("siviz"):
        config = alt.Chart(pd.DataFrame({"a": [1]})).mark_bar().to_dict()["config"]
    assert config["background"] == "transparent"
    assert config["axis"]["labelColor"] == "currentColor"


def test_the_intervals_of_the_chart_are_those_of_the_ranking(penguins):
    frame = ranking_frame(penguins, top=7, draws=30, rng=3)
    expected = penguins.stability(top=7, draws=30, rng=3)
    pd.testing.assert_frame_equal(frame[expected.columns], expected)
    assert frame["pair"].is_unique
    assert frame["log10_q"].tolist() == penguins.frame["log10_q"].tolist()[:7]


def test_ranks_are_those_of_the_frame_measure_by_measure(penguins):
    frame = ranks_frame(penguins, measures=["score", "mi", "nmi"], top=5)
    wide = frame.pivot(index="place", columns="measure", values="rank")
    top = penguins.frame.head(5)
    assert wide["MI"].tolist() == top["rank_mi"].tolist()
    assert wide["normalized MI"].tolist() == top["rank_nmi"].tolist()
    assert wide["Score (SI)"].tolist() == [1, 2, 3, 4, 5]


def test_ranks_by_a_measure_that_was_not_computed_are_refused():
    frame = load_dataset("penguins").frame[["species", "island", "sex"]]
    ranking = rank_pairs(frame, measures=["mi"])
    with pytest.raises(ValueError, match="measures must be among those ranked: mi"):
        ranks_frame(ranking, measures=["nmi"])


def test_the_map_of_pairs_is_symmetric_and_complete(penguins):
    frame = pairs_frame(penguins)
    matrix = frame.pivot(index="first", columns="second", values="score")
    assert len(frame) == 2 * len(penguins.frame)
    np.testing.assert_array_equal(matrix, matrix.T)
    row = penguins.frame.iloc[4]
    assert matrix.loc[row["first"], row["second"]] == row["score"]


def test_columns_that_depend_on_each_other_are_neighbours_in_the_map():
    rng = np.random.default_rng(2)
    blocks = [rng.integers(0, 3, 500) for _ in range(3)]
    columns = {}
    for copy in range(3):
        for number, block in enumerate(blocks):
            noise = rng.integers(0, 3, 500)
            mixed = np.where(rng.random(500) < 0.8, block, noise)
            columns[f"{number} {copy}"] = mixed.astype(str)
    order = pairs_frame(rank_pairs(pd.DataFrame(columns)))["first"].unique()
    together = [name[0] for name in order]
    assert sorted(together[::3]) == ["0", "1", "2"]
    assert together == [block for block in together[::3] for _ in range(3)]


def test_a_map_of_many_columns_shows_those_in_the_strongest_pairs(penguins):
    shown = set(pairs_frame(penguins, most=3)["first"])
    assert shown == {"species", "flipper_length_mm", "island"}


def test_tau_in_the_chart_is_tau_of_the_ranking(penguins):
    found = penguins.disagreements()
    frame = agreement_frame(found).set_index(["one", "other"])["tau"]
    one, other = MEASURES["mi"].label, MEASURES["nmi"].label
    assert frame[one, other] == found.tau.loc["mi", "nmi"]
    assert len(frame) == found.tau.size


def test_squared_pearson_residuals_add_up_to_chi_squared():
    counts = [[30, 10, 3], [10, 30, 8]]
    frame = table_frame(counts)
    assert (frame["residual"] ** 2).sum() == pytest.approx(pearson_chi_squared(counts))
    assert frame["row"].tolist() == ["A1"] * 3 + ["A2"] * 3


def test_strata_are_added_up_with_what_each_expects():
    strata = np.array([[[8, 2], [2, 8]], [[1, 20], [3, 60]]])
    frame = table_frame(conditional_table(np.moveaxis(strata, 0, -1)))
    assert frame["count"].tolist() == strata.sum(axis=0).ravel().tolist()
    expected = sum(s.sum(1)[:, None] * s.sum(0) / s.sum() for s in strata)
    assert frame["expected"].tolist() == pytest.approx(expected.ravel().tolist())


def test_a_table_has_a_colour_scale_that_is_symmetric_about_0():
    spec = chart_spec(table_chart(table_frame([[90, 1], [1, 2]])))
    domain = next(d for d in values_of(spec, "domain") if len(d) == 4)
    assert domain == [-limit for limit in reversed(domain)]
    assert domain[3] >= table_frame([[90, 1], [1, 2]])["residual"].abs().max()


@pytest.mark.parametrize("data", ["penguins", "hostile"])
def test_all_charts_are_valid_and_name_only_their_own_fields(data, request):
    for name, chart in charts(request.getfixturevalue(data)).items():
        spec = chart_spec(chart)
        fields = set(values_of(spec, "field"))
        assert fields, name
        assert all(re.fullmatch(r"[a-z_0-9]+", field) for field in fields)
        for encoding in values_of(spec, "encoding"):
            untyped = [
                key
                for key, c in encoding.items()
                if "type" not in str(c) and set(c) != {"value"}
            ]
            assert set(untyped) <= {"x2", "y2", "opacity", "color", "strokeDash"}, name
        assert spec["description"]
        assert spec["width"] == "container"


def test_no_tooltip_has_a_title_that_vega_takes_for_a_command(hostile):
    for chart in charts(hostile).values():
        for tooltip in values_of(chart_spec(chart), "tooltip"):
            titles = {entry.get("title", entry["field"]) for entry in tooltip}
            assert not titles & {"image", "title"}


def test_labels_are_short_and_tooltips_whole(hostile):
    frame = pairs_frame(hostile)
    assert frame["row"].str.len().max() <= LONGEST + len(" (2)")
    assert frame["row"].nunique() == frame["first"].nunique() == len(HOSTILE)
    assert "x" * 10_000 in set(frame["first"])


@given(st.lists(st.text(max_size=60), unique=True, max_size=20))
def test_different_names_have_different_labels_on_one_line(names):
    labels = short_labels(names, 12)
    assert len(set(labels.values())) == len(names)
    assert all(label.strip() and "\n" not in label for label in labels.values())


def test_names_that_begin_alike_are_told_apart_by_their_ends():
    start = "On a scale from 1 (not at all) to 5 (very), how happy are you with "
    labels = short_labels([f"{start}{end}" for end in ("the bus?", "your work?")])
    assert [label[-10:] for label in labels.values()] == ["h the bus?", "your work?"]
    assert {len(label) for label in labels.values()} <= {LONGEST - 1, LONGEST}


def test_a_map_of_many_columns_is_svg_whose_text_has_the_colour_of_the_page():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (50, 60))).add_prefix("q")
    figure = Figure.of_chart(pairs_chart(pairs_frame(rank_pairs(frame))), "", "")
    assert figure.spec["usermeta"]["embedOptions"]["renderer"] == "svg"


@given(st.text())
def test_json_for_a_script_element_is_the_same_json_without_markup(text):
    written = script_json([text])
    assert json.loads(written) == [text]
    assert written.isascii()
    assert not set("<>&") & set(written)


def test_specs_do_not_depend_on_the_theme_and_transformer_of_the_caller(penguins):
    chart = ranks_chart(ranks_frame(penguins))
    plain = json.dumps(chart_spec(chart)["config"], sort_keys=True)
    with alt.theme.enable("dark"), alt.data_transformers.enable("default", max_rows=1):
        spec = chart_spec(chart)
    assert json.dumps(spec["config"], sort_keys=True) == plain
    assert spec["datasets"]
