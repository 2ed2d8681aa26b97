"""The scripts inside reports and handouts."""

from siviz.charts.embedding import vega_bundle


def test_the_scripts_set_vega_embed_and_end_no_script_element():
    script = vega_bundle()
    assert "window.vegaEmbed" in script
    assert "</script" not in script
    assert "<!--" not in script
