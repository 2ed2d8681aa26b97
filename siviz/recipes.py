"""How to make a ranking again: as Python lines and as a command line."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from siviz.columns.choices import Missing
from siviz.columns.cut_points import DEFAULT_BINS
from siviz.nulls import NullKind
from siviz.preparation import Bins

EXAMPLE_MARK: Final = "example:"
"""Before the name of a bundled data set it stands for a file."""


@dataclass(frozen=True)
class Settings:
    """The options of `siviz.rank_pairs` that a reader chose.

    Examples
    --------
    >>> Settings(target="income", rare=5).options()
    {'target': 'income', 'rare': 5}
    """

    target: str | None = None
    given: str | None = None
    weights: str | None = None
    null: NullKind = "calibrated"
    bins: Bins = "frequency"
    bin_count: int = DEFAULT_BINS
    missing: Missing = "pairwise"
    rare: int | None = None
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Choices for single columns, as plain dicts."""

    def __post_init__(self) -> None:
        if self.bins == "fair" and self.bin_count != DEFAULT_BINS:
            raise ValueError("fair bins find their number: leave bin_count out")

    def options(self) -> dict[str, Any]:
        """What differs from the defaults, for `siviz.rank_pairs`."""
        standard = Settings()
        return {
            option.name: getattr(self, option.name)
            for option in fields(self)
            if getattr(self, option.name) != getattr(standard, option.name)
        }

    def with_overrides(self, overrides: Mapping[str, Mapping[str, Any]]) -> "Settings":
        """The same settings with these choices for single columns."""
        return replace(self, overrides=overrides)

    def key(self) -> str:
        """A text that is equal for equal settings."""
        return json.dumps(self.options(), sort_keys=True)


@dataclass(frozen=True)
class Recipe:
    """Settings with the data they are for.

    Examples
    --------
    >>> Recipe(Settings(target="income", rare=5), "survey.csv").command()
    'siviz rank survey.csv --target income --rare 5'
    """

    settings: Settings
    file: str
    """Path of a file, or ``example:`` and the name of a bundled data set."""
    sheet: str | None = None
    """Sheet of a workbook, if it is not the first."""

    def python(self) -> str:
        """Lines of Python that give the same ranking."""
        imports, data = self._python_data()
        options = [
            f"    {name}={value!r}," for name, value in self.settings.options().items()
        ]
        call = "\n".join(["siviz.rank_pairs(", f"    {data},", *options, ")"])
        lines = "\n".join(["import siviz", *imports])
        return f"{lines}\n\nranking = {call}\nprint(ranking.frame)"

    def _python_data(self) -> tuple[list[str], str]:
        if self.file.startswith(EXAMPLE_MARK):
            name = self.file.removeprefix(EXAMPLE_MARK)
            load = "from siviz.datasets import load_dataset"
            return [load], f"load_dataset({name!r}).frame"
        if self.sheet is not None:
            read = "from siviz.readers import read_table"
            return [read], f"read_table({self.file!r}, sheet={self.sheet!r})"
        return [], repr(self.file)

    def command(self) -> str:
        """The command line that gives the same ranking."""
        file = f"./{self.file}" if self.file.startswith("-") else self.file
        words = ["siviz", "rank", file]
        for name, value in self._command_options():
            # A value with a leading hyphen would be taken for an option.
            bound = value.startswith("-")
            words += [f"--{name}={value}"] if bound else [f"--{name}", value]
        return shlex.join(words)

    def _command_options(self) -> Iterator[tuple[str, str]]:
        chosen = self.settings
        if self.sheet is not None:
            yield "sheet", self.sheet
        for name, value in chosen.options().items():
            if name not in ("bins", "bin_count", "overrides"):
                yield name, str(value)
        if chosen.bins == "fair":
            yield "bins", "fair"
        elif (chosen.bins, chosen.bin_count) != ("frequency", DEFAULT_BINS):
            yield "bins", f"{chosen.bins}:{chosen.bin_count}"
        if chosen.overrides:
            yield "columns", json.dumps(chosen.overrides, ensure_ascii=False)
