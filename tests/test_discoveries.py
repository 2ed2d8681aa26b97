"""False-discovery rates: scipy's where p-values can be held, finite where not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import false_discovery_control

from siviz.discoveries import log_q_values

logs = arrays(float, st.integers(1, 40), elements=st.floats(-600, 0))


@given(logs)
def test_q_values_equal_scipys(log_p):
    expected = false_discovery_control(np.exp(log_p))
    np.testing.assert_allclose(np.exp(log_q_values(log_p)), expected, rtol=1e-11)


@given(arrays(float, st.integers(1, 40), elements=st.floats(-1e9, 0)))
def test_q_values_are_finite_monotone_and_never_below_p(log_p):
    log_q = log_q_values(log_p)
    assert np.isfinite(log_q).all()
    assert (log_q <= 0).all()
    assert (log_q >= log_p - 1e-9).all()
    order = np.argsort(log_p, kind="stable")
    assert (np.diff(log_q[order]) >= 0).all()


@given(logs, st.integers(0, 3))
def test_pairs_that_were_not_tested_do_not_count(log_p, extra):
    with_gaps = np.concatenate([np.full(extra, np.nan), log_p, [np.nan]])
    log_q = log_q_values(with_gaps)
    np.testing.assert_array_equal(log_q[extra:-1], log_q_values(log_p))
    assert np.isnan(log_q[[*range(extra), -1]]).all()


def test_the_smallest_of_m_p_values_is_multiplied_by_m():
    assert log_q_values(np.array([-5000.0, -1.0, -1.0]))[0] == pytest.approx(
        -5000 + np.log(3)
    )


def test_nothing_tested_gives_nothing():
    assert log_q_values(np.array([])).size == 0
    assert np.isnan(log_q_values(np.array([np.nan, np.nan]))).all()
