"""How long a slider takes to answer in the browser, against an almost empty page.

    python -m tests.browser.measure_latency [page ...]

Each slider of a page is moved 20 times by the keyboard, on a warm server, up to its end
and back, so that most answers are new.  Times run from the key to the first
and to the last change of a text or a drawing on the whole page.  Printed are the
medians and their ratios to the empty page; at most 1.5 is wanted.  Times of the same
page differ by a fifth between runs.  What the page's main thread computes for an
answer, also long after the last change, comes last.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TypeAlias

from playwright.sync_api import Browser, CDPSession, Locator, Page, sync_playwright

from tests.browser.server import launch, served

MOVES = 20
WARM_UP = 3
PAGES = (
    *("", "fair_scale", "two_conditions", "p_values", "sparse_tables"),
    *("discretization", "variable_selection", "equivalent_sample_size"),
)
"""All learning pages that have a slider."""
EMPTY = """
import streamlit as st
value = st.slider("N", 0, 100, 50, key="n", bind="query-params")
st.markdown(f"The value is {value}.")
"""
# Milliseconds until the first and the last change of a text or a drawing outside of
# the sliders, which move by themselves: known when nothing has changed for a while.
ANSWER = """
() => new Promise(resolve => {
  const main = document.querySelector('[data-testid="stMain"]');
  const start = performance.now();
  let first = 0, changed = 0;
  const element = node => node.nodeType === 1 ? node : node.parentElement;
  const outside = change => !element(change.target)?.closest('[data-testid*="Slider"]');
  const seen = new MutationObserver(changes => {
    if (changes.some(outside)) { changed = performance.now(); first ||= changed; }
  });
  seen.observe(main, {subtree: true, childList: true, characterData: true,
    attributes: true, attributeFilter: ['d', 'transform']});
  const look = () => {
    const now = performance.now();
    if (changed && now - changed > 600) resolve([first - start, changed - start]);
    else if (now - start > 15000) resolve(null);
    else return setTimeout(look, 20);
    seen.disconnect();
  };
  look();
})
"""

Watched: TypeAlias = tuple[Page, CDPSession]


def opened(browser: Browser, address: str) -> Page:
    """A page that has come to rest."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(address)
    page.get_by_role("slider").first.wait_for(timeout=60_000)
    page.wait_for_timeout(4000)
    return page


def watched(page: Page) -> CDPSession:
    """A session that tells what the page's main thread computes."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def computing(session: CDPSession) -> float:
    """Milliseconds that the main thread of a page has computed so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1e3 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")


def key(slider: Locator) -> str:
    """The key that moves a slider on, or back where it has reached its end."""
    way = slider.evaluate(
        "e => e.way = e.value === e.max ? 'Left' : e.value === e.min ? 'Right'"
        " : e.way ?? 'Right'"
    )
    return f"Arrow{way}"


def answer(page: Page, session: CDPSession, which: int) -> list[float]:
    """Milliseconds from a key on one of the sliders to the first and last change.

    Third is what the main thread has computed until nothing changes any more.
    """
    page.bring_to_front()
    slider = page.get_by_role("slider").nth(which)
    slider.focus()
    pressed = key(slider)
    page.wait_for_timeout(500)  # the page is drawn anew when it comes to the front
    before = computing(session)
    page.evaluate(f"() => {{ window.answer = ({ANSWER})(); }}")
    page.keyboard.press(pressed)
    times: list[float] | None = page.evaluate("() => window.answer")
    assert times, (
        f"no answer from {page.url} to slider {which} at {slider.input_value()}"
    )
    return [*times, computing(session) - before]


def report(name: str, empty: Watched, full: Watched, which: int) -> None:
    """Move one slider of a page and that of the empty one in turn, and print."""
    times = [(answer(*empty, 0), answer(*full, which)) for _ in range(WARM_UP + MOVES)][
        WARM_UP:
    ]
    least = median(bare[1] for bare, _ in times)
    first, last = (median(page[at] for _, page in times) for at in (0, 1))
    bare_busy, busy = (median(both[at][2] for both in times) for at in (0, 1))
    label = full[0].get_by_role("slider").nth(which).get_attribute("aria-label")
    print(
        f"{name or 'home'}, {label}: first change after {first:.0f} ms, last after "
        f"{last:.0f} ms, almost empty page {least:.0f} ms, ratios {first / least:.2f} "
        f"and {last / least:.2f}; main thread {busy:.0f} ms, {bare_busy:.0f} ms",
        flush=True,
    )


def main(names: list[str]) -> None:
    """Measure and print; both pages are open at once, so both feel the same load."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY)
        options = ["--server.headless=true", "--browser.gatherUsageStats=false"]
        empty = ("streamlit", "run", str(script), "--server.port={port}", *options)
        browser = launch(playwright)
        with served(*empty) as bare, served() as dashboard:
            for name in names:
                both = opened(browser, bare), opened(browser, f"{dashboard}/{name}")
                watching = [(page, watched(page)) for page in both]
                for which in range(both[1].get_by_role("slider").count()):
                    report(name, *watching, which)
                for page in both:
                    page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or list(PAGES))
