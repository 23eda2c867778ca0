"""What the tests share: robots of models/, random states, a random generator; numpy's assertions without NaN."""

import functools
import os
import pathlib
import signal
import site
import sys

import numpy as np
import pytest

import lissom

# Pinocchio and MuJoCo, with which ours are compared, are in an environment of their own (tests/support/other_packages.py), where ./test
# provides them. It comes last: whatever both have is taken from this one. (A folder of another Python has another name.)
OTHERS = pathlib.Path(__file__).resolve().parents[2] / "build" / "other-packages" / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
if OTHERS.is_dir():
    site.addsitedir(str(OTHERS))

# Some tests press Ctrl-C. A process that was started in the background, or by one that ignores Ctrl-C, ignores it too; so would what it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Workers of sweeps import functions of this folder, wherever pytest was started.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH")]))


def without_nan(assertion):
    """The assertion, which refuses NaN in place of a number, also where NaN is expected: a result that is not a number would equal another.

    A test that means NaN says so: equal_nan=True.
    """
    @functools.wraps(assertion)
    def compare(actual, *others, equal_nan=False, **options):
        assertion(actual, *others, **options)
        values = np.asarray(actual)
        if not equal_nan and values.dtype.kind in "fc" and np.isnan(values).any():
            raise AssertionError(f"{np.isnan(values).sum()} of {values.size} elements are NaN; a test that expects it says equal_nan=True")
    return compare


for name in ("assert_allclose", "assert_array_equal"):
    setattr(np.testing, name, without_nan(getattr(np.testing, name)))


@pytest.fixture(scope="session")
def humanoid():
    return lissom.load(lissom.models / "humanoid.urdf", base="free")


@pytest.fixture(scope="session")
def arm():
    return lissom.load(lissom.models / "arm7.urdf")


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def states(humanoid, rng):
    """40 states of the humanoid: q, v, a."""
    n = 40
    return humanoid.random_configuration(3, n), rng.standard_normal((n, humanoid.nv)), rng.standard_normal((n, humanoid.nv))
