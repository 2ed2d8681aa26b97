"""Cell moments against sums over the whole hypergeometric distribution."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import xlogy

from siviz import hypergeometric
from siviz.hypergeometric import cell_moments


def brute_force(r, c, n):
    """Mean, residual and slope of psi by scipy's probabilities."""
    x = np.arange(max(0, r + c - n), min(r, c) + 1)
    weight = stats.hypergeom.pmf(x, n, r, c)
    mu = r * c / n
    psi = xlogy(x, x / (mu or 1)) - (x - mu)
    mean = weight @ psi
    variance, covariance = weight @ (x - mu) ** 2, weight @ ((x - mu) * psi)
    if variance == 0:
        return mean, 0.0, 0.0
    slope = covariance / variance
    return mean, weight @ (psi - mean - slope * (x - mu)) ** 2, slope


def of_one_cell(r, c, n):
    """The cell (r, c) of the 2 x 2 margins that contain it."""
    cell = cell_moments(np.array([r, n - r], float), np.array([c, n - c], float))
    code = cell.code[0, 0]
    return cell.mean[code], cell.residual[code], cell.slope[code]


@st.composite
def margins(draw, most=3000):
    n = draw(st.integers(2, most))
    return draw(st.integers(0, n)), draw(st.integers(0, n)), n


@given(margins())
@settings(max_examples=300)
def test_moments_equal_the_sum_over_the_distribution(cell):
    got, expected = of_one_cell(*cell), brute_force(*cell)
    np.testing.assert_allclose(got, expected, rtol=2e-8, atol=2e-8)
    assert got[0] == pytest.approx(expected[0], rel=1e-9, abs=1e-12)


def exact_mean(r, c, n):
    """Mean of psi with 30 digits, summed outwards from the mode."""
    mp.mp.dps = 50  # psi of a nearly full cell cancels to 18 digits below n
    mu = mp.mpf(r) * c / n
    mode = (r + 1) * (c + 1) // (n + 2)
    total = weight_sum = mp.mpf(0)
    for step in (1, -1):
        x, weight = mode, mp.mpf(1)
        while weight > mp.mpf(10) ** -25 and 0 <= x <= min(r, c):
            if step == 1 or x != mode:
                psi = (x * mp.log(x / mu) if x else 0) - (x - mu)
                total += weight * psi
                weight_sum += weight
            if step == 1:
                weight *= mp.mpf((r - x) * (c - x)) / ((x + 1) * (n - r - c + x + 1))
            else:
                weight *= mp.mpf(x * (n - r - c + x)) / ((r - x + 1) * (c - x + 1))
            x += step
    return float(total / weight_sum)


@pytest.mark.parametrize(
    "cell",
    [
        (3000, 2000, 10**7),
        (5000, 200_000, 10**7),
        (40_000, 50_000, 10**7),
        (10**6, 3 * 10**5, 10**7),
        (9_999_000, 9_990_000, 10**7),
        (9_999_999, 9_999_999, 10**7),
        (9_999_990, 9_999_000, 10**7),
        (10**9 - 3, 10**9 - 5, 10**9),
        (79, 1000, 1000 * 1000),
        (81, 10**6, 10**6 + 50),
        (82, 10**6, 10**6 + 50),
    ],
)
def test_mean_is_exact_to_nine_digits_for_the_rarest_and_the_fullest_cells(cell):
    assert of_one_cell(*cell)[0] == pytest.approx(exact_mean(*cell), rel=1e-9, abs=0)


def test_central_moments_of_the_recurrence_are_scipys():
    r, c, n = 40, 30, 100
    moments = hypergeometric._central_moments(
        *(np.array([float(v)]) for v in (r, c, n))
    )
    x = np.arange(31)
    weight = stats.hypergeom.pmf(x, n, r, c)
    for k, moment in enumerate(moments):
        expected = weight @ (x - r * c / n) ** k
        assert moment[0] == pytest.approx(expected, rel=1e-9, abs=1e-11)


def test_both_methods_agree_where_they_meet():
    rng = np.random.default_rng(0)
    n = rng.integers(400, 10**6, 300).astype(float)
    r = np.round(n * rng.uniform(0.1, 0.9, 300))
    c = np.clip(np.round(80 * n / r), 1, n - 1)
    summed = hypergeometric._summed(r, c, n)
    expanded = hypergeometric._expanded(r, c, n)
    np.testing.assert_allclose(expanded[0], summed[0], rtol=1e-9)
    np.testing.assert_allclose(expanded[1:], summed[1:], rtol=1e-4, atol=1e-7)


def test_equal_cells_are_computed_once_and_the_order_does_not_matter():
    rows = np.array([[3.0, 7.0], [7.0, 3.0]])
    columns = np.array([[4.0, 6.0], [6.0, 4.0]])
    cell = cell_moments(rows, columns)
    assert cell.mean.size == 4
    np.testing.assert_array_equal(cell.code[0], cell.code[1][::-1, ::-1])


def test_sample_sizes_too_large_for_a_lookup_are_hashed():
    big = 10.0**12
    cell = cell_moments(np.array([big, 2 * big]), np.array([big, 2 * big]))
    assert cell.mean.size == 3
    # In the dense limit E[psi] = (1 - r/N)(1 - c/N) / 2.
    corner = cell.mean[cell.code[0, 0]]
    assert corner == pytest.approx((2 / 3) ** 2 / 2, rel=1e-9)
