#!/usr/bin/env python3
"""Compares four functions of DART with ours: M, C + g, C and g of robots on a fixed base, equal within 1e-9.

usage: dart_test.py --lissom COMMAND --venv DIRECTORY Ours|Corpus        exit status 77: skipped, and why

DART is installed as `dartpy` from PyPI, into a virtual environment that the test makes once. The robots are ours (Ours), or
those beside the checkout (Corpus: ../shared, or $LISSOM_SHARED), without which there is nothing to compare.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from largest import largest  # noqa: E402
from other_packages import python_with, skip  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("LISSOM_SHARED", ROOT.parent / "shared"))
CORPUS = ["ur5/ur5_robot.urdf", "panda/panda.urdf", "iiwa14/iiwa14_primitive_collision.urdf", "anymal_b/anymal.urdf",
          "solo12/solo12.urdf", "hyq/hyq_no_sensors.urdf", "simple_humanoid/simple_humanoid.urdf",
          "atlas/atlas_convex_hull.urdf", "wam/wam.urdf", "allegro_right/allegro_hand_description_right.urdf",
          "finger_edu/finger_edu.urdf", "baxter/baxter.urdf"]
OURS = ["arm7.urdf", "humanoid.urdf", "quadruped.urdf"]
TOLERANCE = 1e-9


# Runs inside the virtual environment: reads a file name and states, writes DART's results.
IN_DART = r"""
import json, sys
import numpy as np
import dartpy as dart
asked = json.load(sys.stdin)
loader = dart.utils.DartLoader()
options = dart.utils.DartLoader.Options()
options.mDefaultRootJointType = dart.utils.DartLoader.RootJointType.FIXED
options.mDefaultInertia = dart.dynamics.Inertia(1e-15, np.zeros(3), 1e-15 * np.eye(3))  # for links without inertia; the default is 1 kg
loader.setOptions(options)
robot = loader.parseSkeletonString(open(asked["file"]).read(), "file:///")
world = dart.simulation.World()
world.setGravity([0, 0, -9.81])
world.addSkeleton(robot)
names = [robot.getDof(i).getName() for i in range(robot.getNumDofs())]
answers = []
for state in asked["states"]:
    robot.setPositions([state["q"][n][0] for n in names])
    robot.setVelocities([state["v"][n][0] for n in names])
    answers.append({"M": robot.getMassMatrix().tolist(), "Cg": robot.getCoriolisAndGravityForces().tolist(),
                    "C": robot.getCoriolisForces().tolist(), "g": robot.getGravityForces().tolist()})
json.dump({"names": names, "answers": answers}, sys.stdout)
"""


def without_looks(urdf):
    """The URDF without visuals and collisions, whose meshes are not available and not needed."""
    return re.sub(r"<(visual|collision)\b[^>]*?(/>|>.*?</\1>)", "", urdf, flags=re.S)


def compare(lissom, python, file):
    run = lambda *words, text: subprocess.run([*map(str, words)], input=text, capture_output=True, text=True, check=True).stdout
    joints = json.loads(run(lissom, "eval", file, "--base", "fixed", "--mimic", "independent", "--states", "-",
                            text='{"states": []}'))["joints"]
    moving = [j for j in joints if j["nv"]]
    if any(j["nv"] != 1 for j in moving):
        return None
    dice = random.Random(1)
    draw = lambda: {j["name"]: [dice.uniform(-1, 1)] for j in moving}
    states = [{"q": draw(), "v": draw(), "a": draw(), "tau": draw()} for _ in range(5)]
    ours = json.loads(run(lissom, "eval", file, "--base", "fixed", "--mimic", "independent", "--states", "-",
                          text=json.dumps({"gravity": [0, 0, -9.81], "states": states})))["results"]
    with tempfile.NamedTemporaryFile("w", suffix=".urdf") as bare:
        bare.write(without_looks(file.read_text(encoding="utf-8", errors="replace")))
        bare.flush()
        said = json.loads(run(python, "-c", IN_DART, text=json.dumps({"file": bare.name, "states": states})).splitlines()[-1])
    column = {j["name"]: j["idx_v"] for j in moving}
    at = [column[n] for n in said["names"]]
    worst = 0
    for mine, theirs in zip(ours, said["answers"]):
        pick = lambda x: [x[i] for i in at]
        C = [h - g for h, g in zip(mine["h"], mine["g"])]
        pairs = [(pick(mine["h"]), theirs["Cg"]), (pick(C), theirs["C"]), (pick(mine["g"]), theirs["g"])]
        pairs += [(pick(mine["M"][i]), row) for i, row in zip(at, theirs["M"])]
        scale = largest(1, *(abs(x) for row in theirs["M"] for x in row))
        for a, b in pairs:
            scale = largest(scale, *map(abs, b))
            worst = largest(worst, *(abs(x - y) / scale for x, y in zip(a, b)))
    return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lissom", required=True)
    parser.add_argument("--venv", required=True)
    parser.add_argument("robots", choices=("Ours", "Corpus"))
    options = parser.parse_args()
    if options.robots == "Corpus" and not (SHARED / "corpus").exists():
        skip("there is no corpus beside the checkout, nor at $LISSOM_SHARED")
    files = [ROOT / "models" / f for f in OURS] if options.robots == "Ours" else [SHARED / "corpus" / "urdf" / f for f in CORPUS]
    python = python_with(options.venv, "dart")
    failed = compared = 0
    for file in files:
        worst = compare(options.lissom, python, file)
        if worst is None:
            print(f"{file.stem:40s} has joints of several degrees of freedom: not compared")
            continue
        compared += 1
        failed += not worst <= TOLERANCE
        print(f"{file.stem:40s} {worst:8.1e} {'' if worst <= TOLERANCE else '!'}")
    print(f"{compared - failed} of {compared} agree with DART within {TOLERANCE}")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
