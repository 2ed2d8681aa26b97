"""Charts inside an HTML page that needs no network: specifications and one bundle."""

import json
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from threading import Lock, Thread
from typing import Any, Final

import altair as alt

from siviz.charts.frame import AnyChart
from siviz.charts.theme import siviz_look

_SNIPPET: Final = "window.vegaEmbed = vegaEmbed;"
_BUILD: Final = """
import sys, vl_convert
bundle = vl_convert.javascript_bundle(sys.argv[1], vl_version=sys.argv[2])
sys.stdout.buffer.write(bundle.encode())
"""
_waiting: Final = Lock()
_VEGA_LITE: Final = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
BUNDLE_VERSION: Final = f"{version('vl-convert-python')}-{_VEGA_LITE}"
"""Changes when the bundle does."""


def chart_spec(chart: AnyChart) -> dict[str, Any]:
    """The Vega-Lite specification of a chart with siviz's theme and its own data.

    Altair checks it against the schema of Vega-Lite.  Whatever theme or data
    transformer the caller has enabled does not matter.
    """
    with (
        siviz_look(),
        alt.data_transformers.enable("default", max_rows=None),
    ):
        return chart.to_dict()


def script_json(value: Any) -> str:
    r"""JSON that can stand inside a script element, whatever its texts hold.

    Examples
    --------
    >>> print(script_json({"name": "</script><!--"}))
    {"name":"\u003c/script\u003e\u003c!--"}
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def vega_bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, which sets ``vegaEmbed``.

    Building it takes some seconds, so it is built once, for the version of Vega-Lite
    that Altair writes specifications for.
    """
    with _waiting:
        return _built_bundle()


def begin_vega_bundle() -> None:
    """Begin to build the bundle, beside everything else."""
    Thread(target=vega_bundle, daemon=True).start()


@cache
def _built_bundle() -> str:
    # In a process of its own, since vl-convert keeps the interpreter to itself.
    built = subprocess.run(
        [sys.executable, "-c", _BUILD, _SNIPPET, _VEGA_LITE],
        capture_output=True,
        encoding="utf-8",
    )
    if built.returncode:
        raise RuntimeError(f"Vega's scripts could not be bundled: {built.stderr}")
    # Nothing that an HTML parser would take for the end of the script.
    return built.stdout.replace("</script", r"<\/script").replace("<!--", r"<\!--")
