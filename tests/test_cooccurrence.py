"""One matrix holds the table of every pair of columns, however it was counted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siviz import cooccurrence
from siviz.cooccurrence import LARGEST_MATRIX, count_pairs

KERNELS = ("product", "packed", None)
brief = settings(max_examples=40)


def codes_of(rng, rows, sizes, missing):
    """Random codes, about a share of them missing in every other column."""
    codes = []
    for place, size in enumerate(sizes):
        kind = np.min_scalar_type(-max(size, 2))
        code = rng.integers(0, size, rows).astype(kind)
        gaps = rng.random(rows) < missing * (place % 2)
        codes.append(np.where(gaps, kind.type(-1), code))
    return codes


@st.composite
def counted_columns(draw):
    """Codes of some columns, their numbers of states, and weights or None."""
    sizes = draw(st.lists(st.integers(1, 7), min_size=2, max_size=6))
    rows = draw(st.integers(0, 200))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    codes = codes_of(rng, rows, sizes, draw(st.sampled_from([0.0, 0.3, 1.0])))
    weights = rng.integers(0, 4, rows) if draw(st.booleans()) else None
    return codes, sizes, weights


def counted_one_by_one(first, second, shape, weights):
    table = np.zeros(shape)
    known = (first >= 0) & (second >= 0)
    weight = 1 if weights is None else weights[known]
    np.add.at(table, (first[known], second[known]), weight)
    return table


def assert_counts_every_pair(counted, codes, sizes, weights):
    for i in range(len(sizes)):
        for j in range(len(sizes)):
            shape = (sizes[i], sizes[j])
            expected = counted_one_by_one(codes[i], codes[j], shape, weights)
            np.testing.assert_array_equal(counted.table(i, j), expected)


@pytest.mark.parametrize("kernel", KERNELS)
@brief
@given(counted_columns())
def test_every_kernel_counts_every_row_of_every_pair_once(kernel, columns):
    codes, sizes, weights = columns
    counted = count_pairs(codes, sizes, weights=weights, kernel=kernel)
    assert_counts_every_pair(counted, codes, sizes, weights)


@brief
@given(counted_columns(), st.integers(0, 5))
def test_the_pairs_with_a_target_are_those_of_all_pairs(columns, place):
    codes, sizes, weights = columns
    target = place % len(sizes)
    full = count_pairs(codes, sizes, weights=weights)
    one = count_pairs(codes, sizes, weights=weights, target=target)
    assert one.matrix.shape == (sum(sizes), sizes[target])
    for column in range(len(sizes)):
        np.testing.assert_array_equal(
            one.table(column, target), full.table(column, target)
        )


# At 70,000 rows packs have up to 256 joint states; with 3,000 rows the one-hot matrix
# comes in three parts.
@pytest.mark.parametrize("kernel, rows", [("product", 3000), ("packed", 70_000)])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("weighted", [False, True])
def test_kernels_agree_where_columns_are_packed_and_rows_come_in_chunks(
    monkeypatch, kernel, rows, missing, weighted
):
    monkeypatch.setattr(cooccurrence, "_ONE_HOT_BYTES", 6 << 20)
    rng = np.random.default_rng(3)
    # 127 to 300 stand at the limits of the types that hold them.
    sizes = (2, 2, 5, 3, 127, 128, 129, 2, 255, 256, 300, 4, 4, 4, 3, 1)
    codes = codes_of(rng, rows, sizes, missing)
    weights = rng.integers(0, 1000, rows) if weighted else None
    counted = count_pairs(codes, sizes, weights=weights, kernel=kernel)
    for i in range(len(sizes)):
        one = count_pairs(codes, sizes, target=i, weights=weights)
        np.testing.assert_array_equal(one.matrix, counted.matrix[:, block(counted, i)])


def block(counted, column):
    return slice(counted.starts[column], counted.starts[column] + counted.sizes[column])


@brief
@given(counted_columns(), st.integers(0, 200), st.sampled_from(KERNELS))
def test_counts_of_parts_of_the_rows_add_up(columns, cut, kernel):
    codes, sizes, weights = columns
    parts = []
    for part in (slice(None, cut), slice(cut, None)):
        share = None if weights is None else weights[part]
        part_codes = [code[part] for code in codes]
        parts.append(count_pairs(part_codes, sizes, weights=share, kernel=kernel))
    whole = count_pairs(codes, sizes, weights=weights)
    np.testing.assert_array_equal((parts[0] + parts[1]).matrix, whole.matrix)


@brief
@given(counted_columns(), st.sampled_from(KERNELS))
def test_a_weight_of_w_is_a_row_repeated_w_times(columns, kernel):
    codes, sizes, weights = columns
    weights = np.ones(len(codes[0]), dtype=int) if weights is None else weights
    repeated = [np.repeat(code, weights) for code in codes]
    np.testing.assert_array_equal(
        count_pairs(codes, sizes, weights=weights, kernel=kernel).matrix,
        count_pairs(repeated, sizes, kernel=kernel).matrix,
    )


def test_weights_beyond_single_precision_stay_exact():
    codes = [np.array([0, 1, 0]), np.array([0, 0, 1])]
    weights = np.array([2**50 + 1, 2**40 + 1, 1])
    for kernel in KERNELS:
        counted = count_pairs(codes, (2, 2), weights=weights, kernel=kernel)
        assert counted.table(0, 1).tolist() == [[2**50 + 1, 1], [2**40 + 1, 0]]
        assert counted.table(0, 0)[0, 0] == 2**50 + 2


def test_the_diagonal_holds_each_columns_own_counts():
    codes = [np.array([0, 2, 2, -1]), np.array([1, 1, -1, 0])]
    counted = count_pairs(codes, (3, 2))
    assert counted.table(0, 0).tolist() == np.diag([1, 0, 2]).tolist()
    assert counted.table(1, 1).tolist() == np.diag([1, 2]).tolist()


@brief
@given(counted_columns(), st.integers(0, 3), st.integers(0, 3))
def test_tables_are_padded_with_empty_states(columns, more_rows, more_columns):
    codes, sizes, _ = columns
    shape = (max(sizes) + more_rows, max(sizes) + more_columns)
    pairs = np.triu_indices(len(sizes), 1)
    for target in (None, len(sizes) - 1):
        counted = count_pairs(codes, sizes, target=target)
        first, second = (p if target is None else p[pairs[1] == target] for p in pairs)
        for table, i, j in zip(
            counted.tables(first, second, shape), first, second, strict=True
        ):
            plain = counted.table(i, j)
            padding = [(0, shape[axis] - plain.shape[axis]) for axis in (0, 1)]
            np.testing.assert_array_equal(table, np.pad(plain, padding))


def test_only_counts_of_the_same_states_add_up():
    codes = [np.array([0, 1]), np.array([1, 0])]
    counted = count_pairs(codes, (2, 2))
    with pytest.raises(ValueError, match=r"same states.*\(2, 2\) and \(2, 3\)"):
        counted + count_pairs(codes, (2, 3))
    with pytest.raises(ValueError, match="same columns"):
        counted + count_pairs(codes, (2, 2), target=1)


def test_pairs_without_the_target_were_not_counted():
    codes = [np.array([0, 1])] * 3
    with pytest.raises(ValueError, match="only pairs with column 2 were counted"):
        count_pairs(codes, (2, 2, 2), target=2).table(0, 1)


def test_too_many_states_for_a_matrix_are_refused_before_it_is_made():
    codes, sizes = [np.array([0, 1])] * 3, (LARGEST_MATRIX - 2, 2, 1)
    with pytest.raises(ValueError) as error:
        count_pairs(codes, sizes)
    assert str(error.value) == (
        "all columns together must have at most 12,000 states; got 12,001, 11,998 of "
        "them in one column: merge rare states, leave out columns with many, or choose "
        "a target"
    )
    assert count_pairs(codes, sizes, target=1).matrix.shape == (LARGEST_MATRIX + 1, 2)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rows", [99, 100, 101, 450])
@pytest.mark.parametrize("long", [50, 100, 1_000])
def test_rows_are_counted_in_chunks_of_any_length(monkeypatch, rows, weighted, long):
    rng = np.random.default_rng(5)
    codes = [rng.integers(-1, size, rows) for size in (3, 2, 4)]
    weights = rng.integers(0, 9, rows) if weighted else None
    options = {"weights": weights, "kernel": "packed"}
    whole = count_pairs(codes, (3, 2, 4), **options).matrix
    target = count_pairs(codes, (3, 2, 4), target=1, weights=weights).matrix
    monkeypatch.setattr(cooccurrence, "_CHUNK", 100)
    monkeypatch.setattr(cooccurrence, "_LONG", long)
    assert np.array_equal(count_pairs(codes, (3, 2, 4), **options).matrix, whole)
    part = count_pairs(codes, (3, 2, 4), target=1, weights=weights).matrix
    assert np.array_equal(part, target)


@pytest.mark.parametrize("sizes", [(5, 400, 200), (200, 5, 400), (256, 1_000)])
def test_columns_of_many_states_do_not_overflow_the_codes_of_pairs(sizes):
    codes = codes_of(np.random.default_rng(6), 3_000, sizes, 0.1)
    packed, product = (
        count_pairs(codes, sizes, kernel=kernel).matrix
        for kernel in ("packed", "product")
    )
    assert np.array_equal(packed, product)
