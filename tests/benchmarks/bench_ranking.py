"""Ranking all pairs, against peers and against the cost of just reading the data.

Run ``python tests/benchmarks/bench_ranking.py`` (a few minutes, 3 GB on disk for the
last part; name parts to run only them: peers, csv, wide, memory).  Everything is timed
in one run and told as ratios.  dython and scikit-learn must be installed for the peers:
``pip install -e '.[test,benchmarks]'``.
"""

import itertools
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from siviz import rank_pairs


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Shortest duration in seconds."""
    durations = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return min(durations)


def state_names(rng: np.random.Generator, rows: int, columns: int) -> pd.DataFrame:
    """Columns of five text states, each depending a little on the one before."""
    codes = rng.integers(0, 5, (columns, rows))
    for previous, code in itertools.pairwise(codes):
        copied = rng.random(rows) < 0.1
        code[copied] = previous[copied]
    names = np.array([f"s{state}" for state in range(5)], dtype=object)
    return pd.DataFrame({f"c{i}": names[code] for i, code in enumerate(codes)})


def peers() -> None:
    """10,000 x 20 strings of 5 states: one ranking with all measures."""
    from sklearn.metrics import mutual_info_score

    frame = state_names(np.random.default_rng(0), 10_000, 20)

    def scikit_learn() -> None:
        for a, b in itertools.combinations(frame.columns, 2):
            mutual_info_score(frame[a], frame[b])

    ours = best_of(7, lambda: rank_pairs(frame))
    print("\n10,000 rows x 20 columns of 5 text states, 190 pairs")
    print(f"{'siviz, all measures, calibrated null':<52}{ours:8.3f} s")
    theirs = best_of(3, scikit_learn)
    label = "scikit-learn, mutual_info_score in a double loop"
    print(f"{label:<52}{theirs:8.3f} s{theirs / ours:8.0f} x")
    theirs = best_of(1, lambda: dython_associations(frame))
    label = "dython, associations (Cramér's V)"
    print(f"{label:<52}{theirs:8.3f} s{theirs / ours:8.0f} x")


def dython_associations(frame: pd.DataFrame) -> None:
    """Its matrix of Cramér's V, without the plot."""
    from dython.nominal import associations

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        associations(frame, nominal_columns="all", compute_only=True)


def csv() -> None:
    """A million rows x 50 columns from CSV to ranking."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.csv"
        state_names(np.random.default_rng(1), 1_000_000, 50).to_csv(path, index=False)
        size = path.stat().st_size / 1e6
        reading = best_of(5, lambda: pd.read_csv(path))
        ranking = best_of(5, lambda: rank_pairs(path))
    print(f"\n1,000,000 rows x 50 columns, {size:.0f} MB of CSV, 1,225 pairs")
    print(f"{'pandas.read_csv alone':<52}{reading:8.2f} s")
    label = "siviz, from CSV to ranking"
    print(f"{label:<52}{ranking:8.2f} s{ranking / reading:8.2f} x read_csv")


def wide() -> None:
    """1,000 columns x 20,000 rows: 499,500 pairs by all measures."""
    rng = np.random.default_rng(2)
    frame = state_names(rng, 20_000, 1_000).astype("category")
    codes = np.stack([frame[name].cat.codes for name in frame])
    one_hot = (codes[:, None, :] == np.arange(5)[:, None]).reshape(5_000, -1)
    matrix = one_hot.T.astype(np.float64)
    product = best_of(2, lambda: matrix.T @ matrix)
    ranking = best_of(1, lambda: rank_pairs(frame))
    print("\n20,000 rows x 1,000 columns of 5 states, 499,500 pairs")
    print(f"{'numpy, product of the one-hot matrix alone':<52}{product:8.2f} s")
    label = "siviz, ranked by all measures"
    print(f"{label:<52}{ranking:8.2f} s{ranking / product:8.2f} x the product")


# Not getrusage: what it tells includes the peak of the process that started this one.
_MEASURE_MEMORY = """
import re, sys
from pathlib import Path
from siviz import rank_pairs
def peak():
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1]) / 1024
before = peak()
ranking = rank_pairs(sys.argv[1])
print(len(ranking.frame), before, peak())
"""


def memory() -> None:
    """5 million rows x 50 columns from CSV: the peak of a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        rng = np.random.default_rng(3)
        for part in range(5):
            chunk = state_names(rng, 1_000_000, 50)
            chunk.to_csv(path, index=False, header=part == 0, mode="a")
        size = path.stat().st_size / 1e6
        start = time.perf_counter()
        command = [sys.executable, "-c", _MEASURE_MEMORY, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        duration = time.perf_counter() - start
    _, before, after = map(float, run.stdout.split())
    print(f"\n5,000,000 rows x 50 columns, {size:.0f} MB of CSV, in chunks")
    print(f"{'peak memory after importing siviz':<52}{before:8.0f} MB")
    print(f"{'peak memory of the ranking':<52}{after:8.0f} MB")
    print(f"{'time':<52}{duration:8.1f} s")


if __name__ == "__main__":
    parts = {"peers": peers, "csv": csv, "wide": wide, "memory": memory}
    for name in sys.argv[1:] or parts:
        parts[name]()
