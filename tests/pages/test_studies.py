"""Discretization, variable selection and reference: controls, presets, stopping."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from siviz import MEASURES
from siviz.charts import discretization as charts
from siviz.charts.prose import markdown_html
from siviz.charts.selection import selection_sentence
from siviz.charts.study import study_frame
from siviz.contests import STUDY_MEASURES
from siviz.experiments import discretization_study, selection_study
from siviz.ui import cached, long_work
from siviz.ui.reference import matching_measures
from tests.pages.shown import charts as charts_of
from tests.pages.shown import live_blocks, words

PAGES = Path(__file__).parents[2] / "pages"


def run(file):
    page = AppTest.from_file(str(PAGES / file), default_timeout=60).run()
    assert not page.exception
    return page


def texts(page):
    return [element.value for element in page.markdown]


@pytest.fixture(params=["discretization.py", "variable_selection.py"])
def study_page(request):
    return run(request.param)


def test_a_study_page_opens_with_three_charts_and_a_handout(study_page):
    assert len(charts_of(study_page)) == 3
    labels = [button.label for button in study_page.get("download_button")]
    assert labels.count("Teaching handout (HTML)") == 1


def test_every_control_moves_to_both_ends(study_page):
    page = study_page
    for slider in page.slider:
        for value in (slider.min, slider.max):
            slider.set_value(value).run()
            assert not page.exception
            assert len(charts_of(page)) == 3
    page.number_input(key="resamples").set_value(10).run()
    for seed in (0, 999_999):
        page.number_input(key="seed").set_value(seed).run()
        assert not page.exception
    for chosen in (["mi"], list(STUDY_MEASURES)):
        page.pills(key="measures").set_value(chosen).run()
        assert not page.exception
        assert len(charts_of(page)) == 3


def test_every_preset_and_the_reset_show_three_charts(study_page):
    page = study_page
    opening = words(page)
    names = [button.label for button in page.button]
    assert len(names) > 3
    for name in names:
        next(button for button in page.button if button.label == name).click().run()
        assert not page.exception
        assert len(charts_of(page)) == 3
    assert names[-1] == "↺ Reset"
    assert words(page) == opening


def test_without_a_measure_the_page_asks_for_one(study_page):
    study_page.pills(key="measures").set_value([]).run()
    assert not study_page.exception
    assert "at least one" in study_page.info[0].value
    assert not charts_of(study_page)


@pytest.mark.parametrize("sizes", [[], [10], [10, 25, 5000, 10_000], [500, 25]])
def test_discretization_takes_any_sample_sizes(sizes):
    page = run("discretization.py")
    page.multiselect(key="sizes").set_value(sizes).run()
    assert not page.exception
    assert bool(charts_of(page)) == bool(sizes)


@pytest.mark.parametrize("ends", [(8, 65_536), (8, 8), (65_536, 65_536)])
def test_selection_takes_any_range_of_sample_sizes(ends):
    page = run("variable_selection.py")
    page.number_input(key="resamples").set_value(10)
    page.select_slider(key="sizes").set_value(ends).run()
    assert not page.exception
    assert len(charts_of(page)) == 3


def test_discretization_as_in_the_paper_is_one_click_and_the_cores_numbers():
    page = run("discretization.py")
    next(b for b in page.button if b.label == "As in the paper").click().run()
    keys = ["si", "mi_bc", "nmi", "p_value_2006"]
    study = discretization_study([25, 100, 500], resamples=100, rng=2006, measures=keys)
    told = charts.discretization_sentence(study_frame(study))
    assert markdown_html(told) in words(page)
    assert any("a reconstruction" in text for text in texts(page))


@pytest.mark.parametrize(("panel", "z"), [("a", 0.10), ("b", 0.08)])
def test_selection_as_in_the_paper_is_one_click_and_the_cores_numbers(panel, z):
    page = run("variable_selection.py")
    wanted = f"As in the paper ({panel})"
    next(b for b in page.button if b.label == wanted).click().run()
    keys = ("si", "mi_bc", "nmi", "p_value_2006")
    sizes = [2**power for power in range(3, 17)]
    study = selection_study(sizes, [z], resamples=100, rng=2006, measures=keys)
    assert cached.selection(z, 100, keys, 2006).equals(study)
    shown = study[study["sample_size"].isin(sizes[2:12])]
    assert (shown["sample_size"].min(), shown["sample_size"].max()) == (32, 16_384)
    assert markdown_html(selection_sentence(study_frame(shown))) in words(page)
    assert '"sample_size":8,' not in live_blocks(page)["selection"]["datasets"]


def test_samples_are_the_same_whatever_range_of_sizes_is_shown():
    def fractions(page):
        rows = live_blocks(page)["selection"]["datasets"]["curves"]
        return {(row["sample_size"], row["measure"]): row["fraction"] for row in rows}

    page = run("variable_selection.py")
    wide = fractions(page)
    page.select_slider(key="sizes").set_range(64, 1024).run()
    narrow = fractions(page)
    assert {size for size, _ in narrow} == {64, 128, 256, 512, 1024}
    assert narrow.items() <= wide.items()


def test_a_study_is_computed_once():
    cached.discretization.cache_clear()
    page = run("discretization.py")
    page.slider(key="z").set_value(0.1).run()
    assert cached.discretization.cache_info().misses == 1


# Long work


def unfinished_work():
    import streamlit as st

    from siviz.ui.long_work import show_progress

    report = show_progress(("some", "work"))
    for share in (0.25, 0.5):
        report(share)
    st.stop()


def finished_work():
    from siviz.ui.long_work import show_progress

    report = show_progress("work")
    for share in (0.5, 1.0):
        report(share)


def test_work_shows_its_progress_and_can_be_stopped_and_begun_again(monkeypatch):
    monkeypatch.setattr(long_work, "PATIENCE", -1)
    page = AppTest.from_function(unfinished_work).run()
    assert not page.exception
    assert [button.label for button in page.button] == ["Stop"]
    page.button[0].click().run()
    assert page.warning[0].value.startswith("Stopped at 50%")
    page.button[0].click().run()
    assert not page.warning
    assert [button.label for button in page.button] == ["Stop"]


def test_the_bar_is_gone_when_the_work_is_done(monkeypatch):
    monkeypatch.setattr(long_work, "PATIENCE", -1)
    page = AppTest.from_function(finished_work).run()
    assert not page.exception
    assert not page.button


def test_short_work_shows_no_bar(monkeypatch):
    monkeypatch.setattr(long_work, "PATIENCE", 3600)
    page = AppTest.from_function(unfinished_work).run()
    assert not page.button


# Reference


def test_every_measure_has_its_use_and_its_failure():
    page = run("reference.py")
    told = "\n".join(texts(page))
    for measure in MEASURES.values():
        assert measure.use[1:] in told
        assert measure.fails in told
        assert f"](#{measure.key})" in told
    assert [s.anchor for s in page.subheader] == list(MEASURES)
    assert len(page.get("latex")) == len(MEASURES)


def test_a_search_keeps_the_measures_with_all_its_words():
    page = run("reference.py")
    page.text_input(key="find").set_value("SPARSE p-value").run()
    expected = [measure.label for measure in matching_measures("sparse p-value")]
    assert [s.value for s in page.subheader] == expected
    assert 0 < len(expected) < 6


def test_a_search_without_a_find_says_so():
    page = run("reference.py")
    page.text_input(key="find").set_value("phrenology").run()
    assert not page.exception
    assert "phrenology" in page.info[0].value
    assert not page.subheader


@pytest.mark.parametrize(
    ("part", "words"),
    [("Glossary", "Occam's razor"), ("How it was checked", "Eq. 3 is misprinted")],
)
def test_the_other_parts_can_be_opened(part, words):
    page = run("reference.py")
    page.segmented_control(key="part").set_value(part).run()
    assert not page.exception
    assert any(words in text for text in texts(page))
