"""Cut points and fair bins: identities, invariances, the paper's first experiment."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siviz import standardized_information
from siviz.columns.cut_points import (
    cut_codes,
    cut_labels,
    equal_frequency_cuts,
    equal_frequency_starts,
    equal_width_cuts,
    number_labels,
    number_text,
    short_number,
)
from siviz.fair_bins import FINE_BINS, WARNING, fair_bins, fair_pair_bins

small_whole = st.integers(-20, 20)
number_lists = st.lists(
    st.one_of(small_whole.map(float), st.floats(allow_nan=False)),
    min_size=2,
    max_size=60,
)
bin_numbers = st.integers(2, 9)
unhurried = settings(deadline=None, max_examples=60)


def figure_2(z):
    """The reconstructed true distribution of the paper's Figure 2."""
    block = np.array([[0.1 + z, 0.1 - z], [0.1 - z, 0.1 + z]])
    rest = np.full((2, 2), 0.025)
    return np.block([[block, rest], [rest, block]])


def sample_figure_2(rng, z, size):
    """Two numbers in [0, 4) whose whole parts have the distribution of Figure 2."""
    cell = rng.choice(16, size=size, p=figure_2(z).ravel())
    jitter = rng.random((2, size))
    return cell // 4 + jitter[0], cell % 4 + jitter[1]


def fine_table(values, codes, states):
    cuts = equal_frequency_cuts(values, FINE_BINS)
    key = cut_codes(values, cuts) * states + codes
    counts = np.bincount(key, minlength=(cuts.size + 1) * states)
    return counts.reshape(-1, states), cuts


class TestEqualFrequency:
    @unhurried
    @given(st.integers(2, 8), st.integers(1, 6))
    def test_different_values_are_divided_equally_if_they_can_be(self, bins, each):
        values = np.random.default_rng(0).permutation(bins * each) * 0.37
        codes = cut_codes(values, equal_frequency_cuts(values, bins))
        assert np.bincount(codes).tolist() == [each] * bins

    @unhurried
    @given(number_lists, bin_numbers)
    def test_equal_values_are_never_split_and_no_bin_is_empty(self, values, bins):
        cuts = equal_frequency_cuts(values, bins)
        codes = cut_codes(values, cuts)
        assert np.bincount(codes, minlength=cuts.size + 1).min() > 0
        assert cuts.size <= min(bins, len(set(values))) - 1
        for value in set(values):
            assert (
                len({c for v, c in zip(values, codes, strict=True) if v == value}) == 1
            )

    @unhurried
    @given(st.lists(small_whole, min_size=2, max_size=60), bin_numbers)
    def test_increasing_transformations_do_not_change_the_codes(self, values, bins):
        x = np.array(values, dtype=float)
        codes = cut_codes(x, equal_frequency_cuts(x, bins))
        for y in (np.exp(x / 3), x**3, 5 * x - 2, np.arctan(x)):
            np.testing.assert_array_equal(
                cut_codes(y, equal_frequency_cuts(y, bins)), codes
            )

    @unhurried
    @given(
        st.lists(st.tuples(small_whole, st.integers(0, 4)), min_size=1, max_size=40),
        bin_numbers,
    )
    def test_weights_are_repeated_values(self, rows, bins):
        values, weights = np.array(rows).T
        np.testing.assert_array_equal(
            equal_frequency_cuts(values, bins, weights=weights),
            equal_frequency_cuts(np.repeat(values, weights), bins),
        )

    @unhurried
    @given(number_lists, bin_numbers, st.randoms(use_true_random=False))
    def test_the_order_of_the_values_does_not_matter(self, values, bins, random):
        shuffled = values.copy()
        random.shuffle(shuffled)
        np.testing.assert_array_equal(
            equal_frequency_cuts(shuffled, bins), equal_frequency_cuts(values, bins)
        )

    @unhurried
    @given(st.lists(st.integers(1, 30), min_size=2, max_size=8), st.integers(2, 4))
    def test_each_quantile_is_cut_at_the_nearest_gap(self, counts, bins):
        gaps = np.cumsum(counts)[:-1]
        wanted = sum(counts) * np.arange(1, bins) / bins
        starts = equal_frequency_starts(counts, bins)
        for target in wanted:
            assert (
                np.abs(gaps[starts - 1] - target).min() == np.abs(gaps - target).min()
            )

    def test_two_values_give_two_bins_however_unequal(self):
        assert equal_frequency_cuts([0] * 99 + [1], 5).tolist() == [1.0]

    def test_a_single_value_gives_no_cut(self):
        assert equal_frequency_cuts([3, 3, 3], 4).size == 0
        assert equal_frequency_cuts([], 4).size == 0

    def test_missing_values_are_ignored_and_have_no_bin(self):
        values = [1.0, 2.0, np.nan, 3.0, 4.0]
        cuts = equal_frequency_cuts(values, 2)
        assert cut_codes(values, cuts).tolist() == [0, 0, -1, 1, 1]

    def test_infinities_are_the_largest_and_the_smallest_values(self):
        values = [-np.inf, -np.inf, 1.0, 2.0, np.inf, np.inf]
        cuts = equal_frequency_cuts(values, 3)
        assert cut_codes(values, cuts).tolist() == [0, 0, 1, 1, 2, 2]


class TestEqualWidth:
    @unhurried
    @given(
        st.lists(st.integers(-1000, 1000), min_size=2, max_size=20, unique=True),
        bin_numbers,
        st.sampled_from([1e-9, 0.01, 1.0, 1e6]),
    )
    def test_bins_are_equally_wide_to_a_thousandth(self, values, bins, scale):
        scaled = np.array(values) * scale
        cuts = equal_width_cuts(scaled, bins)
        width = np.ptp(scaled) / bins
        edges = np.concatenate([[scaled.min()], cuts, [scaled.max()]])
        np.testing.assert_allclose(np.diff(edges), width, atol=2e-3 * width)

    def test_infinities_fall_into_the_outer_bins(self):
        values = [-np.inf, 0.0, 4.0, np.inf]
        cuts = equal_width_cuts(values, 4)
        assert cuts.tolist() == [1.0, 2.0, 3.0]
        assert cut_codes(values, cuts).tolist() == [0, 0, 3, 3]

    def test_the_largest_possible_range_does_not_overflow(self):
        assert equal_width_cuts([-1.7e308, 1.7e308], 2).tolist() == [0.0]


class TestLabels:
    @unhurried
    @given(st.floats(allow_nan=False), st.floats(allow_nan=False))
    def test_a_short_number_separates_the_same_values(self, a, b):
        below, value = sorted([a, b])
        if below < value:
            assert below < short_number(below, value) <= value

    @unhurried
    @given(st.integers(-(2**63), 2**63 - 2))
    def test_a_short_whole_number_separates_even_neighbours(self, below):
        assert short_number(below, below + 1) == below + 1

    @unhurried
    @given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=8, unique=True))
    def test_labels_of_different_bins_differ(self, cuts):
        labels = cut_labels(sorted(set(np.array(cuts) + 0.0)), number_text)
        assert len(set(labels)) == len(labels)

    @unhurried
    @given(st.lists(st.floats(allow_nan=False), max_size=8, unique=True))
    def test_labels_of_different_numbers_differ(self, numbers):
        labels = number_labels(numbers)
        assert len(set(labels)) == len({number_text(number) for number in numbers})

    def test_single_precision_numbers_read_as_written(self):
        numbers = np.array([0.1, 0.25, 1e-7], dtype=np.float32).astype(float)
        assert number_labels(numbers.tolist()) == ["0.1", "0.25", "1e-07"]


class TestErrors:
    @pytest.mark.parametrize("bins", [1, 0, -3, 2.5, True, "5"])
    def test_bins_must_be_a_whole_number_of_at_least_two(self, bins):
        with pytest.raises(
            ValueError, match="bins must be a whole number of at least 2"
        ):
            equal_frequency_cuts([1, 2, 3], bins)

    @pytest.mark.parametrize(
        ("weights", "said"),
        [
            ([1, 2], "one number per row, 3"),
            ([1, -1, 1], r"at least 0; got -1 in row 2"),
            ([1, 0.5, 1], r"got 0.5 in row 2"),
            ([1, np.nan, 1], r"got none in row 2"),
            (["a", "b", "c"], "weights must be numbers"),
            ([2**53, 4, 1], r"at most 2\*\*53"),
        ],
    )
    def test_weights_must_be_counts(self, weights, said):
        with pytest.raises(ValueError, match=said):
            equal_frequency_cuts([1, 2, 3], 2, weights=weights)

    def test_text_has_no_quantiles(self):
        with pytest.raises(ValueError, match="values must be a list of numbers"):
            equal_width_cuts(["a", "b"], 2)


def brute_force(cells, null, centre):
    """The largest SI over all mergings of neighbouring rows."""
    informations = []
    for cut in product([False, True], repeat=len(cells) - 1):
        if any(cut):
            starts = [0, *np.flatnonzero(cut) + 1]
            merged = np.add.reduceat(cells, starts, axis=0)
            informations.append(
                standardized_information(merged, null=null, centre=centre)
            )
    return max(informations)


def random_cells(seed):
    rng = np.random.default_rng(seed)
    states = rng.integers(2, 5)
    shares = rng.dirichlet(np.full(7 * states, rng.choice([0.3, 1, 5])))
    cells = rng.multinomial(rng.integers(20, 300), shares).reshape(7, states)
    return cells[cells.sum(axis=1) > 0][:, cells.sum(axis=0) > 0]


class TestFairBins:
    @pytest.mark.parametrize("centre", ["mean", "fisher"])
    @pytest.mark.parametrize("seed", range(12))
    def test_dynamic_programming_finds_the_best_of_all_mergings(self, seed, centre):
        cells = random_cells(seed)
        fair = fair_bins(cells, null="nominal", centre=centre, draws=2)
        assert fair.informations.max() == pytest.approx(
            brute_force(cells, "nominal", centre), abs=1e-9
        )

    def test_with_the_calibrated_null_it_finds_nearly_the_best(self):
        # Margins change the calibrated null a little, so largest G is not largest SI.
        short = [
            brute_force(cells, "calibrated", "mean")
            - fair_bins(cells, null="calibrated", draws=2).informations.max()
            for cells in map(random_cells, range(12))
        ]
        assert min(short) > -1e-9
        assert max(short) < 0.02

    @pytest.mark.parametrize("null", ["nominal", "calibrated"])
    def test_the_chart_shows_the_information_of_the_chosen_groups(self, null):
        rng = np.random.default_rng(5)
        cells = rng.multinomial(2000, np.repeat(figure_2(0.1), 3, axis=0).ravel() / 3)
        cells = cells.reshape(12, 4)
        fair = fair_bins(cells, null=null)
        merged = np.stack([cells[list(group)].sum(axis=0) for group in fair.groups])
        shown = fair.informations[fair.bin_counts == len(fair.groups)]
        assert shown == pytest.approx([standardized_information(merged, null=null)])
        assert fair.warning == WARNING

    @pytest.mark.parametrize("null", ["selected", "nominal"])
    def test_of_pure_noise_it_makes_the_fewest_bins(self, null):
        rng = np.random.default_rng(7)
        tables = rng.multinomial(500, np.full(96, 1 / 96), size=40).reshape(-1, 48, 2)
        chosen = [len(fair_bins(cells, null=null, draws=60).groups) for cells in tables]
        assert np.mean(np.array(chosen) == 2) >= 0.85

    def test_its_p_value_stays_honest_although_the_bins_were_chosen(self):
        rng = np.random.default_rng(8)
        tables = rng.multinomial(400, np.full(72, 1 / 72), size=120).reshape(-1, 24, 3)
        p_values = [fair_bins(cells, draws=99).p_value for cells in tables]
        # 120 uniform values: the mean has a standard error of 0.026.
        assert np.mean(p_values) == pytest.approx(0.5, abs=0.08)

    def test_the_plain_null_overlooks_the_search_and_the_selected_one_does_not(self):
        rng = np.random.default_rng(9)
        tables = rng.multinomial(500, np.full(96, 1 / 96), size=20).reshape(-1, 48, 2)
        plain = [fair_bins(cells, null="nominal", draws=60) for cells in tables]
        aware = [fair_bins(cells, draws=60) for cells in tables]
        assert np.mean([fair.informations.max() for fair in plain]) > 2
        assert np.mean([fair.informations.max() for fair in aware]) < 1

    def test_with_much_data_it_finds_the_four_states_of_figure_2(self):
        a, b = sample_figure_2(np.random.default_rng(1), 0.08, 20_000)
        counts, cuts = fine_table(a, b.astype(int), 4)
        fair = fair_bins(counts)
        # The nearest cuts of the fine grid, which are 4/48 apart.
        assert np.array(fair.cut_points(cuts)) == pytest.approx([1, 2, 3], abs=0.1)
        assert fair.p_value < 0.05

    @pytest.mark.parametrize("size", [200, 1000, 20_000])
    def test_where_four_states_hold_no_more_than_two_it_finds_two(self, size):
        a, b = sample_figure_2(np.random.default_rng(size), 0.0, size)
        counts, cuts = fine_table(a, b.astype(int), 4)
        (cut,) = fair_bins(counts).cut_points(cuts)
        assert cut == pytest.approx(2, abs=0.15)

    def test_empty_fine_bins_belong_to_a_neighbour(self):
        cells = [[0, 0], [40, 5], [0, 0], [38, 6], [5, 40], [0, 0]]
        fair = fair_bins(cells)
        assert fair.groups == ((0, 1, 2, 3), (4, 5))

    def test_without_a_second_state_there_is_one_bin(self):
        fair = fair_bins([[3, 0], [4, 0], [5, 0]])
        assert fair.groups == ((0, 1, 2),)
        assert fair.p_value == 1
        assert fair.cut_points([1.0, 2.0]) == ()

    def test_wrong_options_are_refused(self):
        with pytest.raises(ValueError, match="null must be one of selected"):
            fair_bins([[1, 2], [3, 4]], null="exact")
        with pytest.raises(ValueError, match="draws must be at least 2"):
            fair_bins([[1, 2], [3, 4]], draws=1)
        with pytest.raises(ValueError, match="the 1 points between the 2 fine bins"):
            fair_bins([[9, 2], [3, 9]]).cut_points([1.0, 2.0])


class TestFairPairBins:
    def counts(self, z, size):
        a, b = sample_figure_2(np.random.default_rng(size), z, size)
        codes = cut_codes(b, equal_frequency_cuts(b, FINE_BINS))
        return fine_table(a, codes, FINE_BINS)[0]

    def test_it_finds_two_or_four_states_on_both_sides(self):
        two = fair_pair_bins(self.counts(0.0, 3000), draws=40)
        four = fair_pair_bins(self.counts(0.1, 3000), draws=40)
        assert (two.row_bins, two.column_bins) == (2, 2)
        assert (four.row_bins, four.column_bins) == (4, 4)

    def test_the_surface_holds_the_information_of_each_pair_of_numbers(self):
        counts = self.counts(0.1, 3000)
        fair = fair_pair_bins(counts, bin_counts=(2, 4, 48), null="nominal", draws=2)
        assert fair.row_counts == fair.column_counts == (2, 4, 48)
        for (i, rows), (j, columns) in product(enumerate((2, 4, 48)), repeat=2):
            merged = counts.reshape(rows, 48 // rows, columns, 48 // columns)
            expected = standardized_information(
                merged.sum(axis=(1, 3)), centre="fisher"
            )
            assert fair.informations[i, j] == pytest.approx(expected)

    def test_of_pure_noise_it_makes_two_by_two(self):
        rng = np.random.default_rng(3)
        chosen = []
        for _ in range(10):
            counts = rng.multinomial(2000, np.full(24**2, 1 / 24**2)).reshape(24, 24)
            fair = fair_pair_bins(counts, bin_counts=(2, 3, 4, 6, 8, 12, 24), draws=60)
            chosen.append((fair.row_bins, fair.column_bins))
        assert chosen.count((2, 2)) >= 8

    def test_numbers_that_the_grid_cannot_make_are_left_out(self):
        fair = fair_pair_bins([[9, 1], [1, 9], [5, 5]], bin_counts=(2, 3, 4), draws=2)
        assert fair.row_counts == (2, 3)
        assert fair.column_counts == (2,)

    def test_a_constant_makes_one_bin(self):
        fair = fair_pair_bins([[3, 4, 5]])
        assert (fair.row_bins, fair.column_bins, fair.p_value) == (1, 1, 1.0)
