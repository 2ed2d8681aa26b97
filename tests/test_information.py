"""Entropy and information: identities, invariances, limits, scikit-learn."""

import itertools

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from siviz import (
    conditional_entropy,
    conditional_information,
    conditional_table,
    entropy,
    likelihood_ratio,
    multi_information,
    mutual_information,
    normalized_information,
)
from tests.random_tables import tables


def labels(counts):
    """One row and one column label per observation."""
    cells = np.repeat(np.arange(counts.size), counts.ravel())
    return np.unravel_index(cells, counts.shape)


@given(tables())
def test_information_is_what_the_entropies_do_not_share(counts):
    shared = (
        entropy(counts, of="rows") + entropy(counts, of="columns") - entropy(counts)
    )
    assert mutual_information(counts) == pytest.approx(shared, abs=1e-12)


@given(tables())
def test_information_lies_between_zero_and_the_smaller_entropy(counts):
    smaller = min(entropy(counts, of="rows"), entropy(counts, of="columns"))
    assert 0 <= mutual_information(counts) <= smaller + 1e-12


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=5),
    st.lists(st.integers(1, 50), min_size=1, max_size=5),
)
def test_information_of_an_exactly_independent_table_is_exactly_zero(rows, columns):
    assert mutual_information(np.outer(rows, columns)) == 0.0


@pytest.mark.parametrize("states", [2, 3, 10])
def test_a_diagonal_table_shares_all_of_its_entropy(states):
    counts = np.diag(np.full(states, 7))
    assert mutual_information(counts) == pytest.approx(np.log(states), rel=1e-14)
    assert normalized_information(counts) == pytest.approx(1, rel=1e-14)
    assert conditional_entropy(counts) == pytest.approx(0, abs=1e-14)


def test_one_observation_and_one_state_hold_no_information():
    for counts in ([[1]], [[5, 7, 1]], [[0, 0], [0, 1]]):
        assert mutual_information(counts) == 0
        assert normalized_information(counts) == 0


@given(tables(), st.randoms(use_true_random=False))
def test_transposing_permuting_and_padding_change_nothing(counts, random):
    rows, columns = (random.sample(range(k), k) for k in counts.shape)
    padded = np.pad(counts, ((1, 2), (0, 3)))
    for same in (counts.T, counts[rows][:, columns], padded):
        assert mutual_information(same) == pytest.approx(
            mutual_information(counts), rel=1e-12, abs=1e-13
        )
        assert normalized_information(same) == pytest.approx(
            normalized_information(counts), rel=1e-12, abs=1e-12
        )


def exact_likelihood_ratio(counts):
    """G with 50 digits from whole numbers."""
    rows, columns = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()
    with mp.workdps(50):
        ratios = (
            n * mp.log(mp.mpf(n * sum(rows)) / (rows[i] * columns[j]))
            for (i, j), n in np.ndenumerate(counts.astype(object))
            if n
        )
        return float(2 * mp.fsum(ratios))


@pytest.mark.parametrize(
    "size, digits", [(10**4, 12), (10**6, 12), (10**7, 12), (10**9, 11), (10**12, 9)]
)
def test_g_of_nearly_independent_tables_keeps_its_digits_however_many_rows(
    size, digits
):
    """Its terms are of the order of sqrt(N) and cancel to a number near d."""
    rng = np.random.default_rng(size)
    for shape in ((2, 2), (4, 5)):
        margins = (rng.dirichlet(np.full(k, 3.0)) for k in shape)
        p = np.outer(*margins).ravel()
        batch = rng.multinomial(size, p, size=20).reshape(-1, *shape)
        exact = [exact_likelihood_ratio(counts) for counts in batch]
        np.testing.assert_allclose(
            likelihood_ratio(batch), exact, rtol=10.0**-digits, atol=10.0**-digits
        )


def test_g_of_a_large_table_with_empty_cells_and_strata_is_the_sum_of_its_terms():
    counts = np.array([[10**9, 10**9, 3], [2 * 10**9, 2 * 10**9, 0], [5, 9, 0]])
    exact = exact_likelihood_ratio(counts)
    assert likelihood_ratio(counts) == pytest.approx(exact, rel=1e-12)
    strata = np.stack([counts, np.zeros_like(counts), counts.T], axis=-1)
    total = likelihood_ratio(conditional_table(strata))
    assert total == pytest.approx(2 * exact, rel=1e-12)


@given(tables(), st.integers(2, 1000))
def test_replicating_the_data_does_not_change_information(counts, times):
    assert mutual_information(counts * times) == pytest.approx(
        mutual_information(counts), rel=1e-12, abs=1e-13
    )


def test_a_batch_gives_what_each_table_gives():
    batch = np.random.default_rng(0).integers(0, 20, (3, 4, 2, 5)) + 1
    together = mutual_information(batch)
    assert together.shape == (3, 4)
    for index in np.ndindex(3, 4):
        assert together[index] == pytest.approx(mutual_information(batch[index]))


@given(tables())
def test_information_equals_scikit_learns(counts):
    rows, columns = labels(counts)
    assert mutual_information(counts) == pytest.approx(
        metrics.mutual_info_score(rows, columns), rel=1e-10, abs=1e-12
    )


@pytest.mark.parametrize(
    "average, theirs",
    [("mean", "arithmetic"), ("min", "min"), ("max", "max"), ("sqrt", "geometric")],
)
def test_normalized_information_equals_scikit_learns(average, theirs):
    rng = np.random.default_rng(1)
    for _ in range(40):
        shape = rng.integers(2, 7, 2)
        counts = rng.integers(0, 30, shape) * (rng.random(shape) < 0.6)
        counts[0, 0] = counts[1, 1] = 1
        rows, columns = labels(counts)
        expected = metrics.normalized_mutual_info_score(
            rows, columns, average_method=theirs
        )
        ours = normalized_information(counts, average=average)
        assert ours == pytest.approx(expected, rel=1e-10)


def test_the_joint_average_divides_by_the_joint_entropy():
    counts = [[5, 2], [1, 9]]
    ratio = mutual_information(counts) / entropy(counts, of="joint")
    assert normalized_information(counts, average="joint") == pytest.approx(ratio)


def test_unknown_choices_are_named():
    with pytest.raises(ValueError, match="average must be .* got \"?'?median"):
        normalized_information([[1, 2], [3, 4]], average="median")
    for unknown in ("cells", ["rows"]):
        with pytest.raises(ValueError, match="of must be one of"):
            entropy([[1, 2], [3, 4]], of=unknown)
    with pytest.raises(ValueError, match='of must be "rows" or "columns"'):
        conditional_entropy([[1, 2], [3, 4]], of="joint")


def test_conditional_entropy_is_the_average_of_the_entropies_of_the_rows():
    counts = np.array([[5, 2, 3], [1, 9, 4]])
    shares = counts / counts.sum(axis=1, keepdims=True)
    by_row = -(shares * np.log(shares)).sum(axis=1)
    expected = by_row @ counts.sum(axis=1) / counts.sum()
    assert conditional_entropy(counts) == pytest.approx(expected, rel=1e-14)


@given(st.integers(0, 2**32 - 1))
def test_conditional_information_obeys_the_chain_rule(seed):
    """I(A; B, C) = I(A; C) + I(A; B | C)."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(3, (3, 2, 4)) + (rng.random((3, 2, 4)) < 0.1)
    counts[0, 0, 0] += 1
    joint = mutual_information(counts.reshape(3, -1))
    alone = mutual_information(counts.sum(axis=1))
    assert conditional_information(counts) == pytest.approx(joint - alone, abs=1e-12)


def test_conditional_information_averages_the_strata():
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 20, (2, 3, 4))
    each = mutual_information(np.moveaxis(counts, -1, 0))
    weights = counts.sum(axis=(0, 1)) / counts.sum()
    assert conditional_information(counts) == pytest.approx(each @ weights, rel=1e-13)
    total = likelihood_ratio(np.moveaxis(counts, -1, 0)).sum()
    assert likelihood_ratio(conditional_table(counts)) == pytest.approx(total)


def test_an_empty_stratum_changes_nothing():
    counts = np.random.default_rng(4).integers(1, 20, (2, 3, 4))
    padded = np.concatenate([counts, np.zeros((2, 3, 2), dtype=int)], axis=-1)
    assert conditional_information(padded) == conditional_information(counts)


def test_multi_information_of_two_variables_is_mutual_information():
    counts = np.random.default_rng(5).integers(0, 20, (3, 4))
    assert multi_information(counts) == pytest.approx(mutual_information(counts))


def test_multi_information_is_the_sum_of_entropies_less_the_joint_one():
    counts = np.random.default_rng(6).integers(0, 9, (2, 3, 4, 2))

    def h(table):
        shares = table[table > 0] / table.sum()
        return -(shares * np.log(shares)).sum()

    axes = range(counts.ndim)
    single = sum(h(counts.sum(axis=tuple(set(axes) - {axis}))) for axis in axes)
    assert multi_information(counts) == pytest.approx(single - h(counts), rel=1e-12)
    for order in itertools.islice(itertools.permutations(axes), 8):
        assert multi_information(counts.transpose(order)) == pytest.approx(
            single - h(counts), rel=1e-12
        )


def test_multi_information_needs_two_variables():
    with pytest.raises(ValueError, match="states of 1, states of 2.; got 1 axes"):
        multi_information([1, 2, 3])
