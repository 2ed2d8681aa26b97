"""Files of every format to read back, and how what was read is compared."""

import io
import zipfile

import numpy as np
import openpyxl
import pandas as pd


def assert_equal_values(frame: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Equal names and cells; text compared as text, numbers exactly, gaps as gaps."""
    assert list(frame.columns) == list(expected.columns)
    assert len(frame) == len(expected)
    for name in expected.columns:
        left, right = frame[name], expected[name]
        gaps = right.isna().to_numpy()
        np.testing.assert_array_equal(left.isna().to_numpy(), gaps)
        assert left.to_numpy()[~gaps].tolist() == right.to_numpy()[~gaps].tolist()


def joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    plain = [
        p.astype({c: object for c in p if p[c].dtype == "category"}) for p in parts
    ]
    return pd.concat(plain, ignore_index=True)


def workbook(rows, title="data", more=()) -> bytes:
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    for other in more:
        book.create_sheet(other).append(["other"])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def parquet(frame: pd.DataFrame, **options) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file, **options)
    return file.getvalue()


def note(reading, *words: str) -> str:
    found = [n for n in reading.notes if all(word in n for word in words)]
    assert len(found) == 1, (words, reading.notes)
    return found[0]


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return file.getvalue()
