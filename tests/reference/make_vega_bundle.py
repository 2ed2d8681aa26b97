"""Makes the bundle of Vega's scripts among the assets, for the installed Altair.

python -m tests.reference.make_vega_bundle
"""

from siviz.charts.embedding import built_bundle, vega_lite_version
from siviz.locations import asset

if __name__ == "__main__":
    kept = asset(f"vega/vega-lite-{vega_lite_version()}.js")
    kept.write_text(built_bundle(), encoding="utf-8")
