"""Work on all cores of the machine, for functions that let other threads run.

Those of Arrow, of scipy's sparse matrices and most of numpy's do, for large arrays.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

CORES: Final = os.cpu_count() or 1

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(
    work: Callable[[Item], Result], items: Iterable[Item], *, worth_it: bool
) -> list[Result]:
    """The results in the order of the items; one after the other if not worth it.

    Examples
    --------
    >>> side_by_side(abs, [-3, 2], worth_it=True)
    [3, 2]
    """
    if not worth_it or CORES == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(CORES) as workers:
        return list(workers.map(work, items))
