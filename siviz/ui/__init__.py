"""Streamlit pieces that the pages share, and how a page is made of them.

A page is one file below ``pages`` and one line in `siviz.ui.pages`:

1. ``START``, the opening value of every control by its key, and ``PRESETS``, dicts of
   what differs from it.  Keys are names in the address: keep them short.
2. ``figure_side, control_side = sides()`` (`siviz.ui.layout`), or ``sides_and_more()``
   where figures follow that a phone shows below the controls; inside ``control_side``
   the controls of `siviz.ui.controls`, each ``kind(key, START, label, ...)``, and last
   ``controls.views(START, PRESETS)``, the buttons for presets and reset.
3. ``answer``, a function from the values of controls, by their keys, to figures and
   Markdown by name; ``live_part(name, answer, values)`` (`siviz.ui.live`) computes
   them, and lets the browser ask for them by itself while a slider moves.  So
   ``answer`` shows nothing, and what takes longer than some milliseconds goes through a
   one-line wrapper in `siviz.ui.cached` whose arguments are plain values.  Controls and
   what answers to them are an ``st.fragment``: prose and presets then neither run nor
   are sent again.  Long work stays outside of it, since a control of a fragment does
   not end a run, and is not done ahead of Streamlit, which shows its progress.
4. Guard: what a reader can cause is said in one sentence, then the page or the
   fragment ends.
5. A `siviz.charts.figure.Figure`: the chart function, its frames by argument name, a
   constant ``alt``, a sentence that changes with the values, and the options on which
   the form of the chart depends (which measures, which axis).  Build it from
   ``<concept>_frame``, ``<concept>_chart`` and ``<concept>_sentence`` of
   ``siviz/charts/<concept>.py``.  The chart function may not look into a frame: while
   a slider moves it is not called at all, only the frames are sent.
6. ``answers.show(name, formula=...)`` draws an answer, a figure with its sentence,
   formula and downloads; ``handout_button(title, text, lambda: figures)``
   (`siviz.ui.show`) offers the handout.  Pages without sliders use ``show_figure`` of
   `siviz.ui.show` instead of a live part.
7. Prose is Markdown in ``assets/text``, shown by ``write(name)`` (`siviz.ui.text`).
   ``<page>.md`` opens and ``<page>_why.md`` closes both page and handout, so they have
   no LaTeX; formulas are files of their own.  Small tables are a
   ``markdown_table`` of rounded text: far faster than a data grid or ``st.table``.
"""
