"""Imports point down only: the core knows neither charts nor Streamlit."""

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "siviz"
UPPER = {"cli", "report", "__main__"}
CORE = sorted(p.stem for p in PACKAGE.glob("*.py") if p.stem not in UPPER)
CHARTS = sorted(p.stem for p in (PACKAGE / "charts").glob("*.py"))


def loaded_by(modules):
    code = f"import sys, {', '.join(modules)}; print('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return {name.split(".")[0] for name in run.stdout.split()}


def module_name(*parts):
    return ".".join(part for part in parts if part != "__init__")


def test_the_core_loads_neither_altair_nor_streamlit():
    loaded = loaded_by([module_name("siviz", stem) for stem in CORE])
    assert not loaded & {"altair", "streamlit"}


def test_charts_do_not_load_streamlit():
    loaded = loaded_by([module_name("siviz", "charts", stem) for stem in CHARTS])
    assert "streamlit" not in loaded


@pytest.mark.parametrize("module", ["siviz.cli"])
def test_the_command_line_starts_without_loading_streamlit(module):
    assert "streamlit" not in loaded_by([module])
