"""The list of pages: a new page is one file below ``pages`` and one line here."""

from typing import Final

PAGES: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    "Learn": (
        ("home.py", "Home", "⚖️"),
        ("fair_scale.py", "Fair scale", "📏"),
        ("sparse_tables.py", "Sparse tables", "🕳️"),
        ("one_table.py", "One table", "🔢"),
    ),
    "Experiment": (("equivalent_sample_size.py", "Equivalent sample size", "🫧"),),
    "Look up": (("reference.py", "Measures", "📖"),),
}
"""Groups of pages, each a file, a title and an icon; the first is the home page."""
