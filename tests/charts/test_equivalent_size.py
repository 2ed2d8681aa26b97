"""Figure 4 and the smoothed table: frames, charts and sentences."""

import numpy as np
import pandas as pd
import pytest

from siviz.charts import equivalent_size as charts
from siviz.charts import smoothed_table as tables
from siviz.charts.equivalent_size_handout import (
    equivalent_size_handout,
    smoothing_frame,
)
from siviz.charts.frame import sized_spec
from siviz.charts.prose import markdown_html
from siviz.datasets import load_dataset, sewell_shah_network
from siviz.discrete_data import DiscreteData
from siviz.labelled_tables import LabelledTable, labelled_table, typed_table
from siviz.size_studies import SizeStudy, network_study, table_study

DENSE = [[20, 5, 2], [6, 15, 8], [1, 7, 19]]
WEAK = [[12, 8], [9, 11]]


@pytest.fixture(scope="module")
def paper() -> SizeStudy:
    bundled = load_dataset("sewell_shah")
    data = DiscreteData.from_frame(bundled.frame, weights=bundled.weights)
    return network_study(data, sewell_shah_network())


def typed(counts) -> SizeStudy:
    return table_study(typed_table(counts))


def test_the_two_sides_cross_at_the_solution(paper: SizeStudy) -> None:
    constraint = paper.constraints["nominal"]
    reach = charts.axis_reach(paper, "nominal")
    sides = charts.sides_frame(constraint, reach).pivot(
        index="size", columns="side", values="nats"
    )
    left, right = sides.to_numpy().T
    crossing = np.interp(0, (right - left), sides.index)
    assert crossing == pytest.approx(constraint.exact, rel=1e-3)
    first = charts.meeting_frame(constraint).iloc[0]
    assert (first["size"], first["nats"]) == (constraint.exact, constraint.right)
    assert first["label"] == "Eq. 9: 66.54"


def test_without_a_crossing_the_picture_has_the_limit_of_the_left_side() -> None:
    study = typed(WEAK)
    constraint = study.constraints["nominal"]
    frame = charts.sides_frame(constraint, charts.axis_reach(study, "nominal"))
    limit = frame[frame["side"] == "what the left side tends to"]["nats"]
    assert set(limit) == {constraint.prior_mean}
    assert list(charts.meeting_frame(constraint)["equation"]) == ["Eq. 10"]


def test_scores_are_scaled_to_their_own_range_and_peak_at_their_best(
    paper: SizeStudy,
) -> None:
    frame = charts.scores_frame(paper, charts.axis_reach(paper, "nominal"))
    best = charts.best_frame(paper).set_index("method")["size"]
    for method, rows in frame.groupby("method"):
        assert (rows["score"].min(), rows["score"].max()) == (0, 1)
        assert (rows["below"] >= 0).all()
        peak = rows.loc[rows["score"].idxmax(), "size"]
        assert peak == pytest.approx(best[method], rel=0.06)


def test_methods_stand_beside_the_papers_numbers(paper: SizeStudy) -> None:
    frame = charts.methods_frame(paper, "Sewell and Shah").set_index("method")
    assert list(frame["d by all cells"][:3]) == ["66.54", "66.12", "69.22"]
    assert list(frame["the paper"][:3]) == ["≈ 67", "≈ 66.1", "≈ 69"]
    own = charts.methods_frame(typed(WEAK), "Typed table")
    assert "the paper" not in own
    assert own["d by all cells"][0] == "none"


def test_sentences_say_whether_and_where_the_sides_meet(paper: SizeStudy) -> None:
    assert "**N′ = 66.54** (Eq. 9)" in charts.sides_sentence(paper, "nominal")
    assert "one virtual observation for every 155 real ones" in charts.sides_sentence(
        paper, "nominal"
    )
    even = typed([[100, 90], [90, 100]])
    times = even.constraints["nominal"].exact / 380
    assert f"{times:.0f} virtual ones for every real one" in charts.sides_sentence(
        even, "nominal"
    )
    told = charts.sides_sentence(typed(WEAK), "nominal")
    assert "do not meet" in told
    assert typed(WEAK).constraints["nominal"].reason in told
    assert "no best N′" in charts.scores_sentence(typed(WEAK), 10)
    assert "right of this picture" in charts.scores_sentence(paper, 70)


def test_axes_stay_while_the_slider_moves(paper: SizeStudy) -> None:
    reach = charts.axis_reach(paper, "nominal")
    constraint = paper.constraints["nominal"]
    table = paper.tables["college_plans"]

    def specs(size):
        chosen = charts.chosen_frame(size)
        sides = charts.sides_frame(constraint, reach)
        meeting = charts.meeting_frame(constraint)
        scores, best = charts.scores_frame(paper, reach), charts.best_frame(paper)
        cells = tables.smoothed_table_frame(table, size)
        form = tables.map_form(table)
        drawn = [
            charts.sides_chart(
                sides, meeting, chosen, **charts.sides_options(paper, "nominal")
            ),
            charts.scores_chart(scores, best, chosen, reach=reach),
            tables.smoothed_table_chart(cells, field="smoothed", form=form),
        ]
        return [without_data(sized_spec(chart)) for chart in drawn]

    assert specs(0.0) == specs(reach)


def without_data(spec):
    """The specification without its data and without the names of its data."""
    if isinstance(spec, dict):
        kept = {k: v for k, v in spec.items() if k not in ("datasets", "data")}
        return {key: without_data(value) for key, value in kept.items()}
    return [without_data(part) for part in spec] if isinstance(spec, list) else spec


def test_the_drawing_of_a_table_is_nearly_square() -> None:
    assert tables.split_axes((3, 5)) == 1
    assert tables.split_axes((2, 4, 4, 2, 2)) == 2
    assert tables.split_axes((4,)) == 0


def test_cells_keep_their_counts_and_both_probabilities() -> None:
    table = typed_table(DENSE)
    frame = tables.smoothed_table_frame(table, 6.9)
    np.testing.assert_array_equal(frame["count"], np.ravel(DENSE))
    np.testing.assert_allclose(frame["raw"], np.ravel(DENSE) / 83)
    np.testing.assert_allclose(
        frame["smoothed"], (np.ravel(DENSE) + 6.9 / 9) / (83 + 6.9)
    )
    assert list(frame["row"][:3]) == ["A1"] * 3
    assert list(frame["column"][:3]) == ["B1", "B2", "B3"]


def test_the_sentence_names_the_estimate_that_moves_most() -> None:
    table = typed_table([[4, 0], [0, 4]])
    told = tables.smoothed_table_sentence(table, 8)
    assert told.startswith("2 of 4 cells were never observed.")
    assert "none is impossible" in told
    plain = told.translate({0x2068: "", 0x2069: ""})
    assert "A = A1, B = B1: from 0.5 to 0.375" in plain
    assert tables.smoothed_table_sentence(table, 0).endswith("smooths nothing.")
    even = tables.smoothed_table_sentence(typed_table([[5, 5], [5, 5]]), 3)
    assert even.endswith("no estimate moves.")


def test_names_of_the_data_are_told_as_they_are() -> None:
    states = ("*yes*", "<b>no</b>"), ("[a](http://b)", "`c`")
    table = LabelledTable(("a*b*c", "$x$"), states, np.array([[4.0, 0], [0, 1]]))
    told = markdown_html(tables.smoothed_table_sentence(table, 8))
    plain = told.translate({0x2068: "", 0x2069: ""})
    assert "a*b*c = *yes*, $x$ = [a](http://b): from" in plain
    heading = markdown_html(tables.table_heading(table))
    assert heading.translate({0x2068: "", 0x2069: ""}).endswith("a*b*c, $x$</p>")


def test_the_browser_smooths_as_the_core_does(paper: SizeStudy) -> None:
    """The fraction of the handout's expression, for joint and conditional tables."""
    never_met = pd.DataFrame({"a": list("xxyy"), "b": list("uuvv"), "c": list("pqpq")})
    for table in (
        typed_table([[4, 0, 0], [0, 4, 0]]),
        paper.tables["college_plans"],
        labelled_table(DiscreteData.from_frame(never_met), "abc", conditional=True),
    ):
        frame = smoothing_frame(table)
        for size in (0.5, 66.5):
            over = frame["total"] + size * frame["total_share"]
            smoothed = (frame["count"] + size * frame["share"]) / over
            np.testing.assert_allclose(smoothed, table.probabilities(size).ravel())


@pytest.mark.parametrize("counts", [DENSE, WEAK])
def test_the_handout_has_a_slider_for_the_virtual_observations(counts) -> None:
    table = typed_table(counts)
    study = table_study(table)
    figures = equivalent_size_handout(study, "nominal", table, 2.0)
    parameters = [
        parameter
        for figure in figures
        for parameter in sized_spec(figure.chart, "container")["params"]
    ]
    assert [parameter["name"] for parameter in parameters] == ["chosen"] * 3
    slider, *followers = parameters
    assert not any("bind" in follower for follower in followers)
    assert slider["value"] == 2.0
    assert slider["bind"]["max"] == charts.axis_reach(study, "nominal")
