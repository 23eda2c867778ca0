"""The viewer: what its server answers, saved pages, notebooks, live pages, and how it ends. No browser is needed."""

import base64
import gc
import html.parser
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import time
import types
import urllib.error
import urllib.request
import webbrowser

import numpy as np
import pytest
from page_stream import Stream, read_block

import lissom

HERE = pathlib.Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def needs_the_viewer():
    try:
        lissom.view(lissom.models / "arm7.urdf", browser=False).close()
    except lissom.Error as error:
        if "this build" not in str(error):
            raise
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    return opened


@pytest.fixture(scope="module")
def run():
    return lissom.simulate(lissom.load(lissom.models / "arm7.urdf"), 0.5, random=1)


def get(page, path=""):
    with urllib.request.urlopen(page.address.replace("?", path + "?"), timeout=10) as response:
        return response.read()


def scene_of(page):
    return json.loads(get(page, "scene.json"))


def saved_data(page):
    return json.loads(re.search(r'<script type="application/json" id="lissom-data">(.*?)</script>', page, re.S)[1])


def refuses(port):
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) != 0


# ── What is shown

def test_robot(arm):
    q = np.linspace(-0.3, 0.4, arm.nq)
    with lissom.view(arm, q=q, browser=False) as page:
        assert re.fullmatch(rf"http://127\.0\.0\.1:{page.port}/\?token=[0-9a-f]{{32}}", page.address) and repr(page) == f"View('{arm.name}', {page.address})"
        assert b"<!doctype html" in get(page)[:100].lower()
        scene = scene_of(page)
        assert scene["mode"] == "pose" and "pull" in scene["can"] and scene["title"] == arm.name
        np.testing.assert_allclose(scene["robots"][0]["q"], q, rtol=1e-12)
        port = page.port
    assert page.closed and repr(page) == f"View('{arm.name}', closed)" and refuses(port)


def test_layers(arm):
    with lissom.view(arm, show=["com", "axes"], port=0) as page:
        assert scene_of(page)["show"] == ["com", "axes"]
    with pytest.raises(lissom.Error, match="'coms' is not a layer of the viewer; expected some of collisions"):
        lissom.view(arm, show="coms")


def test_two_at_once(arm, run):
    with lissom.view(arm, browser=False) as one, run.view(browser=False, port=one.port) as other:
        assert one.port != other.port and scene_of(one)["mode"] == "pose" and scene_of(other)["mode"] == "replay"


def test_run(run):
    with run.view(rate=0, browser=False) as page:
        scene = scene_of(page)
        times, values, _ = read_block(get(page, "runs/0"))
        signal = next(s for s in scene["runs"][0]["signals"] if s["name"] == "q")
        assert scene["mode"] == "replay" and scene["runs"][0]["frames"] == len(run)
        np.testing.assert_array_equal(times, run.times)
        np.testing.assert_array_equal(values[:, signal["first"]:signal["first"] + run["q"].shape[1]], run["q"].astype(np.float32))
    with run.view(browser=False) as page:
        described = scene_of(page)["runs"][0]
        assert described["recorded_frames"] == len(run) == 501 and 60 <= described["frames"] <= 62


def test_several_runs(run, tmp_path):
    run.save(tmp_path / "other.mcap")
    with lissom.view([run, tmp_path / "other.mcap"], browser=False) as page:
        assert [r["name"] for r in scene_of(page)["runs"]] == ["run 0", "other.mcap"]
    with lissom.view({"before": run, "after": str(tmp_path / "other.mcap")}, browser=False) as page:
        assert [r["name"] for r in scene_of(page)["runs"]] == ["before", "after"]
    with lissom.view(str(tmp_path / "other.mcap"), browser=False) as page:
        assert scene_of(page)["title"] == "other.mcap"


def test_robot_made_by_a_program():
    description = lissom.Description(name="pendulum")
    description.links += [lissom.LinkDescription(name="ground"), lissom.LinkDescription(name="bob", mass=1.0, com=[0, 0, -1], inertia=0.01 * np.eye(3))]
    description.joints.append(lissom.JointDescription(name="pivot", type="revolute", parent="ground", child="bob", axis=[0, 1, 0]))
    robot = lissom.build(description, base="fixed")
    with lissom.view(robot, q=[0.3], browser=False) as page:
        assert [link["name"] for link in scene_of(page)["robots"][0]["links"]] == ["ground", "bob"]
    with lissom.simulate(robot, 0.01).view(browser=False) as page:
        assert [link["name"] for link in scene_of(page)["robots"][0]["links"]] == ["ground", "bob"]


def test_meshes_are_found_though_the_robot_was_loaded_without_them(tmp_path):
    (tmp_path / "bob.stl").write_bytes(bytes(80) + struct.pack("<I12fH", 1, *range(12), 0))
    (tmp_path / "robot.urdf").write_text("""<robot name="one"><link name="bob"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
        </inertial><visual><geometry><mesh filename="bob.stl"/></geometry></visual></link></robot>""")
    robot = lissom.load(tmp_path / "robot.urdf").with_gravity([0, 0, -3])
    with lissom.view(robot, browser=False) as page:
        shown = scene_of(page)["robots"][0]
        path = shown["links"][0]["visuals"][0]["shape"]["mesh"]
        assert shown["gravity"] == [0, 0, -3] and get(page, path) == (tmp_path / "bob.stl").read_bytes()


def test_worlds_and_their_runs():
    world = lissom.World()
    world.add_ground()
    world.add_body(lissom.RigidBody.homogeneous("ball", lissom.Shape("sphere", radius=0.1), 1.0, pose=(np.eye(3), [0, 0, 1])))
    with lissom.view(world, browser=False) as page:
        assert "ball" in [link["name"] for link in scene_of(page)["robots"][0]["links"]]
    with world.run(0.05).view(browser=False) as page:
        assert scene_of(page)["runs"]
    with lissom.view(world, live=True, browser=False) as page:
        world.step(1e-3, 10)
        page.show(world)
        with pytest.raises(lissom.Error, match="decrease"):
            page.show(world, time=0)
    with lissom.view(lissom.load(lissom.models / "planar2.urdf"), live=True, browser=False) as page:
        with pytest.raises(lissom.Error, match="page is of a robot"):
            page.show(world)


# ── Files and notebooks

def test_saved_page(run, tmp_path):
    page = run.view(browser=False)
    page.save(tmp_path / "page.html")
    data = saved_data((tmp_path / "page.html").read_text(encoding="utf-8"))
    served = scene_of(page)
    assert data["scene.json"] == {**served, "can": []} and base64.b64decode(data["runs/0"]) == get(page, "runs/0")
    page.close()
    page.save(str(tmp_path / "again.html"))  # needs no server
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "page.html").read_bytes()
    with pytest.raises(OSError):
        page.save(tmp_path / "nowhere" / "page.html")


class Frames(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.others = [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "iframe":
            self.found.append(dict(attributes))
        else:
            self.others += 1


def test_cell_of_a_notebook(tmp_path):
    description = lissom.Description(name="\"><script>alert('&amp;')</script>")
    description.links.append(lissom.LinkDescription(name="body", mass=1.0, inertia=np.eye(3)))
    page = lissom.view(lissom.build(description, base="free"), browser=False)
    page.save(tmp_path / "page.html")
    parsed = Frames(page.html(height=321))
    assert len(parsed.found) == 1 and parsed.others == 0
    frame = parsed.found[0]
    assert frame["srcdoc"] == (tmp_path / "page.html").read_text(encoding="utf-8") and frame["height"] == "321"
    assert saved_data(frame["srcdoc"])["scene.json"]["title"] == description.name
    assert "allow-same-origin" not in frame["sandbox"]  # the page cannot reach the notebook
    assert page._repr_html_() == page.html()
    for wrong in (0, -1, 1.5):
        with pytest.raises(lissom.Error, match="height is"):
            page.html(wrong)


def test_cell_of_a_page_that_is_too_large(run, monkeypatch):
    monkeypatch.setattr("lissom.viewing._MAX_CELL", 100_000)
    text = run.view(browser=False)._repr_html_()
    assert len(text) < 1000 and "too much for a cell" in text


def test_notebooks_need_no_server(arm, run, monkeypatch, no_browser):
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=object())))
    monkeypatch.setenv("DISPLAY", ":0")
    page = run.view(port=0)
    assert repr(page) == f"View('{run.header.model}')" and no_browser == [] and "<iframe" in page._repr_html_()
    assert b"html" in get(page) and page.address in repr(page)  # but there is one where it is asked for
    live = lissom.view(arm, live=True, port=0)
    assert live.address in live._repr_html_() and "<iframe" not in live._repr_html_()
    assert lissom.view(arm, browser=True).address in no_browser


def test_browser(arm, monkeypatch, no_browser):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform.startswith("linux"):
        lissom.view(arm)
        assert no_browser == []
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
        assert [lissom.view(arm).address] == no_browser
    no_browser.clear()
    lissom.view(arm, browser=False)
    assert no_browser == []
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert [lissom.view(arm, browser=True).address] == no_browser
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    with pytest.warns(RuntimeWarning, match="no browser could be started; open http"):
        lissom.view(arm, browser=True)


# ── Live pages

def test_live_page(arm, tmp_path):
    with lissom.view(arm, live=True, signals={"v": None, "error": {"x": "m", "y": "m"}}, port=0) as page:
        live = scene_of(page)["live"]
        assert scene_of(page)["mode"] == "live" and [s["name"] for s in live["signals"]] == ["q", "v", "error"] and live["columns"] == 2 * arm.nq + 2
        stream = Stream(page)
        Q = arm.random_configuration(1, 50)
        for i, q in enumerate(Q):
            page.show(q, 0.02 * i, {"error": [i, -i]})
        times, values, texts = stream.frames(50)
        np.testing.assert_array_equal(times, 0.02 * np.arange(50))
        np.testing.assert_array_equal(values[:, :arm.nq], Q.astype(np.float32))
        assert np.isnan(values[:, arm.nq:2 * arm.nq]).all() and (values[:, -1] == -np.arange(50)).all()
        assert any(text.get("status") == "running" for text in texts)
        page.save(tmp_path / "page.html")
        saved = saved_data((tmp_path / "page.html").read_text(encoding="utf-8"))["scene.json"]
        assert saved["mode"] == "pose" and saved["live"] is None
        np.testing.assert_allclose(saved["robots"][0]["q"], Q[-1], rtol=1e-12)
        page.close()
        while True:  # the page hears that this is the end
            binary, data = stream.message()
            if not binary and json.loads(data)["status"] == "finished":
                break
        stream.close()


def test_live_page_by_the_clock_waits_for_nobody(arm):
    q = arm.neutral()
    with lissom.view(arm, live=True, port=0) as page:
        stream = Stream(page)  # which does not read
        begin = time.perf_counter()
        for _ in range(20_000):
            page.show(q)
        elapsed = time.perf_counter() - begin
        assert elapsed < 60
        times, _, _ = stream.frames(1)
        assert 0 <= times[0] < 60 and (np.diff(times) >= 0).all()
        stream.close()


def test_wrong_frames(arm, run):
    with lissom.view(arm, live=True, port=0) as page:
        page.show(arm.neutral(), 1.0)
        for arguments, message in [((np.zeros(3),), "q has .*expected"), ((np.full(arm.nq, np.nan),), r"q\[0\] is"), ((arm.neutral(), np.inf), "time is inf"),
                                   ((arm.neutral(), 0.5), "time is 0.5 s, but the frame before is at 1 s"),
                                   ((arm.neutral(), 2.0, {"error": 1}), "no signal 'error' in this View")]:
            with pytest.raises(lissom.Error, match=message):
                page.show(*arguments)
        with pytest.raises(TypeError, match="signals is a list"):
            page.show(arm.neutral(), 2.0, [1])
    with pytest.raises(lissom.Error, match="this View is closed"):
        page.show(arm.neutral(), 3.0)
    with pytest.raises(lissom.Error, match="show.. is for a live page"):
        run.view(browser=False).show(arm.neutral())


# ── Wrong input

def test_wrong_arguments(arm, run, tmp_path):
    no_q = lissom.Recording(arm, [0.0, 1.0], {"v": np.zeros((2, arm.nv))})
    for what, options, message in [
        (arm, {"q": np.zeros(3)}, "q has .*expected"), (arm, {"q": np.full(arm.nq, np.inf)}, r"q\[0\] is"), (no_q, {}, "no signal 'q'"), ([], {}, "what is empty"),
        (run, {"q": [0.0]}, "q is for robots"), (run, {"live": True}, "live is for a Model or a World"), (arm, {"signals": ["v"]}, "signals are for a live page"),
        (arm, {"live": True, "signals": ["q"]}, "signals has 'q'"), (run, {"rate": -1}, "rate is -1"), (run, {"rate": np.nan}, "rate is nan"),
        (arm, {"port": 65536}, "port is 65536"), (arm, {"port": -1}, "port is -1"), (arm, {"bind": "nowhere"}, "'nowhere' is not an address"),
        (tmp_path / "none.urdf", {}, "none.urdf"), (str(tmp_path / "none.mcap"), {}, "none.mcap"),
    ]:
        with pytest.raises(lissom.Error, match=message):
            lissom.view(what, browser=False, **options)
    for what, message in [(3, "what is a int, expected a Model, a World, a Recording"), (None, "what is a NoneType"), ([run, arm], r"what\[1\] is a Model"),
                          ({"a": 3}, r"what\['a'\] is a int")]:
        with pytest.raises(TypeError, match=message):
            lissom.view(what, browser=False)
    with pytest.raises(TypeError):
        run.view(colour=1)


# ── How it ends

def test_garbage_collection_ends_the_server(arm):
    page = lissom.view(arm, browser=False, port=0)
    port = page.port
    assert not refuses(port)
    del page
    gc.collect()
    assert refuses(port)


def test_close_twice_and_afterwards(arm):
    page = lissom.view(arm, browser=False, port=0)
    port = page.port
    page.close()
    page.close()
    assert refuses(port)
    with pytest.raises(lissom.Error, match="this View is closed"):
        page.address
    page.__exit__(None, None, None)


def program(text):
    """Runs a program that has the page of an arm, up to its line 'ready'."""
    begin = "import lissom, time, os\npage = lissom.view(lissom.models / 'arm7.urdf', browser=False, port=0)\nprint('ready', page.port, flush=True)\n"
    process = subprocess.Popen([sys.executable, "-c", begin + text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=HERE)
    word, port = process.stdout.readline().split()
    # (A program that has come to its end by now refuses, too.)
    assert word == "ready" and (not text or not refuses(int(port)) or process.wait(timeout=30) is not None)
    return process, int(port)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("waiting, code", [("time.sleep(100)", -signal.SIGINT), ("page.wait()\nprint('went on')", 0)])
def test_ctrl_c(waiting, code):
    process, port = program(waiting)
    connection = socket.create_connection(("127.0.0.1", port))  # somebody watches
    time.sleep(0.3)
    begin = time.perf_counter()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    connection.close()
    assert process.returncode == code and time.perf_counter() - begin < 30 and refuses(port)
    if code == 0:
        assert output == "went on\n" and errors == ""
    else:
        assert errors.rstrip().endswith("KeyboardInterrupt") and "nanobind" not in errors


def test_end_of_the_program_ends_the_server():
    process, port = program("held = [page]; held.append(held)")
    assert process.communicate(timeout=30) == ("", "") and process.returncode == 0 and refuses(port)


def test_end_of_the_program_with_a_thread_that_holds_the_page():
    process, port = program("import threading\nthreading.Thread(target=lambda page=page: page.wait(), daemon=True).start()\ntime.sleep(0.1)")
    _, errors = process.communicate(timeout=30)
    assert "_ViewServer" not in errors and process.returncode == 0 and refuses(port)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_forked_processes_end_and_leave_the_server_alone():
    process, port = program("import urllib.request as u\nchild = os.fork()\nif not child: page.close()\nelse: print(os.waitpid(child, 0)[1], u.urlopen(page.address, timeout=5).status)")
    assert process.communicate(timeout=30)[0].split() == ["0", "200"] and process.returncode == 0


def test_wait_for_some_time(arm):
    begin = time.perf_counter()
    lissom.view(arm, browser=False, port=0).wait(0.2)
    assert 0.2 <= time.perf_counter() - begin < 60
