"""The encoding of a text file, and bytes that are no text."""

import io

import pytest

from siviz.readers.sources import ReadingError
from siviz.readers.text_encoding import Survey, survey


def surveyed(content: bytes) -> Survey:
    return survey(io.BytesIO(content), "t.csv")


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
