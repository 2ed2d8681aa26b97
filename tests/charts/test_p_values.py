"""p-values as N grows, what is printed, ties, and Fisher's approximation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from siviz import likelihood_ratio, log_p_value, mutual_information
from siviz.charts import fisher, p_values
from siviz.charts.frame import picture, sized_spec

TABLE = ((8, 2, 1), (2, 8, 1), (1, 1, 8))
LARGE = [[3000, 200, 100], [200, 3000, 150], [100, 150, 3000]]


def test_copies_keep_the_information_and_multiply_the_statistic():
    grown = p_values.copies_of(TABLE, [1, 7, 1000])
    assert_allclose(mutual_information(grown), mutual_information(TABLE))
    assert_allclose(
        likelihood_ratio(grown), likelihood_ratio(TABLE) * np.array([1, 7, 1000])
    )


def test_log_p_has_a_value_for_every_sample_size_and_the_others_end():
    frame = p_values.p_values_frame(TABLE)
    assert frame.loc[frame["method"] == "log p", "places"].notna().all()
    ends = p_values.last_sizes(frame)
    assert set(ends) == {"1 − cdf", "survival function"}
    for method, limit in (("1 − cdf", 17), ("survival function", 325)):
        rows = frame[(frame["method"] == method)].dropna()
        assert limit * 0.7 < rows["places"].max() < limit
        exact = frame[(frame["method"] == "log p") & (frame["N"] > ends[method])]
        assert exact["places"].min() > limit * 0.85


def test_all_methods_agree_while_p_is_moderate():
    values = p_values.log10_p_values(TABLE)
    assert_allclose(values["log p"], values["survival function"], rtol=1e-10)
    assert_allclose(values["log p"], values["1 − cdf"], rtol=1e-8)


def test_fishers_normal_has_twice_the_zeros_far_out():
    values = p_values.log10_p_values(p_values.copies_of(TABLE, 10**8))
    assert_allclose(values["Fisher's normal"] / values["log p"], 2, rtol=1e-3)


def test_the_large_table_of_the_paper_check_prints_zero_but_for_log_p():
    printed = p_values.printed_frame(LARGE).set_index("tool")["prints"]
    assert printed.to_dict() == {
        "1 − cdf, as in 2006": "0.0",
        "R's tests": "< 2.2e-16",
        "scipy chi2.sf": "0.0",
        "scipy chi2.logsf": "-inf",
        "scipy chi2_contingency": "0.0",
        "siviz log_p_value": "9.47 × 10⁻³¹⁵⁴",
    }


def test_a_moderate_table_is_printed_alike_by_all():
    counts = [[12, 8], [8, 12]]
    printed = p_values.printed_frame(counts).set_index("tool")["prints"]
    p = float(np.exp(log_p_value(counts)))
    for tool in ("1 − cdf, as in 2006", "scipy chi2.sf", "scipy chi2_contingency"):
        assert_allclose(float(printed[tool]), p, rtol=1e-9)
    assert_allclose(float(printed["scipy chi2.logsf"]), np.log(p), rtol=1e-9)
    assert float(printed["R's tests"]) == pytest.approx(p, rel=1e-3)


@pytest.mark.parametrize(
    "counts",
    [[[5, 0, 0], [0, 0, 0], [0, 0, 0]], [[3, 4, 0], [0, 0, 0]], [[1, 1], [1, 1]]],
)
def test_tables_without_dependence_have_p_1_everywhere(counts):
    printed = p_values.printed_frame(counts)["prints"]
    assert [float(value) for value in printed] == [1, 1, 1, 0, 1, 1]
    assert "p = 1" in p_values.p_values_sentence(p_values.p_values_frame(counts))
    tie = p_values.tie_frame(counts, p_values.weaker_rival(counts))
    assert "nothing to rank" in p_values.tie_sentence(tie)


def test_a_rival_half_way_to_independence_is_weaker_with_nearly_the_same_margins():
    table = p_values.copies_of(TABLE, 300)
    rival = p_values.weaker_rival(table)
    assert (rival == np.floor(rival)).all()
    assert abs(rival.sum() - 9600) <= 4.5
    assert mutual_information(rival) < mutual_information(table) / 2


def test_tables_that_tie_at_0_are_told_apart_by_log_p_and_si():
    table = p_values.copies_of(TABLE, 300)
    tie = p_values.tie_frame(table, p_values.weaker_rival(table))
    first = tie.set_index("measure")["ranked first"]
    assert list(first) == ["tie", "tie", "table", "table", "table"]
    assert "p by 1 − cdf and p by survival function" in p_values.tie_sentence(tie)


def test_a_table_that_is_0_at_once_is_said_to_be():
    told = p_values.p_values_sentence(p_values.p_values_frame([[9000, 0], [0, 9000]]))
    assert "**1 − cdf** gives p = 0 from the first copy on" in told
    assert "**survival function** gives p = 0 from the first copy on" in told
    assert "log p goes on" in told


def test_one_copy_is_no_tie():
    tie = p_values.tie_frame(TABLE, p_values.weaker_rival(TABLE))
    assert "tie" not in set(tie["ranked first"])


def test_crosses_stand_at_the_ends():
    frame = p_values.p_values_frame(TABLE)
    figure = p_values.p_values_figure(frame)
    ends = figure.spec["datasets"]["ends"]
    assert dict(zip(ends["method"], ends["N"], strict=True)) == p_values.last_sizes(
        frame
    )
    crosses = figure.spec["layer"][3]
    assert crosses["data"] == {"name": "ends"}
    assert crosses["mark"]["shape"] == "cross"


@pytest.mark.parametrize("counts", [[[1, 0], [0, 0]], [[10_000] * 3] * 3, TABLE])
def test_charts_are_drawn_for_extreme_tables(counts):
    frame = p_values.p_values_frame(counts)
    figure = p_values.at_size(p_values.p_values_figure(frame), 1234.0)
    assert b"N = 1,234" in picture(figure.chart, "svg")


@pytest.mark.parametrize("dof", [1, 2, 3, 20, 1000])
def test_exact_densities_and_distributions_belong_together(dof):
    frame = fisher.fisher_frame(dof, points=2001)
    for _, curve in frame.groupby("curve"):
        risen = np.trapezoid(curve["density"], curve["x"])
        expected = curve["cdf"].iloc[-1] - curve["cdf"].iloc[0]
        assert_allclose(risen, expected, atol=2e-3)


def test_the_kolmogorov_distance_agrees_with_a_sample():
    sample = np.sqrt(stats.chi2.rvs(3, size=200_000, random_state=1)) - np.sqrt(3)
    measured = stats.kstest(sample, stats.norm(scale=np.sqrt(0.5)).cdf).statistic
    assert_allclose(fisher.kolmogorov_distance(3, "√G − √d"), measured, atol=0.004)


def test_fishers_half_helps_for_every_d_and_the_distance_falls_with_d():
    frame = fisher.distance_frame([1, 2, 3, 5, 10, 30, 100, 1000])
    by_centre = frame.pivot(index="d", columns="curve", values="distance")
    plain, half = by_centre["√G − √d"], by_centre["√G − √(d − ½)"]
    assert (half < plain).all()
    assert (np.diff(plain) < 0).all()
    assert (np.diff(half) < 0).all()


def test_the_handout_offers_every_d_with_its_own_curves():
    spec = sized_spec(fisher.fisher_handout(3, "cdf").chart)
    (slider,) = [p for p in spec["params"] if "bind" in p]
    assert (slider["value"], slider["bind"]["max"]) == (3, fisher.MOST)
    rows = [row for data in spec["datasets"].values() for row in data]
    assert {row["d"] for row in rows} == set(range(1, fisher.MOST + 1))
    kept = [layer["transform"] for layer in spec["layer"]]
    assert all({"filter": "datum.d == dof"} in steps for steps in kept)
    assert len(kept) == 3
