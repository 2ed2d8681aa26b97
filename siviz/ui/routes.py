"""What the dashboard serves beside Streamlit's pages: the answers of live parts."""

from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from siviz.charts.embedding import vega_bundle
from siviz.locations import asset
from siviz.ui.live import PARTS

_SCRIPT: Final = "text/javascript"


def answers(request: Request) -> Response:
    """Answers of a live part to sliders at the positions in the address."""
    part = PARTS.get(request.path_params["part"])
    if part is None:  # the visitor or the server has left since
        return Response(status_code=404)
    try:
        answered = part.moved(request.query_params)
    except (KeyError, ValueError):  # Streamlit's own answer says what is wrong
        return Response(status_code=422)
    # Streamlit's connections hold the end of a short answer back for 40 ms, until the
    # browser confirms its start (github.com/Kludex/uvicorn/issues/3149); a connection
    # that closes does not.
    return JSONResponse(answered.blocks, headers={"Connection": "close"})


def vega(request: Request) -> Response:
    """Vega, which draws the charts of live parts."""
    age = {"Cache-Control": "max-age=86400"}
    return Response(vega_bundle(), media_type=_SCRIPT, headers=age)


def script(request: Request) -> Response:
    """What draws in the browser."""
    return FileResponse(asset("live.js"), media_type=_SCRIPT)


ROUTES: Final = [
    Route(f"/{{base:path}}siviz/{path}", endpoint)
    for path, endpoint in {
        "live.js": script,
        "vega.js": vega,
        "answers/{part}": answers,
    }.items()
]
