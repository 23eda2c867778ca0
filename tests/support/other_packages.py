"""Python packages of others, which tests compare with: installed from PyPI into one virtual environment that is made once.

usage: other_packages.py DIRECTORY [NAME …]        makes the environment with these, or with all but rerun (./test does that beside the build)
"""
import fcntl
import pathlib
import subprocess
import sys
import venv

ALL = {  # what is installed, and a statement that runs where it is
    "dart": (["dartpy==6.20.*"], "import dartpy"),
    "mcap": (["mcap==1.*", "mcap-ros2-support==0.*", "numpy"], "import mcap, mcap_ros2, numpy"),
    "mujoco": (["mujoco==4.0.*"], "import mujoco; assert mujoco.__version__.startswith('4.0.')"),  # what docs/mjcf.md means by MuJoCo 4
    "pinocchio": (["pin"], "import pinocchio"),
    "rerun": (["rerun-sdk"], "import rerun"),  # large, and with many packages of its own, so in an environment of its own
    "xacro": (["xacro==2.*"], "import xacro; xacro.process_file"),
}


def skip(why):
    """Ends the test as skipped, with its reason."""
    print("skipped:", why)
    sys.exit(77)


def python_with(directory, *names):
    """The Python of an environment with these packages; skips where they cannot be had. Tests that ask at the same time wait for each other."""
    directory = pathlib.Path(directory)
    python = directory / "bin" / "python"
    directory.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{directory}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not python.exists():
            venv.create(directory, with_pip=True)
        missing = [package for name in names for package in ALL[name][0] if subprocess.run([python, "-c", ALL[name][1]], capture_output=True).returncode]
        if missing:
            got = subprocess.run([python, "-m", "pip", "install", "--quiet", *missing], capture_output=True, text=True)
            if got.returncode:
                skip(" and ".join(missing) + " cannot be installed here: " + (got.stderr.strip().splitlines() or ["?"])[-1])
    return python


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(ALL):
        sys.exit(__doc__)
    python_with(sys.argv[1], *(sys.argv[2:] or (name for name in ALL if name != "rerun")))
