"""Python packages of others, which tests compare with: installed from PyPI into a virtual environment that is made once."""
import pathlib
import subprocess
import sys
import venv


def skip(why):
    """Ends the test as skipped, with its reason."""
    print("skipped:", why)
    sys.exit(77)


def python_with(directory, packages, statement):
    """The Python of an environment in which the statement runs (an import, say); skips where the packages cannot be had."""
    python = pathlib.Path(directory) / "bin" / "python"
    if not python.exists():
        venv.create(directory, with_pip=True)
    if subprocess.run([python, "-c", statement], capture_output=True).returncode:
        got = subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], capture_output=True, text=True)
        if got.returncode:
            skip(" and ".join(packages) + " cannot be installed here: " + (got.stderr.strip().splitlines() or ["?"])[-1])
    return python
