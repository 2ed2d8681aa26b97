"""The biggest movers are those of a plain loop, and their reasons hold."""

import numpy as np
import pandas as pd
import pytest

from siviz import rank_pairs
from siviz.datasets import load_dataset
from siviz.movers import find_movers, mover_pairs


@pytest.fixture(scope="module")
def penguins():
    return rank_pairs(load_dataset("penguins").frame)


def slow_movers(frame, keys, depth):
    """Places moved by each pair that is strong by the score or a measure."""
    moved = {}
    for _, row in frame.iterrows():
        places = {key: int(row[f"rank_{key}"]) for key in keys}
        if min(int(row["rank"]), *places.values()) <= depth:
            away = max(abs(place - int(row["rank"])) for place in places.values())
            moved[row["first"], row["second"]] = away
    return {pair: away for pair, away in moved.items() if away}


@pytest.mark.parametrize("depth", [3, 10, 100])
def test_they_are_those_of_a_plain_loop_furthest_first(penguins, depth):
    keys = ["mi", "nmi", "cramers_v", "bic"]
    found = find_movers(penguins.frame, ["score", *keys], depth=depth, most=100)
    names = zip(found["first"], found["second"], strict=True)
    expected = slow_movers(penguins.frame, keys, depth)
    assert dict(zip(names, found["moved"].abs(), strict=True)) == expected
    assert found["moved"].abs().is_monotonic_decreasing


def test_places_are_those_of_the_ranking(penguins):
    found = find_movers(penguins.frame, ["mi", "bic"], depth=10, most=6)
    by_name = penguins.frame.set_index(["first", "second"])
    assert len(found) == 6
    for _, mover in found.iterrows():
        row = by_name.loc[(mover["first"], mover["second"])]
        assert mover["rank"] == row["rank"]
        assert mover["measure_rank"] == row[f"rank_{mover['measure']}"]
        assert mover["moved"] == mover["measure_rank"] - mover["rank"]


def test_the_other_pair_really_changes_places_with_the_mover(penguins):
    found = find_movers(penguins.frame, ["mi", "bic"], depth=28, most=28)
    by_name = penguins.frame.set_index(["first", "second"])
    for _, mover in found.iterrows():
        other = by_name.loc[(mover["other_first"], mover["other_second"])]
        by_score = other["rank"] - mover["rank"]
        by_measure = other[f"rank_{mover['measure']}"] - mover["measure_rank"]
        assert by_score * by_measure <= 0
        assert (by_score, by_measure) != (0, 0)


def test_many_states_are_named_as_the_cause_when_noise_rises():
    rng = np.random.default_rng(1)
    base = rng.integers(0, 2, 300)
    weak = np.where(rng.random(300) < 0.25, base, rng.integers(0, 2, 300))
    frame = pd.DataFrame({"y": base, "x": weak, "many": rng.integers(0, 60, 300)})
    frame = frame.map(lambda code: f"s{code}")
    ranking = rank_pairs(frame)
    assert ranking.frame.loc[0, ["first", "second"]].tolist() == ["y", "x"]
    top = find_movers(ranking.frame, ["mi"], depth=3, most=3).iloc[0]
    assert top["cause"] == "cardinality"
    assert "favours the variables with many states" in top["reason"]


def test_p_values_of_zero_are_named_as_underflow():
    rng = np.random.default_rng(2)
    base = rng.integers(0, 3, 6000)

    def copy(rate):
        return np.where(rng.random(6000) < rate, base, rng.integers(0, 3, 6000))

    columns = {f"c{n}": copy(rate) for n, rate in enumerate((0.99, 0.97, 0.95, 0.93))}
    frame = pd.DataFrame(columns).map(lambda code: f"s{code}")
    found = find_movers(rank_pairs(frame).frame, ["p_value"], depth=6, most=6)
    assert set(found["cause"]) == {"underflow"}
    assert set(found["measure_rank"]) == {1}


def test_without_other_measures_or_scores_nothing_moves(penguins):
    assert find_movers(penguins.frame, ["score"], depth=5, most=5).empty
    assert find_movers(penguins.frame.head(0), ["mi"], depth=5, most=5).empty


def test_long_names_do_not_drown_the_reason():
    names = ["a" * 10_000, "b" * 10_000, "c" * 10_000]
    rng = np.random.default_rng(3)
    states = [2, 40, 30]
    frame = pd.DataFrame(
        {n: rng.integers(0, k, 80) for n, k in zip(names, states, strict=True)}
    ).map(lambda code: f"s{code}")
    found = find_movers(rank_pairs(frame).frame, ["si", "mi"], depth=3, most=3)
    assert len(found) > 0
    assert found["reason"].str.len().max() < 400
    assert set(found["first"]) <= set(names)


def test_the_rows_of_movers_are_found_again(penguins):
    found = find_movers(penguins.frame, ["bic"], depth=10, most=4)
    rows = mover_pairs(penguins.frame, found)
    assert {*zip(rows["first"], rows["second"], strict=True)} == {
        *zip(found["first"], found["second"], strict=True)
    }
    assert rows["rank"].is_monotonic_increasing
