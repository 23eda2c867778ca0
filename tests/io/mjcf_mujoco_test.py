#!/usr/bin/env python3
"""Random MJCF models, with files that they include and models that they attach: lissom finds the placements, M and h that MuJoCo
finds. What lissom writes again has the same tendons, equalities, actuators and keys in MuJoCo.

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
TOLERANCE_WRITTEN = 1e-8  # damping ratios follow from inertias

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

# Reads pairs of files: a model, and what lissom has written of it. Writes how much each quantity differs.
PAIRS_IN_MUJOCO = r"""
import json, sys
import numpy as np
import mujoco

def rows_of_equalities(model, data):
    "Rows of the constraints with their residuals, each of norm 1, in an order and with a sign of their own"
    rows = []
    for i in range(data.nefc):
        if data.efc_type[i] == mujoco.mjtConstraint.mjCNSTR_EQUALITY:
            J = np.array(data.efc_J).reshape(-1, model.nv)[i] if not mujoco.mj_isSparse(model) else None
            row = np.append(J, data.efc_pos[i])
            scale = np.linalg.norm(J)
            row = row / scale if scale > 1e-9 else row * 0
            first = next((x for x in row if abs(x) > 1e-6), 1)
            rows.append(np.round(row * np.sign(first), 7) + 0.0)
    return sorted(map(tuple, rows))

def state_of(model, start, k):
    dice = np.random.default_rng(k)
    data = mujoco.MjData(model)
    q = np.array(start)
    mujoco.mj_integratePos(model, q, dice.uniform(-1, 1, model.nv), 1.0)
    data.qpos, data.qvel, data.ctrl = q, dice.uniform(-1, 1, model.nv), dice.uniform(-2, 2, model.nu)
    mujoco.mj_forward(model, data)
    return data

def rotations_of(model, qpos):
    "Positions with quaternions of norm 1, whose first element that is not zero is positive"
    q = np.array(qpos)
    mujoco.mj_normalizeQuat(model, q)
    for kind, start in zip(model.jnt_type, model.jnt_qposadr):
        at = {0: start + 3, 1: start}.get(int(kind))  # free, ball
        if at is not None:
            q[at:at + 4] *= np.sign(next(x for x in q[at:at + 4] if abs(x) > 1e-9))
    return q

def largest(a, b):
    a, b = np.asarray(a, float).ravel(), np.asarray(b, float).ravel()
    return float("inf") if a.shape != b.shape else float(np.max(np.abs(a - b) / max([1.0, *np.abs(b)]), initial=0))

def worse(a, b):
    return float(np.maximum(a, b))  # NaN if one of them is

answers = []
for pair in json.load(sys.stdin):
    errors = {}
    try:
        models = [mujoco.MjModel.from_xml_path(file) for file in pair]
    except Exception as error:
        answers.append({"refused": str(error)})
        continue
    for model in models:
        model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    for k in range(2):
        if models[0].nu != models[1].nu or models[0].nv != models[1].nv:
            errors["size"] = float("inf")
            break
        a, b = [state_of(model, models[0].qpos0, k) for model in models]
        for quantity in ("qfrc_actuator", "actuator_force", "ten_length", "qfrc_passive"):
            errors[quantity] = worse(errors.get(quantity, 0), largest(getattr(b, quantity), getattr(a, quantity)))
        left, right = (rows_of_equalities(model, data) for model, data in zip(models, (a, b)))
        # Equalities of tendons with three joints are left out, with a warning.
        missing = [row for row in left if not any(largest(row, other) < 1e-5 for other in right)]
        errors["equalities"] = worse(errors.get("equalities", 0), float(len(right) - len(left) + len(missing)))
        errors["left_out"] = len(missing)
    keys = [{model.key(i).name: rotations_of(model, model.key_qpos[i]) for i in range(model.nkey)} for model in models]
    for name in keys[0]:
        errors["keys"] = worse(errors.get("keys", 0), largest(keys[1].get(name, []), keys[0][name]))
    answers.append(errors)
print(json.dumps(answers))
"""

# What lissom does not use is written again as it was; a rod is a tendon between two sites, and an equality of its length.
KEPT = """<mujoco model="kept"><option integrator="RK4"><flag energy="enable"/></option>
<default><default class="strong"><muscle force="300"/></default></default>
<asset><material name="steel" rgba="1 0 0 1" shininess="0.3" reflectance="0.2"/></asset>
<worldbody><site name="w" pos="1 0 1"/><body name="moved" mocap="true" pos="0 0 3"><geom name="gm" size="0.1" material="steel"/></body>
<body name="a" gravcomp="0.5" user="7"><joint name="j" actuatorgravcomp="true" solreflimit="0.1 1" range="-1 1" actuatorfrcrange="-2 3" user="1 2"/>
<geom name="g" size="0.1" solmix="0.4" friction="0.2 0.3 0.4" group="4"/><site name="s" type="box" size="0.3 0.2 0.1" rgba="1 0 0 1" group="3" material="steel"/>
<body name="b" pos="0 0 1"><joint name="k" type="ball" range="0 60"/><geom name="g2" size="0.1"/><site name="end" pos="0 0 0.5"/></body></body>
<body name="c" pos="2 0 0"><freejoint name="f"/><geom size="0.1"/><site name="on" pos="0 0.1 0"/></body></worldbody>
<tendon><fixed name="t" group="2" margin="0.1"><joint joint="j" coef="2"/></fixed><spatial name="rod"><site site="end"/><site site="on"/></spatial></tendon>
<equality><connect body1="a" anchor="0 0 0" solref="0.1 1"/><weld name="hold" body1="b" anchor="0.1 0 0" torquescale="2" solimp="0.8 0.9 0.01 0.5 2"/>
<joint joint1="j" solref="0.2 1"/><tendon name="rod" tendon1="rod" polycoef="0.25" solref="0.3 1"/></equality>
<actuator><muscle name="m" joint="j" class="strong" lengthrange="0 1"/>
<motor name="u" joint="j" group="2" user="3"/>
<intvelocity name="i" tendon="t" actrange="0 1"/><adhesion name="ad" body="a" ctrlrange="0 1"/><motor name="at" site="s" gear="0 0 1 0 0 0"/></actuator>
<keyframe><key name="start" qpos="0.5 1 0 0 0 2 0 0 1 0 0 0" ctrl="1 2 3 0.5 5" act="0.1 0.2" time="2" mpos="0 0 1" mquat="1 0 0 0"/></keyframe></mujoco>"""
KEPT_IN_MUJOCO = r"""
import json, sys
import numpy as np
import mujoco
a, b = [mujoco.MjModel.from_xml_path(file) for file in sys.argv[1:]]
of = {"body": ["gravcomp", "mocapid", "user"], "jnt": ["actfrcrange", "actgravcomp", "solref", "user", "range"],
      "geom": ["solmix", "friction", "group"], "site": ["type", "size", "rgba", "group", "pos"], "mat": ["shininess", "reflectance"],
      "tendon": ["group", "margin", "length0"], "eq": ["type", "solref", "solimp", "data"],
      "actuator": ["dyntype", "gainprm", "biasprm", "trntype", "gear", "group", "user", "ctrlrange", "actrange", "lengthrange"],
      "key": ["ctrl", "act", "time", "mpos", "mquat", "qpos"]}
kinds = {"jnt": "joint", "mat": "material", "eq": "equality"}
differ = [name for name in ("nu", "na", "neq", "ntendon", "nmocap") if getattr(a, name) != getattr(b, name)]
if [a.opt.integrator, a.opt.enableflags] != [b.opt.integrator, b.opt.enableflags]:
    differ.append("option")
for prefix, fields in of.items():
    kind = getattr(mujoco.mjtObj, "mjOBJ_" + kinds.get(prefix, prefix).upper())
    for i in range(getattr(a, "n" + {"mat": "mat", "actuator": "u"}.get(prefix, prefix))):
        name = mujoco.mj_id2name(a, kind, i)
        k = mujoco.mj_name2id(b, kind, name) if name else i
        if prefix == "eq" and not name:  # it has got a name, and a place among its kind
            k = next(k for k in range(b.neq) if b.eq_type[k] == a.eq_type[i])
        for field in fields:
            x, y = (np.asarray(getattr(m, prefix + "_" + field))[at] for m, at in ((a, i), (b, k)))
            if field == "data":  # after these, a scale of torques, which only welds use
                x, y = (z[:11 if a.eq_type[i] == mujoco.mjtEq.mjEQ_WELD else 10 if a.eq_obj2id[i] >= 0 else 1] for z in (x, y))
            if k < 0 or not np.allclose(x, y, atol=1e-12):
                differ.append(f"{prefix} {name or i} {field}: {x} and {y}")
print(json.dumps(differ))
"""


def compare_kept(options, python, folder):
    """Whether MuJoCo finds in what lissom has written what lissom does not use."""
    source, failed = pathlib.Path(folder) / "kept.xml", 0
    source.write_text(KEPT)
    for more in ([], ["--plain"]):
        out = pathlib.Path(folder) / "kept_written.xml"
        subprocess.run([options.lissom, "convert", source, out, "--force", "--strict", *more], check=True, capture_output=True)
        ran = subprocess.run([python, "-c", KEPT_IN_MUJOCO, source, out], capture_output=True, text=True, cwd=folder)
        differ = json.loads(ran.stdout) if ran.returncode == 0 else [ran.stderr]
        print("what is kept is written again", *more, "differs:" if differ else "", *differ, sep=" ")
        failed += len(differ)
    return failed


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


def keep(file):
    for part in file.parent.glob(f"{file.stem}*.xml"):
        if part.stem == file.stem or part.stem.startswith(file.stem + "_"):
            pathlib.Path(part.name).write_text(part.read_text())


def compare_written(options, python, files, folder):
    """The number of files that have other tendons, equalities, actuators or keys after lissom has written them."""
    pairs, warned = [], {}
    for file in files:
        out = file.with_name(file.stem + "_written.xml")
        ran = subprocess.run([options.lissom, "convert", file, out, "--json"], capture_output=True, text=True)
        if ran.returncode == 0:
            pairs.append([str(file), str(out)])
            checked = subprocess.run([options.lissom, "check", file, "--json"], capture_output=True, text=True)
            found = json.loads(checked.stdout)["files"][0]["diagnostics"]
            warned[str(file)] = any(d["code"] == "equality-tendon" for d in found)
    ran = subprocess.run([python, "-c", PAIRS_IN_MUJOCO], input=json.dumps(pairs), capture_output=True, text=True, cwd=folder)
    if ran.returncode:
        sys.exit(ran.stderr)
    failed = 0
    for (file, _), errors in zip(pairs, json.loads(ran.stdout)):
        left_out = errors.pop("left_out", 0)
        if "refused" in errors or not largest(*errors.values()) <= TOLERANCE_WRITTEN or (left_out and not warned[file]):
            failed += 1
            print("written:", pathlib.Path(file).stem, errors, f"{left_out} equalities left out" if left_out else "")
            if options.keep:
                keep(pathlib.Path(file))
    print(f"{len(pairs) - failed} of {len(pairs)} have the same tendons, equalities, actuators and keys after writing")
    return failed + (len(pairs) < len(files) / 2)


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
            texts = RandomModel(seed, f"random{seed}").files()
            for name, text in texts.items():
                (pathlib.Path(folder) / name).write_text(text)
            files.append(pathlib.Path(folder) / next(iter(texts)))
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
                    keep(file)
        written = [file for file, theirs in zip(files, said) if "refused" not in theirs]
        failed += compare_written(options, python, written, folder)
        changed = compare_kept(options, python, folder)
    print(f"{compared - failed} of {compared} agree within {TOLERANCE}; {refused} are refused by MuJoCo")
    if compared < options.count / 2:
        print("too few models were compared")
        sys.exit(1)
    sys.exit(1 if failed or changed else 0)


if __name__ == "__main__":
    main()
