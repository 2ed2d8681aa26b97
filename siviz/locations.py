"""Where the dashboard and its assets are: in the source tree or in the wheel."""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent
_INSTALLED: Final = _PACKAGE / "dashboard"

DASHBOARD: Final = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
"""The folder that holds ``app.py``, ``pages`` and ``assets``."""

DASHBOARD_SCRIPT: Final = _PACKAGE / "ui" / "dashboard.py"
"""The Streamlit script that ``app.py`` serves."""


def asset(name: str) -> Path:
    """Path of a file below ``assets``."""
    return DASHBOARD / "assets" / name
