"""What a page shows, whether Streamlit draws it or a live part."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from siviz.charts.prose import markdown_html


def live_data(page: AppTest) -> list[dict[str, Any]]:
    """What the browser is told of every place of a live part."""
    return [json.loads(place.proto.json) for place in page.get("bidi_component")]


def live_blocks(page: AppTest) -> dict[str, dict[str, Any]]:
    """The answers of live parts by name."""
    return {data["name"]: json.loads(data["block"]) for data in live_data(page)}


def words(page: AppTest) -> str:
    """All texts of the page as HTML, each on lines of its own."""
    texts = [markdown_html(element.value) for element in page.markdown]
    return "\n".join([*texts, *(block["html"] for block in live_blocks(page).values())])


def charts(page: AppTest) -> dict[str, str]:
    """Forms of all charts of the page by their descriptions and places."""
    live = {name: b for name, b in live_blocks(page).items() if "form" in b}
    own = enumerate(page.get("vega_lite_chart"))
    return {f"{b['alt']} ({name})": b["form"] for name, b in live.items()} | {
        f"{chart.proto.alt} ({place})": chart.proto.spec for place, chart in own
    }
