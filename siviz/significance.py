"""p-values that never underflow, thresholds, and the naive p-values that do."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtr, chdtrc, log_ndtr, ndtri

from siviz.information import likelihood_ratio
from siviz.nulls import Centre, Null, NullKind, resolve_null
from siviz.standardized import standardized_information
from siviz.tables import Array, Table, statistic


@statistic
def log_p_value(table: Table, *, null: NullKind | Null = "nominal") -> Array:
    """Natural logarithm of the p-value of independence (Sec. 5.3).

    Upper tail at G of the null's gamma distribution (chi-squared with d degrees of
    freedom for the nominal null), computed as a logarithm throughout: finite for every
    table.  Smaller is stronger.  Divide by ``log(10)`` for powers of ten.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
    null : {"nominal", "effective", "calibrated", "permutation"} or Null

    Examples
    --------
    >>> import math
    >>> counts = [[3000, 200, 100], [200, 3000, 150], [100, 150, 3000]]
    >>> round(float(log_p_value(counts)) / math.log(10), 2)
    -3153.02
    """
    return resolve_null(table, null).log_survival(likelihood_ratio(table))


@statistic
def p_value(table: Table, *, null: NullKind | Null = "nominal") -> Array:
    """p-value of independence (Sec. 5.3); smaller is stronger.

    Underflows to 0 below 1e-308, where all strong dependences tie: rank by
    `log_p_value`.

    Examples
    --------
    >>> round(float(p_value([[12, 8], [8, 12]])), 4)
    0.2044
    """
    return np.exp(log_p_value(table, null=null))[()]


@statistic
def cdf_p_value(table: Table) -> Array:
    """The p-value as ``1 - cdf`` computes it, a failure shown on purpose (Sec. 5.3).

    Rounds to 0 once p is below about 1e-16.

    Examples
    --------
    >>> float(cdf_p_value([[300, 100], [100, 300]]))
    0.0
    """
    dof = np.where(table.dof > 0, table.dof, 1)
    tail = 1 - chdtr(dof, likelihood_ratio(table))
    return np.where(table.dof > 0, tail, 1.0)[()]


@statistic
def survival_p_value(table: Table) -> Array:
    """The p-value as a survival function computes it; 0 below about 1e-308.

    Examples
    --------
    >>> float(survival_p_value([[3000, 100], [100, 3000]]))
    0.0
    """
    dof = np.where(table.dof > 0, table.dof, 1)
    tail = chdtrc(dof, likelihood_ratio(table))
    return np.where(table.dof > 0, tail, 1.0)[()]


@statistic
def fisher_log_p_value(
    table: Table, *, null: NullKind | Null = "nominal", centre: Centre = "fisher"
) -> Array:
    """Natural logarithm of Fisher's approximate p-value (Sec. 5.4).

    ``log(1 - Phi(sqrt(2) SI))``: SI is about normal with variance 1/2.

    Examples
    --------
    >>> import math
    >>> round(math.exp(fisher_log_p_value([[12, 8], [8, 12]])), 3)
    0.213
    """
    si = standardized_information(table, null=null, centre=centre)
    return log_ndtr(-np.sqrt(2) * si)


def significance_threshold(level: ArrayLike) -> Array:
    """Standardized information exceeded by chance at this level (Sec. 5.1).

    ``c`` with ``Phi(sqrt(2) c) = 1 - level``, for a table of any shape.

    Examples
    --------
    >>> round(float(significance_threshold(0.05)), 3)
    1.163
    """
    level = np.asarray(level, dtype=float)
    if not np.all((level > 0) & (level < 1)):
        raise ValueError(f"level must lie between 0 and 1; got {level}")
    return (-ndtri(level) / np.sqrt(2))[()]
