"""How long the studies take, and how much faster than a loop they are.

Run it from the project's directory:
``OPENBLAS_NUM_THREADS=1 python tests/benchmarks/bench_experiments.py``.  Times are the
best of several runs, in milliseconds of the processor; only those of an idle machine
count.
"""

from collections.abc import Callable
from time import process_time

from scipy.stats import chi2_contingency

from siviz import merge_states
from siviz.contests import CALIBRATED, DEFAULT_MEASURES
from siviz.experiments import (
    FIGURE_2_Z,
    discretization_study,
    fairness_study,
    selection_study,
)
from siviz.scenarios import TWO_STATES, discretization_scenario

SIZES = (25, 100, 500)
RESAMPLES = 100


def best_time(run: Callable[[], object], repeats: int) -> float:
    """Shortest of several runs, in seconds of the processor."""
    times = []
    for _ in range(repeats):
        start = process_time()
        run()
        times.append(process_time() - start)
    return min(times)


def loop_over_scipy() -> int:
    """Figure 2 for the p-value alone, one table at a time."""
    favoured = 0
    for size in SIZES:
        for z in FIGURE_2_Z:
            fine = discretization_scenario(z).sample_tables(size, RESAMPLES, rng=0)
            coarse = merge_states(fine, TWO_STATES, axis=-2)
            coarse = merge_states(coarse, TWO_STATES, axis=-1)
            for few, many in zip(coarse, fine, strict=True):
                favoured += scipy_p_value(few) < scipy_p_value(many)
    return favoured


def scipy_p_value(table) -> float:
    table = table[table.any(axis=1)][:, table.any(axis=0)]
    return chi2_contingency(table, correction=False, lambda_="log-likelihood").pvalue


def main() -> None:
    runs = {
        "Figure 2, p-value alone, loop over scipy": (loop_over_scipy, 1),
        "Figure 2, p-value alone": (
            lambda: discretization_study(measures=["p_value"], rng=0),
            20,
        ),
        "Figure 2, every default measure": (lambda: discretization_study(rng=0), 20),
        "Figure 2, calibrated measures too": (
            lambda: discretization_study(
                measures=[*DEFAULT_MEASURES, *CALIBRATED], rng=0
            ),
            3,
        ),
        "Figure 3, every default measure": (lambda: selection_study(rng=0), 5),
        "Fairness, every default measure": (lambda: fairness_study(rng=0), 2),
    }
    times = {name: best_time(*run) for name, run in runs.items()}
    loop = next(iter(times.values()))
    print(f"{'study':<45}{'ms':>9}{'times the loop':>16}")
    for name, seconds in times.items():
        ratio = f"{loop / seconds:16.0f}" if name.startswith("Figure 2") else ""
        print(f"{name:<45}{seconds * 1000:>9.1f}{ratio}")


if __name__ == "__main__":
    main()
