"""From any kind of data to the same counts, with a sentence for what was done."""

import gzip
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siviz import preparation
from siviz.preparation import Decisions, prepare
from siviz.readers import read_in_chunks, read_table

brief = settings(max_examples=8)


@st.composite
def frames(draw):
    """Frames with text, few and many numbers, truth values, gaps, weights, strata."""
    size = draw(st.integers(25, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    frame = pd.DataFrame(
        {
            "text": rng.choice(["b", "a", "c c"], size),
            "other": rng.choice(["u", "v"], size),
            "few": rng.integers(0, 4, size),
            "fraction": rng.normal(size=size).round(3),
            "truth": rng.choice(["yes", "no"], size),
            "group": np.sort(rng.choice(["g", "h", "i"], size)),
            "weight": rng.integers(0, 4, size),
            "name": [f"person {i}" for i in range(size)],
        }
    )
    frame["truth"] = np.where(frame["text"] == "a", "yes", frame["truth"])
    frame.loc[:3, ["text", "other", "truth"]] = ["a", "u", "no"]
    frame.loc[4:7, ["text", "other", "truth", "weight"]] = ["b", "v", "yes", 1]
    if draw(st.booleans()):
        for name in ("text", "few", "fraction"):
            frame[name] = frame[name].mask(rng.random(size) < 0.2)
    return frame


def sources(frame, folder):
    """The same data from every reader, by name."""
    text, packed = folder / "data.csv", folder / "data.csv.gz"
    parquet = folder / "data.parquet"
    frame.to_csv(text, index=False)
    packed.write_bytes(gzip.compress(text.read_bytes()))
    frame.to_parquet(parquet, row_group_size=20)
    yield "path", text
    yield "path as text", str(text)
    yield "gzip", packed
    yield "Parquet", parquet
    yield "reading", read_table(text)
    for rows in (13, 1000):
        yield f"{rows} rows of text", read_in_chunks(text, rows=rows)
        yield f"{rows} rows of gzip", read_in_chunks(packed, rows=rows)
        yield f"{rows} rows of Parquet", read_in_chunks(parquet, rows=rows)


def assert_same_counts(one, other, what):
    assert [c.states for c in one.kept] == [c.states for c in other.kept], what
    assert one.rows == other.rows, what
    for a, b in zip(one.counted, other.counted, strict=True):
        np.testing.assert_array_equal(a.matrix, b.matrix, err_msg=what)


@settings(max_examples=4)
@given(
    frames(),
    st.sampled_from([None, "text"]),
    st.sampled_from([None, "group"]),
    st.sampled_from([None, "weight"]),
)
def test_every_reader_and_chunk_size_gives_the_same_counts(
    frame, target, strata, weights
):
    roles = {"target": target, "given": strata, "weights": weights}
    expected = prepare(frame, **roles)
    assert len(expected.kept) >= 4
    with tempfile.TemporaryDirectory() as folder:
        for what, source in sources(frame, Path(folder)):
            assert_same_counts(prepare(source, **roles), expected, what)


@pytest.mark.parametrize("rows", [1, 5, 12, 13])
def test_chunks_may_be_as_small_as_one_row_and_lack_a_stratum(tmp_path, rows):
    frame = _plain_frame()[:12].assign(g=["p"] * 6 + ["q"] * 6)
    frame.to_csv(tmp_path / "data.csv", index=False)
    chunks = read_in_chunks(tmp_path / "data.csv", rows=rows)
    assert_same_counts(prepare(chunks, given="g"), prepare(frame, given="g"), "chunks")


@brief
@given(frames())
def test_counts_are_those_of_crosstab(frame):
    prepared = prepare(frame)
    first, second = (prepared.position(name) for name in ("text", "other"))
    expected = pd.crosstab(frame["text"], frame["other"])
    assert prepared.kept[first].states == tuple(expected.index)
    np.testing.assert_array_equal(prepared.counted[0].table(first, second), expected)


@brief
@given(frames(), st.sampled_from(["pairwise", "state"]))
def test_a_weight_of_w_is_a_row_repeated_w_times(frame, missing):
    repeated = frame.loc[frame.index.repeat(frame["weight"])].drop(columns="weight")
    # A name that is repeated is no identifier: it must not matter here.
    options = {"decisions": Decisions(missing=missing)}
    weighted = prepare(frame.drop(columns="name"), weights="weight", **options)
    plain = prepare(repeated.drop(columns="name"), **options)
    assert_same_counts(weighted, plain, missing)
    assert weighted.rows == len(repeated)


@brief
@given(frames(), st.integers(0, 100))
def test_the_order_of_the_rows_does_not_matter(frame, seed):
    shuffled = frame.sample(frac=1, random_state=seed)
    for given_column in (None, "group"):
        assert_same_counts(
            prepare(shuffled, given=given_column),
            prepare(frame, given=given_column),
            "shuffled",
        )


@brief
@given(frames())
def test_each_stratum_holds_its_own_rows_and_those_without_one_are_left_out(frame):
    frame["group"] = frame["group"].mask(frame["few"] == 1)
    prepared = prepare(frame, given="group")
    assert "group" not in [column.name for column in prepared.kept]
    groups = sorted(frame["group"].dropna().unique())
    first, second = (prepared.position(name) for name in ("text", "other"))
    rows, columns = (prepared.kept[place].states for place in (first, second))
    for counted, group in zip(prepared.counted, groups, strict=True):
        inside = frame[frame["group"] == group]
        expected = pd.crosstab(inside["text"], inside["other"])
        expected = expected.reindex(index=rows, columns=columns, fill_value=0)
        np.testing.assert_array_equal(counted.table(first, second), expected)


def test_a_file_above_the_limit_is_read_in_chunks_with_the_same_result(
    tmp_path, monkeypatch
):
    frame = _plain_frame()
    path = tmp_path / "large.csv"
    frame.to_csv(path, index=False)
    small = prepare(path)
    monkeypatch.setattr(preparation, "STREAMED_BYTES", 10)
    chunks = preparation._read(path)
    assert isinstance(chunks, preparation.ChunkedReading)
    assert_same_counts(prepare(path), small, "streamed")


def _plain_frame():
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "a": rng.choice(list("xyz"), 60),
            "b": rng.choice(list("uv"), 60),
            "c": rng.normal(size=60),
        }
    )


class TestNotes:
    def test_whatever_was_done_to_a_column_is_told_once(self):
        frame = _plain_frame().assign(k="same", n=[1, 2] * 30, gone=None)
        frame.loc[:4, "a"] = None
        notes = prepare(frame).notes
        for told in (
            "Column 'c': numbers with 60 different values, cut into 5 bins of equal "
            "frequency at",
            "Column 'k': left out: constant.",
            "Column 'gone': left out: all missing.",
            "Missing values are left out of each pair: 5 in 'a'.",
            "Column 'n' is ranked like any other; if it says how often each row was "
            "observed, name it as the weights.",
        ):
            assert len([n for n in notes if n.startswith(told)]) == 1, (told, notes)
        assert not [n for n in notes if n.startswith("Column 'b'")]

    def test_a_column_that_is_left_out_has_no_pairs_to_tell_of(self):
        frame = _plain_frame().assign(weight=1.0)
        frame.loc[:4, "weight"] = None
        notes = [n for n in prepare(frame).notes if "'weight'" in n]
        assert notes == ["Column 'weight': left out: constant."]

    def test_columns_with_the_same_story_share_a_sentence(self):
        constants = {f"k{i}": "same" for i in range(15)}
        notes = prepare(_plain_frame().assign(**constants)).notes
        (told,) = (n for n in notes if "constant" in n)
        assert told.startswith("Columns 'k0', 'k1', ")
        assert told.endswith("'k11', … (15 columns): left out: constant.")

    @pytest.mark.parametrize(
        ("write", "told"),
        [
            ("${:.2f}", "numbers with signs, such as '$"),
            ("{:.2f} €", "numbers with signs, such as '"),
            ("{:.1f}%", "numbers with signs, such as '"),
            ("1,{:06.2f}", "numbers with signs, such as '1,"),
        ],
    )
    def test_numbers_that_were_read_as_text_are_told(self, write, told):
        values = np.random.default_rng(1).uniform(1, 900, 60)
        frame = _plain_frame().assign(m=[write.format(v) for v in values])
        (note,) = (n for n in prepare(frame).notes if "'m'" in n)
        assert told in note
        assert note.endswith("write plain ones to cut them).")

    def test_a_few_texts_among_numbers_are_told(self):
        values = [*map(str, np.linspace(0, 9, 56)), *["unknown"] * 4]
        (note,) = (
            n for n in prepare(_plain_frame().assign(m=values)).notes if "'m'" in n
        )
        assert "it looks like numbers, also 'unknown': leave other cells empty" in note

    def test_states_that_differ_only_in_their_case_are_told(self):
        frame = _plain_frame().assign(m=["Yes", "yes", "no"] * 20)
        (note,) = (n for n in prepare(frame).notes if "'m'" in n)
        assert note.startswith("Column 'm': 'Yes' and 'yes' are different states;")

    def test_rows_without_a_stratum_are_told(self):
        frame = _plain_frame()
        frame.loc[:6, "b"] = None
        notes = prepare(frame, given="b").notes
        assert "Rows without a value in 'b' were left out: 7." in notes

    def test_missing_values_that_are_a_state_are_not_left_out(self):
        frame = _plain_frame()
        frame.loc[:6, "b"] = None
        prepared = prepare(frame, decisions=Decisions(missing="state"))
        assert prepared.kept[1].states == ("u", "v", "(missing)")
        assert not [n for n in prepared.notes if "left out" in n]


class TestErrors:
    def refused(self, frame, sentence, **options):
        with pytest.raises(ValueError) as error:
            prepare(frame, **options)
        assert str(error.value) == sentence

    @pytest.mark.parametrize("role", ["target", "given", "weights"])
    def test_an_unknown_column_is_named_with_those_there_are(self, role):
        sentence = f"{role} must be a column; got 'zz', there are 'a', 'b', 'c'"
        self.refused(_plain_frame(), sentence, **{role: "zz"})

    def test_of_many_columns_a_dozen_is_listed(self):
        frame = pd.DataFrame({f"c{i}": ["x", "y"] * 4 for i in range(40)})
        with pytest.raises(ValueError, match="'c11', …$"):
            prepare(frame, target="zz")

    @pytest.mark.parametrize(
        "roles", [("target", "given"), ("target", "weights"), ("given", "weights")]
    )
    def test_one_column_cannot_have_two_roles(self, roles):
        sentence = f"{roles[1]} and {roles[0]} must differ; both are 'a'"
        self.refused(_plain_frame(), sentence, **dict.fromkeys(roles, "a"))

    @pytest.mark.parametrize("role", ["target", "given"])
    def test_a_column_that_was_left_out_cannot_be_chosen(self, role):
        frame = _plain_frame().assign(k="k", id=[f"n{i}" for i in range(60)])
        remedy = (
            "choose another column, or choose what it becomes "
            "(on the command line by --states C)"
        )
        self.refused(
            frame, f"{role} 'k' cannot be used: constant; {remedy}", **{role: "k"}
        )
        why = "all 60 values are different (an identifier)"
        self.refused(
            frame, f"{role} 'id' cannot be used: {why}; {remedy}", **{role: "id"}
        )

    @pytest.mark.parametrize("value", [-1, 0.5, np.nan, np.inf])
    def test_weights_must_count(self, value):
        frame = _plain_frame().assign(w=[1.0] * 41 + [value] + [1.0] * 18)
        got = "none" if np.isnan(value) else float(value)
        sentence = (
            f"column 'w': weights must be whole numbers of at least 0; got {got} in "
            "row 42; correct or drop such rows"
        )
        self.refused(frame, sentence, weights="w")

    @pytest.mark.parametrize(
        ("values", "example"),
        [
            (["many"] * 60, "many"),
            (["2"] * 40 + ["3x"] * 20, "3x"),
            ([True] * 60, "True"),
        ],
    )
    def test_weights_must_be_numbers(self, values, example):
        sentence = (
            f"weights must be whole numbers; column 'w' holds others, such as "
            f"{example!r}: choose another column or correct it"
        )
        self.refused(_plain_frame().assign(w=values), sentence, weights="w")

    def test_a_wrong_weight_is_found_in_a_later_chunk(self, tmp_path):
        frame = _plain_frame().assign(w=[1] * 41 + [-3] + [1] * 18)
        frame.to_csv(tmp_path / "data.csv", index=False)
        chunks = read_in_chunks(tmp_path / "data.csv", rows=20)
        sentence = (
            "column 'w': weights must be whole numbers of at least 0; got -3 in row "
            "42; correct or drop such rows"
        )
        self.refused(chunks, sentence, weights="w")

    REMEDY = (
        ": add columns or rows, or choose what a column becomes "
        "(on the command line by --states C)"
    )

    @pytest.mark.parametrize(
        "frame, told",
        [
            (
                _plain_frame()[["a"]].assign(k=1),
                "got 1; left out: 'k' (constant)",
            ),
            (
                pd.DataFrame({"a": [None] * 9, "b": [np.nan] * 9}),
                "got 0; left out: 'a' (all missing), 'b' (all missing)",
            ),
        ],
    )
    def test_a_ranking_needs_two_columns(self, frame, told):
        start = "a ranking needs at least 2 columns with states; "
        self.refused(frame, start + told + self.REMEDY)

    def test_a_single_column_or_row_is_told_as_such(self):
        start = "there is a single column, 'a', and a ranking needs at least 2; if its "
        with pytest.raises(ValueError, match=start):
            prepare(_plain_frame()[["a"]])
        told = "the data have a single row, and a ranking needs at least 2"
        self.refused(_plain_frame()[:1], told)

    def test_too_many_pairs_are_refused_unless_there_is_a_target(self):
        many = pd.DataFrame(np.tile([["x"], ["y"]], (6, 1_500)))
        told = (
            "1,500 columns make 1,124,250 pairs, more than 1,000,000; choose a target, "
            "or leave columns out until 1,414 remain"
        )
        self.refused(many, told)
        assert len(prepare(many, target="7").kept) == 1_500

    def test_the_column_to_condition_on_is_no_column_to_rank(self):
        with pytest.raises(ValueError, match="at least 2 columns with states; got 1"):
            prepare(_plain_frame()[["a", "b"]], given="b")

    def test_weights_of_nothing_leave_no_rows(self):
        told = "column 'w': all weights are 0; at least one must be larger"
        self.refused(_plain_frame().assign(w=0), told, weights="w")

    @pytest.mark.parametrize("columns", [["a", "b"], []])
    def test_an_empty_frame_is_refused(self, columns):
        with pytest.raises(ValueError, match="data frame is empty .* at least one"):
            prepare(_plain_frame()[columns][:0])

    def test_an_empty_file_in_chunks_is_refused(self, tmp_path):
        _plain_frame()[:0].to_parquet(tmp_path / "none.parquet")
        with pytest.raises(ValueError, match=r"none.parquet has .* no rows; add"):
            prepare(read_in_chunks(tmp_path / "none.parquet"))

    def test_other_things_are_no_data(self):
        sentence = "data must be a data frame or the path of a file; got list"
        self.refused([[1, 2]], sentence)

    def test_a_column_that_was_not_counted_has_no_position(self):
        prepared = prepare(_plain_frame().assign(k="k"), given="b")
        for name in ("b", "k", "zz"):
            with pytest.raises(ValueError) as error:
                prepared.position(name)
            assert str(error.value) == f"{name!r} was not counted; there are 'a', 'c'"


class TestProgress:
    @pytest.mark.parametrize("rows", [None, 7])
    def test_it_grows_from_nothing_to_where_the_evaluation_begins(self, tmp_path, rows):
        _plain_frame().to_csv(tmp_path / "data.csv", index=False)
        path = tmp_path / "data.csv"
        told = []
        data = path if rows is None else read_in_chunks(path, rows=rows)
        prepare(data, progress=lambda fraction, what: told.append((fraction, what)))
        fractions = [fraction for fraction, _ in told]
        assert fractions == sorted(fractions)
        assert fractions[0] == 0
        assert fractions[-1] == pytest.approx(0.7)
        assert {what for _, what in told} == {
            "looking at the columns",
            "counting pairs",
        }
        assert len(told) == (3 if rows is None else 1 + 2 * 9)
