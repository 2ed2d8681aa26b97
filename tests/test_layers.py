"""Imports point down only: the core knows neither charts nor Streamlit."""

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "siviz"
UPPER = ("siviz.cli", "siviz.__main__", "siviz.report", "siviz.charts", "siviz.ui")


def modules_below(folder):
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__")


CORE = [name for name in modules_below(PACKAGE) if not name.startswith(UPPER)]
CHARTS = list(modules_below(PACKAGE / "charts"))


def loaded_by(modules):
    code = f"import sys, {', '.join(modules)}; print('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return {name.split(".")[0] for name in run.stdout.split()}


def test_the_core_loads_neither_altair_nor_streamlit():
    loaded = loaded_by(CORE)
    assert not loaded & {"altair", "streamlit"}


def test_charts_do_not_load_streamlit():
    loaded = loaded_by(CHARTS)
    assert "streamlit" not in loaded


@pytest.mark.parametrize("module", ["siviz.cli"])
def test_the_command_line_starts_without_loading_streamlit(module):
    assert "streamlit" not in loaded_by([module])
