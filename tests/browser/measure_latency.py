"""How long a slider takes to answer in the browser, against an almost empty page.

    python -m tests.browser.measure_latency [page ...]

For each page (all with a slider by default) the first slider is moved 20 times by the
keyboard, on a warm server.  The time runs from the key to the last change of a text or
a drawing on the whole page.  Printed are both medians and their ratio; at most 1.5 is
wanted.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.server import launch, served

MOVES = 20
EMPTY = """
import streamlit as st
value = st.slider("N", 0, 100, 50, key="n", bind="query-params")
st.markdown(f"The value is {value}.")
"""
# Milliseconds until the last change of a text or a drawing outside of the sliders,
# which move by themselves: known when nothing has changed for a while.
ANSWER = """
() => new Promise(resolve => {
  const main = document.querySelector('[data-testid="stMain"]');
  const start = performance.now();
  let changed = 0;
  const element = node => node.nodeType === 1 ? node : node.parentElement;
  const outside = change => !element(change.target)?.closest('[data-testid*="Slider"]');
  const seen = new MutationObserver(changes => {
    if (changes.some(outside)) changed = performance.now();
  });
  seen.observe(main, {subtree: true, childList: true, characterData: true,
    attributes: true, attributeFilter: ['d', 'transform']});
  const look = () => {
    const now = performance.now();
    if (changed && now - changed > 600) resolve(changed - start);
    else if (now - start > 15000) resolve(-1);
    else return setTimeout(look, 20);
    seen.disconnect();
  };
  look();
})
"""


def median_answer(page: Page, address: str) -> float:
    """Median milliseconds from a key on the first slider to the last change."""
    page.goto(address)
    slider = page.get_by_role("slider").first
    slider.wait_for(timeout=60_000)
    page.wait_for_timeout(4000)
    times = []
    for move in range(MOVES + 3):
        slider.focus()
        page.evaluate(f"() => {{ window.answer = ({ANSWER})(); }}")
        page.keyboard.press("ArrowRight" if move % 4 < 2 else "ArrowLeft")
        times.append(page.evaluate("() => window.answer"))
    assert min(times) > 0, f"no answer from {address}: {times}"
    return statistics.median(times[3:])


def main(pages: list[str]) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY)
        options = ["--server.headless=true", "--browser.gatherUsageStats=false"]
        empty = ("streamlit", "run", str(script), "--server.port={port}", *options)
        browser = launch(playwright)
        with served(*empty) as bare, served() as dashboard:
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            least = median_answer(page, bare)
            print(f"almost empty page: {least:.0f} ms")
            for name in pages:
                page = browser.new_page(viewport={"width": 1400, "height": 1000})
                median = median_answer(page, f"{dashboard}/{name}")
                print(f"{name or 'home'}: {median:.0f} ms, ratio {median / least:.2f}")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or ["", "fair_scale", "sparse_tables", "one_table"])
