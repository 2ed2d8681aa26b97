"""Where a result goes: a file that is whole or not there, or standard output."""

import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path


def check_output(path: Path, source: str) -> None:
    """Raise before the work is done if its result could not be written.

    Parameters
    ----------
    path : Path
        Where the result is to go.
    source : str
        The file that is read, which must not be overwritten.

    Raises
    ------
    ValueError
        Saying what is wrong and what to do.
    """
    folder = path.resolve().parent
    if path.is_dir():
        raise ValueError(f"output {path} is a folder; name a file in it")
    if not folder.is_dir():
        raise ValueError(f"output {path} has no folder {folder}; make it first")
    if os.path.exists(source) and path.exists() and path.samefile(source):
        raise ValueError(
            f"output {path} is the file that is read; name another one, so that the "
            "data are not lost"
        )
    place = folder if _is_replaced(path) else path
    if not os.access(place, os.W_OK):
        raise ValueError(
            f"output {path} may not be written (no permission for {place}); choose "
            "another folder"
        )


def write_whole(path: Path, text: str) -> None:
    """Write a file that is either complete or not there.

    A link keeps pointing to its file, a file keeps its permissions, and what is no
    regular file, such as a pipe, is written to directly.
    """
    place = path.resolve()
    content = text.encode("utf-8", "replace")  # a file name in it may be no text
    with _explained(path):
        if not _is_replaced(place):
            place.write_bytes(content)
            return
        mode = place.stat().st_mode if place.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(
            dir=place.parent, delete=False, suffix=".part"
        ) as file:
            try:
                file.write(content)
                file.close()
                os.chmod(file.name, stat.S_IMODE(mode))
                os.replace(file.name, place)
            except BaseException:
                os.unlink(file.name)
                raise


def write_standard(text: str) -> None:
    """Write to standard output: as UTF-8, or as its terminal can show it."""
    stream = sys.stdout
    if stream is None:
        raise ValueError("standard output is closed; write to a file with -o FILE")
    if isinstance(stream, io.TextIOWrapper):
        encoding = stream.encoding if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="replace")
    with _explained("standard output"):
        stream.write(text)
        stream.flush()


def _is_replaced(path: Path) -> bool:
    """Whether a file is put in this place, not written into what is there."""
    return path.is_file() or not path.exists()


@contextmanager
def _explained(place: Path | str) -> Iterator[None]:
    """Tell what the system says of a failure, and of which place."""
    try:
        yield
    except BrokenPipeError:  # not a failure: its reader has seen enough
        raise
    except OSError as error:
        full = "; free some space" if error.errno == ENOSPC else ""
        reason = (error.strerror or str(error)).lower()
        raise ValueError(f"cannot write to {place}: {reason}{full}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
