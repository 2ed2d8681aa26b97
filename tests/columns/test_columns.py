"""Columns become states: decisions and codes for frames, chunks and weighted rows."""

import datetime as dt
import json
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import siviz
from siviz.columns import (
    ColumnChoice,
    column_choices,
    decide_columns,
    encode_columns,
    report_columns,
    summarize_columns,
)
from siviz.columns import summaries as limits
from siviz.columns.cut_points import equal_frequency_cuts
from siviz.columns.judgement import FEW_VALUES

unhurried = settings(deadline=None, max_examples=40)


def decide(frame, *, weights=None, **options):
    return decide_columns(summarize_columns(frame, weights=weights), **options)


def decide_one(values, **options):
    (column,) = decide(pd.DataFrame({"x": values}), **options)
    return column


def encode_one(values, **options):
    frame = pd.DataFrame({"x": values})
    columns = decide(frame, **options)
    return columns[0], encode_columns(frame, columns)["x"]


@st.composite
def frames(draw, min_rows=1):
    """Frames with text, whole numbers, fractions, dates and truth values."""
    rows = draw(st.integers(min_rows, 40))
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 400, rows).astype("timedelta64[D]")
    frame = pd.DataFrame(
        {
            "text": rng.choice(["b", "a", "c c", "10"], rows),
            "few": rng.integers(0, 4, rows),
            "many": rng.integers(-50, 50, rows),
            "fraction": rng.normal(size=rows).round(draw(st.integers(0, 3))),
            "day": np.datetime64("2020-01-01", "us") + days,
            "truth": rng.random(rows) < 0.3,
            "name": [f"person {i}" for i in range(rows)],
        }
    )
    frame["fraction"] = frame["fraction"].mask(rng.random(rows) < 0.2)
    frame["text"] = frame["text"].mask(rng.random(rows) < 0.2).astype("category")
    frame["day"] = frame["day"].mask(rng.random(rows) < 0.2)
    return frame


options = st.fixed_dictionaries(
    {
        "bins": st.sampled_from(["frequency", "width"]),
        "bin_count": st.integers(2, 6),
        "missing": st.sampled_from(["pairwise", "state"]),
        "rare": st.sampled_from([None, 3]),
    }
)


class TestInvariances:
    @unhurried
    @given(frames(), options, st.integers(0, 99))
    def test_the_order_of_the_rows_changes_nothing(self, frame, how, seed):
        order = np.random.default_rng(seed).permutation(len(frame))
        shuffled = frame.iloc[order]
        columns = decide(frame, **how)
        assert decide(shuffled, **how) == columns
        before, after = (
            encode_columns(frame, columns),
            encode_columns(shuffled, columns),
        )
        for one, other in zip(before.arrays, after.arrays, strict=True):
            np.testing.assert_array_equal(one[order], other)

    @unhurried
    @given(frames(), options, st.lists(st.integers(0, 40), max_size=4))
    def test_chunks_add_up_to_the_whole(self, frame, how, ends):
        edges = [0, *sorted(min(end, len(frame)) for end in ends), len(frame)]
        chunks = [frame.iloc[a:b] for a, b in pairwise(edges)]
        first, *rest = [summarize_columns(chunk) for chunk in chunks]
        columns = decide_columns(sum(rest, start=first), **how)
        assert columns == decide(frame, **how)
        whole = encode_columns(frame, columns)
        parts = [encode_columns(chunk, columns) for chunk in chunks]
        for name in whole.names:
            joined = np.concatenate([part[name] for part in parts])
            np.testing.assert_array_equal(joined, whole[name])

    @unhurried
    @given(frames(), options, st.integers(0, 99))
    def test_weights_are_repeated_rows(self, frame, how, seed):
        weights = np.random.default_rng(seed).integers(0, 4, len(frame))
        repeated = frame.iloc[np.repeat(np.arange(len(frame)), weights)]
        columns = decide(frame, weights=weights, **how)
        assert columns == decide(repeated, **how)
        codes = encode_columns(frame, columns, weights=weights)
        for one, other in zip(
            codes.arrays, encode_columns(repeated, columns).arrays, strict=True
        ):
            np.testing.assert_array_equal(np.repeat(one, weights), other)

    @unhurried
    @given(frames(), options)
    def test_every_code_decodes_to_a_label_that_holds_the_value(self, frame, how):
        columns = decide(frame, **how)
        codes = encode_columns(frame, columns)
        for column, array in zip(codes.columns, codes.arrays, strict=True):
            for value, code in zip(frame[column.name], array, strict=True):
                if pd.isna(value):
                    assert code == column.missing_code
                    assert code == -1 or column.states[code].startswith("(missing)")
                else:
                    assert holds(column, column.states[code], value)

    @unhurried
    @given(frames(), options)
    def test_choices_survive_json_and_give_the_same_columns(self, frame, how):
        columns = decide(frame, **how)
        carried = json.loads(json.dumps(column_choices(columns)))
        again = decide(frame, overrides=carried)
        assert [c.states for c in again] == [c.states for c in columns]
        assert [c.cut_points for c in again] == [c.cut_points for c in columns]
        assert [c.choice for c in again] == [c.choice for c in columns]


def holds(column, label, value):
    """Whether a bin's interval, or a state's label, contains the value."""
    if column.kind == "states":
        exact = {"few": str, "truth": str, "text": str}.get(column.name)
        if label == "(other)":
            merged = [name for name, _ in column.merged]
            return any(same(column, name, value) for name in merged)
        return exact(value) == label if exact else same(column, label, value)
    kind = pd.Timestamp if column.holds == "dates" else float
    if label.startswith("<"):
        return value < kind(label[2:])
    if label.startswith("≥"):
        return value >= kind(label[2:])
    low, high = label[1:-1].split(", ")
    return kind(low) <= value < kind(high)


def same(column, label, value):
    if column.holds == "dates":
        return pd.Timestamp(label) == value
    return float(label) == value if column.holds == "numbers" else label == str(value)


class TestDecisions:
    def test_text_with_repeated_values_becomes_sorted_states(self):
        column = decide_one(["b", "a", "b", None])
        assert (column.kind, column.states, column.missing) == ("states", ("a", "b"), 1)
        assert column.reason == "2 different values"

    def test_text_that_is_numbers_is_sorted_as_numbers(self):
        assert decide_one(["10", "9", "9", "2"]).states == ("2", "9", "10")

    def test_ordered_categories_keep_their_order(self):
        sizes = pd.Categorical(list("MSLS"), ["S", "M", "L", "XL"], ordered=True)
        assert decide_one(sizes).states == ("S", "M", "L")

    def test_few_whole_numbers_are_states_even_if_a_missing_one_made_them_floats(self):
        column = decide_one([3.0, 1.0, 1.0, 3.0, np.nan])
        assert column.states == ("1", "3")
        assert column.reason == "2 different numbers"

    def test_many_numbers_become_five_bins_of_equal_frequency(self):
        values = np.random.default_rng(0).normal(size=212).round(4)
        column, codes = encode_one(values)
        cuts = ", ".join(str(cut) for cut in column.cut_points)
        assert column.reason == (
            f"numbers with {len(set(values))} different values, cut into 5 bins of "
            f"equal frequency at {cuts}"
        )
        np.testing.assert_array_equal(
            column.cut_points, equal_frequency_cuts(values, 5)
        )
        assert np.ptp(np.bincount(codes)) <= 1

    def test_the_limit_between_states_and_bins_is_few_values(self):
        few, many = np.arange(FEW_VALUES), np.arange(FEW_VALUES + 1)
        assert decide_one(np.tile(few, 2)).kind == "states"
        assert decide_one(np.tile(few, 1) * 2).kind == "bins"
        assert decide_one(np.tile(many, 2)).kind == "bins"

    def test_fewer_bins_than_asked_are_explained(self):
        column = decide_one([0] * 80 + list(range(1, 21)))
        assert len(column.states) == 2
        assert "(5 were asked for, but equal values are never split)" in column.reason

    def test_empty_bins_of_equal_width_are_told(self):
        column = decide_one([*range(20), 1000], bins="width")
        assert column.reason.endswith("; 3 of the bins hold no value")

    def test_truth_values_are_states_with_and_without_missing_ones(self):
        for values in ([True, False, True], [True, None, False]):
            assert decide_one(values).states == ("False", "True")

    def test_missing_values_become_the_last_state_if_asked(self):
        column, codes = encode_one(["b", None, "a", "a"], missing="state")
        assert column.states == ("a", "b", "(missing)")
        assert codes.tolist() == [1, 2, 0, 0]
        assert column.reason.endswith("; missing values are a state of their own")

    def test_no_missing_values_make_no_state(self):
        assert decide_one(["b", "a", "a"], missing="state").states == ("a", "b")

    def test_a_constant_with_missing_values_as_a_state_is_kept(self):
        column = decide_one(["yes", None, "yes"], missing="state")
        assert column.states == ("yes", "(missing)")

    def test_labels_that_are_taken_are_made_different(self):
        values = ["(missing)", "(other)", "(missing)", "(other)", "u", "v", None]
        column = decide_one(values, missing="state", rare=2)
        assert column.states == ("(missing)", "(other)", "(other)*", "(missing)*")

    def test_rare_states_are_merged_and_counted(self):
        column, codes = encode_one(list("aaaabbbbcccd"), rare=4)
        assert column.states == ("a", "b", "(other)")
        assert column.merged == (("c", 3), ("d", 1))
        assert codes.tolist() == [0] * 4 + [1] * 4 + [2] * 4
        assert column.reason == (
            "4 different values, 2 of them in fewer than 4 rows (4 in all) merged "
            "into (other)"
        )

    def test_a_single_rare_state_is_kept_because_there_is_nothing_to_merge_it_with(
        self,
    ):
        assert decide_one(list("aaaabbbbc"), rare=2).states == ("a", "b", "c")


class TestLeftOut:
    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            ([f"id {i}" for i in range(344)], "all 344 values are different (an id"),
            (["x"] * 5, "constant"),
            ([7, 7, 7], "constant"),
            ([None, None], "all missing"),
            ([np.nan, np.nan], "all missing"),
            ([], "no rows"),
            (list(range(1, 345)), "it numbers the rows from 1 to 344"),
            (
                [
                    f"a comment that is rather long {i // 2 * (i % 3)}"
                    for i in range(60)
                ],
                "free text (",
            ),
            ([f"t{min(i, 40)}" for i in range(60)], "nearly an identifier (41 diff"),
        ],
    )
    def test_the_reason_says_why(self, values, reason):
        column = decide_one(values)
        assert column.kind == "left out"
        assert column.reason.startswith(f"left out: {reason}")
        assert column.states == ()

    def test_text_with_too_many_values_is_forgotten(self, monkeypatch):
        monkeypatch.setattr(limits, "MOST_LEVELS", 10)
        frame = pd.DataFrame({"x": [f"t{i % 11}" for i in range(99)]})
        summary = summarize_columns(frame)
        assert summary.columns[0].values.size == 0
        halves = summarize_columns(frame[:6]) + summarize_columns(frame[6:])
        for whole in (summary, halves):
            (column,) = decide_columns(whole)
            assert column.reason == "left out: more than 10,000 different values"

    def test_only_rare_values_leave_nothing(self):
        column = decide_one(list("aabbcc"), rare=5)
        assert column.reason == "left out: all 3 values are rarer than 5 rows"
        assert column.merged == (("a", 2), ("b", 2), ("c", 2))

    def test_equal_width_needs_two_finite_numbers(self):
        column = decide_one([-np.inf, 1.0, np.inf], bins="width")
        assert column.reason.startswith("left out: bins of equal width need two")

    def test_the_report_has_a_row_per_column(self):
        frame = pd.DataFrame({"a": list("xyxy"), "b": [1, 1, 1, 1]})
        report = report_columns(decide(frame))
        assert report.to_dict("list") == {
            "name": ["a", "b"],
            "becomes": ["states", "left out"],
            "states": [2, 0],
            "missing": [0, 0],
            "reason": ["2 different values", "left out: constant"],
        }


class TestOverrides:
    def test_an_identifier_can_be_kept(self):
        column = decide_one(list("abc"), overrides={"x": {"kind": "states"}})
        assert column.states == ("a", "b", "c")
        assert column.reason == "3 different values (your choice)"

    def test_a_column_can_be_left_out(self):
        column = decide_one(list("abab"), overrides={"x": {"kind": "leave out"}})
        assert (column.kind, column.reason) == ("left out", "left out (your choice)")

    def test_few_numbers_can_be_cut_and_many_kept(self):
        values = np.tile(np.arange(20), 3)
        assert decide_one(values, overrides={"x": ColumnChoice("states")}).states == (
            tuple(str(i) for i in range(20))
        )
        cut = decide_one(values, overrides={"x": {"bins": 2, "method": "width"}})
        assert cut.states == ("< 9.5", "≥ 9.5")

    def test_given_cut_points_are_used_as_they_are(self):
        column, codes = encode_one(
            [1, 17, 18, 64, 65, 99], overrides={"x": {"cut_points": [18, 65]}}
        )
        assert column.states == ("< 18", "[18, 65)", "≥ 65")
        assert codes.tolist() == [0, 0, 1, 1, 2, 2]
        assert column.reason == (
            "numbers with 6 different values, cut into 3 bins at 18, 65 (your choice)"
        )

    def test_dates_are_cut_at_dates_given_as_text(self):
        days = pd.date_range("2024-01-01", periods=40)
        column, codes = encode_one(
            days, overrides={"x": {"cut_points": ["2024-01-11", "2024-02-01"]}}
        )
        assert column.states == (
            "< 2024-01-11",
            "[2024-01-11, 2024-02-01)",
            "≥ 2024-02-01",
        )
        assert np.bincount(codes).tolist() == [10, 21, 9]

    def test_missing_and_rare_can_be_chosen_for_one_column(self):
        frame = pd.DataFrame({"x": [*"aabc", None], "y": [*"aabb", None]})
        choice = ColumnChoice(missing="state", rare=2)
        x, y = decide(frame, overrides={"x": choice})
        assert x.states == ("a", "(other)", "(missing)")
        assert y.states == ("a", "b")

    @pytest.mark.parametrize(
        ("override", "said"),
        [
            ({"kind": "numeric"}, "kind must be one of states, bins, leave out"),
            ({"colour": 1}, "a choice has kind, bins, .*; got 'colour'"),
            ({"bins": 1}, "bins must be a whole number of at least 2; got 1"),
            ({"method": "fair"}, "method must be one of frequency, width"),
            ({"missing": "drop"}, "missing must be one of pairwise, state"),
            ({"rare": -1}, "rare must be a whole number of at least 0; got -1"),
            ({"rare": True}, "rare must be a whole number"),
            ({"cut_points": []}, "cut_points must hold at least one point"),
            ({"cut_points": [3, 2]}, "must increase .*; got 3 before 2 at index 0"),
            ({"cut_points": [2, 2]}, "got 2 before 2 at index 0"),
            ({"cut_points": [1, np.inf]}, "must be finite numbers.*; got inf"),
            ({"cut_points": [1, "a"]}, "must be finite numbers.*; got 'a'"),
            ({"cut_points": ["a"]}, "a date must be written like .*; got 'a'"),
            ({"cut_points": "12"}, "cut_points must be a list"),
            ({"cut_points": [2], "bins": 3}, "bins must not be given too"),
            ({"kind": "states", "bins": 3}, "bins is only for kind 'bins'"),
            ({"kind": "bins", "rare": 3}, "rare is only for kind 'states'"),
        ],
    )
    def test_a_wrong_choice_is_explained_with_its_column(self, override, said):
        with pytest.raises(ValueError, match=f"for column 'x': .*{said}"):
            decide_one([1, 2, 3, 4], overrides={"x": override})

    @pytest.mark.parametrize(
        ("values", "override", "said"),
        [
            (list("aab"), {"bins": 2}, "'x' holds text and cannot be cut into bins"),
            ([True, False], {"kind": "bins"}, "'x' holds truth values and cannot"),
            ([4, 4], {"bins": 2}, "cannot be cut into bins: it has a single value"),
            ([1, 2, 3], {"cut_points": [9]}, "lies between 1 and 3, so its cut_points"),
            ([1, 2, 3], {"cut_points": ["2020-01-01"]}, "must be numbers; got '2020"),
            (
                [None, None],
                {"kind": "states"},
                "cannot become states: it has no values",
            ),
            ([1.5, np.inf], {"method": "width"}, "fewer than two different finite"),
            (range(0, 99, 3), {"rare": 5}, "rare is only for states"),
        ],
    )
    def test_a_choice_that_the_values_do_not_allow_is_explained(
        self, values, override, said
    ):
        with pytest.raises(ValueError, match=said):
            decide_one(values, overrides={"x": override})

    def test_a_wrong_name_is_answered_with_the_nearest(self):
        with pytest.raises(
            ValueError, match="no column 'agee' to choose for: did you mean 'age'"
        ):
            decide(pd.DataFrame({"age": [1]}), overrides={"agee": {}})
        with pytest.raises(
            ValueError, match="no column 'q' to choose for: there are 'age'"
        ):
            decide(pd.DataFrame({"age": [1]}), overrides={"q": {}})

    def test_numbers_with_too_many_values_cannot_be_states(self):
        with pytest.raises(ValueError, match="more than 10,000 different values"):
            decide_one(np.arange(10_001) * 2, overrides={"x": {"kind": "states"}})


class TestWeights:
    def titanic(self):
        """Counts by class and survival, with a class that nobody travelled in."""
        return pd.DataFrame(
            {
                "class": ["1st", "1st", "crew", "crew", "stowaway"],
                "survived": ["no", "yes", "no", "yes", "maybe"],
                "count": [122, 203, 673, 212, 0],
            }
        )

    def test_rows_of_weight_0_make_no_state_and_are_coded_as_missing(self):
        table = self.titanic()
        frame, weights = table[["class", "survived"]], table["count"]
        columns = decide(frame, weights=weights)
        assert [column.states for column in columns] == [("1st", "crew"), ("no", "yes")]
        codes = encode_columns(frame, columns, weights=weights)
        assert codes["class"].tolist() == [0, 0, 1, 1, -1]

    def test_people_are_counted_not_rows(self):
        frame = pd.DataFrame({"town": ["a", "b", "c", None]})
        (one,) = decide(frame, weights=[1, 1, 1, 5])
        (many,) = decide(frame, weights=[2, 1, 1, 5])
        assert one.reason == "left out: all 3 values are different (an identifier)"
        assert (many.states, many.missing) == (("a", "b", "c"), 5)

    def test_weights_are_checked(self):
        with pytest.raises(ValueError, match="got -1 in row 1"):
            decide(pd.DataFrame({"x": [1, 2]}), weights=[-1, 1])


class TestTypes:
    def test_an_empty_frame_has_no_columns_to_decide(self):
        assert decide(pd.DataFrame()) == ()
        assert encode_columns(pd.DataFrame(), ()).arrays == ()

    def test_one_row_is_constant(self):
        frame = pd.DataFrame({"a": [1], "b": ["x"], "c": [2.5], "d": [True]})
        assert {c.reason for c in decide(frame)} == {"left out: constant"}

    def test_infinite_values_are_ordinary_ends(self):
        values = [-np.inf, -np.inf, *np.arange(16.0), np.inf, np.inf]
        column, codes = encode_one(values)
        assert column.missing == 0
        assert codes[[0, 1]].tolist() == [0, 0]
        assert codes[[-2, -1]].tolist() == [4, 4]

    def test_infinity_can_be_a_bin_and_a_state(self):
        column, codes = encode_one([*np.arange(20.0), *[np.inf] * 20], bin_count=2)
        assert column.states == ("< inf", "≥ inf")
        assert codes.tolist() == [0] * 20 + [1] * 20
        assert decide_one([0.5, np.inf, 0.5, np.inf]).states == ("0.5", "inf")

    @pytest.mark.parametrize(
        "values",
        [
            pd.array([1, 2, None, 2, 1], dtype="Int64"),
            pd.array([1, 2, None, 2, 1], dtype="UInt8"),
            pd.array([1, 2, None, 2, 1], dtype="Float64"),
            pd.array([1, 2, None, 2, 1], dtype="int64[pyarrow]"),
            np.array([1, 2, None, 2, 1], dtype=object),
            np.array([1, 2.0, np.nan, 2, 1], dtype=object),
        ],
    )
    def test_numbers_of_all_types_are_read_alike(self, values):
        column, codes = encode_one(values)
        assert column.states == ("1", "2")
        assert codes.tolist() == [0, 1, -1, 1, 0]

    @pytest.mark.parametrize(
        "values",
        [
            ["b", "a", None, "a"],
            pd.array(["b", "a", None, "a"], dtype="string"),
            pd.array(["b", "a", None, "a"], dtype="string[pyarrow]"),
            pd.Categorical(["b", "a", None, "a"], ["unused", "b", "a"]),
            np.array(["b", "a", None, "a"], dtype=object),
        ],
    )
    def test_text_of_all_types_is_read_alike(self, values):
        column, codes = encode_one(values)
        assert column.states == ("a", "b")
        assert codes.tolist() == [1, 0, -1, 0]

    def test_categories_that_are_numbers_stay_states_in_their_order(self):
        values = pd.Categorical(np.repeat(np.arange(20), 3))
        assert decide_one(values).states == tuple(str(i) for i in range(20))

    def test_objects_of_several_types_are_taken_as_text_and_this_is_said(self):
        column, codes = encode_one(np.array([1, "a", "1", [2], None], dtype=object))
        assert column.states == ("1", "[2]", "a")
        assert codes.tolist() == [0, 2, 0, 1, -1]
        assert "values that are not text taken as text" in column.reason

    def test_huge_whole_numbers_stay_different(self):
        values = [2**62, 2**62 + 1] * 3
        column, codes = encode_one(values)
        assert column.states == (str(2**62), str(2**62 + 1))
        assert codes.tolist() == [0, 1] * 3
        column, codes = encode_one([2**63 + 4 * i for i in range(20)], bin_count=2)
        assert column.cut_points == (2**63 + 40,)
        assert np.bincount(codes).tolist() == [10, 10]
        assert decide_one([10**30, 10**31, 10**30, 10**31]).kind == "states"

    def test_dates_are_cut_by_value_at_short_dates(self):
        days = pd.Series(pd.date_range("2023-01-01", periods=730))
        column, codes = encode_one(days, bin_count=2)
        assert column.cut_points == ("2024-01-01",)
        assert np.bincount(codes).tolist() == [365, 365]
        assert column.reason == (
            "dates with 730 different values, cut into 2 bins of equal frequency at "
            "2024-01-01"
        )

    def test_times_within_an_hour_are_cut_too(self):
        times = pd.Series(pd.date_range("2023-01-01 10:00", periods=60, freq="min"))
        for method in ("frequency", "width"):
            column, codes = encode_one(times, bins=method, bin_count=2)
            assert column.states[0].startswith("< 2023-01-01T10:")
            assert np.bincount(codes).min() >= 29

    def test_dates_with_a_time_zone_are_the_same_moments_in_utc(self):
        utc = pd.Series(pd.date_range("2024-01-01", periods=50, freq="h", tz="UTC"))
        there = utc.dt.tz_convert("Asia/Tokyo")
        arrow = there.astype(pd.ArrowDtype(pa.timestamp("us", "Asia/Tokyo")))
        one, codes = encode_one(utc)
        for same in (there, arrow, there.astype(object)):
            other, same_codes = encode_one(same)
            assert one == other
            np.testing.assert_array_equal(codes, same_codes)
        assert one.reason.endswith("(times in UTC)")

    def test_python_dates_and_durations_are_ordered_values(self):
        dates = [dt.date(2024, 1, 1 + i % 25) for i in range(50)]
        for values in (
            np.array(dates, dtype=object),
            pd.array(dates, dtype=pd.ArrowDtype(pa.date32())),
        ):
            assert decide_one(values).holds == "dates"
        column = decide_one(pd.to_timedelta(np.arange(20) * 3, unit="s"), bin_count=2)
        assert column.states == ("< 30", "≥ 30")
        assert column.reason.endswith("(durations in seconds)")

    def test_periods_are_dates(self):
        column = decide_one(
            pd.period_range("2020-01", periods=24, freq="M"), bin_count=2
        )
        assert column.cut_points == ("2021-01-01",)

    def test_two_columns_of_one_name_are_refused(self):
        frame = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])
        with pytest.raises(ValueError, match="different names; got 'a' more than once"):
            summarize_columns(frame)

    def test_codes_have_the_smallest_type_that_fits(self):
        for states, dtype in ((128, np.int8), (129, np.int16), (9000, np.int16)):
            labels = np.repeat(np.arange(states), 2).astype(str)
            assert encode_one(pd.Categorical(labels))[1].dtype == dtype


class TestChunks:
    def test_a_chunk_without_values_fits_any_type(self):
        texts = pd.DataFrame({"x": pd.Categorical(["a", "b", "a"])})
        empty = pd.DataFrame({"x": [np.nan, np.nan]})
        total = summarize_columns(empty) + summarize_columns(texts)
        (column,) = decide_columns(total)
        assert (column.states, column.missing) == (("a", "b"), 2)
        assert encode_columns(empty, (column,))["x"].tolist() == [-1, -1]

    def test_chunks_that_do_not_fit_are_refused(self):
        numbers = summarize_columns(pd.DataFrame({"x": [1, 2]}))
        texts = summarize_columns(pd.DataFrame({"x": ["a"]}))
        others = summarize_columns(pd.DataFrame({"y": [1]}))
        with pytest.raises(
            ValueError, match=r"'x' must hold the same .* numbers in one"
        ):
            numbers + texts
        with pytest.raises(ValueError, match="same columns in the same order"):
            numbers + others
        zoned = pd.date_range("2024-01-01", periods=2, tz="UTC")
        with pytest.raises(ValueError, match="got plain dates in one and times in UTC"):
            summarize_columns(pd.DataFrame({"x": zoned.tz_localize(None)})) + (
                summarize_columns(pd.DataFrame({"x": zoned}))
            )

    def test_many_different_numbers_are_thinned_and_their_quantiles_stay_near(
        self, monkeypatch
    ):
        monkeypatch.setattr(limits, "MOST_NUMBERS", 2000)
        rng = np.random.default_rng(0)
        values = np.where(rng.random(40_000) < 0.3, 0.0, rng.exponential(size=40_000))
        chunks = np.array_split(values, 7)
        summaries = [summarize_columns(pd.DataFrame({"x": c})) for c in chunks]
        total = sum(summaries[1:], start=summaries[0])
        (column,) = decide_columns(total)
        assert 1000 <= total.columns[0].values.size <= 2000
        shares = np.searchsorted(np.sort(values), column.cut_points) / values.size
        # 0 holds 30 %: its bin ends there; the sample has about 2,000 rows.
        assert shares == pytest.approx([0.3, 0.4, 0.6, 0.8], abs=0.04)
        assert "judged by a random sample of" in column.reason
        assert total.columns[0].limits == (0.0, values.max())
        again = sum(summaries[1:], start=summaries[0])
        assert decide_columns(again) == (column,)


class TestEncoding:
    @pytest.mark.parametrize(
        ("seen", "later", "said"),
        [
            (["a", "b", "a"], ["b", "c"], "has the value 'c' in row 1"),
            ([1, 2, 1, 2], [1, 3], "has the number 3 in row 1"),
            (["a", "b", "a"], [1, 2], "held text when it was summarized, but now numb"),
        ],
    )
    def test_a_value_that_was_not_summarized_is_refused(self, seen, later, said):
        columns = decide(pd.DataFrame({"x": seen}))
        with pytest.raises(ValueError, match=f"column 'x' {said}"):
            encode_columns(pd.DataFrame({"x": later}), columns)

    def test_a_missing_value_is_refused_where_it_should_have_been_a_state(self):
        columns = decide(pd.DataFrame({"x": list("aba")}), missing="state")
        with pytest.raises(ValueError, match="has a missing value in row 0"):
            encode_columns(pd.DataFrame({"x": [None, "a"]}), columns)

    def test_new_numbers_fall_into_the_open_outer_bins(self):
        columns = decide(pd.DataFrame({"x": np.arange(0.0, 99, 3)}), bin_count=2)
        later = pd.DataFrame({"x": [-1e9, 1e9]})
        assert encode_columns(later, columns)["x"].tolist() == [0, 1]

    def test_an_absent_column_is_named(self):
        columns = decide(pd.DataFrame({"x": list("aba")}))
        with pytest.raises(ValueError, match="column 'x' is not in the frame"):
            encode_columns(pd.DataFrame({"y": [1]}), columns)

    def test_left_out_columns_have_no_codes(self):
        frame = pd.DataFrame({"id": list("abc"), "x": [True, False, True]})
        codes = encode_columns(frame, decide(frame))
        assert codes.names == ("x",)
        assert codes.state_counts == (2,)


@pytest.mark.parametrize(
    "options",
    [
        {"overrides": {"zz": {}}},
        {"overrides": {"a": {"kind": "wrong"}}},
        {"overrides": {"a": {"wrong": 3}}},
        {"overrides": {"n": {"rare": 3}}},
        {"overrides": {"n": {"cut_points": [900.0]}}},
        {"overrides": {"a": {"kind": "bins"}}},
        {"overrides": {name: {"kind": "leave out"} for name in "an"}},
        {"target": "k"},
        {"bins": "fair"},
    ],
)
def test_no_sentence_about_columns_names_a_parameter_of_the_library(options):
    """The same sentences are read on the dashboard and on the command line."""
    numbers = np.arange(40.0) ** 2 % 97
    frame = pd.DataFrame({"a": list("xy") * 20, "n": numbers, "k": "k"})
    with pytest.raises(ValueError) as error:
        siviz.rank_pairs(frame, **options)
    told = str(error.value)
    assert not re.search(r"overrid|bin_count|decide_columns|siviz\.|[a-z]=", told), told
