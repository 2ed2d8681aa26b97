"""Every formula of the prose and of the catalogue is set as mathematics."""

from tests.browser.server import served

# One page with every text and formula of the dashboard.
SCRIPT = """
import streamlit as st
from siviz.locations import asset
from siviz.measures import MEASURES
for file in sorted(asset("text").iterdir()):
    st.markdown(file.read_text(encoding="utf-8"))
for measure in MEASURES.values():
    st.latex(measure.formula)
st.markdown("the end")
"""


def test_every_formula_is_set_as_mathematics(page, tmp_path):
    script = tmp_path / "texts.py"
    script.write_text(SCRIPT)
    command = ("streamlit", "run", str(script), "--server.port={port}")
    quiet = ("--server.headless=true", "--browser.gatherUsageStats=false")
    with served(*command, *quiet) as address:
        page.goto(address)
        page.get_by_text("the end", exact=True).wait_for(timeout=60_000)
        page.locator(".katex").last.wait_for()
        assert page.locator(".katex").count() > 50
        assert page.locator(".katex-error").all_inner_texts() == []
