#!/usr/bin/env python3
"""States in the conventions of Pinocchio and MuJoCo: both, given what `lissom eval --to` writes, find the same equations of motion.

usage: other_programs_test.py --lissom COMMAND --venv DIRECTORY Ours|Corpus        exit status 77: skipped, and why

The programs are installed as `pin` and `mujoco` from PyPI, into a virtual environment that the test makes once. The robots
are ours (Ours), or those beside the checkout (Corpus: ../shared, or $LISSOM_SHARED), without which there is nothing to compare.
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
OURS = ["arm7.urdf", "humanoid.urdf", "quadruped.urdf", "mechanisms/planar_puck.urdf", "mechanisms/floating_box.urdf",
        "iftomm/a05_governor.urdf", "iftomm/a03_squeezer.urdf"]
TOLERANCE = 1e-9  # axes within 1e-11 rad of a coordinate axis are replaced by it

# Both run inside the virtual environment: for each line with a file name and states, `answer` gives what the program finds.
IN_PINOCCHIO = r"""
import numpy as np
import pinocchio as pin

def answer(asked):
    model = pin.buildModelFromUrdf(asked["file"], pin.JointModelFreeFlyer()) if asked["free"] else pin.buildModelFromUrdf(asked["file"])
    data = model.createData()
    answers = []
    for s in asked["states"]:
        q, v, a, tau = (np.array(s[k]) for k in ("q", "v", "a", "tau"))
        M = pin.crba(model, data, q)
        M = np.triu(M) + np.triu(M, 1).T
        answers.append({"M": M.tolist(), "h": pin.nonLinearEffects(model, data, q, v).tolist(),
                        "g": pin.computeGeneralizedGravity(model, data, q).tolist(), "tau": pin.rnea(model, data, q, v, a).tolist(),
                        "qdd": pin.aba(model, data, q, v, tau).tolist()})
    return {"names": list(model.names)[1:], "nq": model.nq, "nv": model.nv, "answers": answers}
"""
IN_MUJOCO = r"""
import numpy as np
import mujoco

def answer(asked):
    model = mujoco.MjModel.from_xml_path(asked["file"])
    model.opt.gravity = [0, 0, -9.81]
    data = mujoco.MjData(model)
    answers = []
    for s in asked["states"]:
        data.qpos, data.qvel, a = s["q"], s["v"], np.array(s["a"])
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        for i in range(model.nv):
            column = np.zeros(model.nv)
            mujoco.mj_mulM(model, data, column, np.eye(model.nv)[i])
            M[:, i] = column
        h = np.array(data.qfrc_bias)
        answers.append({"M": M.tolist(), "h": h.tolist(), "tau": (M @ a + h).tolist()})
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, i) for i in range(model.njnt)]
    return {"names": names, "nq": model.nq, "nv": model.nv, "answers": answers}
"""
IN_TURN = r"""
import json, sys
for line in sys.stdin:
    try:
        said = answer(json.loads(line))
    except Exception as error:
        said = {"refused": str(error)}
    print(json.dumps(said), flush=True)
"""


def bare(urdf):
    """The URDF without visuals and collisions, whose meshes are not available and not needed."""
    return re.sub(r"<(visual|collision)\b[^>]*?(/>|>.*?</\1>)", "", urdf, flags=re.S)


def floating(urdf):
    """The URDF with a floating joint above its root that has a frame of its own; None if it floats already, or has a link 'world'."""
    links, children = re.findall(r'<link\s+name="([^"]+)"', urdf), re.findall(r'<child\s+link="([^"]+)"', urdf)
    roots = [name for name in links if name not in children]
    if len(roots) != 1 or "world" in links or 'type="floating"' in urdf:
        return None
    joint = f'''<link name="ground_of_test"/><joint name="floating_of_test" type="floating"><origin xyz="0.1 -0.2 0.3" rpy="0.3 -0.2 0.1"/>
        <parent link="ground_of_test"/><child link="{roots[0]}"/></joint></robot>'''
    return urdf.replace("</robot>", joint)


class Comparison:
    def __init__(self, lissom, python):
        self.lissom, self.python = lissom, python
        self.programs = {}
        self.compared = self.failed = self.reordered = 0

    def ask(self, program, question):
        """What the program finds. It is started once: importing it takes longer than its answers."""
        if program not in self.programs:
            self.programs[program] = subprocess.Popen([self.python, "-c", program + IN_TURN], text=True, stdin=subprocess.PIPE,
                                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        running = self.programs[program]
        print(json.dumps(question), file=running.stdin, flush=True)
        return json.loads(running.stdout.readline())

    def evaluate(self, file, base, *options, states):
        ran = subprocess.run([self.lissom, "eval", file, "--base", base, "--mimic", "independent", *options, "--states", "-"],
                             input=json.dumps({"gravity": [0, 0, -9.81], "states": states}), capture_output=True, text=True)
        return json.loads(ran.stdout) if ran.returncode == 0 else None

    def random_states(self, joints, seed=1):
        dice = random.Random(seed)
        states = []
        for _ in range(3):
            state = {key: {j["name"]: [dice.uniform(-1, 1) for _ in range(j["nv"])] for j in joints} for key in ("v", "a", "tau")}
            state["q"] = {j["name"]: [dice.uniform(-1, 1) for _ in range(j["nq"])] for j in joints}
            for j in joints:
                if j["nq"] > j["nv"]:
                    x = state["q"][j["name"]]
                    norm = sum(c * c for c in x[-4:])**0.5
                    x[-4:] = [c / norm for c in x[-4:]]
            states.append(state)
        return states

    def compare(self, convention, program, file, base, name):
        ours = self.evaluate(file, base, states=[])
        if ours is None:
            return
        mine = self.random_states([j for j in ours["joints"] if j["nv"]])
        there = self.evaluate(file, base, "--to", convention, states=mine)
        lists = [{"q": r["q"], "v": r["v"], "a": [0.1 * i for i in range(len(r["v"]))], "tau": [0.2] * len(r["v"])}
                 for r in there["results"]]
        said = self.ask(program, {"file": str(file), "free": base == "free", "states": lists})
        if "refused" in said:
            return
        self.compared += 1
        again = self.evaluate(file, base, "--convention", convention, states=lists)
        listed = self.evaluate(file, base, "--convention", convention, "--joints", ",".join(said["names"]), states=lists)
        found = [j["name"] for j in there["joints"]]
        wrong = "" if listed == again else "the program's own list gives other results"
        if there["joints"] != again["joints"] or sum(j["nq"] for j in there["joints"]) != said["nq"]:
            wrong = f"{found} have other sizes than {said['names']}"
        self.reordered += found != [j["name"] for j in ours["joints"] if j["nv"]]
        worst = 0.0
        for results in (there["results"], again["results"]):
            for mine_, theirs in zip(results, said["answers"]):
                for key in theirs:
                    if results is there["results"] and key not in ("M", "h", "g"):  # for another a and tau
                        continue
                    worst = largest(worst, self.difference(mine_[key], theirs[key]))
        bad = bool(wrong) or not worst <= TOLERANCE
        self.failed += bad
        print(f"{convention:10s} {name:40s} {base:6s} {worst:8.1e} {'!' if bad else ''} {wrong}")

    @staticmethod
    def difference(mine, theirs):
        if mine is None:  # a singular mass matrix
            return 0.0
        flat = lambda x: [e for row in x for e in row] if x and isinstance(x[0], list) else x
        a, b = flat(mine), flat(theirs)
        scale = largest(1.0, *map(abs, b))
        if len(a) != len(b):
            return float("inf")
        return largest(*(abs(x - y) / scale for x, y in zip(a, b)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lissom", required=True)
    parser.add_argument("--venv", required=True)
    parser.add_argument("robots", choices=("Ours", "Corpus"))
    options = parser.parse_args()
    if options.robots == "Corpus" and not (SHARED / "corpus").exists():
        skip("there is no corpus beside the checkout, nor at $LISSOM_SHARED")
    files = [ROOT / "models" / f for f in OURS] if options.robots == "Ours" else sorted((SHARED / "corpus" / "urdf").glob("*/*.urdf"))
    comparison = Comparison(options.lissom, python_with(options.venv, "pinocchio", "mujoco"))
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            urdf = bare(file.read_text(encoding="utf-8", errors="replace"))
            plain, floats = pathlib.Path(folder) / "plain.urdf", pathlib.Path(folder) / "floats.urdf"
            plain.write_text(urdf)
            for base in ("fixed", "free"):
                if base == "free" and floating(urdf) is None:
                    continue
                comparison.compare("pinocchio", IN_PINOCCHIO, plain, base, file.stem)
            comparison.compare("mujoco", IN_MUJOCO, plain, "fixed", file.stem)
            if floating(urdf):
                floats.write_text(floating(urdf))
                comparison.compare("mujoco", IN_MUJOCO, floats, "fixed", file.stem + " (floats)")
                comparison.compare("pinocchio", IN_PINOCCHIO, floats, "fixed", file.stem + " (floats)")
    print(f"{comparison.compared - comparison.failed} of {comparison.compared} agree within {TOLERANCE}; "
          f"{comparison.reordered} of them with another order of joints")
    return 1 if comparison.failed or not comparison.compared or not comparison.reordered else 0


if __name__ == "__main__":
    sys.exit(main())
