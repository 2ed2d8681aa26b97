"""False-discovery rates on a log scale (Benjamini and Hochberg 1995)."""

import numpy as np

from siviz.tables import Array


def log_q_values(log_p: Array) -> Array:
    """Natural logarithm of the q-value of each p-value.

    The smallest false-discovery rate at which a hypothesis is rejected:
    ``q_(i) = min over j >= i of m p_(j) / j`` for the sorted p-values, computed on
    logarithms so that nothing underflows.  nan where ``log_p`` is nan; such tests do
    not count.

    Examples
    --------
    >>> np.exp(log_q_values(np.log([0.01, 0.04, 0.03]))).round(3)
    array([0.03, 0.04, 0.04])
    """
    log_p = np.asarray(log_p, dtype=float)
    result = np.full(log_p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(log_p))
    order = tested[np.argsort(log_p[tested], kind="stable")]
    share = np.arange(1, order.size + 1) / max(order.size, 1)
    raised = log_p[order] - np.log(share)
    lowest = np.minimum.accumulate(raised[::-1])[::-1]
    result[order] = np.minimum(lowest, 0.0)
    return result
