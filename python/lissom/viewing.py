"""The viewer: robots and runs on a page in the browser, in a cell of a notebook, or in a file (docs/python.md)."""
from __future__ import annotations

import atexit
import html
import math
import os
import sys
import threading
import weakref
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from .loading import load, paths_of
from .recording import Recording, read_recording
from .writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Any, Union

    from numpy.typing import ArrayLike

    Path = Union[str, os.PathLike[str]]
    Run = Union[Recording, Path]

__all__ = ["View", "view"]

#: A cell of a notebook shows pages up to this size, bytes: its file has to hold them, and the browser to lay them out.
_MAX_CELL = 20_000_000

_EXPECTED = "a Model, a World, a Recording, a list of recordings, {name: recording}, or a path"


class View:
    """A page that shows a robot or runs; `view` makes it.

    The page is there until close(), the end of a `with` block or of the program, or until nobody holds this object any more.
    In a notebook, a cell that ends with it shows the page in the cell. Any thread may call its methods.
    """

    def __init__(self, scene: Callable[[ArrayLike | None, bool], Any], title: str, bind: str, port: int, live: bool) -> None:
        self._scene, self._title, self._bind, self._port, self._live = scene, title, bind, port, live
        self._shown: Any = None  # the last configuration of a live page
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._server: Any = None
        self._combined: _core.WorldModel | None = None  # of a page that shows a World
        self._next = scene(None, live)  # errors show at once

    @property
    def address(self) -> str:
        """What to open in a browser. (In a notebook, the server starts when this is asked for the first time.)"""
        address: str = self._serve().address
        return address

    @property
    def port(self) -> int:
        """The port of the page: the one that was asked for, or the next free one."""
        port: int = self._serve().port
        return port

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._closed.is_set()

    def show(self, q: ArrayLike | _core.World, time: float | None = None, signals: Mapping[str, ArrayLike] | None = None) -> None:
        """Shows the robot of a live page at a configuration q, (nq,), or a World as it is. It never waits for a page.

        time: of the frame, s, not less than that of the frame before; by default the wall clock since the page was made, or the
            World's time.
        signals: {name: values} of the signals that view(…, signals=…) has named; those that are left out have a gap.
        """
        if not self._live:
            raise _core.Error("show() is for a live page: view(robot, live=True)")
        if isinstance(q, _core.World):
            if self._combined is None:
                raise _core.Error("show() got a World, but this page is of a robot: view(world, live=True)")
            q, time = self._combined.read(q)[0], q.time if time is None else time
        self._serve().show(q, time, signals)
        self._shown = np.array(q, float)

    def save(self, path: Path) -> None:
        """Writes the page with everything in it to a file (.html), as `lissom view --save` does; it opens without a server.

        A live page is saved with the configuration that was shown last. A page has about 1 MB, and 4 bytes more for each
        number of each frame, and a third on top of it.
        """
        write_whole(path, self._page())

    def html(self, height: int = 600) -> str:
        """HTML of an iframe with the saved page in it, of this height in pixels, as notebooks show it.

        It needs no server: robots are posed and runs replayed in the page itself, also where the notebook's kernel is on
        another machine. What the library computes (matrices, pulled links) is not in it.
        """
        if not (isinstance(height, int) and height > 0):
            raise _core.Error(f"height is {height!r} pixels, expected a positive whole number")
        page = html.escape(self._page().decode(), quote=True)
        # The page's script is kept from the notebook around it.
        return (f'<iframe srcdoc="{page}" title="{html.escape(self._title, quote=True)}" width="100%" height="{height}" '
                'style="border: 0" sandbox="allow-scripts allow-downloads" allowfullscreen></iframe>')

    def wait(self, seconds: float | None = None) -> None:
        """Keeps the page until Ctrl-C, which it takes, until close(), or for this time, s."""
        self._serve()
        try:
            self._closed.wait(seconds)
        except KeyboardInterrupt:
            pass

    def close(self) -> None:
        """Ends the server. save() and html() work nevertheless."""
        self._closed.set()
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.close()

    def __enter__(self) -> View:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        server = self._server
        state = ", closed" if self.closed else f", {server.address}" if server is not None else ""
        return f"View('{self._title}'{state})"

    def _repr_html_(self) -> str:
        if self._live and not self.closed:
            address = html.escape(self.address, quote=True)
            return f'Live page of {html.escape(self._title)}: <a href="{address}" target="_blank" rel="noopener">{address}</a>'
        text = self.html()
        if len(text) > _MAX_CELL:
            return (f"The page of {html.escape(self._title)} has {len(text) / 1e6:.0f} MB, too much for a cell. Show fewer frames "
                    "(view(run, rate=30)), or save the page (view.save(&quot;page.html&quot;)).")
        return text

    def _page(self) -> bytes:
        if not self._live:
            with self._lock:
                if self._next is not None:  # it waits for its server, which will not give it back
                    waiting: bytes = self._next.page()
                    return waiting
        page: bytes = self._scene(self._shown, False).page()
        return page

    def _serve(self) -> Any:
        """The server, which is started where it does not run yet."""
        with self._lock:
            if self.closed:
                raise _core.Error("this View is closed")
            if self._server is None:
                scene, self._next = self._next if self._next is not None else self._scene(None, self._live), None
                self._server = _core._ViewServer(scene, self._bind, self._port)
                _open.add(self)
            return self._server


# Servers end before the interpreter does.
_open: weakref.WeakSet[View] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for page in list(_open):
        page.close()


def view(what: _core.Model | _core.World | Run | Sequence[Run] | Mapping[str, Run], *, q: ArrayLike | None = None, rate: float = 120, bind: str = "127.0.0.1",
         port: int = 8420, browser: bool | None = None, live: bool = False, signals: Any = None,
         package_paths: Iterable[Path] = (), show: Iterable[str] = ()) -> View:
    """Shows a robot or runs on a page in the browser, as the command `lissom view` does; in notebooks, in the cell.

        page = lissom.view(robot)                   # keep it: the page ends with it
        run.view().wait()                           # until Ctrl-C
        lissom.view([run, "other.mcap"])            # overlaid; {name: run} names them
        lissom.view(run, browser=False).save("page.html")

        page = lissom.view(robot, live=True)        # a loop that animates the robot
        for t in np.arange(0, 10, 0.02):
            page.show(q_of(t), t)
            time.sleep(0.02)

    what: a Model, a World, a Recording (what simulate, World.run and read_recording return), several of them, or paths: of a
        robot as for load, or of recordings. A recording shows the robot that it contains; a World is shown as one model (WorldModel).
    q: the configuration of a robot, (nq,); by default neutral; of a World as it is.
    rate: frames per second of simulated time of runs; those in between are left out. 0: all.
    bind, port: the address to listen on, and the port, or the next free one; 0: any. 127.0.0.1 is this machine only; with
        another one, such as 0.0.0.0, whoever has the page's address, with its token, can open it.
    browser: whether to open the page in the default browser; None: only where there is a desktop, and not in notebooks.
    live: of a Model or a World: the page shows the configurations that View.show is given.
    signals: of a live page: further signals to plot, as for recording.Recorder: ["v", "tau"], {"error": {"x": "m", "y": "m"}}.
    package_paths: as for load. Mesh files are searched even if the robot was loaded without them.
    show: what is shown at first besides the robot: some of "collisions", "frames", "axes", "com", "inertia", "support",
        "velocities", "forces", "contacts", "cones", "labels".

    In a notebook the page is part of the cell's output, about 1 MB and 4 bytes for each number of each frame, and a third on
    top of it: Jupyter refuses messages over some 3 MB unless iopub_data_rate_limit is raised; a lower rate makes it smaller.
    Raises an Error where this build of lissom has no page or no server.
    """
    if not isinstance(port, int) or not 0 <= port <= 65535:
        raise _core.Error(f"port is {port!r}, expected a whole number from 0 to 65535")
    if not math.isfinite(rate) or rate < 0:
        raise _core.Error(f"rate is {rate} frames/s, expected a positive number, or 0 for all frames")
    packages = paths_of(package_paths)
    if isinstance(what, (str, os.PathLike)) and not _core._is_recording(os.fspath(what)):
        what = load(what, package_paths=packages, find_meshes=True)
    if signals is not None and not live:
        raise _core.Error("signals are for a live page: view(robot, live=True, signals=…)")
    combined = None
    if isinstance(what, _core.World):
        combined = _core.WorldModel(what)
        q, what = combined.read(what)[0] if q is None else q, combined.model
    if isinstance(what, _core.Model):
        title, scene = what.name, _robot_scene(what, q, packages, signals if signals is not None else {})
    else:
        if q is not None:
            raise _core.Error("q is for robots; a recording has its own configurations")
        if live:
            raise _core.Error("live is for a Model or a World; a recording is replayed")
        runs = _runs(what)
        title = runs[0][0] if len(runs) == 1 else runs[0][1].header.model
        scene = _runs_scene(title, runs, rate, packages)
    page = View(_with_layers(scene, [show] if isinstance(show, str) else list(show)), title, bind, port, live)
    page._combined = combined
    _serve_and_open(page, browser, live)
    return page


def _serve_and_open(page: View, browser: bool | None, live: bool) -> None:
    notebook = _in_notebook()
    if browser or live or not notebook:
        page.address  # starts the server
    if browser or (browser is None and not notebook and _has_desktop()):
        _open_browser(page.address)


def _robot_scene(robot: _core.Model, q: ArrayLike | None, packages: list[str], signals: Any) -> Callable[[ArrayLike | None, bool], Any]:
    return lambda shown, live: _core._ViewScene.of_robot(robot, q if shown is None else shown, packages, signals if live else None)


def _runs_scene(title: str, runs: list[tuple[str, Recording]], rate: float, packages: list[str]) -> Callable[[ArrayLike | None, bool], Any]:
    return lambda shown, live: _core._ViewScene.of_runs(title, runs, rate, packages)


def _with_layers(scene: Callable[[ArrayLike | None, bool], Any], layers: list[str]) -> Callable[[ArrayLike | None, bool], Any]:
    def made(shown: ArrayLike | None, live: bool) -> Any:
        scene_ = scene(shown, live)
        scene_.set_layers(layers)
        return scene_

    return made


def _runs(what: Any) -> list[tuple[str, Recording]]:
    """The runs of view(), each with a name."""
    if isinstance(what, Recording):
        return [(what.header.model, what)]
    if isinstance(what, (str, os.PathLike)):
        return [(os.path.basename(what), read_recording(what))]
    if hasattr(what, "items"):
        named = [(str(name), f"what[{name!r}]", run) for name, run in what.items()]
    elif isinstance(what, (list, tuple)):
        named = [(os.path.basename(run) if isinstance(run, (str, os.PathLike)) else f"run {i}", f"what[{i}]", run) for i, run in enumerate(what)]
    else:
        raise TypeError(f"what is a {type(what).__name__}, expected {_EXPECTED}")
    if not named:
        raise _core.Error(f"what is empty, expected {_EXPECTED}")
    runs = []
    for name, place, run in named:
        if isinstance(run, (str, os.PathLike)):
            run = read_recording(run)
        if not isinstance(run, Recording):
            raise TypeError(f"{place} is a {type(run).__name__}, expected a Recording or the path of one")
        runs.append((name, run))
    return runs


def _in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this, not a terminal."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and getattr(shell, "kernel", None) is not None


def _has_desktop() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open_browser(address: str) -> None:
    import warnings
    import webbrowser
    if not webbrowser.open(address):
        warnings.warn(f"no browser could be started; open {address}", RuntimeWarning, stacklevel=3)
