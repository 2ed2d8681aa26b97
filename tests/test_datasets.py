"""The bundled data: known totals, origins kept, and the ALARM network."""

import numpy as np
import pandas as pd
import pytest

from siviz import conditional_table, mutual_information, standardized_information
from siviz.datasets import DATASETS, alarm_network, alarm_sample, load_dataset
from siviz.discrete_data import DiscreteData
from siviz.locations import asset

TOTALS = {
    "titanic": 2201,
    "hair_eye_color": 592,
    "sewell_shah": 10318,
    "ucb_admissions": 4526,
    "penguins": 344,
    "alarm": 10000,
}


@pytest.mark.parametrize("name", list(DATASETS))
def test_every_data_set_has_its_published_number_of_observations(name: str) -> None:
    data = load_dataset(name)
    total = len(data.frame) if data.weights is None else data.frame[data.weights].sum()
    assert total == TOTALS[name]


@pytest.mark.parametrize("name", list(DATASETS))
def test_every_data_set_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    data = load_dataset(name)
    assert data.name == name
    assert data.title == DATASETS[name]
    assert data.origin
    assert data.description.endswith(".")


def test_every_data_file_is_named_with_its_origin() -> None:
    text = asset("data/ORIGIN.md").read_text(encoding="utf-8")
    files = [path.name for path in asset("data").iterdir() if path.suffix != ".md"]
    assert len(files) == 6
    assert all(f"`{name}`" in text for name in files)


def test_loading_twice_gives_frames_that_do_not_share_changes() -> None:
    first = load_dataset("titanic").frame
    first.loc[0, "count"] = 999
    assert load_dataset("titanic").frame.loc[0, "count"] == 0


def test_an_unknown_name_gets_the_list_of_names() -> None:
    with pytest.raises(ValueError, match=r"one of \['sewell_shah', .* got 'iris'"):
        load_dataset("iris")


def test_penguins_keep_their_missing_values() -> None:
    frame = load_dataset("penguins").frame
    assert frame["sex"].isna().sum() == 11
    assert pd.api.types.is_float_dtype(frame["body_mass_g"])


def test_sewell_and_shah_has_a_cell_for_every_combination() -> None:
    frame = load_dataset("sewell_shah").frame
    assert len(frame) == 2 * 4 * 4 * 2 * 2
    assert not frame.duplicated(subset=frame.columns[:-1].tolist()).any()


def test_berkeley_admission_depends_on_gender_but_much_less_within_departments() -> (
    None
):
    admissions = load_dataset("ucb_admissions")
    data = DiscreteData.from_frame(admissions.frame, weights=admissions.weights)
    pair = data.counts(["admit"], ["gender"])
    within = conditional_table(data.counts(["admit"], ["gender"], ["dept"]))
    assert standardized_information(pair) > 8
    assert standardized_information(within) < 3
    assert mutual_information(within) < mutual_information(pair) / 4


def test_berkeley_women_are_admitted_less_overall_but_not_in_most_departments() -> None:
    frame = load_dataset("ucb_admissions").frame
    admitted = frame[frame["admit"] == "Admitted"]
    by_gender = admitted.groupby("gender")["count"].sum()
    rate = by_gender / frame.groupby("gender")["count"].sum()
    assert rate["Male"] - rate["Female"] > 0.1
    keys = ["dept", "gender"]
    rates = admitted.set_index(keys)["count"] / frame.groupby(keys)["count"].sum()
    wide = rates.unstack()
    assert (wide["Female"] > wide["Male"]).sum() == 4


def test_alarm_has_37_variables_46_edges_and_509_parameters() -> None:
    network = alarm_network()
    assert len(network.graph.parents) == 37
    assert len(network.graph.edges) == 46
    free = [table[..., 1:].size for table in network.probabilities.values()]
    assert sum(free) == 509


def test_alarm_samples_repeat_with_the_seed_and_differ_without() -> None:
    first = alarm_sample(50, rng=3)
    pd.testing.assert_frame_equal(first, alarm_sample(50, rng=3))
    assert not first.equals(alarm_sample(50, rng=4))


def test_alarm_samples_follow_the_probabilities_of_a_variable_without_parents() -> None:
    share = (alarm_sample(20_000, rng=0)["HYPOVOLEMIA"] == "TRUE").mean()
    deviation = np.sqrt(0.2 * 0.8 / 20_000)
    assert abs(share - 0.2) < 4 * deviation
