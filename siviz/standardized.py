"""Measures regularized by a null: bias-corrected, z-score, standardized information."""

import numpy as np

from siviz.information import likelihood_ratio
from siviz.nulls import Centre, Null, NullKind, resolve_null
from siviz.tables import Array, Table, statistic


@statistic
def bias_corrected_information(
    table: Table, *, null: NullKind | Null = "nominal"
) -> Array:
    """Mutual information less its mean under independence (Eq. 2), in nats.

    ``(G - m) / (2 N)``, with the nominal null ``I - d / (2 N)``.  Larger is stronger;
    may be negative.  Corrects the mean but not the spread, so among weak dependences it
    still favours variables with many states.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
    null : {"nominal", "effective", "calibrated", "permutation"} or Null

    Examples
    --------
    >>> round(float(bias_corrected_information([[30, 10], [10, 30]])), 4)
    0.1246
    """
    excess = likelihood_ratio(table) - resolve_null(table, null).mean
    return excess / (2 * table.sample_size)


@statistic
def information_z_score(table: Table, *, null: NullKind | Null = "nominal") -> Array:
    """Distance of the mutual information from independence in null spreads (Eq. 4).

    ``R = (G - m) / sqrt(v)``, dimensionless; larger is stronger.  Among strong
    dependences it favours variables with few states (it breaks the paper's condition
    2).  0 where G cannot vary.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
    null : {"nominal", "effective", "calibrated", "permutation"} or Null

    Examples
    --------
    >>> round(float(information_z_score([[30, 10], [10, 30]])), 3)
    14.093
    """
    return resolve_null(table, null).z_score(likelihood_ratio(table))


@statistic
def standardized_information(
    table: Table, *, null: NullKind | Null = "nominal", centre: Centre = "mean"
) -> Array:
    """Standardized information (Eq. 6): dependence on one scale for all tables.

    ``SI = sqrt(2 N I) - sqrt(d)`` with the nominal null; in general
    ``sqrt(max(G - m + v/2, 0)) - sqrt(v/2)``.  Dimensionless; larger is stronger.
    Under independence about normal with mean 0 and variance 1/2, whatever the numbers
    of states; for strong dependence free of them.

    Parameters
    ----------
    counts : array_like, shape (..., rows, columns)
    null : {"nominal", "effective", "calibrated", "permutation"} or Null
        ``"nominal"`` is the paper's; ``"calibrated"`` stays fair in sparse tables.
    centre : {"mean", "fisher"}
        ``"fisher"`` replaces ``sqrt(d)`` by ``sqrt(d - 1/2)`` (Sec. 5.4), which puts
        the median at 0.

    Examples
    --------
    >>> round(float(standardized_information([[30, 10], [10, 30]])), 3)
    3.575
    """
    return resolve_null(table, null).standardize(likelihood_ratio(table), centre=centre)


def transition_measure(si: Array, dof: Array, *, rate: float) -> Array:
    """Family between the z-score and standardized information (Sec. 4).

    ``J = sqrt(2) s (1 + s / (2 sqrt(d)) exp(-rate |s|))`` for ``s = SI``: the z-score
    (Eq. 4) at ``rate=0``, ``sqrt(2) SI`` as the rate grows.  Both conditions of Sec. 3
    hold for every rate above 0.  The absolute value keeps a table below the null mean
    below 0; above it, J grows with SI once ``rate sqrt(d)`` exceeds about 0.08.
    Without degrees of freedom SI is 0, and so is J.

    Examples
    --------
    >>> round(float(transition_measure(3.0, 4.0, rate=0.0)), 3)
    7.425
    """
    si = np.asarray(si, dtype=float)
    root = np.sqrt(np.where(np.greater(dof, 0), dof, 1))
    growth = si / (2 * root) * np.exp(-rate * np.abs(si))
    return np.sqrt(2) * si * (1 + growth)
