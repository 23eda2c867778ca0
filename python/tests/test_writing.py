"""Files are whole or not there."""
import contextlib
import os
import pathlib
import resource
import signal
import threading

import pytest

from lissom import writing


@contextlib.contextmanager
def small_disk():
    """Files of at most 100 bytes: writing more fails as on a full disk. (Not a fixture: pytest itself writes its log before those end.)"""
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)


def test_a_file_is_replaced_when_the_new_one_is_complete(tmp_path):
    path = tmp_path / "page.html"
    writing.write_whole(path, "first")
    writing.write_whole(str(path), "zweitens: ä".encode())
    assert path.read_text(encoding="utf-8") == "zweitens: ä"
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "page.html"
    writing.write_whole(path, "old")
    with small_disk(), pytest.raises(OSError):
        writing.write_whole(path, "n" * 1000)
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["page.html"]


def test_links_stay_links(tmp_path):
    (tmp_path / "target.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("target.txt")
    writing.write_whole(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "target.txt").read_text() == "new"


def test_pipes_are_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pathlib.Path(pipe).read_bytes()))
    reader.start()
    writing.write_whole(pipe, b"through")
    reader.join(10)
    assert got == [b"through"]
    assert not pipe.is_file()
