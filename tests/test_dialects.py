"""Encoding, delimiter, header, names and what a column of cells is."""

import io

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siviz.dialects import (
    MISSING,
    MOST_COLUMNS,
    Facts,
    ReadingError,
    Survey,
    facts_of,
    find_dialect,
    survey,
    unique_names,
)


def surveyed(content: bytes) -> Survey:
    return survey(io.BytesIO(content), "t.csv")


def dialect_of(text: str):
    return find_dialect(surveyed(text.encode()), "t.csv")


def kind_of(*cells: str, decimal_comma: bool = False) -> str:
    return facts_of(pa.array(cells, pa.string())).kind(decimal_comma=decimal_comma)


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("cp1252", "cp1252"),
    ],
)
def test_the_encoding_is_found(encoding, found):
    assert surveyed("größe,preis\nklein,5 €\n".encode(encoding)).encoding == found


def test_bytes_that_windows_1252_leaves_undefined_mean_latin_1():
    assert surveyed(b"a,b\n\xe9,\x81\n").encoding == "latin-1"


def test_one_late_byte_decides_against_utf_8():
    lines = b"a,b\n" + b"x,y\n" * 2_000_000
    assert surveyed(lines).encoding == "utf-8"
    assert surveyed(lines + b"\xe9,y\n").encoding == "cp1252"


def test_a_character_split_between_two_blocks_is_still_utf_8():
    content = b"a\n" + b"x" * (2**20 - 5) + b"\n" + "éé€é\n".encode() * 10
    assert surveyed(content).encoding == "utf-8"


def test_a_nul_byte_is_refused_with_its_place():
    with pytest.raises(ReadingError, match="NUL byte at byte 6"):
        surveyed(b"a,b\nx,\0y\n" + b"1,2\n" * 50)


def test_control_characters_are_no_text():
    with pytest.raises(ReadingError, match="control characters"):
        surveyed(bytes(range(1, 32)) * 40)


@pytest.mark.parametrize("damage", [b"\n", b"\x00\xd8\x00\x00"])
def test_invalid_utf_16_is_refused(damage):
    with pytest.raises(ReadingError, match="UTF-16"):
        surveyed("a,b\n1,2\n".encode("utf-16") + damage)


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(mark):
    text = "a,b,c\n1,x,2\n3,y,4\n".replace(",", mark)
    assert dialect_of(text).delimiter == mark


def test_decimal_commas_do_not_hide_semicolons():
    assert dialect_of("a;b\n1,5;2,5\n3,5;4,5\n").delimiter == ";"


def test_delimiters_inside_quotation_marks_do_not_count():
    assert dialect_of('"a;b;c","d"\n"1;2;3",4\n').names == ("a;b;c", "d")


def test_the_delimiter_declared_by_a_spreadsheet_is_used():
    found = dialect_of("sep=;\na,b;c\n1,2;3\n")
    assert (found.delimiter, found.names) == (";", ("a,b", "c"))
    assert found.skipped_lines == 1


def test_blank_lines_before_the_header_are_skipped():
    assert dialect_of("\r\n\r\na,b\r\n1,2\r\n").skipped_lines == 2


def test_a_first_line_of_numbers_is_data():
    found = dialect_of("1;2,5\n3;4,5\n")
    assert not found.header
    assert found.names == ("column 1", "column 2")
    assert any("only numbers" in note for note in found.notes)


def test_a_name_without_number_makes_a_header():
    assert dialect_of("2019,x\n1,2\n").header


@pytest.mark.parametrize(("start", "index"), [(0, True), (1, True), (5, False)])
def test_a_nameless_first_column_that_counts_the_rows_is_an_index(start, index):
    rows = "".join(f"{start + i},x\n" for i in range(3))
    assert dialect_of(",a\n" + rows).index is index


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


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", "0"], "whole"),
        (["1", "1.0"], "number"),
        (["1e3", ".5", "+7", "inf"], "number"),
        ([" 1", "2 "], "whole"),
        (["9223372036854775807"], "whole"),
        (["9223372036854775808"], "text"),
        (["1", "x"], "text"),
        (["01234", "99999"], "text"),
        (["0", "0.5", "-0"], "number"),
        (["0x10"], "text"),
        (["1,000"], "text"),
        (["1_000"], "text"),
        (["12.5%"], "text"),
        (["True", "False"], "text"),
    ],
)
def test_cells_become_numbers_only_if_nothing_is_lost(cells, kind):
    assert kind_of(*cells) == kind


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1,5", "2"], "comma"),
        (["1,5", "2.5"], "text"),
        (["1.234,5"], "text"),
        (["1,234,567"], "text"),
        (["1,5", "x"], "text"),
    ],
)
def test_a_decimal_comma_is_read_where_the_file_has_it(cells, kind):
    assert kind_of(*cells, decimal_comma=True) == kind
    assert kind_of(*cells) == "text"


def test_commas_before_three_digits_may_be_thousands():
    assert not facts_of(pa.array(["1,234", "5", "12,000"])).decimal_comma
    assert facts_of(pa.array(["1,234", "0,500"])).decimal_comma


def test_whole_numbers_with_gaps_are_floats_only_while_exact():
    gaps = Facts(missing=True)
    assert (facts_of(pa.array(["1"])) + gaps).kind(decimal_comma=False) == "number"
    long = facts_of(pa.array([str(2**53 + 1)]))
    assert long.kind(decimal_comma=False) == "whole"
    assert (long + gaps).kind(decimal_comma=False) == "text"


CELLS = ["1", "2.5", "x", "007", "1,5", "1,234", "9007199254740993", "1e5", "-0"]


@given(st.lists(st.sampled_from(CELLS)), st.lists(st.sampled_from(CELLS)))
def test_facts_of_parts_add_up_to_the_facts_of_the_whole(left, right):
    def facts(cells):
        return facts_of(pa.array(cells, pa.string()))

    parts, whole = facts(left) + facts(right), facts(left + right)
    for comma in (False, True):
        assert parts.kind(decimal_comma=comma) == whole.kind(decimal_comma=comma)
    assert parts.decimal_comma == whole.decimal_comma


@pytest.mark.parametrize("state", ["0", "no", "none", "n", "N", "unknown", "false"])
def test_words_that_can_be_states_are_never_missing(state):
    assert state not in MISSING


def test_as_many_columns_as_allowed_are_found():
    line = ",".join(f"c{place}" for place in range(MOST_COLUMNS))
    assert len(dialect_of(f"{line}\n{line}\n").names) == MOST_COLUMNS
