"""Charts inside an HTML page that needs no network: specifications and one bundle."""

import json
import subprocess
import sys
from functools import cache
from threading import Lock
from typing import Any, Final, TypeAlias

import altair as alt

import siviz.charts.theme  # noqa: F401  registers the theme

_SNIPPET: Final = "window.vegaEmbed = vegaEmbed;"
_BUILD: Final = """
import sys, vl_convert
bundle = vl_convert.javascript_bundle(sys.argv[1], vl_version=sys.argv[2])
sys.stdout.buffer.write(bundle.encode())
"""
_waiting: Final = Lock()

AnyChart: TypeAlias = alt.Chart | alt.LayerChart


def chart_spec(chart: AnyChart) -> dict[str, Any]:
    """The Vega-Lite specification of a chart with siviz's theme and its own data.

    Altair checks it against the schema of Vega-Lite.  Whatever theme or data
    transformer the caller has enabled does not matter.
    """
    with (
        alt.theme.enable("siviz"),
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


@cache
def begin_vega_bundle() -> subprocess.Popen[str]:
    """Begin to build the bundle, in a process of its own.

    Here nothing else could run in the meantime, since vl-convert keeps the interpreter.
    """
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    return subprocess.Popen(
        [sys.executable, "-c", _BUILD, _SNIPPET, version],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@cache
def _built_bundle() -> str:
    process = begin_vega_bundle()
    bundle, complaint = process.communicate()
    if process.returncode:
        begin_vega_bundle.cache_clear()
        raise RuntimeError(f"Vega's scripts could not be bundled: {complaint}")
    # Nothing that an HTML parser would take for the end of the script.
    return bundle.replace("</script", r"<\/script").replace("<!--", r"<\!--")
