"""All measures of many small tables, against a loop over scipy.

Run ``OPENBLAS_NUM_THREADS=1 python tests/benchmarks/bench_core.py``.  Times are the
best of several runs, in seconds of the processor; without that setting the idle threads
of the matrix library are counted as work of siviz.  The loop is timed on a part of the
tables and scaled.  Other work on the machine slows loop and siviz unequally, so only
the ratio of an idle machine counts.
"""

import time
from collections.abc import Callable

import numpy as np
from scipy.stats import chi2_contingency

from siviz import MEASURES, evaluate

TABLES, LOOPED = 100_000, 2_000


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Shortest duration in seconds of the processor."""
    durations = []
    for _ in range(runs):
        start = time.process_time()
        work()
        durations.append(time.process_time() - start)
    return min(durations)


def main() -> None:
    """Print a table of seconds and ratios."""
    rng = np.random.default_rng(0)
    one = rng.multinomial(500, rng.dirichlet(np.full(16, 5.0)), size=TABLES)
    many = rng.multinomial(500, rng.dirichlet(np.full(16, 5.0), size=TABLES))
    print(f"{TABLES:,} tables of 4 x 4 states, N = 500, all {len(MEASURES)} measures")
    print(f"{'tables':<36}{'scipy loop':>12}{'siviz':>10}{'ratio':>8}")
    for name, counts in (
        ("resampled from one distribution", one),
        ("each from its own distribution", many),
    ):
        tables = counts.reshape(-1, 4, 4)
        dense = tables[(tables.sum(1) > 0).all(1) & (tables.sum(2) > 0).all(1)]

        def loop(dense: np.ndarray = dense) -> None:
            for table in dense[:LOOPED]:
                chi2_contingency(table, correction=False, lambda_="log-likelihood")

        scipy_time = best_of(3, loop) * TABLES / LOOPED
        ours = best_of(7, lambda tables=tables: evaluate(tables))
        ratio = scipy_time / ours
        print(f"{name:<36}{scipy_time:>10.1f} s{ours:>8.3f} s{ratio:>8.0f}")


if __name__ == "__main__":
    main()
