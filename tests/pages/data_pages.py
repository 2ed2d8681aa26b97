"""Opening a page of "Your data" with data of one's own."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from siviz.workbooks import FORMULA_STARTS

PAGES = Path(__file__).parents[2] / "pages"
HOSTILE = (
    "<b>bold</b><script>alert(1)</script>",
    "x" * 10_000,
    "عربى",
    "😀 :smile: $x^2$ **bold** `code`",
    "[link](https://example.com)",
    "=CMD()",
)


def columns(count, *, rows=120, seed=0, names=None):
    """Columns of which every second depends on a common one."""
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 3, rows)
    names = names or [f"column {number}" for number in range(count)]
    data = {}
    for number, name in enumerate(names):
        noise = rng.integers(0, 2 + number % 4, rows)
        copied = rng.random(rows) < (0.6 if number % 2 == 0 else 0)
        codes = np.where(copied, base % (2 + number % 4), noise)
        data[name] = [f"s{code}" for code in codes]
    return pd.DataFrame(data)


def opened(file, frame=None):
    page = AppTest.from_file(str(PAGES / file), default_timeout=120).run()
    assert not page.exception
    if frame is not None:
        content = frame.to_csv(index=False).encode()
        upload = page.file_uploader(key="file")
        upload.set_value(("mine.csv", content, "text/csv")).run()
        assert not page.exception
    return page


def texts(page):
    return [element.value for element in page.markdown]


def assert_names_are_plain(page):
    """Nothing in a hostile name is left for Markdown or HTML to act on."""
    written = "\n".join(texts(page))
    for part in ("<b>", "<script", "$x^2", "**bold** ", "`code`", "[link]("):
        assert not re.search(rf"(?<!\\){re.escape(part)}", written), part
    assert "x" * 1000 not in written
    assert "bold" in written


def assert_grids_hold_no_formula(page):
    """What a spreadsheet would take for a formula, Streamlit's own CSV has not."""
    grids = [grid.value for grid in page.dataframe]
    cells = [cell for grid in grids for cell in grid.to_numpy().ravel()]
    texts = [cell for cell in cells if isinstance(cell, str)]
    assert any("=CMD" in text for text in texts)
    assert not [text for text in texts if text.startswith(FORMULA_STARTS)]


def control(page, key):
    kinds = ("slider", "select_slider", "number_input", "multiselect", "selectbox")
    there = [element for kind in kinds for element in page.get(kind)]
    there += page.segmented_control
    return next(element for element in there if element.key == key)


def go(page, **values):
    """Set controls, one after the other."""
    for key, value in values.items():
        control(page, key).set_value(value).run()
        assert not page.exception, (key, value)
    return page


def to_all(page, **values):
    """Set each control to each of its values, and back."""
    for key, options in values.items():
        start = control(page, key).value
        for value in (*options, start):
            go(page, **{key: value})


def charts(page):
    """The specifications of the charts on the page."""
    return [json.loads(chart.proto.spec) for chart in page.get("vega_lite_chart")]
