"""The list of pages: a new page is one file below ``pages`` and one line here."""

from typing import Final

PAGES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "Learn": (
        ("home.py", "Home"),
        ("fair_scale.py", "Fair scale"),
        ("two_conditions.py", "Two conditions"),
        ("p_values.py", "When p-values break"),
        ("sparse_tables.py", "Sparse tables"),
        ("one_table.py", "One table"),
    ),
    "Experiment": (
        ("discretization.py", "Discretization"),
        ("variable_selection.py", "Variable selection"),
        ("equivalent_sample_size.py", "Equivalent sample size"),
    ),
    "Your data": (
        ("rank_your_data.py", "Rank your data"),
        ("disagreements.py", "Where measures disagree"),
        ("one_pair.py", "One pair"),
        ("dependence_map.py", "Dependence map"),
        ("stability.py", "Stability"),
    ),
    "Look up": (("reference.py", "Reference"),),
}
"""Groups of pages, each a file and a title; the first is the home page."""
