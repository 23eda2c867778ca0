"""Files that are whole or not there: written under another name first, then renamed."""
from __future__ import annotations

import contextlib
import os
import pathlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Union

    Path = Union[str, os.PathLike[str]]


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[pathlib.Path]:
    """Another name to write a file under; the file gets its own when everything is written, and is left as it was if that fails."""
    path = pathlib.Path(os.path.realpath(path))
    other = path.with_name(path.name + ".new" + path.suffix)
    try:
        yield other
        sync(other)
        os.replace(other, path)
    finally:
        other.unlink(missing_ok=True)
    sync(path.parent)


def write_whole(path: Path, content: bytes | str) -> None:
    """Writes a file, text as UTF-8, so that a whole one is always there: the old one, or the new one.

    What is no regular file (a pipe, a terminal) is written to as it is.
    """
    content = content.encode() if isinstance(content, str) else content
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            file.write(content)
        return
    with replacing(path) as other:
        other.write_bytes(content)


def sync(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # a folder on Windows
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
