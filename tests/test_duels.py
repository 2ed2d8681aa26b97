"""Two pairs of known dependence, and who ranks them wrongly."""

import numpy as np
import pytest

from siviz import MEASURES
from siviz.charts.duel import (
    chance_frame,
    chance_sentence,
    duel_frame,
    duel_headline,
    duel_sentence,
    verdict_table,
)
from siviz.charts.frame import PAIRS
from siviz.duels import play_duel


def opening(**changes):
    facts = {"states": (3, 12), "information": (0.06, 0.0), "draws": 100, "seed": 1}
    return play_duel(200, **{**facts, **changes})


def test_more_draws_add_to_the_same_samples():
    few, many = opening(draws=10), opening(draws=60)
    for short, long in zip(few.tables, many.tables, strict=True):
        np.testing.assert_array_equal(short.cells, long.cells[:10])


def test_mutual_information_prefers_noise_with_many_states_and_si_does_not():
    duel = opening(draws=1000)
    assert duel.wrong("mi") == 1
    assert duel.wrong("nmi") > 0.98
    assert 0.3 < duel.wrong("mi_bc") < 0.6
    assert duel.wrong("si") < 0.05
    assert duel.wrong("si_calibrated") < 0.02


def test_enough_data_makes_every_measure_right():
    duel = play_duel(100_000, states=(3, 12), information=(0.06, 0.0), draws=20)
    assert all(duel.wrong(key) == 0 for key in duel.values)


def test_normalization_punishes_many_states_however_much_data_there_are():
    duel = play_duel(20_000, states=(3, 20), information=(0.3, 0.45), draws=20)
    wrong = {key: duel.wrong(key) for key in duel.values}
    assert wrong.pop("nmi") == 1
    assert set(wrong.values()) == {0}


def test_swapping_the_pairs_swaps_the_truth():
    assert opening().stronger == 0
    assert opening(information=(0.0, 0.06)).stronger == 1
    assert opening(information=(0.1, 0.1)).stronger == -1


def test_shares_of_both_pairs_add_up_to_one_and_ties_count_half():
    # With one observation every table has one cell: everything ties.
    duel = play_duel(1, states=(2, 5), information=(0.1, 0.0), draws=5)
    assert duel.share("mi", 0) == duel.share("mi", 1) == 0.5
    duel = opening()
    for key in duel.values:
        assert duel.share(key, 0) + duel.share(key, 1) == pytest.approx(1)


def test_equal_truths_make_nobody_wrong():
    duel = opening(information=(0.05, 0.05))
    assert np.isnan(duel.wrong("mi"))
    # SI puts the simpler of two equal pairs first, and is not unfair by that.
    for told in (duel_sentence(duel), duel_headline(duel)):
        assert "neither order is wrong" in told
    noise = opening(information=(0.0, 0.0))
    for told in (duel_sentence(noise), duel_headline(noise)):
        assert "half is fair" in told
    assert set(duel_frame(duel)["verdict"]) == {"–"}


def test_averages_are_those_of_all_samples():
    duel = opening(draws=80)
    told = chance_sentence(duel, chance_frame(duel))
    for pair, table in zip(PAIRS, duel.tables, strict=True):
        mean = np.mean([MEASURES["mi"](cells[0]) for cells in table.cells])
        assert f"{pair} holds" in told
        assert f"nats and measures {mean:.3f} on average" in told


def test_one_sample_is_told_as_one():
    assert "of the one sample of 200 observations" in duel_sentence(opening(draws=1))


def test_the_frame_shows_the_core_values_of_the_latest_sample():
    duel = opening(draws=7)
    frame = duel_frame(duel).set_index("key")
    for name, table in zip(PAIRS, duel.tables, strict=True):
        latest = table.cells[-1, 0]
        for key in frame.index:
            assert frame.loc[key, name] == pytest.approx(float(MEASURES[key](latest)))
    assert list(verdict_table(frame.reset_index())["measure"]) == list(frame["measure"])


def test_chance_alone_gives_the_mean_of_independent_samples():
    duel = opening(information=(0.0, 0.0), draws=200)
    value = chance_frame(duel).groupby(["pair", "kind"])["information"].mean()
    for pair in PAIRS:
        # 200 samples: the standard error of the mean is below 2 % here.
        assert value[pair, "sample"] == pytest.approx(value[pair, "chance"], rel=0.2)
        assert value[pair, "truth"] == 0


def test_the_headline_accuses_mutual_information_only_where_it_fails():
    assert "yet mutual information ranks it first in 100%" in duel_headline(opening())
    rich = play_duel(100_000, states=(3, 12), information=(0.06, 0.0), draws=5)
    assert "wrong in 0%" in duel_headline(rich)


@pytest.mark.parametrize(
    ("changes", "told"),
    [({"draws": 0}, "draws"), ({"information": (0.9, 0.0), "states": (2, 2)}, "nats")],
)
def test_impossible_duels_are_refused_with_a_reason(changes, told):
    with pytest.raises(ValueError, match=told):
        opening(**changes)
