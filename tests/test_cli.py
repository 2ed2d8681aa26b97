"""The command line as a user calls it."""

import errno
import gzip
import io
import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import siviz
from siviz import cli
from siviz.locations import asset
from siviz.output import check_output, write_whole
from siviz.terminal import ProgressBar

PENGUINS = str(asset("data/penguins.csv"))
TITANIC = str(asset("data/titanic.csv"))
ROOT = Path(siviz.__file__).parent.parent


def run(capsys, *words):
    """Exit code, standard output and standard error of a call."""
    try:
        code = cli.main([str(word) for word in words])
    except SystemExit as exit_:
        code = exit_.code
    return code, *capsys.readouterr()


def test_version_and_help_answer_and_exit_with_zero(capsys):
    for words, expected in (
        (["--version"], siviz.__version__),
        (["--help"], "dashboard"),
        (["rank", "--help"], "siviz rank survey.csv --target income"),
    ):
        code, out, _ = run(capsys, *words)
        assert code == 0
        assert expected in out


@pytest.mark.parametrize(
    "words",
    [
        ["--nonsense"],
        ["rank"],
        ["rank", PENGUINS, "--null", "wrong"],
        ["rank", PENGUINS, "--bins", "fair:7"],
        ["rank", PENGUINS, "--bins", "width:1"],
        ["rank", PENGUINS, "--top", "0"],
        ["rank", PENGUINS, "--measures", "phik"],
    ],
)
def test_wrong_usage_exits_with_two_and_says_what_was_wrong(capsys, words):
    code, out, error = run(capsys, *words)
    assert (code, out) == (2, "")
    assert "error:" in error


def test_a_ranking_is_on_standard_output_and_notes_are_not(capsys):
    code, out, error = run(capsys, "rank", PENGUINS, "--top", 3)
    assert code == 0
    frame = siviz.rank_pairs(PENGUINS).frame
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["rank", "first", "second"]
    for line, row in zip(lines[2:5], frame.head(3).itertuples(), strict=True):
        assert line.split()[:4] == [
            str(row.rank),
            row.first,
            row.second,
            f"{row.score:.2f}",
        ]
    assert "25 more pairs" in lines[5]
    assert "note: Column 'body_mass_g'" in error
    assert run(capsys, "rank", PENGUINS, "--quiet")[2] == ""


def test_every_option_reaches_the_ranking(capsys):
    code, out, _ = run(
        capsys,
        *("rank", TITANIC, "--weights", "count", "--target", "survived"),
        *("--given", "sex", "--null", "nominal", "--missing", "state", "--rare", "5"),
        *("--leave-out", "age", "--format", "csv", "--measures", "si", "mi"),
    )
    assert code == 0
    expected = siviz.rank_pairs(
        TITANIC,
        weights="count",
        target="survived",
        given="sex",
        null="nominal",
        missing="state",
        rare=5,
        overrides={"age": {"kind": "leave out"}},
        measures=("si", "mi"),
    ).frame
    got = pd.read_csv(io.StringIO(out))
    assert list(got["first"]) == list(expected["first"]) == ["class"]
    np.testing.assert_allclose(got["score"], expected["score"], rtol=1e-12)
    assert {"si", "mi"} < set(got.columns)
    assert "nmi" not in got.columns


def test_bins_are_chosen_by_method_and_count(capsys):
    code, _, error = run(capsys, "rank", PENGUINS, "--bins", "width:3")
    assert code == 0
    assert "cut into 3 bins of equal width" in error
    code, _, error = run(
        capsys, "rank", PENGUINS, "--bins", "fair", "--target", "species"
    )
    assert code == 0
    assert "tell most about the target" in error
    code, _, error = run(capsys, "rank", PENGUINS, "--bins", "fair")
    assert code == 1
    assert "choose a target" in error


def test_json_and_html_hold_the_ranking(capsys, tmp_path):
    code, out, _ = run(capsys, "rank", PENGUINS, "--format", "json")
    assert code == 0
    assert json.loads(out)["pairs"][0]["first"] == "species"
    report = tmp_path / "report.html"
    code, out, _ = run(capsys, "rank", PENGUINS, "--format", "html", "-o", report)
    assert (code, out) == (0, "")
    assert "flipper_length_mm" in report.read_text("utf-8")


def test_standard_input_and_streaming_give_the_same_ranking(capsys, monkeypatch):
    _, expected, _ = run(capsys, "rank", PENGUINS)
    _, streamed, _ = run(capsys, "rank", PENGUINS, "--stream")
    assert streamed == expected
    with open(PENGUINS, "rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read())))
    _, piped, _ = run(capsys, "rank", "-")
    assert piped == expected


@pytest.mark.parametrize("module", ["information", "ranking_frame", "output"])
@pytest.mark.parametrize("script", [False, True])
def test_an_interruption_while_loading_is_one_line_and_exit_130(
    tmp_path, module, script
):
    # The interruption comes just when this module begins to load.
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "def interrupt(event, found):\n"
        f"    if event == 'import' and found[0] == 'siviz.{module}':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.addaudithook(interrupt)\n"
    )
    (tmp_path / "siviz").write_text(
        "import sys\nfrom siviz.cli import main\nsys.exit(main())\n"
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    start = [tmp_path / "siviz"] if script else ["-m", "siviz"]
    ended = subprocess.run(
        [sys.executable, *start, "rank", PENGUINS],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert ended.stderr == "siviz: interrupted\n"
    assert (ended.returncode, ended.stdout) == (130, "")


def test_a_program_that_loads_the_library_is_interrupted_as_usual():
    code = "import signal, siviz; print(signal.getsignal(signal.SIGINT))"
    default = "import signal; print(signal.getsignal(signal.SIGINT))"
    told = [
        subprocess.run([sys.executable, "-c", c], capture_output=True, text=True).stdout
        for c in (code, default)
    ]
    assert told[0].split(" at ")[0] == told[1].split(" at ")[0] != ""


BAD_FILES = {
    "empty": (b"", "empty"),
    "header only": (b"a,b,c\n", "header"),
    "one column": (b"a\n1\n2\n1\n", "a single column, 'a'"),
    "one row": (b"a,b\n1,2\n", "a single row"),
    "ragged": (b"a,b\n1,2\n3,4,5\n6,7\n", "line 3"),
    "binary junk": (bytes(range(256)) * 50, "NUL byte"),
    "all missing": (b"a,b\n,\n,\nNA,?\n", "no values"),
    "truncated gzip": (gzip.compress(b"a,b\n1,2\n" * 2000)[:-12], "damaged or cut off"),
    "old workbook": (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000), "xlsx"),
    "workbook with a password": (
        bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le"),
        "protected by a password",
    ),
    "10,000 columns": (
        ",".join(f"c{i}" for i in range(10_000)).encode()
        + (b"\nx" + b",x" * 9_999 + b"\ny" + b",y" * 9_999) * 3,
        "10,000 columns make 49,995,000 pairs, more than 1,000,000; choose a target",
    ),
    "10,001 columns": (
        ",".join(f"c{i}" for i in range(10_001)).encode() + b"\n",
        "10,000",
    ),
    "one line of 50 MB": (b"x" * 50_000_000, "line"),
}


@pytest.mark.parametrize(("content", "told"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_a_bad_file_is_one_sentence_exit_one_and_nothing_written(
    capsys, tmp_path, content, told
):
    path, output = tmp_path / "data.csv", tmp_path / "out.csv"
    path.write_bytes(content)
    code, out, error = run(capsys, "rank", path, "--format", "csv", "-o", output)
    assert (code, out) == (1, "")
    assert error.startswith("siviz: ")
    assert error.count("\n") == 1
    assert told in error
    assert [p.name for p in tmp_path.iterdir()] == ["data.csv"]


def test_a_wrong_extension_is_noted_and_the_content_read(capsys, tmp_path):
    path = tmp_path / "data.xlsx"
    path.write_bytes(b"a,b\n" + b"x,u\ny,v\n" * 10)
    code, out, error = run(capsys, "rank", path)
    assert code == 0
    assert "1  a" in out
    assert "xlsx" in error


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--target", "no"], "target must be a column; got 'no', there are 'a', 'b'"),
        (
            ["--weights", "negative"],
            "'negative': weights must be whole numbers of at least 0",
        ),
        (
            ["--weights", "a"],
            "weights must be whole numbers; column 'a' holds others, such as 'x'",
        ),
        (["--weights", "share"], "'share': weights must be whole"),
        (["--target", "a", "--given", "a"], "given and target must differ"),
        (["--leave-out", "no"], "no"),
        (["--output", "missing-folder/x.csv"], "missing-folder"),
    ],
)
def test_wrong_names_and_weights_are_one_sentence(capsys, tmp_path, options, told):
    path = tmp_path / "data.csv"
    path.write_text("a,b,negative,share\n" + "x,u,-1,0.5\ny,v,2,1.5\n" * 4)
    code, out, error = run(capsys, "rank", path, "--format", "csv", *options)
    assert (code, out) == (1, "")
    assert told in error
    assert error.count("\n") == 1


def test_the_data_are_never_overwritten_by_their_own_ranking(capsys, tmp_path):
    path, link = tmp_path / "data.csv", tmp_path / "link.csv"
    path.write_text("a,b\n" + "x,u\ny,v\n" * 10)
    link.symlink_to(path)
    before = path.read_bytes()
    for output in (path, link, tmp_path / "." / "data.csv"):
        code, out, error = run(capsys, "rank", path, "-o", output)
        assert (code, out) == (1, "")
        assert "is the file that is read; name another one" in error
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("output", "told"),
    [("missing/x.csv", "has no folder"), (".", "is a folder; name a file in it")],
)
def test_an_impossible_output_is_told_before_the_data_are_read(
    capsys, tmp_path, output, told
):
    code, out, error = run(capsys, "rank", "no such file", "-o", tmp_path / output)
    assert (code, out) == (1, "")
    assert told in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_sentence_and_leaves_nothing(capsys, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("siviz.output.os.replace", full)
    output = tmp_path / "ranking.csv"
    code, out, error = run(capsys, "rank", PENGUINS, "-q", "-o", output)
    assert (code, out) == (1, "")
    assert error == (
        f"siviz: cannot write to {output}: no space left on device; free some space\n"
    )
    assert list(tmp_path.iterdir()) == []


class TestPlacesToWriteTo:
    def test_a_link_keeps_pointing_to_its_file(self, tmp_path):
        path, link = tmp_path / "real.txt", tmp_path / "link.txt"
        path.write_text("before")
        link.symlink_to(path)
        write_whole(link, "after")
        assert link.is_symlink()
        assert path.read_text() == "after"

    def test_a_file_keeps_its_permissions(self, tmp_path):
        path = tmp_path / "private.txt"
        path.write_text("before")
        path.chmod(0o600)
        write_whole(path, "after")
        assert path.stat().st_mode & 0o777 == 0o600

    def test_a_device_or_pipe_is_written_into_and_not_replaced(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        check_output(pipe, "other.csv")
        write_whole(pipe, "whole")
        assert os.read(reader, 100) == b"whole"
        os.close(reader)
        assert pipe.is_fifo()

    def test_an_existing_file_survives_a_failure(self, tmp_path, monkeypatch):
        path = tmp_path / "kept.txt"
        path.write_text("before")

        def interrupted(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("siviz.output.os.chmod", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write_whole(path, "half written")
        assert path.read_text() == "before"
        assert len(list(tmp_path.iterdir())) == 1


def as_a_program(*words, **options):
    """A call in a process of its own, with pipes for its output."""
    command = [sys.executable, "-m", "siviz", *map(str, words)]
    return subprocess.run(command, capture_output=True, **options)


def test_names_beyond_the_encoding_of_the_system_pass_through_pipes(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("größe,β\n" + "x,u\ny,v\n" * 10, encoding="utf-8")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = as_a_program("rank", path, "--format", "csv", env=ascii_only)
    assert done.returncode == 0
    frame = pd.read_csv(io.BytesIO(done.stdout))
    assert frame[["first", "second"]].to_numpy().tolist() == [["größe", "β"]]


def test_a_file_name_that_is_no_text_is_read_and_shown(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.csv"
    with open(path, "wb") as file:
        file.write(b"a,b\n" + b"x,u\ny,v\n" * 10)
    output = tmp_path / "report.html"
    done = as_a_program("rank", os.fsdecode(path), "--format", "html", "-o", output)
    assert (done.returncode, done.stdout) == (0, b"")
    assert "Dependences in caf" in output.read_text("utf-8")


def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path):
    path = tmp_path / "data.csv"
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (20, 60))).add_prefix("q")
    frame.to_csv(path, index=False)
    command = [sys.executable, "-m", "siviz", "rank", str(path), "--format", "csv"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:
        assert done.stdout.readline().startswith(b'"rank","first"')
        done.stdout.close()
        assert done.wait(60) == 0
        assert b"Traceback" not in done.stderr.read()


def test_the_bar_is_for_terminals_and_long_work_only(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    moments = iter([0.0, 0.1, 1.0, 1.2])
    monkeypatch.setattr(time, "monotonic", lambda: next(moments))
    terminal = Terminal()
    with ProgressBar(terminal) as bar:
        bar(0.1, "soon")
        bar(0.5, "counting pairs")
        bar(0.6, "again")
    shown = terminal.getvalue()
    assert "50% counting pairs" in shown
    assert "soon" not in shown
    assert "again" not in shown
    assert shown.endswith("\x1b[K")
    file = io.StringIO()
    monkeypatch.undo()
    with ProgressBar(file) as bar:
        bar(0.5, "counting")
    assert file.getvalue() == ""


def test_python_m_siviz_is_the_same_command():
    command = [sys.executable, "-m", "siviz", "rank", TITANIC, "--weights", "count"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0
    assert "sex    survived" in done.stdout


def test_the_dashboard_answers_after_start(free_port):
    command = [sys.executable, "-m", "siviz", "--port", str(free_port), "--headless"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert answers(f"http://127.0.0.1:{free_port}/_stcore/health", server) == b"ok"
    finally:
        server.terminate()
        server.communicate(timeout=20)


def answers(address, server):
    """The body of the first answer, waited for while the server lives."""
    for _ in range(150):
        assert server.poll() is None, server.stdout.read().decode()
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                return answer.read()
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the dashboard did not answer within 30 s")
