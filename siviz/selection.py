"""Feature selection the scikit-learn way: scores and p-values of features."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from siviz.ranking import rank_pairs
from siviz.tables import Array


def score_features(
    X: ArrayLike,
    y: ArrayLike,
    **options: Any,
) -> tuple[Array, Array]:
    """Score features by their calibrated standardized information with a target.

    Made for ``SelectKBest(siviz.score_features, k=...)`` and its relatives.  Features
    with few different values are used as they are, others are cut into bins, as
    `siviz.rank_pairs` does.  A feature that cannot tell anything (a constant, an
    identifier) scores 0 with a p-value of 1.

    Parameters
    ----------
    X : array_like, shape (samples, features)
    y : array_like, shape (samples,)
    **options
        Further options of `siviz.rank_pairs`, such as ``bin_count``.

    Returns
    -------
    scores, p_values : ndarray, shape (features,)
        ``si_calibrated``, and the p-value by the calibrated null.

    Examples
    --------
    >>> X = [[0, 1], [0, 0], [1, 1], [1, 0]] * 10
    >>> scores, p_values = score_features(X, [0, 0, 1, 1] * 10)
    >>> bool(scores[0] > 3 > scores[1])
    True
    """
    features = np.asarray(X)
    if features.ndim != 2:
        raise ValueError(f"X must have two axes; got {features.ndim}")
    target = np.asarray(y)
    if target.shape != features.shape[:1]:
        raise ValueError(
            f"y must have one value for each of the {len(features)} rows of X; got the "
            f"shape {target.shape}"
        )
    frame = pd.DataFrame(features).rename(columns=lambda place: f"feature {place}")
    frame["target"] = target
    # Class labels are states, however many there are.
    if target.dtype.kind != "f" and frame["target"].nunique() > 1:
        choices = {"target": {"kind": "states"}, **options.pop("overrides", {})}
        options["overrides"] = choices
    keys = ("si_calibrated", "log10_p_calibrated")
    ranked = rank_pairs(frame, target="target", measures=keys, **options).frame
    by_name = ranked.set_index("first")[list(keys)].reindex(frame.columns[:-1])
    scores = by_name["si_calibrated"].fillna(0).to_numpy()
    return scores, 10 ** by_name["log10_p_calibrated"].fillna(0).to_numpy()
