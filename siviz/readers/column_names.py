"""Names of columns: unique, never empty, not too many, and shown in sentences."""

from collections.abc import Sequence

from siviz.readers.sources import ReadingError

#: More columns than this are refused, even if they are ranked for a single target.
MOST_COLUMNS = 10_000


def refuse_too_many_columns(count: int, name: str) -> None:
    """Raise if a table has more columns than can be ranked."""
    if count > MOST_COLUMNS:
        raise ReadingError(
            f"{name} has {count:,} columns, more than {MOST_COLUMNS:,}; choose the "
            "columns of interest and save only those"
        )


def unique_names(raw: Sequence[object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names without blanks around, none empty, none twice; and what was changed.

    Examples
    --------
    >>> unique_names(["a", " b", "", "a"])[0]
    ('a', 'b', 'column 3', 'a (2)')
    """
    plain = [str(name).lstrip("\ufeff") for name in raw]
    stripped = [name.strip() for name in plain]
    names = _distinct(stripped)
    pairs = list(zip(stripped, names, strict=True))
    changes = {
        "Blanks around column names were removed": [
            old for old, new in zip(plain, stripped, strict=True) if new and old != new
        ],
        "Columns without a name were named": [new for old, new in pairs if not old],
        "Column names that occur twice were renamed": [
            new for old, new in pairs if old and old != new
        ],
    }
    return names, tuple(f"{what}: {listed(n)}." for what, n in changes.items() if n)


def _distinct(stripped: Sequence[str]) -> tuple[str, ...]:
    taken = set(stripped)
    names: dict[str, None] = {}
    used: dict[str, int] = {}
    for place, name in enumerate(stripped, 1):
        wanted = name or f"column {place}"
        unique, count = wanted, used.get(wanted, 1)
        while unique in names or (unique != name and unique in taken):
            count += 1
            unique = f"{wanted} ({count})"
        names[unique], used[wanted] = None, count
    return tuple(names)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Some names in quotation marks, shortened where they are many or long.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    '"a", "b" and 1 more'
    """
    short = [name if len(name) <= 60 else name[:57] + "..." for name in names[:most]]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f'"{name}"' for name in short) + more
