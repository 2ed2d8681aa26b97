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
    "Look up": (("reference.py", "Measures"),),
}
"""Groups of pages, each a file and a title; the first is the home page."""
