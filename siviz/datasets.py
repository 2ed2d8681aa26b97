"""The bundled example data, each with its origin, and samples of the ALARM network."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pandas as pd

from siviz.graphs import Graph
from siviz.locations import asset
from siviz.networks import Network

_ALARM_ROWS: Final = 10_000
_ALARM_SEED: Final = 1989


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data frame with what a reader must know of it."""

    name: str
    title: str
    frame: pd.DataFrame
    weights: str | None
    """The column that says how often each row was observed; None if once each."""
    origin: str
    description: str


@dataclass(frozen=True)
class _Entry:
    title: str
    file: str | None
    weights: str | None
    origin: str
    description: str


_ENTRIES: Final[Mapping[str, _Entry]] = {
    "sewell_shah": _Entry(
        "College plans (Sewell and Shah)",
        "sewell_shah_1968.csv",
        "count",
        "W. H. Sewell and V. P. Shah, 1968",
        "Sex, socio-economic status, IQ, parental encouragement and college plans of "
        "10,318 Wisconsin high-school seniors: the data of the paper's Figure 4.",
    ),
    "ucb_admissions": _Entry(
        "Berkeley admissions",
        "ucb_admissions.csv",
        "count",
        "P. J. Bickel, E. A. Hammel and J. W. O'Connell, 1975; as in R's datasets",
        "Admission, gender and department of 4,526 applicants: admission depends on "
        "gender, but hardly so within departments.",
    ),
    "titanic": _Entry(
        "Titanic survival",
        "titanic.csv",
        "count",
        "British Board of Trade inquiry, 1912; as in R's datasets",
        "Class, sex, age and survival of the 2,201 people aboard.",
    ),
    "hair_eye_color": _Entry(
        "Hair and eye colour",
        "hair_eye_color.csv",
        "count",
        "R. D. Snee, 1974; as in R's datasets",
        "Hair colour, eye colour and sex of 592 students.",
    ),
    "penguins": _Entry(
        "Palmer penguins",
        "penguins.csv",
        None,
        "K. B. Gorman, T. D. Williams and W. R. Fraser, 2014 (CC0)",
        "Species, island, sex, year and body measurements of 344 penguins, one row "
        "each, with missing values.",
    ),
    "alarm": _Entry(
        "ALARM patient monitoring (simulated)",
        None,
        None,
        "I. A. Beinlich, H. J. Suermondt, R. M. Chavez and G. F. Cooper, 1989",
        f"{_ALARM_ROWS:,} rows of 37 variables drawn with the seed {_ALARM_SEED} from "
        "the ALARM network: simulated, not observed.",
    ),
}

DATASETS: Final[Mapping[str, str]] = MappingProxyType(
    {name: entry.title for name, entry in _ENTRIES.items()}
)
"""Title of each bundled data set by its name."""


def load_dataset(name: str) -> Dataset:
    """A bundled data set by its name (see `DATASETS`).

    Examples
    --------
    >>> titanic = load_dataset("titanic")
    >>> int(titanic.frame[titanic.weights].sum())
    2201
    """
    if name not in _ENTRIES:
        raise ValueError(f"name must be one of {list(_ENTRIES)}; got {name!r}")
    entry = _ENTRIES[name]
    if entry.file is None:
        frame = alarm_sample(_ALARM_ROWS, rng=_ALARM_SEED)
    else:
        frame = pd.read_csv(asset(f"data/{entry.file}"))
    return Dataset(
        name, entry.title, frame, entry.weights, entry.origin, entry.description
    )


def sewell_shah_network() -> Graph:
    """The network over the college plans that the paper's Figure 4 goes with.

    The paper prints none.  This one, with its Markov-equivalent twin, has the best
    Bayesian score of all graphs of the five variables, and gives the paper's numbers.

    Examples
    --------
    >>> sewell_shah_network().parents["iq"]
    ('ses', 'parental_encouragement')
    """
    return Graph(
        {
            "sex": (),
            "ses": (),
            "parental_encouragement": ("sex", "ses"),
            "iq": ("ses", "parental_encouragement"),
            "college_plans": ("ses", "iq", "parental_encouragement"),
        }
    )


def alarm_network() -> Network:
    """The ALARM patient-monitoring network: 37 variables, 46 edges.

    Examples
    --------
    >>> len(alarm_network().graph.edges)
    46
    """
    text = asset("data/alarm_network.json").read_text(encoding="utf-8")
    variables: dict[str, Any] = json.loads(text)
    return Network(
        Graph({name: tuple(facts["parents"]) for name, facts in variables.items()}),
        {name: tuple(facts["states"]) for name, facts in variables.items()},
        {name: np.array(facts["probabilities"]) for name, facts in variables.items()},
    )


def alarm_sample(
    size: int, *, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """Rows drawn from the ALARM network; the same seed gives the same rows.

    Examples
    --------
    >>> alarm_sample(100, rng=0).shape
    (100, 37)
    """
    return alarm_network().sample(size, rng=rng)
