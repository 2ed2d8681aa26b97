"""The command ``siviz``."""

import argparse
import sys
from collections.abc import Sequence

from siviz import __version__
from siviz.locations import DASHBOARD


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    parser = _parser()
    options = parser.parse_args(sys.argv[1:] if arguments is None else arguments)
    return start_dashboard(port=options.port, headless=options.headless)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="siviz",
        description="Rank fairly how strongly discrete variables depend on each other. "
        "Without a command the dashboard starts.",
    )
    parser.add_argument("--version", action="version", version=f"siviz {__version__}")
    parser.add_argument("--port", type=int, default=8501, help="port of the dashboard")
    parser.add_argument(
        "--headless", action="store_true", help="do not open a browser window"
    )
    return parser


def start_dashboard(*, port: int, headless: bool) -> int:
    """Serve the dashboard on this machine until it is interrupted."""
    from streamlit.web import cli  # loads for seconds, and only the dashboard needs it

    command = ["run", str(DASHBOARD / "app.py"), f"--server.port={port}"]
    command += ["--server.address=127.0.0.1", "--browser.gatherUsageStats=false"]
    command += ["--client.toolbarMode=minimal", "--client.showErrorLinks=false"]
    command += ["--global.disableWidgetStateDuplicationWarning=true"]
    command += ["--server.headless=true"] if headless else []
    return cli.main(command, standalone_mode=False) or 0
