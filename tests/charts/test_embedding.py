"""The scripts inside reports: those that vl-convert has, for any Altair."""

import re
from importlib.metadata import version

import altair as alt
import pytest

from siviz.charts import embedding
from siviz.locations import asset


@pytest.fixture
def fresh():
    embedding.vega_bundle.cache_clear()
    yield
    embedding.vega_bundle.cache_clear()


def test_the_kept_scripts_are_those_of_vl_convert():
    origin = asset("vega/ORIGIN.md").read_text(encoding="utf-8")
    script = re.search(r"vega-lite-([\d.]+)\.js", origin)[1]
    maker = re.search(r"vl-convert (\S+)", origin)[1]
    if (script, maker) != (embedding.vega_lite_version(), version("vl-convert-python")):
        pytest.skip("kept for other versions than are installed")
    kept = asset(f"vega/vega-lite-{script}.js").read_text(encoding="utf-8")
    assert kept == embedding.built_bundle()


def test_another_version_of_vega_lite_is_built(monkeypatch, fresh):
    monkeypatch.setattr(alt, "SCHEMA_VERSION", "v5.99.0")
    monkeypatch.setattr(embedding, "built_bundle", lambda: "built for 5.99")
    assert embedding.vega_bundle() == "built for 5.99"


def test_the_scripts_set_vega_embed_and_end_no_script_element(fresh):
    script = embedding.vega_bundle()
    assert "window.vegaEmbed" in script
    assert "</script" not in script
    assert "<!--" not in script
