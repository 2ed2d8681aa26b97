"""The catalogue: every measure of dependence with what a reader must know of it.

The command line, the ranking and the dashboard all read this one list.  A new measure
is one function elsewhere and one entry here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from siviz.information import (
    conditional_entropy,
    mutual_information,
    normalized_information,
)
from siviz.scores import (
    adjusted_information,
    akaike_score,
    bayesian_information_score,
    cramers_v,
    log_bayes_factor,
    theils_u,
)
from siviz.significance import log_p_value, p_value
from siviz.standardized import (
    bias_corrected_information,
    information_z_score,
    standardized_information,
)
from siviz.tables import Array, Counts, as_table


@dataclass(frozen=True)
class Measure:
    """One measure of dependence.

    Call it on counts or on a `siviz.Table`; `strength` turns its values into numbers
    of which the larger is always the stronger dependence.
    """

    key: str
    """Short name: a column of rankings, an option of the command line."""
    label: str
    """Name for a reader."""
    formula: str
    """LaTeX, without dollar signs."""
    unit: str
    """``nats``, ``log10``, or an empty string for a pure number."""
    stronger: Literal["higher", "lower"]
    """Which direction means more dependence."""
    fails: str
    """One plain sentence: when not to trust a ranking by it."""
    function: Callable[[Counts], Array]
    use: str = ""
    """One plain sentence: what to take it for."""

    def __call__(self, counts: Counts) -> Array:
        """The measure of each table."""
        return self.function(counts)

    def strength(self, values: Array) -> Array:
        """Values with the sign that makes the larger the stronger."""
        return np.asarray(values) if self.stronger == "higher" else -np.asarray(values)


def _log10_p(counts: Counts) -> Array:
    return log_p_value(counts) / np.log(10)


def _log10_p_calibrated(counts: Counts) -> Array:
    return log_p_value(counts, null="calibrated") / np.log(10)


_CATALOGUE: Final = (
    Measure(
        "si_calibrated",
        "Standardized information, calibrated",
        r"\sqrt{\max(G-m+\tfrac{v}{2},0)}-\sqrt{\tfrac{v}{2}\left(1-\tfrac{1}{2m}\right)}",
        "",
        "higher",
        "It cannot resolve tables so sparse that G takes only a few values, and it "
        "grows with the sample size: compare pairs with similar numbers of rows.",
        lambda counts: standardized_information(
            counts, null="calibrated", centre="fisher"
        ),
        use="To rank pairs with any numbers of states, weak or strong, also when "
        "there are fewer observations than cells.",
    ),
    Measure(
        "si",
        "Standardized information",
        r"\sqrt{2N\hat I}-\sqrt{d}",
        "",
        "higher",
        "In sparse tables the degrees of freedom are not the mean of G: variables with "
        "many states are ranked too high at about one observation per cell, and far "
        "too low with fewer.",
        standardized_information,
        use="To follow the paper, and to rank pairs whose tables are well filled.",
    ),
    Measure(
        "mi",
        "Mutual information",
        r"\hat I=\sum_{a,b}\hat p_{ab}\log\frac{\hat p_{ab}}{\hat p_a\hat p_b}",
        "nats",
        "higher",
        "Its bias grows with the numbers of states, so noise with many states wins.",
        mutual_information,
        use="To describe a known distribution, or so much data that chance no longer "
        "matters.",
    ),
    Measure(
        "mi_bc",
        "Bias-corrected information",
        r"\hat I-\frac{d}{2N}",
        "nats",
        "higher",
        "It corrects the mean but not the spread: the luckiest of many weak pairs is "
        "one with many states.",
        bias_corrected_information,
        use="To estimate how many nats a pair really shares, once it is clear that it "
        "shares some.",
    ),
    Measure(
        "z_score",
        "z-score of information",
        r"\hat R=\frac{G-d}{\sqrt{2d}}",
        "",
        "higher",
        "Among strong dependences it favours variables with few states.",
        information_z_score,
        use="To see how far a weak dependence lies from chance, in standard "
        "deviations.",
    ),
    Measure(
        "nmi",
        "Normalized mutual information",
        r"\frac{\hat I}{(\hat H_A+\hat H_B)/2}",
        "",
        "higher",
        "Its penalty for many states does not fade as data grow, and small samples are "
        "not corrected for chance.",
        normalized_information,
        use="To describe one pair on a scale from 0 to 1, for instance how well two "
        "clusterings agree.",
    ),
    Measure(
        "ami",
        "Adjusted mutual information",
        r"\frac{\hat I-E[\hat I]}{(\hat H_A+\hat H_B)/2-E[\hat I]}",
        "",
        "higher",
        "It corrects the mean for chance but not the spread, and like the normalized "
        "information it penalizes many states however large the sample.",
        adjusted_information,
        use="To describe how well two clusterings agree when chance agreement should "
        "count as 0.",
    ),
    Measure(
        "p_value",
        "p-value",
        r"P(\chi^2_d\ge G)",
        "",
        "lower",
        "It underflows to 0 for strong dependences, which then all tie, and is wrong "
        "in sparse tables.",
        p_value,
        use="To test one pair decided on beforehand, with well-filled cells.",
    ),
    Measure(
        "log10_p",
        "log10 of the p-value",
        r"\log_{10}P(\chi^2_d\ge G)",
        "log10",
        "lower",
        "It tells how surely there is dependence, not how strong it is, and is wrong "
        "in sparse tables.",
        _log10_p,
        use="To order many tests by how sure they are, where p-values themselves "
        "would all be 0.",
    ),
    Measure(
        "log10_p_calibrated",
        "log10 of the p-value, calibrated",
        r"\log_{10}P(\Gamma_{m,v}\ge G)",
        "log10",
        "lower",
        "It tells how surely there is dependence, not how strong it is; where G takes "
        "only a few values it is rough.",
        _log10_p_calibrated,
        use="To test many pairs for any dependence at all, also in sparse tables.",
    ),
    Measure(
        "aic",
        "Akaike score",
        r"\frac{G}{2}-d",
        "nats",
        "higher",
        "It decides whether to keep a dependence; its scale changes with the numbers "
        "of states, so it does not rank fairly.",
        akaike_score,
        use="To decide whether modelling the dependence will improve predictions.",
    ),
    Measure(
        "bic",
        "BIC / description length",
        r"\frac{G}{2}-\frac{d}{2}\log N",
        "nats",
        "higher",
        "Its penalty per degree of freedom is so large that variables with many states "
        "rank last unless very strong.",
        bayesian_information_score,
        use="To decide, with much data, whether there is a dependence at all.",
    ),
    Measure(
        "log_bayes_factor",
        "Log Bayes factor (BDeu, N' = 1)",
        r"\log\frac{p(D\mid\text{dependent})}{p(D\mid\text{independent})}",
        "nats",
        "higher",
        "It depends on the equivalent sample size of the prior; like BIC it puts many "
        "states last in filled tables, but lets them win in very sparse ones.",
        log_bayes_factor,
        use="To weigh dependence against independence with a prior that you can name.",
    ),
    Measure(
        "cramers_v",
        "Cramér's V",
        r"\sqrt{\frac{\chi^2}{N\,\min(K_A-1,K_B-1)}}",
        "",
        "higher",
        "It is biased upwards in small samples and with many states.",
        cramers_v,
        use="To report the size of an effect in large, well-filled tables in a "
        "familiar way.",
    ),
    Measure(
        "cramers_v_corrected",
        "Cramér's V, bias-corrected",
        r"\sqrt{\frac{\max(\chi^2/N-d/(N-1),0)}{\min(\tilde K_A-1,\tilde K_B-1)}}",
        "",
        "higher",
        "Everything weak is cut to 0 and ties, and its spread still depends on the "
        "numbers of states.",
        lambda counts: cramers_v(counts, correction="bergsma"),
        use="To report the size of an effect in a familiar way when the sample is "
        "moderate.",
    ),
    Measure(
        "theils_u_columns",
        "Theil's U of B given A",
        r"\frac{\hat I}{\hat H_B}",
        "",
        "higher",
        "Not corrected for chance: an identifier column explains everything.",
        theils_u,
        use="To say which share of the uncertainty about B is removed by knowing A.",
    ),
    Measure(
        "theils_u_rows",
        "Theil's U of A given B",
        r"\frac{\hat I}{\hat H_A}",
        "",
        "higher",
        "Not corrected for chance: an identifier column explains everything.",
        lambda counts: theils_u(counts, of="rows"),
        use="To say which share of the uncertainty about A is removed by knowing B.",
    ),
    Measure(
        "conditional_entropy",
        "Conditional entropy of B given A",
        r"\hat H(B\mid A)=\hat H_B-\hat I",
        "nats",
        "lower",
        "Comparable only between pairs that share B, and not corrected for chance.",
        conditional_entropy,
        use="To say how much uncertainty about B remains once A is known.",
    ),
)

MEASURES: Final[dict[str, Measure]] = {measure.key: measure for measure in _CATALOGUE}
"""Every measure by its key, the recommended one first."""


def evaluate(counts: Counts, keys: tuple[str, ...] | None = None) -> dict[str, Array]:
    """All measures of the catalogue (or those named) for each table, sharing the work.

    Examples
    --------
    >>> values = evaluate([[30, 10], [10, 30]], keys=("mi", "si"))
    >>> {key: round(float(value), 3) for key, value in values.items()}
    {'mi': 0.131, 'si': 3.575}
    """
    table = as_table(counts)
    return {key: find_measure(key)(table) for key in keys or tuple(MEASURES)}


def find_measure(key: str) -> Measure:
    """The measure with this key, or an error that lists the keys there are."""
    if key not in MEASURES:
        raise ValueError(f"measure must be one of {', '.join(MEASURES)}; got {key!r}")
    return MEASURES[key]
