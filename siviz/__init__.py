"""siviz: how strongly discrete variables depend on each other, ranked fairly.

Based on Harald Steck, "Ranking by Dependence - A Fair Criteria" (UAI 2006).  All
functions take counts of shape ``(..., rows, columns)``; informations are in nats.
"""

import siviz.starting  # noqa: F401  # before all that takes long to load
from siviz.information import (
    conditional_entropy,
    conditional_information,
    entropy,
    likelihood_ratio,
    multi_information,
    mutual_information,
    normalized_information,
)
from siviz.measures import MEASURES, Measure, evaluate
from siviz.nulls import Null, multi_null, null_moments
from siviz.ranking import Ranking, rank_pairs
from siviz.scores import (
    adjusted_information,
    akaike_score,
    bayesian_information_score,
    cramers_v,
    log_bayes_factor,
    pearson_chi_squared,
    theils_u,
)
from siviz.selection import score_features
from siviz.significance import (
    cdf_p_value,
    fisher_log_p_value,
    log_p_value,
    p_value,
    significance_threshold,
    survival_p_value,
)
from siviz.standardized import (
    bias_corrected_information,
    information_z_score,
    standardized_information,
    transition_measure,
)
from siviz.tables import Table, conditional_table, merge_states

__version__ = "0.1.0"

__all__ = [
    "MEASURES",
    "Measure",
    "Null",
    "Ranking",
    "Table",
    "adjusted_information",
    "akaike_score",
    "bayesian_information_score",
    "bias_corrected_information",
    "cdf_p_value",
    "conditional_entropy",
    "conditional_information",
    "conditional_table",
    "cramers_v",
    "entropy",
    "evaluate",
    "fisher_log_p_value",
    "information_z_score",
    "likelihood_ratio",
    "log_bayes_factor",
    "log_p_value",
    "merge_states",
    "multi_information",
    "multi_null",
    "mutual_information",
    "normalized_information",
    "null_moments",
    "p_value",
    "pearson_chi_squared",
    "rank_pairs",
    "score_features",
    "significance_threshold",
    "standardized_information",
    "survival_p_value",
    "theils_u",
    "transition_measure",
]
