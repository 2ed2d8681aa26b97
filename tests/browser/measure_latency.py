"""How long a slider takes to answer in the browser, against an almost empty page.

    python -m tests.browser.measure_latency [page ...]

For each page the first slider is moved 20 times by the
keyboard, on a warm server.  The time runs from the key to the last change of a text or
a drawing on the whole page.  Printed are both medians and their ratio; at most 1.5 is
wanted.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

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


def opened(browser: Browser, address: str) -> Page:
    """A page that has come to rest."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(address)
    page.get_by_role("slider").first.wait_for(timeout=60_000)
    page.wait_for_timeout(4000)
    return page


def answer(page: Page, move: int) -> float:
    """Milliseconds from a key on the first slider to the last change."""
    page.bring_to_front()
    page.get_by_role("slider").first.focus()
    page.evaluate(f"() => {{ window.answer = ({ANSWER})(); }}")
    page.keyboard.press("ArrowRight" if move % 4 < 2 else "ArrowLeft")
    time = float(page.evaluate("() => window.answer"))
    assert time > 0, f"no answer from {page.url}"
    return time


def main(names: list[str]) -> None:
    """Measure and print; both sliders move in turn, so both feel the same load."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY)
        options = ["--server.headless=true", "--browser.gatherUsageStats=false"]
        empty = ("streamlit", "run", str(script), "--server.port={port}", *options)
        browser = launch(playwright)
        with served(*empty) as bare, served() as dashboard:
            for name in names:
                pages = opened(browser, bare), opened(browser, f"{dashboard}/{name}")
                times = [[answer(p, move) for p in pages] for move in range(MOVES + 3)]
                least, most = map(median, zip(*times[3:], strict=True))
                print(
                    f"{name or 'home'}: {most:.0f} ms, almost empty page {least:.0f} "
                    f"ms, ratio {most / least:.2f}",
                    flush=True,
                )
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or ["", "fair_scale", "sparse_tables"])
