"""What a reader may choose for a column, as a value that JSON can carry."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from siviz.columns.contents import date_micros
from siviz.columns.cut_points import check_bins, check_cuts
from siviz.columns.names import name_hint

ChosenKind: TypeAlias = Literal["states", "bins", "leave out"]
Method: TypeAlias = Literal["frequency", "width"]
Missing: TypeAlias = Literal["pairwise", "state"]


@dataclass(frozen=True)
class ColumnChoice:
    """How to treat one column; None leaves the decision to the program.

    Examples
    --------
    >>> ColumnChoice(cut_points=(18, 65)).as_dict()
    {'kind': 'bins', 'cut_points': [18, 65]}
    """

    kind: ChosenKind | None = None
    """Every value a state, numbers and dates cut into bins, or not used at all."""
    bins: int | None = None
    """Number of bins, at least 2."""
    method: Method | None = None
    """Bins of equal frequency or of equal width."""
    cut_points: tuple[float | str, ...] | None = None
    """Given cut points instead: increasing numbers, or dates as ISO text."""
    missing: Missing | None = None
    """Leave missing values out of each pair, or make them a state of their own."""
    rare: int | None = None
    """Merge the states with fewer rows than this."""

    def __post_init__(self) -> None:
        _check_word("kind", self.kind, get_args(ChosenKind))
        _check_word("method", self.method, get_args(Method))
        _check_word("missing", self.missing, get_args(Missing))
        if self.bins is not None:
            check_bins(self.bins)
        if self.rare is not None and (type(self.rare) is not int or self.rare < 0):
            raise ValueError(
                f"rare must be a whole number of at least 0; got {self.rare!r}"
            )
        if self.cut_points is not None:
            object.__setattr__(self, "cut_points", _checked_cuts(self.cut_points))
        self._check_together()

    def _check_together(self) -> None:
        about_bins = ("bins", "method", "cut_points")
        given = [name for name in about_bins if getattr(self, name) is not None]
        if given and self.kind is None:
            object.__setattr__(self, "kind", "bins")
        if given and self.kind != "bins":
            raise ValueError(
                f"{given[0]} is only for kind 'bins'; got it with kind {self.kind!r}"
            )
        if "cut_points" in given and len(given) > 1:
            raise ValueError(
                f"cut_points say where the bins are: {given[0]} must not be given too"
            )
        if self.kind == "bins" and self.rare:
            raise ValueError("rare is only for kind 'states'; got it with kind 'bins'")

    def as_dict(self) -> dict[str, Any]:
        """What was chosen as a plain dict, which JSON can carry."""
        chosen = {name: v for name, v in asdict(self).items() if v is not None}
        if "cut_points" in chosen:
            chosen["cut_points"] = list(chosen["cut_points"])
        return chosen

    @classmethod
    def from_dict(cls, choice: Mapping[str, Any]) -> "ColumnChoice":
        """The choice that a plain dict holds."""
        known = [field.name for field in fields(cls)]
        for key in choice:
            if key not in known:
                raise ValueError(f"a choice has {', '.join(known)}; got {key!r}")
        return cls(**choice)


def named_choices(
    overrides: Mapping[str, ColumnChoice | Mapping[str, Any]] | None,
    names: Iterable[str],
) -> dict[str, ColumnChoice]:
    """The overrides as choices, or an error that names the column it is about."""
    known, choices = dict.fromkeys(names), {}
    for name, override in (overrides or {}).items():
        if name not in known:
            hint = name_hint(str(name), list(known))
            raise ValueError(f"there is no column {name!r} to choose for: {hint}")
        try:
            choices[name] = (
                override
                if isinstance(override, ColumnChoice)
                else ColumnChoice.from_dict(override)
            )
        except ValueError as error:
            raise ValueError(f"choice for column {name!r}: {error}") from error
    return choices


@dataclass(frozen=True)
class Defaults:
    """What holds for all columns unless chosen otherwise."""

    bins: int
    method: Method
    missing: Missing
    rare: int | None

    def __post_init__(self) -> None:
        ColumnChoice(bins=self.bins, method=self.method, missing=self.missing)
        ColumnChoice(rare=self.rare)

    def fill(self, choice: ColumnChoice) -> ColumnChoice:
        """The choice with the defaults where it is None and they matter."""
        filled = replace(choice, missing=choice.missing or self.missing)
        if filled.kind == "bins" and filled.cut_points is None:
            bins, method = filled.bins or self.bins, filled.method or self.method
            return replace(filled, bins=bins, method=method)
        if filled.kind == "states" and filled.rare is None:
            return replace(filled, rare=self.rare)
        return filled


def _check_word(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")


def _checked_cuts(cuts: Iterable[Any]) -> tuple[float | str, ...]:
    points = tuple(cuts)
    if isinstance(cuts, str):
        raise ValueError(f"cut_points must be a list; got the text {cuts!r}")
    dates = all(isinstance(point, str) for point in points)
    for point in points:
        number = isinstance(point, int | float) and not isinstance(point, bool)
        if not dates and not (number and np.isfinite(point)):
            raise ValueError(
                f"cut_points must be finite numbers, or dates as text; got {point!r}"
            )
    check_cuts([date_micros(point) for point in points] if dates else points)
    return points
