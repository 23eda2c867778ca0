"""Runs of Python that `lissom sim --restart` continues."""
import json
import shutil
import subprocess

import numpy as np
import pytest

import lissom

MODELS = lissom.models
pytestmark = pytest.mark.skipif(shutil.which("lissom") is None, reason="needs the command")


@pytest.fixture
def arm():
    return lissom.load(MODELS / "arm7.urdf")


def test_the_command_goes_on_from_a_saved_run(arm, tmp_path):
    goal = arm.neutral() + 0.2
    whole = lissom.simulate(arm, 0.4, controller="computed_torque", posture=goal, move_seconds=0.3)
    lissom.simulate(arm, 0.2, controller="computed_torque", posture=goal, move_seconds=0.3).save(tmp_path / "half.mcap")
    out = subprocess.run(["lissom", "sim", "--restart", tmp_path / "half.mcap", "--seconds", "0.2", "--json", "--quiet"], capture_output=True, check=True)
    np.testing.assert_array_equal(json.loads(out.stdout)["q"], whole["q"][-1])


def test_the_command_repeats_pushes_and_loops(tmp_path):
    folder = MODELS / "mechanisms"
    delta = lissom.load(folder / "delta.urdf", loops_file=folder / "delta.json")
    name = delta.links[-1].name
    pushes = [(name, [1, 2.5, -0.1], 0.05, 0.25), lissom.sim.push_at(name, [0, 0, 1e-3])]
    whole = lissom.simulate(delta, 0.3, pushes=pushes)
    half = lissom.simulate(delta, 0.1, pushes=pushes)
    assert lissom.recording.rebuild(half.header).loops and len(half.settings["pushes"]) == 2 and half.settings["other_forces"] == 0
    half.save(tmp_path / "half.mcap")
    out = subprocess.run(["lissom", "sim", "--restart", tmp_path / "half.mcap", "--seconds", "0.2", "--json", "--quiet"], capture_output=True, check=True)
    np.testing.assert_allclose(json.loads(out.stdout)["q"], whole["q"][-1], rtol=0, atol=1e-9)
    twisted = lissom.simulate(delta, 0.01, pushes=[lissom.sim.Push(on=name, torque=[0, 0, 1])], forces=[lambda t, q, v: {}])
    assert twisted.settings["pushes"] == [] and twisted.settings["other_forces"] == 2
    twisted.save(tmp_path / "twisted.mcap")
    out = subprocess.run(["lissom", "sim", "--restart", tmp_path / "twisted.mcap", "--seconds", "0.01", "--quiet"], capture_output=True, check=True, text=True)
    assert "2 forces of a program" in out.stderr
