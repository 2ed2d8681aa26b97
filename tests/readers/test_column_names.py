"""Names become unique, and every change is told."""

from hypothesis import given
from hypothesis import strategies as st

from siviz.readers.column_names import unique_names


def test_names_become_unique_and_every_change_is_reported():
    names, notes = unique_names(["a", "a", " b ", "", "a (2)", "column 4"])
    assert len(set(names)) == 6
    assert (names[0], names[2], names[4], names[5]) == ("a", "b", "a (2)", "column 4")
    assert len(notes) == 3


@given(st.lists(st.sampled_from(["a", "a (2)", "", " ", "column 1", "b ", "b"])))
def test_names_are_unique_never_empty_and_stable(raw):
    names, _ = unique_names(raw)
    assert len(set(names)) == len(names) == len(raw)
    assert all(name == name.strip() != "" for name in names)
    assert unique_names(names) == (names, ())
