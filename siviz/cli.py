"""The command ``siviz``: start the dashboard, or rank a file."""

import argparse
import io
import json
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from siviz import __version__
from siviz.datasets import load_dataset
from siviz.locations import DASHBOARD
from siviz.measures import MEASURES
from siviz.output import check_output, write_standard, write_whole
from siviz.ranking import Ranking, rank_pairs
from siviz.readers import read_in_chunks, read_table
from siviz.recipes import EXAMPLE_MARK
from siviz.starting import INTERRUPTED, loaded
from siviz.terminal import ProgressBar, ranking_text

DONE: Final = 0
BAD_DATA: Final = 1
BAD_USAGE: Final = 2  # argparse's own

_MOST_NOTES: Final = 40  # on a terminal; a report has all of them

_EXAMPLES: Final = """\
examples:
  siviz                                        start the dashboard
  siviz rank survey.csv                        rank all pairs of columns
  siviz rank survey.csv --target income        rank columns by what they tell of it
  siviz rank titanic.csv --weights count       each row stands for `count` people
  siviz rank survey.csv --given sex            rank what remains within each sex
  siviz rank survey.csv --target y --bins fair    cut numbers where they tell most of y
  siviz rank big.csv.gz --format csv -o ranking.csv
  siviz rank survey.xlsx --format html -o report.html

exit codes: 0 done, 1 not done (a sentence on standard error says why),
            2 wrong usage, 130 interrupted
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if sys.stderr is None:  # closed by the caller: what is said there goes nowhere
        sys.stderr = io.StringIO()
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(words)
    try:
        loaded()
        return options.run(options, words)
    except KeyboardInterrupt:
        print("siviz: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except MemoryError:
        print(
            "siviz: the memory does not suffice; try --stream, or a --target",
            file=sys.stderr,
        )
        return BAD_DATA
    except (ValueError, OSError) as error:
        print(f"siviz: {error}", file=sys.stderr)
        return BAD_DATA


def start_dashboard(options: argparse.Namespace, _: Sequence[str]) -> int:
    """Serve the dashboard on this machine until it is interrupted."""
    from streamlit.web import cli  # loads for seconds, and only the dashboard needs it

    command = ["run", str(DASHBOARD / "app.py"), f"--server.port={options.port}"]
    command += ["--server.address=127.0.0.1", "--browser.gatherUsageStats=false"]
    command += ["--client.toolbarMode=minimal", "--client.showErrorLinks=false"]
    command += ["--server.fileWatcherType=none"]
    command += ["--global.disableWidgetStateDuplicationWarning=true"]
    command += ["--server.headless=true"] if options.headless else []
    return cli.main(command, standalone_mode=False) or DONE


def rank_file(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Rank the pairs of a file and write the ranking."""
    if options.output is not None:
        check_output(options.output, options.file)
    with ProgressBar() as progress:
        ranking = rank_pairs(
            _source(options),
            target=options.target,
            given=options.given,
            weights=options.weights,
            null=options.null,
            measures=options.measures,
            missing=options.missing,
            rare=options.rare,
            overrides=_overrides(options),
            progress=progress,
            **_bins(options.bins),
        )
        text = _FORMATS[options.format](ranking, options, words)
    if options.output is None:
        write_standard(text)
    else:
        write_whole(options.output, text)
    if not options.quiet:
        _print_notes(ranking.notes)
    return DONE


def _print_notes(notes: Sequence[str]) -> None:
    for note in notes[:_MOST_NOTES]:
        print(f"note: {note}", file=sys.stderr)
    if len(notes) > _MOST_NOTES:
        more = len(notes) - _MOST_NOTES
        print(f"note: … and {more:,} more (--format json or html)", file=sys.stderr)


def _source(options: argparse.Namespace) -> Any:
    """What to rank: the path itself unless a sheet was named or input is piped."""
    if options.file.startswith(EXAMPLE_MARK):
        example = load_dataset(options.file.removeprefix(EXAMPLE_MARK))
        return read_table(example.frame, name=example.title)
    if options.file == "-":
        return read_table(sys.stdin.buffer.read(), name="standard input")
    if options.sheet is not None:
        return read_table(Path(options.file), sheet=options.sheet)
    if options.stream:
        return read_in_chunks(Path(options.file))
    return options.file


def _bins(text: str) -> dict[str, Any]:
    method, _, count = text.partition(":")
    return {"bins": method, **({"bin_count": int(count)} if count else {})}


def _bins_argument(text: str) -> str:
    method, _, count = text.partition(":")
    known = method in ("frequency", "width", "fair")
    whole = not count or (method != "fair" and count.isdigit() and int(count) >= 2)
    if not known or not whole:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not frequency, width (with a number of bins as in "
            "frequency:8) or fair"
        )
    return text


def _overrides(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    chosen = {name: {"kind": "leave out"} for name in options.leave_out}
    chosen |= {name: {"kind": "states"} for name in options.states}
    return chosen | options.columns


def _choices_argument(text: str) -> dict[str, dict[str, Any]]:
    try:
        choices = json.loads(text)
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from error
    if not isinstance(choices, dict):
        raise argparse.ArgumentTypeError(
            'must be choices by column, as in \'{"age": {"kind": "bins", "bins": 3}}\''
        )
    return choices


def _as_table(ranking: Ranking, options: argparse.Namespace, _: Sequence[str]) -> str:
    return ranking_text(ranking.frame, top=options.top or 20)


def _as_csv(ranking: Ranking, options: argparse.Namespace, _: Sequence[str]) -> str:
    from siviz.exports import ranking_csv

    return ranking_csv(ranking.head(options.top))


def _as_json(ranking: Ranking, options: argparse.Namespace, _: Sequence[str]) -> str:
    from siviz.exports import ranking_json

    return ranking_json(ranking.head(options.top))


def _as_html(
    ranking: Ranking, options: argparse.Namespace, words: Sequence[str]
) -> str:
    from siviz.report import report_html  # loads Altair

    command = shlex.join(["siviz", *words])
    title = f"Dependences in {Path(options.file).name}"
    return report_html(ranking, title=title, top=options.top or 50, command=command)


_FORMATS: Final[
    dict[str, Callable[[Ranking, argparse.Namespace, Sequence[str]], str]]
] = {"table": _as_table, "csv": _as_csv, "json": _as_json, "html": _as_html}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="siviz",
        description="Rank fairly how strongly discrete variables depend on each other. "
        "Without a command the dashboard starts.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"siviz {__version__}")
    _add_dashboard_options(parser)
    commands = parser.add_subparsers(title="commands", metavar="{app,rank}")
    app = commands.add_parser("app", help="start the dashboard (the default)")
    _add_dashboard_options(app)
    _add_rank_options(
        commands.add_parser(
            "rank",
            help="rank the pairs of columns of a file",
            description="Rank the pairs of columns of a CSV, TSV, Excel or Parquet "
            "file (also gzipped) by calibrated standardized information.",
            epilog=_EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )
    return parser


def _add_dashboard_options(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=start_dashboard)
    parser.add_argument("--port", type=int, default=8501, help="port of the dashboard")
    parser.add_argument(
        "--headless", action="store_true", help="do not open a browser window"
    )


def _add_rank_options(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=rank_file)
    add = parser.add_argument
    add(
        "file",
        metavar="FILE",
        help="the data; - reads standard input, example:penguins a bundled example",
    )
    add("--target", metavar="C", help="rank only the pairs with this column")
    add("--given", metavar="C", help="rank within the states of this column")
    add("--weights", metavar="C", help="column that says how often each row counts")
    add(
        "--null",
        default="calibrated",
        choices=("calibrated", "nominal", "effective", "permutation"),
        help="what independence predicts (default: calibrated)",
    )
    add(
        "--bins",
        type=_bins_argument,
        default="frequency",
        metavar="HOW",
        help="how to cut numbers: frequency, width (both with :COUNT), or fair, which "
        "needs a target (default: frequency:5)",
    )
    add(
        "--missing",
        default="pairwise",
        choices=("pairwise", "state"),
        help="leave missing values out of each pair, or make them a state",
    )
    add("--rare", type=int, metavar="N", help="merge states with fewer than N rows")
    add(
        "--states",
        action="append",
        default=[],
        metavar="C",
        help="use every value of C",
    )
    add("--leave-out", action="append", default=[], metavar="C", help="do not use C")
    add(
        "--columns",
        type=_choices_argument,
        default={},
        metavar="JSON",
        help='choices for single columns, as the dashboard writes them: \'{"age": '
        '{"kind": "bins", "bins": 4, "method": "width"}, "city": {"kind": "states", '
        '"rare": 20}, "id": {"kind": "leave out"}}\'',
    )
    add(
        "--measures",
        nargs="+",
        choices=tuple(MEASURES),
        metavar="M",
        help="; ".join(MEASURES),
    )
    add("--sheet", metavar="NAME", help="sheet of a workbook (default: the first)")
    add("--stream", action="store_true", help="read in chunks, with little memory")
    add("--top", type=_positive, metavar="K", help="only the K strongest pairs")
    add("--format", default="table", choices=tuple(_FORMATS), help="default: table")
    add("-o", "--output", type=Path, metavar="FILE", help="write to a file")
    add("-q", "--quiet", action="store_true", help="no notes on standard error")


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
