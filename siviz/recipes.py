"""How to make a ranking again: as Python lines and as a command line."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from siviz.columns.choices import Missing
from siviz.columns.cut_points import DEFAULT_BINS
from siviz.nulls import NullKind
from siviz.preparation import Bins


@dataclass(frozen=True)
class Settings:
    """The options of `siviz.rank_pairs` that a reader chose.

    Examples
    --------
    >>> Settings(target="income", rare=5).command("survey.csv")
    'siviz rank survey.csv --target income --rare 5'
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

    def python(self, file: str) -> str:
        """Lines of Python that give the same ranking."""
        options = [f"    {name}={value!r}," for name, value in self.options().items()]
        call = "\n".join(["siviz.rank_pairs(", f"    {file!r},", *options, ")"])
        return f"import siviz\n\nranking = {call}\nprint(ranking.frame)"

    def command(self, file: str) -> str:
        """The command line that gives the same ranking."""
        words = ["siviz", "rank", file]
        for name, value in self.options().items():
            if name == "overrides":
                words += ["--columns", json.dumps(value, ensure_ascii=False)]
            elif name not in ("bins", "bin_count"):
                words += [f"--{name}", str(value)]
        if self.bins == "fair":
            words += ["--bins", "fair"]
        elif (self.bins, self.bin_count) != ("frequency", DEFAULT_BINS):
            words += ["--bins", f"{self.bins}:{self.bin_count}"]
        return shlex.join(words)
