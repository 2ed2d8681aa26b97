"""What the dashboard serves beside Streamlit's pages: the answers of live parts.

The browser asks for an answer some milliseconds before Streamlit tells the server of
the same move.  Both would then compute, here and in the browser, at each other's cost,
so Streamlit's messages wait until the browser has had the time to draw its answer.
"""

import asyncio
from time import monotonic
from typing import Final
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from siviz.charts.embedding import vega_bundle
from siviz.locations import asset
from siviz.ui.live import PARTS

DRAWING: Final = 0.04
"""Seconds that a browser may need to draw an answer."""
LONGEST_WAIT: Final = 0.25
"""Seconds that a message to Streamlit waits at most."""
_STEP: Final = 0.005
_SCRIPT: Final = "text/javascript"
_VISITOR: Final = "_streamlit_xsrf"
"""A cookie that Streamlit gives to every browser."""


class Answering:
    """Whether one visitor is being answered; all in the one thread that serves."""

    def __init__(self) -> None:
        self._begun = 0
        self._drawn_at = 0.0

    def __enter__(self) -> None:
        self._begun += 1

    def __exit__(self, *_: object) -> None:
        self._begun -= 1
        self._drawn_at = monotonic() + DRAWING

    async def wait(self) -> None:
        """Wait until the visitor is not being answered or drawing, but not for ever."""
        latest = monotonic() + LONGEST_WAIT
        while self._begun or monotonic() < self._drawn_at:
            if monotonic() >= latest:
                return
            await asyncio.sleep(_STEP)


_ANSWERING: Final[WeakValueDictionary[str, Answering]] = WeakValueDictionary()
"""By visitor, as long as there is a page of theirs."""
_asking: Final[set[str]] = set()
"""Parts that are being asked; a browser asks each for one thing at a time."""


def answering(scope: Scope) -> Answering:
    """Whether the visitor behind this connection is being answered."""
    visitor = HTTPConnection(scope).cookies.get(_VISITOR, "")
    return _ANSWERING.setdefault(visitor, Answering())


class AnswersFirst:
    """Lets Streamlit hear of a move after the browser has been answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold the messages of a page back, and nothing else."""
        if scope["type"] != "websocket":
            return await self._app(scope, receive, send)
        visitor = answering(scope)

        async def receive_later() -> Message:
            message = await receive()
            await visitor.wait()
            return message

        await self._app(scope, receive_later, send)


async def answers(request: Request) -> Response:
    """Answers of a live part to sliders at the positions in the address."""
    token = request.path_params["part"]
    part = PARTS.get(token)
    if part is None:  # the visitor or the server has left since
        return Response(status_code=404)
    if token in _asking:  # nobody fills all threads with questions to one part
        return Response(status_code=429)
    with answering(request.scope):
        _asking.add(token)
        try:
            answered = await run_in_threadpool(part.moved, request.query_params)
        except ValueError:  # Streamlit's own answer says what is wrong
            return Response(status_code=422)
        finally:
            _asking.discard(token)
        # Streamlit's connections hold the end of a short answer back for 40 ms, until
        # the browser confirms its start (github.com/Kludex/uvicorn/issues/3149); a
        # connection that closes does not.
        once = {"Connection": "close", "Cache-Control": "no-store"}
        return JSONResponse(answered.blocks, headers=once)


def vega(request: Request) -> Response:
    """Vega, which draws the charts of live parts; its address has its version."""
    age = {"Cache-Control": "max-age=86400"}
    return Response(vega_bundle(), media_type=_SCRIPT, headers=age)


def script(request: Request) -> Response:
    """What draws in the browser."""
    fresh = {"Cache-Control": "no-cache"}
    return FileResponse(asset("live.js"), media_type=_SCRIPT, headers=fresh)


ROUTES: Final = [
    Route(f"/{{base:path}}siviz/{path}", endpoint)
    for path, endpoint in {
        "live.js": script,
        "vega.js": vega,
        "answers/{part}": answers,
    }.items()
]
MIDDLEWARE: Final = [Middleware(AnswersFirst)]
