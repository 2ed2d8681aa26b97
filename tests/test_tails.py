"""log p against 40-digit values, where every shortcut fails."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln, log_ndtr

from siviz.tails import log_gamma_tail

REFERENCE = np.array(
    json.loads((Path(__file__).parent / "reference" / "tails.json").read_text())
)
DOFS = np.unique(REFERENCE[:, 0])


@pytest.mark.parametrize("dof", DOFS)
def test_log_tail_is_right_to_twelve_digits_from_1e_3_to_1e9(dof):
    _, chi2, expected = REFERENCE[REFERENCE[:, 0] == dof].T
    assert chi2.min() <= 1e-3
    assert chi2.max() == 1e9
    got = log_gamma_tail(np.full_like(chi2, dof / 2), chi2 / 2)
    assert np.isfinite(got).all()
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=0)


def test_scipys_log_tail_is_lost_where_ours_is_not():
    with np.errstate(divide="ignore"):
        assert stats.chi2.logsf(1600, 9) == -np.inf
    # Leading terms of the large-x expansion of Gamma(a, x), a = 4.5.
    x = 800.0
    expansion = 1 + 3.5 / x + 3.5 * 2.5 / x**2 + 3.5 * 2.5 * 1.5 / x**3
    expected = 3.5 * np.log(x) - x - gammaln(4.5) + np.log(expansion)
    assert log_gamma_tail(4.5, x) == pytest.approx(expected, rel=1e-12)


def test_one_and_two_degrees_of_freedom_have_closed_forms():
    x = np.geomspace(1e-6, 1e8, 50)
    np.testing.assert_allclose(log_gamma_tail(1.0, x), -x, rtol=1e-13)
    half_normal = np.log(2) + log_ndtr(-np.sqrt(2 * x))
    np.testing.assert_allclose(log_gamma_tail(0.5, x), half_normal, rtol=1e-9)


@pytest.mark.parametrize("shape", [0.5, 7.3, 150, 1e3, 1e5, 1e7, 1e9])
def test_log_tail_falls_strictly_through_all_methods(shape):
    deviations = np.concatenate([np.linspace(-6, 40, 400), [60, 1e3, 1e5]])
    x = np.maximum(shape + deviations * np.sqrt(shape), 1e-9)
    tail = log_gamma_tail(shape, np.unique(x))
    assert np.isfinite(tail).all()
    assert (np.diff(tail) < 0).all()


def test_a_point_mass_at_zero_has_p_one():
    assert log_gamma_tail(0.0, 5.0) == 0
    assert log_gamma_tail(3.0, 0.0) == 0
