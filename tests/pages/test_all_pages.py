"""Every page runs without an exception and shows the core's numbers."""

import re
import tomllib
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from siviz import MEASURES, evaluate, standardized_information
from siviz.charts.duel import duel_frame, duel_headline, verdict_table
from siviz.charts.frame import PAIRS
from siviz.charts.prose import markdown_html
from siviz.duels import play_duel
from siviz.experiments import fairness_study
from siviz.locations import DASHBOARD, DASHBOARD_SCRIPT
from siviz.ui.grid import text_counts
from siviz.ui.pages import PAGES
from siviz.ui.text import markdown_table, prose
from tests.pages.shown import charts, live_blocks, words

ROOT = Path(__file__).parents[2]
FILES = [file for pages in PAGES.values() for file, _ in pages]
LEARNING = [file for group in ("Learn", "Experiment") for file, _ in PAGES[group]]


def run(file):
    path = ROOT / "pages" / file
    page = AppTest.from_file(str(path), default_timeout=60).run()
    assert not page.exception
    return page


def ends(control):
    """The extreme values of a control."""
    kind = control.type
    if kind in ("slider", "number_input"):
        return [control.min, control.max]
    if kind == "toggle":
        return [True, False]
    options = [plain(control, option) for option in control.options]
    if kind == "multiselect":
        most = control.proto.max_selections or len(options)
        return [[], options[:most]]
    if kind == "select_slider":
        if isinstance(control.value, list | tuple):  # from and to
            return [(options[0], options[0]), (options[0], options[-1])]
        # Options that are shown by another number are moved by their page's own tests.
        return [options[0], options[-1]] if control.value in options else []
    return options


def plain(control, option):
    """An option as the page knows it, from how it is shown."""
    value = control.value
    sample = value[0] if isinstance(value, list | tuple) and value else value
    kind = type(sample)
    return kind(option.replace(",", "")) if kind in (int, float) else option


def controls(page):
    kinds = ("slider", "select_slider", "number_input", "toggle")
    plain = [control for kind in kinds for control in page.get(kind)]
    return [*plain, *page.segmented_control, *page.pills]


@pytest.mark.parametrize("file", FILES)
def test_every_page_runs_alone(file):
    assert run(file).title


@pytest.mark.parametrize("file", FILES)
def test_every_control_goes_to_both_ends(file):
    page = run(file)
    for key in [control.key for control in controls(page)]:
        control = by_key(page, key)
        for value in [*ends(control), control.value]:
            by_key(page, key).set_value(value).run()
            assert not page.exception, (control.label, value)


def by_key(page, key):
    """A control, wherever it stands now: some come and go with others."""
    return next(control for control in controls(page) if control.key == key)


@pytest.mark.parametrize("file", FILES)
def test_every_preset_works_and_reset_brings_the_opening_back(file):
    page = run(file)
    opening = {control.key: control.value for control in controls(page)}
    for at in range(len(page.button)):
        page.button[at].click().run()
        assert not page.exception
    for button in page.button:
        if "Reset" in button.label:
            button.click().run()
            after = {control.key: control.value for control in controls(page)}
            # Which data are looked at is no setting: a reset of the ranking keeps them.
            settings = opening.keys() - {"example"}
            assert {key: after[key] for key in settings} == {
                key: opening[key] for key in settings
            }


@pytest.mark.parametrize("file", FILES)
def test_every_control_is_bound_to_the_address(file):
    source = (ROOT / "pages" / file).read_text()
    page = run(file)
    assert all(control.key for control in controls(page))
    for name in ("st.slider(", "st.select_slider(", "st.toggle(", "st.number_input("):
        assert source.count(name) <= source.count('bind="query-params"')


def step(control):
    """The neighbouring value of a slider; None if it is shown by another number."""
    if control.type == "slider":
        low, high = control.min, control.max
        onward = control.value + control.step
        return onward if low <= onward <= high else control.value - control.step
    options = [plain(control, option) for option in control.options]
    if control.value not in options:
        return None
    at = options.index(control.value)
    return options[at + 1 if at + 1 < len(options) else at - 1]


@pytest.mark.parametrize("file", [file for file, _ in PAGES["Learn"]])
def test_a_slider_changes_the_data_of_charts_and_not_their_form(file):
    # The browser draws a chart of another form from nothing, which takes several times
    # as long as an answer should.
    page = run(file)
    for kind in ("slider", "select_slider"):
        for key in [slider.key for slider in page.get(kind)]:
            before = charts(page)
            slider = by_key(page, key)
            slider.set_value(step(slider)).run()
            assert before == charts(page), key


ABSURD = ("99", "-5", "abc", "", "1e999", "nan", "9" * 30, "a,b", "[]", "_")
LEARN = [file for group in ("Learn", "Experiment") for file, _ in PAGES[group]]


@pytest.mark.parametrize("value", ABSURD)
@pytest.mark.parametrize("file", [*LEARN, "reference.py"])
def test_an_absurd_link_opens_the_page_all_the_same(file, value):
    keys = {control.key for control in controls(run(file))}
    page = AppTest.from_file(str(ROOT / "pages" / file), default_timeout=60)
    for key in keys | {"counts"}:
        page.query_params[key] = value
    page.run()
    assert not page.exception
    assert page.title


@pytest.mark.parametrize("file", LEARN)
def test_a_handout_has_the_texts_it_opens_and_closes_with(file):
    source = (ROOT / "pages" / file).read_text()
    (text,) = re.findall(r'handout_button\(\s*"[^"]+",\s*"(\w+)"', source)
    assert prose(text)
    assert prose(f"{text}_why").startswith("#####")


def test_the_list_of_pages_is_complete():
    assert sorted(FILES) == sorted(path.name for path in ROOT.glob("pages/*.py"))


@pytest.mark.parametrize("file", FILES)
def test_every_page_opens_through_the_app(file):
    app = AppTest.from_file(str(DASHBOARD_SCRIPT), default_timeout=60).run()
    if file != FILES[0]:
        app.switch_page(str(DASHBOARD / "pages" / file)).run()
    assert not app.exception
    assert app.title[0].value == run(file).title[0].value


@pytest.mark.parametrize("file", LEARNING)
def test_no_page_brings_its_controls_along_to_the_next(file):
    app = AppTest.from_file(str(DASHBOARD_SCRIPT), default_timeout=60).run()

    def go_to(next_file):
        app.switch_page(str(DASHBOARD / "pages" / next_file)).run()
        assert not app.exception, next_file
        return {control.key: control.value for control in controls(app)}

    opening = {other: go_to(other) for other in LEARNING}
    for other in (other for other in LEARNING if other != file):
        go_to(file)
        for control in [*app.slider, *app.number_input, *app.pills]:
            value = ends(control)[-1]
            control.set_value([value] if control.type == "pills" else value)
        app.run()
        assert not app.exception
        assert go_to(other) == opening[other]
        app.query_params.clear()  # as the browser does when it follows a link


def test_home_opens_where_mutual_information_picks_the_noise():
    page = run("home.py")
    duel = play_duel(200, states=(3, 12), information=(0.06, 0.0), draws=100, seed=1)
    assert duel.wrong("mi") == 1
    assert duel.wrong("nmi") > 0.9
    assert markdown_html(f"#### {duel_headline(duel)}") in words(page)
    shown = markdown_html(markdown_table(verdict_table(duel_frame(duel))))
    assert shown in words(page)
    assert shown.count("✗ wrong") >= 2


def test_drawing_more_keeps_the_samples_and_counts_on():
    page = run("home.py")
    page.slider(key="k2").set_value(20).run()
    next(b for b in page.button if b.label == "Draw 10").click().run()
    assert page.number_input(key="draws").value == 110
    duel = play_duel(200, states=(3, 20), information=(0.06, 0.0), draws=110, seed=1)
    shown = markdown_html(markdown_table(verdict_table(duel_frame(duel))))
    assert shown in words(page)


def test_the_fair_scale_flips_with_its_scale():
    page = run("fair_scale.py")
    first = {}
    for scale in ("information", "standard deviations", "SI"):
        page.segmented_control(key="scale").set_value(scale).run()
        (told,) = re.findall("<p>On this scale.*", words(page))
        first[scale] = next(
            pair for pair in PAIRS if f"{pair}</strong> is first" in told
        )
    assert list(first.values()) == [PAIRS[1], PAIRS[0], PAIRS[0]]


def test_sparse_tables_show_the_study_of_the_core():
    page = run("sparse_tables.py")
    study = fairness_study(
        [30],
        [200],
        ["uniform"],
        resamples=100,
        measures=("si_calibrated", "si", "mi", "mi_bc", "nmi", "log10_p"),
        rng=1,
    ).set_index("measure")["fraction"]
    assert study["mi"] == 0
    assert abs(study["si_calibrated"] - 0.5) < 0.15
    assert "Favour noise with many states: MI; normalized MI." in words(page)


def test_no_measure_chosen_is_said_kindly():
    page = run("sparse_tables.py")
    page.pills(key="measures").set_value([]).run()
    assert not page.exception
    assert "at least one measure" in page.info[0].value
    assert {"nulls", "moments"} == set(live_blocks(page))  # which ask for no measure


def one_table(text=None):
    page = AppTest.from_file(str(ROOT / "pages" / "one_table.py"), default_timeout=60)
    if text:
        page.query_params["counts"] = text
    page.run()
    assert not page.exception
    return page


@pytest.mark.parametrize("text", [None, "30-10_10-30", "5-0-1_0-6-0_1-0-7"])
def test_one_table_shows_every_measure_of_the_table_in_the_address(text):
    page = one_table(text)
    counts = text_counts(page.session_state["counts"])
    si = standardized_information(counts, null="calibrated", centre="fisher")
    told = [element.value for element in page.markdown]
    assert any(f"**calibrated SI = {si:.2f}**" in words for words in told)
    table = next(words for words in told if words.startswith("| measure"))
    values = evaluate(counts)
    for key, measure in MEASURES.items():
        line = next(row for row in table.splitlines() if f"| {measure.label} |" in row)
        shown = float(line.split("|")[2].replace("−", "-"))
        assert shown == pytest.approx(float(values[key]), rel=6e-4, abs=1e-12)


def test_one_table_opens_on_noise_that_cramers_v_takes_for_dependence():
    page = one_table()
    counts = text_counts(page.session_state["counts"])
    values = evaluate(counts, ("cramers_v", "si_calibrated", "p_value"))
    assert counts.sum() == 30
    assert round(float(values["cramers_v"]), 2) == 0.40
    assert abs(values["si_calibrated"]) < 0.5
    assert values["p_value"] > 0.1


def test_another_state_adds_no_observation():
    page = one_table()
    page.number_input(key="counts-axis-0").set_value(5).run()
    page.number_input(key="counts-axis-1").set_value(6).run()
    counts = text_counts(page.query_params["counts"])
    assert counts.shape == (5, 6)
    assert counts.sum() == 30


def test_one_table_without_counts_says_what_to_do():
    page = one_table("0-0_0-0")
    assert "at least one observation" in page.error[0].value


def test_the_reference_page_names_every_measure():
    page = run("reference.py")
    assert [s.value for s in page.subheader] == [m.label for m in MEASURES.values()]


def test_the_command_line_starts_with_the_options_of_the_configuration():
    written = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    source = (ROOT / "siviz" / "cli.py").read_text()
    for section in ("browser", "server", "client", "global"):
        for option, value in written[section].items():
            told = str(value).lower() if isinstance(value, bool) else value
            assert f"--{section}.{option}={told}" in source
