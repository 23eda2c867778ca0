#!/usr/bin/env python3
"""Random MJCF models, and those beside the checkout: lissom finds the placements, M and h that MuJoCo finds.

usage: mjcf_mujoco_test.py --lissom COMMAND --venv DIRECTORY [--count N] [--first SEED] [--keep]
exit status 77: skipped, and why

MuJoCo is installed from PyPI into a virtual environment that the test makes once. A model that MuJoCo refuses is not compared.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from largest import largest  # noqa: E402
from other_packages import python_with  # noqa: E402
from random_mjcf import RandomModel  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = 5e-9  # principal axes, in which MuJoCo keeps inertias, are found to 2e-9

# Runs inside the virtual environment: reads names of files, and writes states and what MuJoCo finds in them.
IN_MUJOCO = r"""
import json, sys
import numpy as np
import mujoco
answers = []
for file in json.load(sys.stdin):
    try:
        model = mujoco.MjModel.from_xml_path(file)
    except Exception as error:
        answers.append({"refused": str(error)})
        continue
    model.opt.gravity = [0, 0, -9.81]
    dice = np.random.default_rng(1)
    data = mujoco.MjData(model)
    states = []
    for k in range(3):
        q = np.array(model.qpos0)
        if k > 0:
            mujoco.mj_integratePos(model, q, dice.uniform(-1, 1, model.nv), 1.0)
        data.qpos, data.qvel = q, dice.uniform(-1, 1, model.nv) if k > 0 else 0
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        for i in range(model.nv):
            column = np.zeros(model.nv)
            mujoco.mj_mulM(model, data, column, np.eye(model.nv)[i])
            M[:, i] = column
        states.append({"q": q.tolist(), "v": data.qvel.tolist(), "M": M.tolist(), "h": data.qfrc_bias.tolist(),
                       "com": data.subtree_com[0].tolist(),
                       "bodies": [np.append(data.xmat[i], data.xpos[i]).tolist() for i in range(1, model.nbody)]})
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, i) for i in range(1, model.nbody)]
    joints = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, i) for i in range(model.njnt)]
    answers.append({"bodies": names, "joints": joints, "states": states, "mass": float(sum(model.body_mass))})
print(json.dumps(answers))
"""


def difference(mine, theirs):
    flat = lambda x: [e for row in x for e in row] if x and isinstance(x[0], list) else x
    a, b = flat(mine), flat(theirs)
    if len(a) != len(b):
        return float("inf")
    scale = largest(1.0, *map(abs, b))
    worst = 0.0
    for x, y in zip(a, b):
        if x is None:
            return float("inf")
        worst = largest(worst, abs(x - y) / scale)
    return worst


def compare(lissom, file, said):
    """The largest error of each quantity, or a text that says why there is none."""
    request = {"gravity": [0, 0, -9.81], "states": [{"q": s["q"], "v": s["v"]} for s in said["states"]]}
    ran = subprocess.run([lissom, "eval", file, "--convention", "mujoco", "--states", "-"], input=json.dumps(request),
                         capture_output=True, text=True)
    if ran.returncode:
        return ran.stderr.strip() or f"exit status {ran.returncode}"
    errors = {"M": 0.0, "h": 0.0, "com": 0.0, "bodies": 0.0}
    for mine, theirs in zip(json.loads(ran.stdout)["results"], said["states"]):
        for key in ("M", "h", "com"):
            errors[key] = largest(errors[key], difference(mine[key], theirs[key]))
        placements = mine["placements"]
        for number, (name, pose) in enumerate(zip(said["bodies"], theirs["bodies"]), start=1):
            errors["bodies"] = largest(errors["bodies"], difference(placements.get(name or f"body{number}", []), pose))
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lissom", required=True)
    parser.add_argument("--venv", required=True)
    parser.add_argument("--count", type=int, default=2000 if os.environ.get("LISSOM_LONG") else 100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep files that differ")
    options = parser.parse_args()
    python = python_with(options.venv, "mujoco")
    failed = compared = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for seed in range(options.first, options.first + options.count):
            files.append(pathlib.Path(folder) / f"random{seed}.xml")
            files[-1].write_text(RandomModel(seed).text())
        said = json.loads(subprocess.run([python, "-c", IN_MUJOCO], input=json.dumps([str(f) for f in files]), capture_output=True,
                                         text=True, check=True, cwd=folder).stdout)
        for file, theirs in zip(files, said):
            if "refused" in theirs:
                refused += 1
                print(file.stem, "is refused by MuJoCo:", theirs["refused"].splitlines()[0])
                continue
            compared += 1
            errors = compare(options.lissom, file, theirs)
            if isinstance(errors, str) or not largest(*errors.values()) <= TOLERANCE:
                failed += 1
                print(file.stem, errors)
                if options.keep:
                    pathlib.Path(file.name).write_text(file.read_text())
    print(f"{compared - failed} of {compared} agree within {TOLERANCE}; {refused} are refused by MuJoCo")
    if compared < options.count / 2:
        print("too few models were compared")
        sys.exit(1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
