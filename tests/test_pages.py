"""Every page runs without an exception and shows the core's numbers."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from siviz import MEASURES, standardized_information
from siviz.locations import DASHBOARD_SCRIPT
from siviz.ui.pages import PAGES

ROOT = Path(__file__).parent.parent
FILES = [file for pages in PAGES.values() for file, _ in pages]


def run(file):
    path = ROOT / "pages" / file
    page = AppTest.from_file(str(path), default_timeout=30).run()
    assert not page.exception
    return page


@pytest.mark.parametrize("file", FILES)
def test_every_page_runs_alone(file):
    assert run(file).title


def test_the_list_of_pages_is_complete():
    assert sorted(FILES) == sorted(path.name for path in ROOT.glob("pages/*.py"))


def test_the_app_opens_on_its_first_page():
    app = AppTest.from_file(str(DASHBOARD_SCRIPT), default_timeout=30).run()
    assert not app.exception
    assert app.title[0].value == run(FILES[0]).title[0].value


def test_one_table_shows_the_calibrated_si_of_its_table():
    page = run("one_table.py")
    counts = [[30 if i == j else 10 for j in range(3)] for i in range(3)]
    si = standardized_information(counts, null="calibrated", centre="fisher")
    assert page.metric[0].value == f"{si:.2f}"
    assert list(page.dataframe[-1].value["measure"]) == [
        measure.label for measure in MEASURES.values()
    ]


@pytest.mark.parametrize("states", [2, 8])
def test_one_table_follows_its_slider(states):
    page = run("one_table.py")
    page.slider(key="states").set_value(states).run()
    assert not page.exception
    counts = [[30 if i == j else 10 for j in range(states)] for i in range(states)]
    si = standardized_information(counts, null="calibrated", centre="fisher")
    assert page.metric[0].value == f"{si:.2f}"


def test_the_reference_page_names_every_measure():
    page = run("reference.py")
    assert [s.value for s in page.subheader] == [m.label for m in MEASURES.values()]
