"""What lissom writes as MJCF, in MuJoCo: it loads, and has the same mass matrix and bias forces.

usage: mujoco_test.py --lissom LISSOM [--venv DIRECTORY] [FILE…] [--tolerance 1e-9] [--base BASE]
Without files: the project's own models, and the corpus where it is available ($LISSOM_SHARED, or shared/ beside the repository).
Where this Python has no mujoco, that of the virtual environment is taken, into which it is installed; without either, the test is skipped (exit code 77)."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from robot_files import all_files

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from largest import largest  # noqa: E402
from other_packages import python_with, skip  # noqa: E402

try:
    import mujoco
    import numpy as np
except ImportError as error:
    if "--venv" not in sys.argv:
        skip(error)
    python = python_with(sys.argv[sys.argv.index("--venv") + 1], "mujoco")
    os.execv(python, [python, "-B", *sys.argv])


def rotation(w, x, y, z):
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def full_mass_matrix(model, data):
    M = np.zeros((model.nv, model.nv))
    try:
        mujoco.mj_fullM(model, data, M)
    except TypeError:
        mujoco.mj_fullM(model, M, data.qM)
    return M


PARTS = {"universal": ["first", "second"], "cylindrical": ["along", "about"], "planar": ["x", "y", "angle"]}


class Mapping:
    """Coordinates of lissom's joints in MuJoCo: v_mujoco = T v."""

    def __init__(self, model, joints, q, v):
        self.T, self.T_dot_v = np.zeros((model.nv, len(v))), np.zeros(model.nv)
        self.qpos = model.qpos0.copy()
        for joint in joints:
            nq, nv, iq, iv = joint["nq"], joint["nv"], joint["idx_q"], joint["idx_v"]
            if nv == 0:
                continue
            x, u = q[iq:iq + nq], v[iv:iv + nv]
            parts = [joint["name"] + "/" + part for part in PARTS.get(joint["type"], [])] or [joint["name"]]
            if joint["type"] == "free" and mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint["name"]) < 0:
                parts = [joint["name"] + "/" + part for part in ("x", "y", "z", "rotation")]  # inside of the tree
            ids = [model.joint(part).id for part in parts]
            at_q = [model.jnt_qposadr[i] for i in ids]
            at_v = [model.jnt_dofadr[i] for i in ids]
            if len(parts) == 4:
                R = rotation(*x[3:])
                self.qpos[at_q[:3]], self.qpos[at_q[3]:at_q[3] + 4] = x[:3], x[3:]
                self.T[np.ix_(at_v[:3], range(iv, iv + 3))] = R
                self.T_dot_v[at_v[:3]] = R @ np.cross(u[3:], u[:3])
                self.T[at_v[3]:at_v[3] + 3, iv + 3:iv + 6] = np.eye(3)
                continue
            if joint["type"] in ("free", "spherical"):
                self.qpos[at_q[0]:at_q[0] + nq] = x
                self.T[at_v[0]:at_v[0] + nv, iv:iv + nv] = np.eye(nv)
            else:
                self.qpos[at_q] = x
                self.T[at_v, range(iv, iv + nv)] = 1
            if joint["type"] == "free":
                R = rotation(*x[3:])
                self.T[at_v[0]:at_v[0] + 3, iv:iv + 3] = R
                self.T_dot_v[at_v[0]:at_v[0] + 3] = R @ np.cross(u[3:], u[:3])
            if joint["type"] == "planar":
                c, s = np.cos(x[2]), np.sin(x[2])
                R = np.array([[c, -s], [s, c]])
                self.T[np.ix_(at_v[:2], [iv, iv + 1])] = R
                self.T_dot_v[at_v[:2]] = R @ (u[2] * np.array([-u[1], u[0]]))


def compare(lissom, path, base, states, folder):
    written = os.path.join(folder, "robot.xml")
    run = subprocess.run([lissom, "convert", path, written, "--force", "--json", "--base", base], capture_output=True, text=True)
    if run.returncode != 0:
        return "not read: " + run.stderr.splitlines()[0], None
    report = json.loads(run.stdout)
    try:
        model = mujoco.MjModel.from_xml_path(written)
    except ValueError as error:
        return "MuJoCo refuses it: " + str(error).replace("\n", " "), report
    command = [lissom, "eval", path, "--base", base, "--mimic", "independent", "--states", "-"]

    def evaluate(requests):
        run = subprocess.run(command, input=json.dumps({"states": requests}), capture_output=True, text=True)
        if run.returncode != 0:
            raise RuntimeError(run.stderr)
        return json.loads(run.stdout)

    first = evaluate([{}])
    joints, neutral = first["joints"], np.array(first["results"][0]["q"])
    nv = len(first["results"][0]["v"])
    if any(joint["type"] == "helical" for joint in joints):
        return None, report  # MuJoCo has more coordinates
    random = np.random.default_rng(1)
    requests = []
    for _ in range(states):
        q = neutral.copy()
        for joint in joints:
            part = slice(joint["idx_q"], joint["idx_q"] + joint["nq"])
            q[part] = random.uniform(-1, 1, joint["nq"])
            if joint["type"] in ("free", "spherical"):
                quaternion = slice(part.stop - 4, part.stop)
                q[quaternion] /= np.linalg.norm(q[quaternion])
        requests.append({"q": list(q), "v": list(random.uniform(-1, 1, nv))})
    worst = 0
    data = mujoco.MjData(model)
    for request, result in zip(requests, evaluate(requests)["results"]):
        mapping = Mapping(model, joints, np.array(request["q"]), np.array(request["v"]))
        data.qpos[:], data.qvel[:] = mapping.qpos, mapping.T @ request["v"]
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        theirs = full_mass_matrix(model, data)
        M = mapping.T.T @ theirs @ mapping.T
        h = mapping.T.T @ (theirs @ mapping.T_dot_v + data.qfrc_bias)
        ours_M, ours_h = np.array(result["M"]), np.array(result["h"])
        if ours_M.size == 0:
            continue
        for a, b in ((M, ours_M), (h, ours_h)):
            # (Robots without any mass have a little of it in MuJoCo.)
            scale = max(np.abs(b).max(), np.abs(ours_M).max()) or 1
            difference = np.abs(a - b).max() / scale
            worst = largest(worst, difference)
    return worst, report


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lissom", required=True)
    parser.add_argument("--venv")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("--base", default="file")
    parser.add_argument("--states", type=int, default=5)
    options = parser.parse_args()
    options.lissom, files = os.path.abspath(options.lissom), options.files or all_files()
    failures = loaded = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # MuJoCo writes its log there
        for path in files:
            answer, report = compare(options.lissom, path, options.base, options.states, folder)
            lost = {loss["code"] for loss in report["losses"] if loss["severity"] == "warning"} if report else set()
            excused = "inertia-impossible" in lost
            if isinstance(answer, str) and answer.startswith("not read"):
                print(f"{path}: {answer}")
                continue
            good = answer is None or (not isinstance(answer, str) and (answer <= options.tolerance or excused))
            loaded += 1
            failures += not good
            print(f"{'ok  ' if good else 'FAIL'} {path}: {answer} {' '.join(sorted(lost))}")
    print(f"{loaded - failures} of {loaded} agree with MuJoCo {mujoco.__version__}")
    sys.exit(1 if failures or loaded == 0 else 0)


if __name__ == "__main__":
    main()
