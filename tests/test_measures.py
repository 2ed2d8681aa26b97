"""The catalogue: complete, consistent and the same for one table and for many."""

import numpy as np
import pytest
from hypothesis import given

import siviz
from siviz import MEASURES, Table, conditional_table, evaluate
from siviz.measures import find_measure
from tests.random_tables import tables

REQUIRED = {"mi", "mi_bc", "si", "si_calibrated", "nmi", "p_value", "log10_p"}


def test_the_catalogue_has_the_required_measures_under_their_keys():
    assert set(MEASURES) >= REQUIRED
    assert all(measure.key == key for key, measure in MEASURES.items())


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES.keys())
def test_every_measure_tells_the_reader_what_it_is(measure):
    assert measure.label
    assert measure.formula.count("{") == measure.formula.count("}")
    assert measure.unit in {"", "nats", "log10"}
    assert measure.stronger in {"higher", "lower"}
    for sentence in (measure.use, measure.fails):
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0
    assert measure.use.startswith("To ")


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES.keys())
def test_stronger_dependence_has_more_strength_by_every_measure(measure):
    weak, strong = np.array([[55, 45], [45, 55]]), np.array([[90, 10], [10, 90]])
    values = measure(np.stack([weak, strong]))
    first, second = measure.strength(values)
    assert second > first


@given(tables())
def test_every_measure_is_finite_for_every_table(counts):
    for key, value in evaluate(counts).items():
        assert np.isfinite(value), key


@given(tables(most_states=4), tables(most_states=4))
def test_every_measure_of_a_batch_is_that_of_each_table(first, second):
    shape = np.maximum(first.shape, second.shape)
    padded = [
        np.pad(t, [(0, k - s) for k, s in zip(shape, t.shape, strict=True)])
        for t in (first, second)
    ]
    batch = evaluate(np.stack(padded))
    for i, counts in enumerate((first, second)):
        for key, value in evaluate(counts).items():
            assert batch[key][i] == pytest.approx(value, rel=1e-9, abs=1e-9), key


@given(tables())
def test_one_stratum_is_a_plain_table(counts):
    conditional = evaluate(conditional_table(counts[..., None]))
    for key, value in evaluate(counts).items():
        assert conditional[key] == pytest.approx(value, rel=1e-12, abs=1e-12), key


def test_si_calibrated_is_the_calibrated_null_with_fishers_centre():
    counts = np.random.default_rng(0).integers(0, 4, (6, 7))
    expected = siviz.standardized_information(
        counts, null="calibrated", centre="fisher"
    )
    assert MEASURES["si_calibrated"](counts) == expected


def test_a_table_computes_its_null_once(monkeypatch):
    calls = []
    original = siviz.nulls.cell_moments
    monkeypatch.setattr(
        siviz.nulls, "cell_moments", lambda *a: calls.append(1) or original(*a)
    )
    evaluate(Table([[3, 4], [5, 6]]))
    assert len(calls) == 1


def test_an_unknown_measure_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"one of si_calibrated, si, .* got 'phik'"):
        find_measure("phik")
