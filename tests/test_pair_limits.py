"""More pairs than are ranked are refused before a wide file is read."""

import time

import numpy as np
import pandas as pd
import pytest

from siviz import cli, preparation, rank_pairs
from siviz.columns.summaries import column_names
from siviz.pair_limits import MOST_IN_PAIRS, MOST_PAIRS
from siviz.readers import read_table

SENTENCE = (
    "1,500 columns make 1,124,250 pairs, more than 1,000,000; choose a target, or "
    "leave columns out until 1,414 remain"
)


def wide(varying, constant=0):
    """So many columns of two states or numbers, and constant ones."""
    rng = np.random.default_rng(3)
    some = rng.integers(0, 2, (20, varying)).astype(str)
    some[:, ::3] = rng.normal(size=(20, len(some[0, ::3])))
    some[:2, ::7] = "NA"
    frame = pd.DataFrame(np.hstack([some, np.full((20, constant), "k")]))
    named = frame.rename(columns="c{}".format).to_csv(index=False)
    return read_table(named.encode()).frame


@pytest.fixture
def unread(monkeypatch):
    """Reading anything as a whole fails."""

    def fail(*_, **__):
        raise AssertionError("the file was read")

    monkeypatch.setattr(preparation, "read_table", fail)
    monkeypatch.setattr(preparation, "read_in_chunks", fail)


def test_the_number_of_columns_told_is_the_largest_that_is_ranked():
    assert MOST_IN_PAIRS * (MOST_IN_PAIRS - 1) // 2 <= MOST_PAIRS
    assert (MOST_IN_PAIRS + 1) * MOST_IN_PAIRS // 2 > MOST_PAIRS


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "tsv", "parquet"])
def test_a_wide_file_is_refused_unread_by_library_and_command(
    tmp_path, capsys, unread, suffix
):
    path = tmp_path / f"wide.{suffix}"
    if suffix == "parquet":
        wide(1_500).to_parquet(path)
    else:
        wide(1_500).to_csv(path, sep="\t" if suffix == "tsv" else ",", index=False)
    with pytest.raises(ValueError) as error:
        rank_pairs(path)
    assert str(error.value) == SENTENCE
    assert cli.main(["rank", str(path)]) == 1
    assert capsys.readouterr().err == f"siviz: {SENTENCE}\n"


def test_a_wide_frame_is_refused_before_its_columns_are_looked_at(monkeypatch):
    reading = read_table(wide(1_500))

    def fail(*_, **__):
        raise AssertionError("the columns were looked at")

    monkeypatch.setattr(preparation, "summarize_columns", fail)
    monkeypatch.setattr(preparation, "read_table", fail)
    for data in (wide(1_500), reading):
        with pytest.raises(ValueError) as error:
            rank_pairs(data)
        assert str(error.value) == SENTENCE


def test_what_the_reader_leaves_out_makes_no_pairs(tmp_path, unread):
    path = tmp_path / "wide.csv"
    wide(MOST_IN_PAIRS + 2).to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"1,415 columns make 1,000,405 pairs"):
        rank_pairs(path, overrides={"c1": {"kind": "leave out"}})
    for options in ({"given": "c0"}, {"weights": "c0"}):
        with pytest.raises(AssertionError, match="the file was read"):
            rank_pairs(path, overrides={"c1": {"kind": "leave out"}}, **options)


@pytest.mark.parametrize("kind", ["csv", "parquet", "frame"])
def test_columns_that_turn_out_constant_do_not_count(tmp_path, kind):
    data = frame = wide(50, constant=1_500)
    if kind == "csv":
        frame.to_csv(data := tmp_path / "wide.csv", index=False)
    elif kind == "parquet":
        frame.to_parquet(data := tmp_path / "wide.parquet")
    assert len(rank_pairs(data, measures=["mi"]).frame) == 50 * 49 // 2


@pytest.mark.parametrize("text", ["id {}", "{}.5"])
def test_columns_of_text_that_may_be_identifiers_do_not_count(tmp_path, text):
    names = [f"id{place}" for place in range(1_500)]
    texts = [[text.format(row * row)] * 1_500 for row in range(20)]
    frame = pd.concat([wide(50), pd.DataFrame(texts, columns=names)], axis=1)
    frame.to_parquet(tmp_path / "wide.parquet")
    for data in (frame, tmp_path / "wide.parquet"):
        ranking = rank_pairs(data, measures=["mi"])
        assert len(ranking.frame) == 50 * 49 // 2


def test_names_are_compared_in_time_that_grows_with_their_number():
    frame = pd.DataFrame(np.zeros((1, 50_000)))
    start = time.process_time()
    assert len(column_names(frame)) == 50_000
    assert time.process_time() - start < 2
