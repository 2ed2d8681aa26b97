"""A data frame gets the types of a file that was read."""

import pandas as pd

from siviz.readers import read_table
from tests.readers.written_files import note


def test_a_data_frame_gets_the_same_types():
    frame = pd.DataFrame({"t": ["x", None], 5: [1, 2], "m": [1, "a"], "o": [1.5, None]})
    reading = read_table(frame.set_axis([3, 4]))
    kinds = ["category", "int64", "category", "float64"]
    assert reading.frame.dtypes.astype(str).tolist() == kinds
    assert list(reading.frame.columns) == ["t", "5", "m", "o"]
    assert note(reading, "index")
