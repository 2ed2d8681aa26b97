"""What the value of every measure means for one pair, in plain words."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd

from siviz.charts.frame import raised_ten, told_number
from siviz.charts.labels import markdown_name
from siviz.information import entropy
from siviz.measures import MEASURES, evaluate
from siviz.nulls import null_moments
from siviz.significance import significance_threshold
from siviz.single_pair import SinglePair
from siviz.tables import Table

# Decimal powers of p that are written out as a share.
_SMALLEST_SHARE: Final = 1e-3
# A space that does not break: the value stays on one line.
_UNITS: Final = {"nats": "\u00a0nats"}


@dataclass(frozen=True, eq=False)
class Case:
    """A pair with what the sentences need of it; names are Markdown."""

    first: str
    second: str
    table: Table

    @cached_property
    def values(self) -> dict[str, float]:
        """Every measure by its key."""
        return {key: float(value) for key, value in evaluate(self.table).items()}

    @property
    def size(self) -> float:
        """The sample size."""
        return float(self.table.sample_size)

    @property
    def dof(self) -> float:
        """Nominal degrees of freedom."""
        return float(self.table.dof)


def meanings_frame(pair: SinglePair) -> pd.DataFrame:
    """One row a measure: ``measure``, ``value`` (text with its unit), ``means``."""
    first, second = (markdown_name(name, 24) for name in pair.names)
    case = Case(first, second, pair.table)
    return pd.DataFrame(
        [
            {
                "measure": measure.label,
                "value": told_number(case.values[key]) + _UNITS.get(measure.unit, ""),
                "means": meaning(key, case),
            }
            for key, measure in MEASURES.items()
        ]
    )


def meaning(key: str, case: Case) -> str:
    """One sentence on the value of a measure for this pair, in Markdown."""
    if case.dof == 0:
        return "A column has only one state here: there is nothing to measure."
    return _MEANINGS[key](case)


def told_chance(log10_p: float) -> str:
    """How often something of this probability happens, in words.

    Examples
    --------
    >>> told_chance(np.log10(0.25)), told_chance(-12.3)
    ('in 25 % of samples', 'about once in 10¹² samples')
    """
    share = 10**log10_p
    if share >= _SMALLEST_SHARE:
        return f"in {told_number(100 * share)} % of samples"
    return f"about once in {raised_ten(-log10_p)} samples"


def _standardized(case: Case, key: str, against: str) -> str:
    value, limit = case.values[key], float(significance_threshold(0.05))
    if value > limit:
        return f"Beyond {limit:.2f}, which 5 % of independent pairs exceed, {against}."
    if value > 0:
        return f"A little above 0, as chance often gives, {against}."
    return f"No more than independent columns give, {against}."


def _si_calibrated(case: Case) -> str:
    null = null_moments(case.table)
    if float(null.variance) == 0:
        return "The margins leave G no freedom: 0 by definition."
    return _standardized(
        case,
        "si_calibrated",
        f"where G = {null.mean:.1f} ± {null.deviation:.1f} is predicted",
    )


def _si(case: Case) -> str:
    spread = np.sqrt(2 * case.dof)
    return _standardized(
        case, "si", f"if G = {case.dof:,.0f} ± {spread:.1f} is right (the paper's null)"
    )


def _mi(case: Case) -> str:
    value = case.values["mi"]
    bits = told_number(value / np.log(2))
    return f"One value tells {told_number(value)} nats ({bits} bits) about the other."


def _mi_bc(case: Case) -> str:
    chance = told_number(case.dof / (2 * case.size))
    if case.values["mi_bc"] <= 0:
        return f"Chance alone is expected to give {chance} nats: nothing is left."
    return (
        f"What is left after the {chance} nats that chance alone is expected to give."
    )


def _z_score(case: Case) -> str:
    value = case.values["z_score"]
    side = "above" if value > 0 else "below"
    return (
        f"G lies {told_number(abs(value))} standard deviations {side} "
        f"its nominal mean, d = {case.dof:,.0f}."
    )


def _nmi(case: Case) -> str:
    return (
        f"The two share {_percent(case.values['nmi'])} of their mean entropy: 0 is "
        "independence, 100 % that each determines the other."
    )


def _ami(case: Case) -> str:
    value = case.values["ami"]
    if value <= 0:
        return "No more agreement than chance gives."
    return f"{_percent(value)} of the way from chance agreement to a perfect one."


def _chance(key: str, null: str) -> Callable[[Case], str]:
    def told(case: Case) -> str:
        value = case.values[key]
        log10_p = np.log10(max(value, 1e-308)) if key == "p_value" else value
        if key == "p_value" and value == 0:
            return "Smaller than a computer number can be: look at its logarithm."
        often = told_chance(float(log10_p))
        return f"Independent columns reach such a G {often}, {null}."

    return told


def _better(key: str, kept: str, dropped: str) -> Callable[[Case], str]:
    return lambda case: kept if case.values[key] > 0 else dropped


def _log_bayes_factor(case: Case) -> str:
    value = case.values["log_bayes_factor"]
    power = abs(value) / np.log(10)
    times = told_number(10**power) if power < 3 else raised_ten(power)
    model = "dependent" if value > 0 else "independent"
    return f"The data are {times} times as probable if the columns are {model}."


def _cramers_v(case: Case) -> str:
    return (
        f"{told_number(case.values['cramers_v'])} on the way from 0 (independent) to 1 "
        "(the column with more states determines the other)."
    )


def _cramers_v_corrected(case: Case) -> str:
    value = case.values["cramers_v_corrected"]
    if value == 0:
        return "Nothing is left once the bias of V is taken away."
    return f"{told_number(value)} is left of V once its bias is taken away."


def _theils_u(key: str, known: str, unknown: str) -> Callable[[Case], str]:
    return lambda case: (
        f"Knowing {getattr(case, known)} removes {_percent(case.values[key])} of the "
        f"uncertainty about {getattr(case, unknown)}."
    )


def _conditional_entropy(case: Case) -> str:
    value = case.values["conditional_entropy"]
    before = float(entropy(case.table, of="columns"))
    return (
        f"What remains of {told_number(before)} nats of uncertainty about "
        f"{case.second} once {case.first} is known: like a choice among "
        f"{told_number(np.exp(value))} equally likely states instead of "
        f"{told_number(np.exp(before))}."
    )


def _percent(share: float) -> str:
    return f"{told_number(100 * share)} %"


_MEANINGS: Final[dict[str, Callable[[Case], str]]] = {
    "si_calibrated": _si_calibrated,
    "si": _si,
    "mi": _mi,
    "mi_bc": _mi_bc,
    "z_score": _z_score,
    "nmi": _nmi,
    "ami": _ami,
    "p_value": _chance("p_value", "if the χ² distribution is right"),
    "log10_p": _chance("log10_p", "if the χ² distribution is right"),
    "log10_p_calibrated": _chance("log10_p_calibrated", "by the calibrated null"),
    "aic": _better(
        "aic",
        "Above 0: modelling the dependence should improve predictions.",
        "Not above 0: predictions should be better as if independent.",
    ),
    "bic": _better(
        "bic",
        "Above 0: the dependence makes the data shorter to describe.",
        "Not above 0: the data are described shorter as independent.",
    ),
    "log_bayes_factor": _log_bayes_factor,
    "cramers_v": _cramers_v,
    "cramers_v_corrected": _cramers_v_corrected,
    "theils_u_columns": _theils_u("theils_u_columns", "first", "second"),
    "theils_u_rows": _theils_u("theils_u_rows", "second", "first"),
    "conditional_entropy": _conditional_entropy,
}
"""A sentence for every key of the catalogue; a test says if one is missing."""
