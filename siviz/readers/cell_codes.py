"""Text cells that repeat: the distinct ones, and which of them each cell is.

Hashing every cell is most of the time it takes to read a file of states.  The states of
a column are few and soon known, so cells are compared with them instead: cells of one
or two bytes are looked up in an array, cells of up to twelve in a table without
collisions.  Only what is not found is hashed.
"""

from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_MOST_STATES: Final = 127  # of these, the codes and -1 for others fit into a byte
_SAMPLE: Final = 500
_INLINE: Final = 12  # bytes of a text that Arrow keeps within a view of 16
_FIRST_WORD: Final = 4  # of these, how many stand behind the length
_SEED: Final = 20060713


def code_cells(
    column: pa.ChunkedArray,
) -> tuple[pa.StringArray, NDArray[np.integer[Any]]]:
    """The distinct cells in the order of their appearance, and the code of each cell.

    Parameters
    ----------
    column : ChunkedArray of strings
        Without nulls.

    Examples
    --------
    >>> values, codes = code_cells(pa.chunked_array([["no", "yes", "no"]]))
    >>> values.to_pylist(), codes.tolist()
    (['no', 'yes'], [0, 1, 0])
    """
    coder = CellCoder()
    for cells in column.chunks:
        coder.add(cells)
    return coder.coded()


class CellCoder:
    """The same for a column that comes in parts."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._parts: list[NDArray[np.integer[Any]]] = []
        self._lookups: dict[int, _Lookup | None] = {}

    def add(self, cells: pa.StringArray) -> None:
        """Take the next cells."""
        if len(cells):
            self._parts.append(self._code(cells))

    def coded(self) -> tuple[pa.StringArray, NDArray[np.integer[Any]]]:
        """The distinct cells so far, and the code of each cell."""
        values = pa.array(list(self._texts), pa.string())
        return values, np.concatenate([np.array([], np.int8), *self._parts])

    def _code(self, cells: pa.StringArray) -> NDArray[np.integer[Any]]:
        if not self._texts:
            self._learn(cells[:_SAMPLE].dictionary_encode())
        lookup = self._lookup(cells)
        if lookup is None:
            return self._learn(cells.dictionary_encode())
        codes: NDArray[np.integer[Any]] = lookup(cells)
        if codes.min() < 0:
            new = codes < 0
            others = self._learn(cells.filter(pa.array(new)).dictionary_encode())
            codes = codes.astype(others.dtype)
            codes[new] = others
        return codes

    def _learn(self, cells: pa.DictionaryArray) -> NDArray[np.integer[Any]]:
        """Codes of these cells, new ones for new texts."""
        known = len(self._texts)
        places = [
            self._texts.setdefault(text, len(self._texts))
            for text in cells.dictionary.to_pylist()
        ]
        if len(self._texts) > known:
            self._lookups = {}
        kind = np.int8 if len(self._texts) <= _MOST_STATES else np.int32
        return np.array(places, kind)[cells.indices.to_numpy()]

    def _lookup(self, cells: pa.StringArray) -> "_Lookup | None":
        if len(self._texts) > _MOST_STATES:
            return None
        width = _common_width(cells)
        if width not in self._lookups:
            self._lookups[width] = (
                _ByPlace(self._texts, width) if width else _by_words(self._texts)
            )
        return self._lookups[width]


class _Lookup(Protocol):
    """Finds cells among the states it was made for; -1 for others."""

    def __call__(self, cells: pa.StringArray) -> NDArray[np.int8]: ...


def _common_width(cells: pa.StringArray) -> int:
    """How many bytes every cell has if that is one or two, else 0."""
    ends = _ends(cells)
    width, rest = divmod(int(ends[-1] - ends[0]), len(cells))
    alike = not rest and width in (1, 2) and bool((np.diff(ends) == width).all())
    return width if alike else 0


def _ends(cells: pa.StringArray) -> NDArray[np.int32]:
    """Where the bytes of each cell begin, and where those of the last one end."""
    offsets = np.frombuffer(cells.buffers()[1], np.int32)
    return offsets[cells.offset : cells.offset + len(cells) + 1]


class _ByPlace:
    """Cells of one or two bytes: these are the place of the state in an array."""

    def __init__(self, texts: dict[str, int], width: int) -> None:
        self.kind = np.dtype(f"u{width}")
        self.states = np.full(2 ** (8 * width), -1, dtype=np.int8)
        for text, code in texts.items():
            if len(written := text.encode()) == width:
                self.states[np.frombuffer(written, self.kind)] = code

    def __call__(self, cells: pa.StringArray) -> NDArray[np.int8]:
        start = int(_ends(cells)[0])
        places = np.frombuffer(cells.buffers()[2], self.kind, len(cells), start)
        return self.states.take(places)


def _by_words(texts: dict[str, int]) -> "_ByWords | None":
    """A lookup for texts of up to twelve bytes; None if one is longer."""
    longest = max(len(text.encode()) for text in texts)
    return _ByWords(list(texts), longest) if longest <= _INLINE else None


class _ByWords:
    """Cells of up to twelve bytes: their words, multiplied, are the place of the state.

    The first word holds the length and four bytes, the second the other eight.
    """

    def __init__(self, texts: list[str], longest: int) -> None:
        words = _words(pa.array(texts, pa.string()))
        # Words that tell the states apart give the place; those that hold a byte of
        # some state are compared with those of the state at that place.
        self.telling = 1 if np.unique(words[:, 0]).size == len(texts) else 2
        compared = 2 if longest > _FIRST_WORD else 1
        bits = 2 + 2 * len(texts).bit_length()
        self.shift = np.uint64(64 - bits)
        rng = np.random.default_rng(_SEED)
        # With so much room, nearly any multiplier keeps all states apart.
        while True:
            self.multipliers = rng.integers(2**64, size=2, dtype=np.uint64)
            places = self._places(words)
            if np.unique(places).size == len(texts):
                break
        self.states = np.full(2**bits, -1, dtype=np.int8)
        self.states[places] = np.arange(len(texts))
        self.words = np.zeros((compared, 2**bits), dtype=np.uint64)
        self.words[:, places] = words.T[:compared]

    def __call__(self, cells: pa.StringArray) -> NDArray[np.int8]:
        words = _words(cells)
        places = self._places(words)
        codes = self.states.take(places)
        for place, known in enumerate(self.words):
            same = known.take(places) == words[:, place]
            if not same.all():
                codes[~same] = -1
        return codes

    def _places(self, words: NDArray[np.uint64]) -> NDArray[np.intp]:
        mixed = words[:, 0] * self.multipliers[0]
        if self.telling > 1:
            mixed += words[:, 1] * self.multipliers[1]
        mixed >>= self.shift
        return mixed.view(np.intp)


def _words(cells: pa.StringArray) -> NDArray[np.uint64]:
    """Length and bytes of each cell as two words, zeros after its end.

    Of a cell longer than twelve bytes, the second word says where the others are; its
    length tells it from the states.
    """
    views = pc.cast(cells, pa.string_view())
    words = np.frombuffer(views.buffers()[1], np.uint64).reshape(-1, 2)
    return words[views.offset : views.offset + len(views)]
