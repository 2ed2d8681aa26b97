"""Fixtures that several test files share."""

import os
import socket

import pytest
from hypothesis import settings

# Random examples, but the same ones in every run; and slow machines are no failure.
settings.register_profile("siviz", deadline=None, derandomize=True)
settings.load_profile("siviz")
# The doctests and subprocesses must not open a browser window.
os.environ.setdefault("STREAMLIT_SERVER_HEADLESS", "true")


@pytest.fixture
def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
