"""A dashboard of its own and a Chromium for the tests in this folder."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


@contextmanager
def served(*command: str, base: str = "") -> Iterator[str]:
    """Run a command with ``{port}`` filled in until it serves, then yield its address.

    Without a command it is the dashboard; ``base`` is where below its root it serves.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = command or ("siviz", "--headless", "--port", "{port}")
    filled = [part.replace("{port}", port) for part in command]
    server = subprocess.Popen(
        [sys.executable, "-m", *filled],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(f"http://127.0.0.1:{port}{base}/_stcore/health", server)
        yield f"http://127.0.0.1:{port}{base}"
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert server.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("no answer within a minute")


def launch(playwright):
    """Chromium: the one of ``SIVIZ_CHROMIUM``, the system's, or Playwright's own."""
    path = os.environ.get("SIVIZ_CHROMIUM") or shutil.which("chromium")
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
