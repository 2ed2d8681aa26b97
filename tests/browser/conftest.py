"""What all tests in a real browser share: Chromium, a dashboard, and visitors of it."""

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.server import launch, served

# Streamlit asks for these below the page's own path first, and then at the root.
PROBES = ("/_stcore/health", "/_stcore/host-config")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def address():
    with served() as warm:
        yield warm


@pytest.fixture
def page(browser):
    """A page that remembers what it asked for and what went wrong."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.asked, page.wrong = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on(
        "response",
        lambda answer: (
            answer.status >= 400
            and not answer.url.endswith(PROBES)
            and page.wrong.append(f"{answer.status} {answer.url}")
        ),
    )
    page.on(
        "console",
        lambda message: (
            message.type == "error"
            and "Failed to load resource" not in message.text
            and page.wrong.append(message.text)
        ),
    )
    yield page
    context.close()
