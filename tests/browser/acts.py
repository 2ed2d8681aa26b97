"""What a visitor does on any page, and waits for."""

from playwright.sync_api import expect

CHARTS = '[data-testid="stVegaLiteChart"], .siviz-live:has(svg.marks)'


def ready(page):
    """Wait for a page that was just opened."""
    page.locator("h1").first.wait_for(timeout=60_000)
    expect(page.locator('[data-testid="stSkeleton"]')).to_have_count(0, timeout=60_000)
    page.wait_for_timeout(1500)
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)


def settled(page):
    """Wait until a page has answered."""
    page.locator("h1").first.wait_for(timeout=60_000)
    page.wait_for_timeout(300)
    for sign in ("stStatusWidget", "stSkeleton"):
        gone = page.locator(f'[data-testid="{sign}"]')
        expect(gone).to_have_count(0, timeout=60_000)
    page.wait_for_timeout(800)
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)


def upload(page, path):
    """Choose a file on a page whose upload control can be seen."""
    page.locator('input[type="file"]').set_input_files(path)
    settled(page)


def downloaded(page, label):
    """What a button gives to the visitor."""
    with page.expect_download(timeout=60_000) as waiting:
        page.get_by_role("button", name=label, exact=True).click()
    return waiting.value.path().read_bytes()


def go_to(page, title):
    """Go to another page by the list of pages, which keeps the visitor's data."""
    page.locator('[data-testid="stSidebarNavLink"]').get_by_text(
        title, exact=True
    ).click()
    expect(page.locator("h1").first).to_have_text(title, timeout=60_000)
    settled(page)
