"""Live parts of pages: what the browser asks for is what Streamlit would show."""

import asyncio
import json
from pathlib import Path
from threading import Event
from time import monotonic
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from streamlit.testing.v1 import AppTest

from siviz.ui import live, routes
from siviz.ui.live import PARTS, LivePart
from siviz.ui.long_work import show_progress
from siviz.ui.sliders import OptionRange, Options, Steps
from tests.pages.shown import live_data

PAGES = Path(__file__).parents[2] / "pages"
COOKIES = (b"_streamlit_xsrf=mine", b"_streamlit_xsrf=yours")
LIVE = [
    *("home", "fair_scale", "two_conditions", "p_values", "sparse_tables"),
    *("discretization", "variable_selection", "equivalent_sample_size"),
]


def run(name, **address):
    page = AppTest.from_file(str(PAGES / f"{name}.py"), default_timeout=60)
    for key, value in address.items():
        page.query_params[key] = value
    page.run()
    assert not page.exception
    return page


def blocks(page):
    return {data["name"]: data["block"] for data in live_data(page)}


def positions(page):
    return {
        key: at for data in live_data(page) for key, at in data["positions"].items()
    }


def slider(page, key):
    return next(s for s in [*page.slider, *page.select_slider] if s.key == key)


def neighbour(control):
    """A value beside that of a slider, and its position."""
    if isinstance(control.value, tuple):
        options = [int(option.replace(",", "")) for option in control.options]
        low, high = map(options.index, control.value)
        return (options[low], options[high - 1]), [low, high - 1]
    if control.type == "slider":
        here, low = control.value, control.min
        value = (
            here - control.step if here - control.step >= low else low + control.step
        )
        return value, float(f"{value:.6g}")
    options = [type(control.value)(o.replace(",", "")) for o in control.options]
    place = max(options.index(control.value) - 1, 0)
    return options[place], place


def written(position):
    """As the browser writes the place of one handle, or of two."""
    if isinstance(position, (list, tuple)):
        return ",".join(map(written, position))
    return f"{position:g}" if isinstance(position, float) else str(position)


def request(token, **positions):
    """What a browser asks."""
    asked = {key: written(position) for key, position in positions.items()}
    scope = {
        "type": "http",
        "path_params": {"part": token},
        "query_string": urlencode(asked).encode(),
        "headers": [],
    }
    return Request(scope)


def asked(token, **positions):
    """What the browser gets for its request."""
    return asyncio.run(routes.answers(request(token, **positions)))


def all_asked(page, **moved):
    """What the browser gets for its requests to all live parts of a page."""
    parts = {data["part"]: data["positions"] for data in live_data(page)}
    answers = [
        asked(part, **{key: moved.get(key, place) for key, place in at.items()})
        for part, at in parts.items()
    ]
    assert {answer.status_code for answer in answers} == {200}
    return {name: told for a in answers for name, told in json.loads(a.body).items()}


@pytest.mark.parametrize("name", LIVE)
def test_the_browser_is_answered_as_streamlit_would(name):
    page = run(name)
    keys = positions(page)
    assert keys
    for key in keys:
        if key == "size":  # shown as other numbers than its values
            value, place = 0.95, 19
        else:
            value, place = neighbour(slider(page, key))
        before, ahead = blocks(page), all_asked(page, **{key: place})
        slider(page, key).set_value(value).run()
        assert not page.exception
        assert positions(page)[key] == place
        assert blocks(page) == ahead
        assert blocks(page) != before, key


@pytest.mark.parametrize("name", LIVE)
def test_every_answer_of_a_live_part_has_a_place_on_the_page(name):
    page = run(name)
    assert all_asked(page) == blocks(page)


def test_other_controls_stay_as_they_are_while_a_slider_moves():
    page = run("fair_scale", scale="SI")
    data = live_data(page)[0]
    moved = json.loads(asked(data["part"], **data["positions"] | {"k2": 6}).body)
    assert moved == blocks(run("fair_scale", scale="SI", k2="6"))


def test_controls_outside_of_a_live_part_count_too():
    page = run("home")
    page.number_input(key="draws").set_value(30).run()
    data = live_data(page)[0]
    moved = json.loads(asked(data["part"], **data["positions"] | {"k2": 20}).body)
    assert "30 samples" in moved["duel"]


def test_an_answer_closes_its_connection():
    data = live_data(run("fair_scale"))[0]
    assert asked(data["part"], n=3).headers["Connection"] == "close"


def test_a_part_that_nobody_holds_is_not_found():
    assert asked("nobody").status_code == 404
    page = run("fair_scale")
    token = live_data(page)[0]["part"]
    assert token in PARTS
    assert asked(token, n=3).status_code == 200


@pytest.mark.parametrize(
    "positions",
    [
        *({"n": 99}, {"n": -1}, {"n": "x"}, {"k1": 1}, {"k1": "2.5"}, {"i1": 0.41}),
        *({"i1": "nan"}, {"i1": "inf"}, {"scale": 1}, {"import": 1}, {"answer": "x"}),
    ],
)
def test_positions_that_no_slider_has_are_refused(positions):
    data = live_data(run("fair_scale"))[0]
    assert asked(data["part"], **positions).status_code == 422


def test_what_cannot_be_said_is_left_to_streamlit():
    page = run("p_values")
    token = live_data(page)[0]["part"]
    for row in "123":
        for column in "123":
            page.number_input(key=f"c{row}{column}").set_value(0)
    page.run()
    assert "at least one observation" in page.error[0].value
    assert asked(token, copies=3).status_code == 422


def test_long_studies_are_left_to_streamlit_which_shows_their_progress():
    page = run("variable_selection")

    def data(name):
        return next(data for data in live_data(page) if data["name"] == name)

    assert data("selection")["positions"] == {"z": 0.1, "sizes": [0, 13]}
    page.number_input(key="resamples").set_value(300).run()
    assert data("selection")["positions"] == {}
    assert asked(data("selection")["part"], z=0.05).status_code == 422
    assert asked(data("true-tables")["part"], z=0.05).status_code == 200


def test_outside_of_a_page_progress_is_shown_to_nobody():
    report = show_progress("work")
    report(0.5)
    report(1.0)


@pytest.mark.parametrize(
    "meaning, value, position",
    [
        (Steps(2, 50, True), 7, "7"),
        (Steps(0, 1, False), 0.3, "0.30000000000000004"),
        (Options((20, 30, 50)), 50, "2"),
        (OptionRange((20, 30, 50)), (20, 50), "0,2"),
        (OptionRange((20, 30, 50)), (20, 50), "2,0"),
    ],
)
def test_a_slider_reads_the_positions_it_is_at(meaning, value, position):
    assert meaning.value(position) == value
    assert type(meaning.value(position)) is type(value)
    assert meaning.value(written(meaning.position(value))) == value


@pytest.mark.parametrize("position", ["1", "0,1,2", "0,3", "-1,2", "0,", "a,b", ""])
def test_a_range_has_two_places_among_its_options(position):
    with pytest.raises(ValueError):
        OptionRange((20, 30, 50)).value(position)


def counting(calls):
    def answer(n):
        calls.append(n)
        return {"told": f"n is {n}"}

    return answer


def test_streamlit_and_the_browser_share_one_answer():
    calls, part = [], LivePart()
    answer, sliders = counting(calls), {"n": Steps(0, 9, True)}
    part.settle(answer, {"n": 1}, sliders)
    ahead = part.moved({"n": "2"})
    assert part.settle(answer, {"n": 2}, sliders) is ahead
    assert calls == [1, 2]


def test_another_answer_to_the_same_values_is_given_anew():
    part, sliders = LivePart(), {"n": Steps(0, 9, True)}
    part.settle(counting([]), {"n": 1}, sliders)
    told = part.settle(lambda n: {"told": "else"}, {"n": 1}, sliders)
    assert told.answers == {"told": "else"}
    assert part.moved({"n": "1"}) is told


def test_what_has_not_changed_is_not_written_again(monkeypatch):
    written = []
    write = live.block
    monkeypatch.setattr(live, "block", lambda a: written.append(a) or write(a))
    kept = "the same"
    part, sliders = LivePart(), {"n": Steps(0, 9, True)}
    part.settle(lambda n: {"n": f"{n}", "kept": kept}, {"n": 1}, sliders)
    part.moved({"n": "2"})
    assert written == ["1", kept, "2"]


def test_an_answer_that_fails_leaves_the_part_usable():
    def answer(n):
        if n == 5:
            raise ValueError("five")
        return {"told": f"n is {n}"}

    part, sliders = LivePart(), {"n": Steps(0, 9, True)}
    part.settle(answer, {"n": 1}, sliders)
    with pytest.raises(ValueError, match="five"):
        part.moved({"n": "5"})
    assert part.moved({"n": "6"}).answers == {"told": "n is 6"}


PAGE = {"headers": [(b"cookie", b"_streamlit_xsrf=2|a|b|3")]}


def told(kind, *, answering):
    """What happens first: an answer ends, or a message of this kind is heard."""
    happened = []

    async def receive():
        return "a message"

    async def app(scope, receive, send):
        happened.append(await receive())

    async def answer():
        with routes.answering({**PAGE, "type": "http"}):
            await asyncio.sleep(answering)
        happened.append("an answer")

    async def both():
        browser = asyncio.create_task(answer())
        await asyncio.sleep(0)
        await routes.AnswersFirst(app)({**PAGE, "type": kind}, receive, None)
        heard_at = monotonic()
        await browser
        return heard_at

    return happened, asyncio.run(both())


def test_streamlit_hears_of_a_move_after_the_browser_has_drawn_the_answer():
    begun = monotonic()
    happened, heard_at = told("websocket", answering=0.05)
    assert happened == ["an answer", "a message"]
    assert heard_at - begun >= 0.05 + routes.DRAWING


def test_no_visitor_waits_for_another():
    mine, yours = ({"type": "http", "headers": [(b"cookie", c)]} for c in COOKIES)
    with routes.answering(mine), pytest.raises(StopIteration):
        routes.answering(yours).wait().send(None)  # it never gives way


def test_a_part_is_asked_for_one_thing_at_a_time():
    part, end = LivePart(), Event()

    def answer(n):
        assert n == 1 or end.wait(10)
        return {"told": f"n is {n}"}

    part.settle(answer, {"n": 1}, {"n": Steps(0, 9, True)})
    PARTS[part.token] = part

    async def twice():
        first = asyncio.create_task(routes.answers(request(part.token, n=2)))
        await asyncio.sleep(0.05)
        second = await routes.answers(request(part.token, n=3))
        end.set()
        return (await first).status_code, second.status_code

    assert asyncio.run(twice()) == (200, 429)
    assert asked(part.token, n=3).status_code == 200


def test_nothing_but_the_messages_of_a_page_waits():
    assert told("http", answering=0.05)[0] == ["a message", "an answer"]


def test_streamlit_does_not_wait_for_ever():
    happened, _ = told("websocket", answering=8 * routes.LONGEST_WAIT)
    assert happened == ["a message", "an answer"]


def test_streamlit_does_not_wait_for_nothing():
    with pytest.raises(StopIteration):  # it never gives way to anything else
        routes.Answering().wait().send(None)
